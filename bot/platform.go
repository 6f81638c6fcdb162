package bot

import "context"

// A Receiver takes what a platform hears; Bot is one. A nil error means that the
// Message or Click is safe on disk, so the platform may acknowledge it; after any
// other error the platform must let its sender try again.
//
// Receivers return within a second: they store, they do not think.
type Receiver interface {
	Receive(context.Context, Message) error
	Click(context.Context, Click) error
}

// A Reopener is a Receiver that waits for a workspace which does not let the bot in.
type Reopener interface {
	// Reopened is called when the workspace of a Place, of which only that and the
	// platform count, lets the bot in: at the start, and whenever it did not before.
	Reopened(ctx context.Context, workspace Place) error
}

// A Poster delivers posts. It may be called at once for different Places, and
// again for a Post that it has delivered. Its errors wrap ErrBusy or ErrRefused
// where they are that, and ErrUnknown if it may have been delivered.
type Poster interface {
	// Post says p, or changes what is there if p.Delivered is set. A platform
	// that cannot change leaves it as it is.
	Post(context.Context, Post) (Receipt, error)
}

// A Finder is a Poster that can look for a Post after it may have been delivered.
type Finder interface {
	// Find returns the Receipt of the Post with that Key, and false if the
	// platform certainly has none.
	Find(context.Context, Post) (Receipt, bool, error)
}

// A Retractor is a Poster that can take back a copy.
type Retractor interface {
	// Retract takes back what the Receipt of a Post points at, if the platform has
	// another copy of it: who said it had lost it to another by then.
	Retract(context.Context, Post, Receipt) error
}

// A Platform is a place to talk. Run listens until its context ends, and then
// returns nil. It is given its Receiver there and not when it is made, because
// the Receiver is made of platforms.
type Platform interface {
	Poster
	Run(context.Context, Receiver) error
}

// A Knower knows what people are to a workspace. It is asked when a Message is
// worked on, not when it is heard.
type Knower interface {
	// Standing never returns Unsaid without an error.
	Standing(ctx context.Context, person string) (Standing, error)
}

// A Fetcher brings what came with a Message.
type Fetcher interface {
	// Fetch returns at most most bytes, ErrTooLarge if there are more, ErrNoAccess
	// if the platform does not let the bot read it.
	Fetch(ctx context.Context, p Place, a Attachment, most int64) ([]byte, error)
}

// A Rereader tells what was said in a thread.
type Rereader interface {
	// Reread returns what people and other bots said in the thread of p after the
	// message with the Key after (all, if that is empty) and before the one with
	// the Key before, oldest first, at most n of the newest. What the bot itself
	// said is not among it.
	Reread(ctx context.Context, p Place, after, before string, n int) ([]Quote, error)
}

// A Directory knows the channels and people of a platform.
type Directory interface {
	// Channel finds the channel that people call name ("#sales", "sales", or
	// its id) in the workspace of home. It returns ErrNoChannel if there is
	// none that the bot can see.
	Channel(ctx context.Context, home Place, name string) (Channel, error)
}

// A PhoneBook knows people by name.
type PhoneBook interface {
	// Named returns the persons of the workspace of home whom people call name, without
	// its "@". The bot need not know all.
	Named(ctx context.Context, home Place, name string) ([]string, error)
}

// A Channel is a place as people know it.
type Channel struct {
	Place   Place
	Name    string // with its "#"
	Private bool
	Member  bool // the bot may post there
}

// A Shelf has the artifacts that posts show.
type Shelf interface {
	// Report returns the artifact with that id as a person sees it.
	Report(ctx context.Context, id string) (Shown, error)
	// Open returns a file and its bytes.
	Open(ctx context.Context, id string) (File, []byte, error)
}

// Shown is an artifact as a person sees it.
type Shown struct {
	ID, Hash, Title string
	Altered         bool   // it, or a file of it, is not what was made
	Text            string // Markdown
	Files           []File
}

// A Confidant is a platform on which a Person can be told something alone.
type Confidant interface {
	// Alone is the Place where a Person talks with the bot and nobody else.
	Alone(person string) Place
}

// A Guide knows the places of its platform.
type Guide interface {
	Confidant
	// PlaceName is how people call the channel of a Place ("#sales"); empty for one
	// that has no name or is not known.
	PlaceName(ctx context.Context, p Place) string
}

// A Linguist knows in which language a Person reads.
type Linguist interface {
	// Speaks is "en" or "zh", and empty if nobody knows.
	Speaks(person string) string
}

// A Namer knows how people call a Person in a Post of its platform.
type Namer interface {
	NameOf(person string) string
}
