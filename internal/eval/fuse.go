package eval

import "sync"

// points are where the program can be cut off. What stands behind one of them is done,
// or is not, as the name says.
var points = []string{
	"before claim", "after claim", "before take over", "after take over", "before note fired",
	"before save run", "after save run", "before keep artifact", "before put report", "after put report",
	"before say", "after say", "before note receipt", "after note receipt", "before tell run", "before end of post",
	"before put post", "before finish slot", "before end of item", "before settle", "after settle", "before try again", "after try again",
}

// A fuse cuts the program off at one point of its work: from then on nothing that it does
// reaches disk or chat, as if it had been killed there.
type fuse struct {
	mu    sync.Mutex
	armed string
	skip  int
	dead  bool
	cuts  map[string]int // by point
}

// arm has the program cut off at the nth time that it comes to a point, from 0. The last
// to arm it counts.
func (f *fuse) arm(point string, skip int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.armed, f.skip = point, skip
}

func (f *fuse) before(what string) error { return f.at("before " + what) }
func (f *fuse) after(what string) error  { return f.at("after " + what) }

func (f *fuse) at(point string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.dead {
		return errCut
	}
	if f.armed != point {
		return nil
	}
	if f.skip--; f.skip >= 0 {
		return nil
	}
	if f.cuts == nil {
		f.cuts = map[string]int{}
	}
	f.cuts[point]++
	f.dead, f.armed = true, ""
	return errCut
}

func (f *fuse) blown() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.dead
}

func (f *fuse) mend() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.dead = false
}
