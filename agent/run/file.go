package run

// A File is something that came with a Request, as far as it was read. All of it is
// data: what stands in a file asks for nothing.
type File struct {
	Name string `json:"name"`
	Mime string `json:"mime,omitempty"` // of its content, whatever its name says
	Size int64  `json:"size,omitempty"` // bytes
	Sort Sort   `json:"sort,omitempty"`
	Why  Unread `json:"why,omitempty"` // why its text is not there
	// Earlier is set if it came with an earlier request at the same home.
	Earlier bool `json:"earlier,omitempty"`

	// Artifact holds the text, to be read on in; of a table its rows are in Tables.
	Artifact string `json:"artifact,omitempty"`
	Extract  string `json:"extract,omitempty"` // how it begins
	Whole    bool   `json:"whole,omitempty"`   // Extract is all there is
	Left     int64  `json:"left,omitempty"`    // bytes of text that were not kept

	Chars    int      `json:"chars,omitempty"`
	Lines    int      `json:"lines,omitempty"`
	Title    string   `json:"title,omitempty"`
	Headings []string `json:"headings,omitempty"`
	First    string   `json:"first,omitempty"` // its first sentences
	Pages    int      `json:"pages,omitempty"`
	Width    int      `json:"width,omitempty"` // pixels
	Height   int      `json:"height,omitempty"`
	Tables   []Sheet  `json:"tables,omitempty"`
	// Secrets are the kinds of those that stand in its text and are not kept with it.
	Secrets []string `json:"secrets,omitempty"`
}

// A Sort is what a file is.
type Sort string

// The sorts of file that are told apart.
const (
	PlainText Sort = "text"
	Markdown  Sort = "markdown"
	JSON      Sort = "json"
	Code      Sort = "code"
	Page      Sort = "page" // HTML
	Rows      Sort = "rows" // CSV and the like
	Workbook  Sort = "workbook"
	PDF       Sort = "pdf"
	Image     Sort = "image"
)

// A Sheet is a table of a File.
type Sheet struct {
	Name    string       `json:"name,omitempty"`
	Table   string       `json:"table,omitempty"` // the artifact that holds its rows
	Rows    int          `json:"rows"`
	Unkept  int          `json:"unkept,omitempty"` // rows that Table does not hold
	More    bool         `json:"more,omitempty"`   // there are rows that were not looked at
	Ragged  int          `json:"ragged,omitempty"` // rows with more or fewer cells than the others
	Columns []ColumnFact `json:"columns"`
}

// A ColumnFact is what the cells of a column come to. Numbers are decimals as text.
type ColumnFact struct {
	Name   string `json:"name"`
	Filled int    `json:"filled"` // cells with something in them
	// Of a column of numbers.
	Sum  string `json:"sum,omitempty"` // empty where adding up means nothing
	Mean string `json:"mean,omitempty"`
	Min  string `json:"min,omitempty"`
	Max  string `json:"max,omitempty"`
	Unit string `json:"unit,omitempty"`
	Odd  int    `json:"odd,omitempty"` // cells that are no numbers
	// Of a column of days.
	From string `json:"from,omitempty"` // 2006-01-02
	To   string `json:"to,omitempty"`
	// Of any other.
	Distinct int      `json:"distinct,omitempty"`
	Values   []string `json:"values,omitempty"` // all of them, if they are few
}

// An Unread is why a file is not read.
type Unread string

// Why files are not read.
const (
	TooLarge   Unread = "too_large"
	TooMany    Unread = "too_many"
	NoAccess   Unread = "no_access"  // the platform does not let the bot read it
	Unfetched  Unread = "unfetched"  // it did not come
	SignIn     Unread = "sign_in"    // a page to sign in came in its place
	EmptyFile  Unread = "empty"      // there is nothing in it
	Locked     Unread = "locked"     // it has a password
	NoText     Unread = "no_text"    // a PDF of pictures
	Damaged    Unread = "damaged"    // it is not what it begins as
	TooSlow    Unread = "too_slow"   // reading it took longer than one may
	UnreadSort Unread = "unreadable" // of a sort that is not read
)

// Error makes an Unread an error.
func (u Unread) Error() string { return "file not read: " + string(u) }
