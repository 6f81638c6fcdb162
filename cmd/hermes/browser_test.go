package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// A browser is Chromium on the console of a daemon.
type browser struct {
	t     *testing.T
	ctx   context.Context
	base  string
	shots int
}

// newBrowser starts Chromium and lets it in. Where there is none the test is
// skipped, but not in CI.
func newBrowser(t *testing.T, d *daemon) *browser {
	t.Helper()
	var path string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		if os.Getenv("CI") != "" {
			t.Fatal("no Chromium here; .ci/run installs it")
		}
		t.Skip("no Chromium here: apt-get install chromium")
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-dev-shm-usage", true),
		chromedp.WindowSize(1280, 900), chromedp.Env("TZ=Europe/Berlin"),
		// A cold Chromium on a busy machine takes its time.
		chromedp.WSURLReadTimeout(patience),
	)
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), opts...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &browser{t: t, ctx: ctx, base: d.url[:strings.Index(d.url, "/in?")]}
	if _, err := chromedp.Run(ctx, chromedp.Navigate(d.url)); err != nil {
		t.Fatalf("open the console: %v", err)
	}
	b.until("enter the console", `!!document.querySelector('.composer textarea')`)
	return b
}

// until waits until an expression is true, over navigations.
func (b *browser) until(what, expression string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		// A page that is just being left cannot be asked; the next one can.
		if ok, err := chromedp.Run(ctx, chromedp.Evaluate[bool](expression)); ok && err == nil {
			return
		}
		select {
		case <-ctx.Done():
			b.fail(what)
		case <-tick.C:
		}
	}
}

// fail ends the test with what the page says.
func (b *browser) fail(what string) {
	b.t.Helper()
	b.shot("failed")
	ctx, cancel := context.WithTimeout(b.ctx, 10*time.Second)
	defer cancel()
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](`location.href + "\n" + document.body.innerText`))
	b.t.Fatalf("%s: not within %s\nthe page says (%v):\n%s", what, patience, err, text)
}

// as switches to a user of the demo.
func (b *browser) as(user string) {
	b.t.Helper()
	b.until("switch to "+user, fmt.Sprintf(`(() => {
		const f = document.querySelector('form[action="/switch"] input[name=user][value=%q]');
		if (f) f.form.submit();
		return !!f;
	})()`, user))
	b.until("be "+user, fmt.Sprintf(`document.body.dataset.me === %q`, user))
}

// open goes to a page of the console.
func (b *browser) open(path string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if _, err := chromedp.Run(ctx, chromedp.Navigate(b.base+path)); err != nil {
		b.t.Fatalf("open %s: %v", path, err)
	}
}

// path is where the browser is.
func (b *browser) path() string {
	b.t.Helper()
	at, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`location.pathname`))
	if err != nil {
		b.t.Fatalf("read the address: %v", err)
	}
	return at
}

// write types into a composer and sends.
func (b *browser) write(composer, text string) {
	b.t.Helper()
	b.until("write "+text, fmt.Sprintf(`(() => {
		const box = document.querySelector(%q);
		if (!box) return false;
		box.value = %q;
		box.dispatchEvent(new Event('input', {bubbles: true}));
		box.form.requestSubmit();
		return true;
	})()`, composer, text))
}

// sayIn calls the bot in a channel; the page goes to the thread that it starts.
func (b *browser) sayIn(channel, text string) {
	b.t.Helper()
	b.open("/c/" + channel)
	b.write("main .composer textarea", text)
	b.until("go to the thread", fmt.Sprintf(`location.pathname.startsWith("/c/%s/") && !!document.querySelector('.pane .line')`, channel))
}

// press presses the newest button whose label begins so.
func (b *browser) press(label string) {
	b.t.Helper()
	b.until("press "+label, fmt.Sprintf(`(() => {
		const found = [...document.querySelectorAll('.choices button')].filter(x => x.innerText.startsWith(%q));
		if (!found.length) return false;
		found[found.length-1].click();
		return true;
	})()`, label))
}

// sees waits until a part of the page has a text.
func (b *browser) sees(selector, text string) {
	b.t.Helper()
	b.until(fmt.Sprintf("see %q in %s", text, selector),
		fmt.Sprintf(`[...document.querySelectorAll(%q)].some(x => x.innerText.includes(%q))`, selector, text))
}

// has waits until so many elements are there.
func (b *browser) has(selector string, n int) {
	b.t.Helper()
	b.until(fmt.Sprintf("have %d of %s", n, selector), fmt.Sprintf(`document.querySelectorAll(%q).length === %d`, selector, n))
}

// shot keeps a picture where HERMES_SHOTS says, for people to look at.
func (b *browser) shot(name string) {
	dir := os.Getenv("HERMES_SHOTS")
	if dir == "" {
		return
	}
	ctx, cancel := context.WithTimeout(b.ctx, 10*time.Second)
	defer cancel()
	// What fades in is shown as it will be.
	_, err := chromedp.Run(ctx, chromedp.Evaluate[chromedp.Void](`document.getAnimations().forEach(a => { try { a.finish() } catch { a.cancel() } })`))
	var png []byte
	if err == nil {
		png, err = chromedp.Run(ctx, chromedp.CaptureScreenshot())
	}
	if err != nil {
		b.t.Logf("no picture of %s: %v", name, err)
		return
	}
	b.shots++
	file := filepath.Join(dir, fmt.Sprintf("%s-%02d-%s.png", strings.ReplaceAll(b.t.Name(), "/", "_"), b.shots, name))
	if err := os.WriteFile(file, png, 0o600); err != nil {
		b.t.Logf("no picture of %s: %v", name, err)
	}
}
