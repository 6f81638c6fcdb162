// Package fakeslack is a Slack to test and play with: the Web API over HTTP,
// Socket Mode over a WebSocket, and people who post, press, edit and delete. It
// keeps Slack's own rules, as far as they matter to an app: error codes by their
// names, limits, who sees which channel, the two events of one mention, delivery
// until acknowledged. On demand it breaks as Slack and networks break.
//
// It knows nothing of our adapter: it is written from Slack's documents, not from
// what the adapter sends, and it uses no Slack library, so that an error in one
// is not hidden by the same error in the other. Whoever adds a method adds its
// scope to the table and its limits to the checks; a method that always says yes
// proves nothing.
//
//	server.go   start, stop, what is recorded        humans.go  people
//	api.go      one Web API call                     events.go  what happened → events
//	chat.go, conversations.go, …   the methods       delivery.go  events → app, until acknowledged
//	blocks.go   limits of Block Kit                  socket.go  Socket Mode
//	faults.go   what breaks                          clock.go   time
package fakeslack
