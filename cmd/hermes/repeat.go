package main

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"hermes/agent/tool"
	"hermes/agent/tool/post"
	"hermes/agent/tool/querydb"
)

// slotProfile is the profile of a job's slots.
const slotProfile = "report"

// mayRepeat implements schedule.Audience: a schedule whose figures its owner may not have
// in a slot, or that may not be read where they would be posted, is refused when it is
// made and not at its first slot. Where nothing was read yet, the words of the request say
// what it is about.
func (h *hermes) mayRepeat(ctx context.Context, c tool.Call, request string, like tool.Artifact, to post.Target) (string, error) {
	say := func(en, zh string, args ...any) (string, error) {
		if c.Lang == "zh" {
			en = zh
		}
		return fmt.Sprintf(en, args...), nil
	}
	slot := tool.Viewer{Person: c.Asker, Home: c.Home, Lang: c.Lang, Profile: slotProfile}
	if t := h.tools.Lookup(post.Name); to.Place != "" && t != nil && !h.rights.MayUse(ctx, slot, t.Spec()) {
		return say("a schedule of yours that is made here may post to no channel: the configuration (rights) keeps %s to others. Leave the channel out, and it answers here",
			"您在这里建的定时任务不能往频道里发：配置（rights）只允许别人使用 %s。不写频道，就会在这里回答", post.Name)
	}
	if !h.rights.keepsSources() {
		return "", nil
	}
	if to.Place != "" {
		if why, err := h.mayRead(ctx, c, like, to); err != nil || why != "" {
			return why, err
		}
	}
	about := h.figures.about(request)
	if len(about) == 0 {
		return "", nil
	}
	// What one of several sources could give may well be meant.
	mine := slices.DeleteFunc(slices.Clone(about), func(s *querydb.Source) bool { return !h.rights.maySee(ctx, slot, s.Name()) })
	if len(mine) == 0 {
		return say("a schedule of yours that is made here could not read what %q is about: the configuration (rights) keeps those figures to others, or to other places. Make it where you may ask for them",
			"您在这里建的定时任务读不到“%s”所说的数据：配置（rights）只允许别人或别的地方使用。请在可以查这些数据的地方建", request)
	}
	if to.Place == "" || slices.ContainsFunc(mine, func(s *querydb.Source) bool { return h.rights.Shown(s.Name(), to.Place) }) {
		return "", nil
	}
	return sayKept(c.Lang, mine[0].Name(), to.Name), nil
}

// about are the sources that have a measure which a text names.
func (f *figures) about(text string) []*querydb.Source {
	if onlyReminds.MatchString(text) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(f.sources), func(s *querydb.Source) bool {
		return !slices.ContainsFunc(s.Layer().Measures, func(m querydb.Measure) bool {
			return slices.ContainsFunc(m.Words(), func(w string) bool { return names(text, w) })
		})
	})
}

// onlyReminds is a request that is about no figures, whatever it names.
var onlyReminds = regexp.MustCompile(`(?i)^\W*(?:please )?(?:remind|tell|say)\b|^\s*(?:请)?(?:提醒|告诉)`)

// names reports whether a word stands in a text: as a whole, where words have ends.
func names(text, word string) bool {
	if word == "" {
		return false
	}
	plain := regexp.QuoteMeta(strings.ToLower(word))
	if first := word[0]; first < 0x80 {
		plain = `(?:^|[^\p{L}\p{N}])` + plain + `(?:$|[^a-z0-9])`
	}
	re, err := regexp.Compile(plain)
	return err == nil && re.MatchString(strings.ToLower(text))
}
