package report

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/golang/freetype/truetype"

	"hermes/agent/tool"
)

// A job is the making of one report.
type job struct {
	*maker
	call   tool.Call
	in     Args
	lang   string
	tables []tool.Artifact
	frames []*frame
	grids  []tool.Grid
	page   page
	files  []tool.Artifact
}

func (j *job) read(tables []tool.Artifact) error {
	j.tables = tables
	for i, a := range tables {
		g, err := tool.DecodeGrid(a.Body)
		if err != nil {
			return fmt.Errorf("table %s: %w", a.ID, err)
		}
		j.grids = append(j.grids, g)
		j.frames = append(j.frames, newFrame(g, i))
	}
	return nil
}

func (j *job) make(ctx context.Context) (tool.Result, error) {
	meta := Meta{Version: version, Evidence: []Evidence{}}
	for _, t := range j.tables {
		meta.Tables = append(meta.Tables, t.ID)
		meta.Hashes = append(meta.Hashes, t.Hash)
	}
	meta.Words = !j.call.Ruled && (strings.TrimSpace(j.in.Commentary) != "" || strings.TrimSpace(j.in.Title) != "")
	left := meta.Words && j.call.Job != "" && j.call.Recipe == ""
	if left {
		// A slot posts what was allowed before anybody has seen it. A saved report says
		// what a model writes in it; here nothing does.
		j.in.Title, j.in.Commentary, meta.Words = "", "", false
	}
	j.page = page{lang: j.lang, frames: j.frames, revision: j.call.Revision, replaces: j.call.Replaces}
	j.page.analysis, meta.Evidence = analyse(j.frames, j.lang)
	// Nothing of a model's words is shown unchecked, and a title cannot be
	// struck through: one with a number of its own is not taken.
	_, ev, struck := Check(j.in.Title, j.grids, j.lang)
	if len(struck) > 0 {
		j.in.Title, ev = "", nil
	}
	words := j.in.Title + "\n" + j.in.Commentary // of the model
	j.page.title = j.title()
	meta.Evidence, meta.Struck = append(meta.Evidence, ev...), struck
	if in := strings.TrimSpace(j.in.Commentary); in != "" {
		j.page.commentary, ev, struck = Check(quiet.Replace(in), j.grids, j.lang)
		meta.Evidence, meta.Struck = append(meta.Evidence, ev...), append(meta.Struck, struck...)
	}
	meta.Marks = outward(words, meta.Struck, j.frames, j.lang)
	if err := j.chart(); err != nil {
		return tool.Result{}, err
	}
	if err := j.sheets(); err != nil {
		return tool.Result{}, err
	}
	out := Made{Title: j.page.title, Text: j.page.markdown(), Files: []MadeFile{}, Struck: meta.Struck}
	if left {
		out.Left = leftOut
	}
	rep, err := j.keep(ctx, &out, meta)
	if err != nil {
		return tool.Result{}, err
	}
	out.Report, out.Hash = rep.ID, rep.Hash
	res, err := tool.JSON(out)
	res.Shows = []string{rep.ID}
	return res, err
}

// leftOut is what a model hears of its words that a report was made without, and so what
// stands in the record of the run.
const leftOut = "your title and commentary: under a schedule a report has only what is computed, unless it is a saved report; the schedule stands, nothing is to be mended"

// quiet takes the meaning from what would call people in a chat.
var quiet = strings.NewReplacer("<!", "&lt;!", "<@", "&lt;@", "<#", "&lt;#")

// keep puts the files and then the report: a report that is there has its files.
func (j *job) keep(ctx context.Context, out *Made, meta Meta) (tool.Artifact, error) {
	rep := tool.Artifact{
		ID: tool.NewID(j.call.ID, "report"), Kind: tool.Report, Title: out.Title, Body: []byte(out.Text),
		Recipe: j.recipe(), Run: j.call.Run, Call: j.call.ID,
	}
	for _, f := range j.files {
		f.Kind, f.Run, f.Call, f.Recipe = tool.File, j.call.Run, j.call.ID, rep.Recipe
		f, err := j.kept.Put(ctx, f)
		if err != nil {
			return rep, fmt.Errorf("keep %s: %w", f.Name, err)
		}
		rep.Files = append(rep.Files, f.ID)
		out.Files = append(out.Files, MadeFile{f.ID, f.Name})
	}
	var err error
	if rep.Meta, err = json.Marshal(meta); err != nil {
		return rep, fmt.Errorf("encode evidence: %w", err)
	}
	if rep, err = j.kept.Put(ctx, rep); err != nil {
		return rep, fmt.Errorf("keep report: %w", err)
	}
	return rep, nil
}

// recipe is equal for reports made alike of different months.
func (j *job) recipe() string {
	if j.call.Recipe != "" {
		return j.call.Recipe // the saved report says all of it
	}
	h := sha256.New()
	for _, t := range j.tables {
		fmt.Fprintf(h, "table %q\n", t.Recipe)
	}
	fmt.Fprintf(h, "format %s\nchart %s\nversion %s\n", j.in.Format, j.in.Chart, version)
	return hex.EncodeToString(h.Sum(nil)[:16])
}

