package report

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"unicode"

	"github.com/go-analyze/charts"
	"github.com/golang/freetype/truetype"
)

// fontPaths are where machines keep a font with Chinese characters in outlines
// that the renderer reads (TrueType; the OpenType files of Noto and PingFang
// are not). In the order of how they look in a chart.
var fontPaths = []string{
	"/usr/share/fonts/truetype/wqy/wqy-microhei.ttc",
	"/usr/share/fonts/wqy-microhei/wqy-microhei.ttc",
	"/usr/share/fonts/wenquanyi/wqy-microhei/wqy-microhei.ttc",
	"/usr/share/fonts/wqy-microhei-fonts/wqy-microhei.ttc",
	"/usr/share/fonts/truetype/wqy/wqy-zenhei.ttc",
	"/usr/share/fonts/wqy-zenhei/wqy-zenhei.ttc",
	"/usr/share/fonts/truetype/noto/NotoSansSC*.ttf",
	"/usr/share/fonts/noto*/NotoSans*SC*.ttf",
	"/usr/share/fonts/google-noto*/NotoSans*SC*.ttf",
	"/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf",
	"/usr/share/fonts/droid/DroidSansFallback*.ttf",
	"/usr/share/fonts/truetype/arphic/*.ttc",
	"/System/Library/Fonts/STHeiti Light.ttc",
	"/System/Library/Fonts/Supplemental/Arial Unicode.ttf",
	"/Library/Fonts/Arial Unicode.ttf",
	`C:\Windows\Fonts\msyh.ttc`,
	`C:\Windows\Fonts\msyh.ttf`,
	`C:\Windows\Fonts\NotoSansSC-VF.ttf`,
	`C:\Windows\Fonts\simhei.ttf`,
}

// A face is a font with the file that it came from.
type face struct {
	*truetype.Font
	path string
}

// loadFont reads a font of TrueType outlines, alone or the first of a
// collection.
func loadFont(path string) (*face, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read font: %w", err)
	}
	f, err := parseFont(b)
	if err != nil {
		return nil, fmt.Errorf("read font %s: %w", path, err)
	}
	return &face{f, path}, nil
}

// parseFont survives a damaged file: the parser indexes into tables that it does
// not check.
func parseFont(b []byte) (f *truetype.Font, err error) {
	defer func() {
		if p := recover(); p != nil {
			f, err = nil, fmt.Errorf("damaged font: %v", p)
		}
	}()
	return truetype.Parse(b)
}

// machineFont is the first font of the machine that has Chinese characters, or
// nil. It is looked for once, when the first Chinese label is drawn: a font is
// megabytes.
var machineFont = sync.OnceValue(func() *face { return findFont(fontPaths) })

// FontOf is the file of the font that is used for letters that Latin fonts lack: the one
// that is configured, else what the machine has; empty if it has none. A configured one
// that cannot be read is an error.
func FontOf(configured string) (string, error) {
	if configured != "" {
		f, err := loadFont(configured)
		if err != nil {
			return "", err
		}
		return f.path, nil
	}
	if f := machineFont(); f != nil {
		return f.path, nil
	}
	return "", nil
}

func findFont(paths []string) *face {
	for _, pattern := range paths {
		found, _ := filepath.Glob(pattern) //nolint:errcheck // The patterns are ours.
		for _, path := range found {
			if f, err := loadFont(path); err == nil && f.Index('销') != 0 && f.Index('額') != 0 {
				return f
			}
		}
	}
	return nil
}

// shows says whether a text can be drawn with the renderer's own fonts and one
// more, which may be nil.
func shows(s string, extra *face) bool {
	for _, r := range s {
		if unicode.IsSpace(r) || extra != nil && extra.Index(r) != 0 {
			continue
		}
		if !slices.ContainsFunc(builtIn(), func(f *truetype.Font) bool { return f.Index(r) != 0 }) {
			return false
		}
	}
	return true
}

// builtIn are the fonts that the renderer falls back to.
var builtIn = sync.OnceValue(func() []*truetype.Font {
	var fonts []*truetype.Font
	for _, name := range []string{charts.FontFamilyNotoSans, charts.FontFamilyRoboto} {
		if f := charts.GetFont(name); f != nil {
			fonts = append(fonts, f)
		}
	}
	return fonts
})
