// Package fakeslack is a Slack to test and play with: the Web API over HTTP,
// events over Socket Mode or signed HTTP, and people who post, press, fill in forms
// and stop what runs. It keeps Slack's own rules, as far as they matter to an app:
// error codes by their names, limits, who sees which channel, the two events of one
// mention, delivery until acknowledged. On demand it breaks as Slack and networks
// break.
//
// It knows nothing of our adapter: it is written from Slack's documents, not from
// what the adapter sends, and it uses no Slack library, so that an error in one
// is not hidden by the same error in the other. Whoever adds a method adds its
// scopes, arguments and tier to the table and its limits to the checks; a method
// that always says yes proves nothing.
//
// # People
//
// A Human does what a person can do in the client, and gets an error where the
// client would not let them. What the app is told comes back as a Delivery; WaitAnswer
// returns it with the answer of the app, and Refused says why Slack took no notice
// of that answer.
//
//	ana := s.Human("ana")
//	m, err := ana.Say("sales", "@hermes hi")            // Reply, Broadcast, Send, Edit, Delete
//	err = ana.React(m, "eyes")                          // Unreact
//	m, err = ana.Attach("dm", "", "see", File{Name: "a.csv", Bytes: b})
//	d, err := ana.Press(m, "Approve")                   // by action_id or label; feedback and icon buttons too
//	d, err = ana.Choose(m, "zone", "Europe/Berlin")     // menus, dates, inputs
//	d, err = ana.Slash("sales", "/hermes", "status")
//	d, err = ana.Shortcut(m, "ask_about_message")       // GlobalShortcut
//	d, err = ana.OpenHome()                             // OpenMessages, OpenThread, Looks
//	v, ok := ana.Home()                                 // what the app published
//	d, err = ana.PressIn(v, "Approve")                  // ChooseIn, Suggest
//	v, ok = ana.Modal()                                 // the one on top
//	d, err = ana.Submit(map[string]string{"name": "x"}) // by action_id, block_id or label; Dismiss closes
//	d, err = ana.PressStop("dm", m.TS)                  // Rename gives a thread another title
//
// AddUser adds guests and people of other workspaces, AddBot bots, SetGroup groups.
// Channel returns a Room: what stands there (Messages, Thread, Private, Status, Title,
// Prompts) and what owners do to it (Change, Invite, Kick, Archive, Hide, Publish,
// Renumber). Remove takes away any message, Uninstall the app.
//
// # The app
//
// Calls, OnRequest, Refusals and Complaints tell what the app did; Deliveries,
// AckTimes, Conns, Opens and OpensApart how it listens. UseHTTP delivers to a request
// URL in place of sockets. A press, a command or a form is delivered once, an event
// up to four times. LimitEvents ends that after so many events in an hour, as Slack
// does after HourlyEvents: then the app hears of one app_rate_limited in each minute and
// of nothing else. DisableFailing switches events off where too many attempts by HTTP
// fail (MostFailed of a hundred in an hour of at least BusyApp events); Disabled says so,
// and Enable switches them on again. Both count by the Server's Clock.
//
// # Judgement
//
// Judge says what the app did wrong where Slack is silent, and Unfinished what people still
// see as under way: tests end with them unless they have broken something on purpose.
//
// # Faults
//
// Fail breaks calls of a method; Lose, Duplicate, Swap and Redeliver break deliveries;
// DropSockets, ResetSockets, DropOldest, Freeze, Disconnect, Refresh, Storm and
// Conflict break sockets; Revoke, Expire and Forbid take away what the app may do; LimitRates turns
// Slack's rate limits on. Deliver, Event and SendRaw bring what no app expects.
package fakeslack