func (j *job) title() string {
	if t := strings.Join(strings.Fields(j.in.Title), " "); t != "" {
		return t
	}
	f := j.frames[0]
	t := strings.Join(strings.Fields(f.Title), " ")
	if t == "" {
		t = strings.TrimSpace(j.tables[0].Title)
	}
	if t == "" {
		t = j.page.say("Report", "报告")
	}
	if when := periodName(f.Period, f.Zone, j.lang); when != "" && !strings.ContainsFunc(t, unicode.IsDigit) {
		if j.lang == zh {
			return t + "（" + when + "）"
		}
		return t + ", " + when
	}
	return t
}

// chart draws the first table that has something to show.
func (j *job) chart() error {
	if j.in.Chart == None {
		return nil
	}
	for _, f := range j.frames {
		title := j.chartTitle(f)
		d, ok := draw(f, j.in.Chart, title, j.lang, j.canShow)
		if !ok {
			continue
		}
		j.page.blind, j.page.instead = d.blind, d.instead
		var font *truetype.Font
		if slices.ContainsFunc(d.texts(), func(s string) bool { return !shows(s, nil) }) {
			if extra := j.font(); extra != nil {
				font = extra.Font
			}
		}
		body, err := d.png(font)
		if err != nil {
			return err
		}
		j.files = append(j.files, tool.Artifact{
			ID: tool.NewID(j.call.ID, "chart"), Title: title, Name: fileName(f, "png"), Mime: "image/png", Body: body,
		})
		return nil
	}
	return nil
}

func (j *job) chartTitle(f *frame) string {
	if len(j.frames) == 1 && j.in.Title != "" || f.Title == "" {
		return j.page.title
	}
	return f.Title
}

// canShow looks for a font only if the built-in ones do not do.
func (j *job) canShow(s string) bool { return shows(s, nil) || shows(s, j.font()) }

// sheets makes the file that goes with the report. What no font can print comes as a
// workbook.
func (j *job) sheets() error {
	switch j.in.Format {
	case None:
		return nil
	case CSV:
		return j.csv()
	case PDF:
		if done, err := j.print(); done || err != nil {
			return err
		}
		j.page.noPDF = true
	}
	return j.workbook()
}

// print makes the PDF, or returns false if there is no font for it.
func (j *job) print() (bool, error) {
	var extra *face
	if !j.page.printable(nil) {
		if extra = j.font(); extra == nil || !j.page.printable(extra) {
			return false, nil
		}
	}
	var chart []byte
	for _, f := range j.files {
		chart = f.Body
	}
	name := fileName(j.frames[0], PDF)
	body, err := j.page.pdf(chart, extra)
	if err != nil {
		return false, err
	}
	j.files = append(j.files, tool.Artifact{ID: tool.NewID(j.call.ID, "print"), Title: j.page.title, Name: name, Mime: "application/pdf", Body: body})
	j.page.sheets = slices.Repeat([]string{name}, len(j.frames))
	return true, nil
}

func (j *job) workbook() error {
	var notes []string
	if line := j.page.periodLine(); line != "" {
		notes = append(notes, unesc(line))
	}
	for _, n := range j.page.notes() {
		notes = append(notes, unesc(n))
	}
	body, err := workbook(j.frames, j.lang, j.page.title, notes, j.native(), j.call.Now)
	if err != nil {
		return err
	}
	name := fileName(j.frames[0], XLSX)
	j.files = append(j.files, tool.Artifact{
		ID: tool.NewID(j.call.ID, "sheet"), Title: j.page.title, Name: name,
		Mime: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", Body: body,
	})
	j.page.sheets = slices.Repeat([]string{name}, len(j.frames))
	return nil
}

// native is the chart of the workbook: the picture's, with names that no font need have.
func (j *job) native() *native {
	if j.in.Chart == None {
		return nil
	}
	for _, f := range j.frames {
		if d, ok := draw(f, j.in.Chart, j.chartTitle(f), j.lang, func(string) bool { return true }); ok {
			n := nativeOf(f, d)
			return &n
		}
	}
	return nil
}

func (j *job) csv() error {
	used := map[string]int{}
	for i, f := range j.frames {
		body, err := commas(f)
		if err != nil {
			return err
		}
		id, name := "sheet", fileName(f, "csv")
		if i > 0 {
			id = fmt.Sprintf("sheet-%d", i+1)
		}
		if used[name]++; used[name] > 1 {
			name = fmt.Sprintf("%s-%d.csv", strings.TrimSuffix(name, ".csv"), used[name])
		}
		j.files = append(j.files, tool.Artifact{ID: tool.NewID(j.call.ID, id), Title: f.Title, Name: name, Mime: "text/csv; charset=utf-8", Body: body})
		j.page.sheets = append(j.page.sheets, name)
	}
	return nil
}

// fileName is what the file is called on a person's disk:
// "sales-by-region-2026-10.xlsx". Letters, digits, dots and dashes only.
func fileName(f *frame, ext string) string {
	name := slug(f.Measure)
	if name != "" && len(f.By) > 0 {
		name += "-by-" + slug(strings.Join(f.By, " "))
	}
	if name == "" {
		name = slug(f.Title)
	}
	if name == "" {
		name = "report"
	}
	if p := periodSlug(f.Period, f.Zone); p != "" {
		name = strings.Trim(name[:min(len(name), 60)], "-") + "-" + p
	}
	return name[:min(len(name), 90)] + "." + ext
}

func slug(s string) string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	return strings.Join(words, "-")
}
