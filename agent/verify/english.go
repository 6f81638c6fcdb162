package verify

import (
	"cmp"
	"slices"
	"strings"

	"hermes/agent/run"
)

// How a claim is put in English:
//
//	done       I have posted it to #sales. I made it and posted it to #sales.
//	passive    The report has been posted to #sales.
//	stands     It is posted to #sales. It is live in #sales. Your reminder is set.
//	told       Lee has been notified.
//	fragment   Done, posted to #sales.
//	promise    I'll remind you tomorrow. It will be posted every month.

// later are words that make a promise one for another time.
const later = `\b(?:(?:every|each) (?:\d|other|single|day|week|month|year|quarter|hour|morning|evening|time|mon|tue|wed|thu|fri|sat|sun|1st|first)|tomorrow(?:[^'\w]|$)|tonight|later|automatically|monthly|weekly|daily|hourly|next \w+|on (?:the|mon|tue|wed|thu|fri|sat|sun)|at \d|in (?:an|a|one|two|\d+) (?:minute|hour|day|week))`

// to is a place that is not this conversation.
const to = `(?:#|@|slack\b|e-?mail|everyone|your team|the [\w ]{0,20}(?:channel|team|group|list)\b)`

// kept are things that a schedule is made of, lasting what can be changed for good,
// and gone what can be taken away for good.
const (
	kept    = `(?:reminders?|schedules?|alarm|automation|recurring|(?:cron|scheduled|monthly|weekly|daily) (?:job|task))\b`
	lasting = `(?:reminders?|schedule|job|settings?|preferences?|config(?:uration)?|database|crm|ticket|memory)\b`
	gone    = `(?:reminders?|schedule|job|preferences?|facts?|note|memory|message|post|files?)\b`
)

// regular is said of what comes again and again.
const regular = `(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|daily|weekly|monthly|nightly|recurring|scheduled)`

// place is a to that things stand in, and live are states that only a post has there.
const (
	place = `(?:#|slack\b|the [\w ]{0,20}(?:channel|group)\b)\S*`
	live  = `(?:live|up|out|online|pinned|available)(?: now| already)?(?: \w+)? (?:in|on|to) ` + place
	way   = `on (?:its|the|their) way(?: (?:to|by|via) \S+| now)?`
)

// A saying is how an act is said: by who did it, of what it was done to, and alone.
type saying struct {
	act      run.Act
	stems    string // one of which each of its verbs holds
	done     string // after "I have"
	subjects string // of the passive
	passive  string // after "has been"
	stands   string // after "is"; empty: as passive
	alone    string // as a sentence of its own
}

var sayings = []saying{
	{
		run.Posted, `post approv went landed sent publish forward mail messag notif announc upload shared deliver live up out online pinned available way told inform alert ping`,
		`(?:posted|sent|published|forwarded|e-?mailed|messaged|notified|announced|uploaded|approved (?:it|this|that|the \w+)(?: \w+)? (?:on your behalf|for you)|(?:shared|delivered)\b.* (?:to|with|in|on) ` + to + `|(?:told|informed|alerted|pinged) (?:@\S*|#\S*|them|him|her|everyone|(?:the|your) (?:[\w ]{0,20} )?(?:team|channel|group|manager|boss)|(?:[a-xz]|y[a-np-z])\w*(?: (?:about|of|that)|$)))`,
		`it|this|that|everything|report|summary|analysis|message|post|announcement|file|csv|chart|link|e-?mail|team|copy|invitation`,
		`(?:posted|sent|published|forwarded|e-?mailed|announced|uploaded|notified|(?:shared|delivered)\b.* (?:to|with|in|on) ` + to + `\S*)`,
		`(?:(?:posted|sent|published|delivered|shared)\b.*(?:` + to + `|` + later + `)\S*|(?:posted|sent|published)(?: now| already)?$|` + live + `|` + way + `)`,
		`(?:posted|sent|published|forwarded|shared|uploaded|delivered|e-?mailed)(?: (?:it|this|that|(?:the|your) [^,]{1,40}?))? (?:to|in|into|on|via|by|with) ` + to + `|(?:the |your )?(?:message|report|summary|post|e-?mail) (?:posted|sent|published|delivered)\b|(?:posted|sent|published)$`,
	},
	{
		run.Scheduled, `schedul set put created added arrang planned reminder`,
		`(?:(?:re)?scheduled|(?:set|put|created|added)\b.*\b` + kept + `|(?:set up|arranged|planned)\b.*\bevery (?:day|week|month|year|morning|mon|tue|wed|thu|fri))`,
		`it|this|that|everything|report|summary|post|reminders?|schedule|job|task|automation`,
		`(?:(?:re)?scheduled|set (?:up )?(?:for|to|at|on)|set(?: up)?$|arranged|created|added to (?:the|your) (?:schedule|calendar))`,
		`(?:(?:re)?scheduled|set (?:up )?(?:for|to (?:run|go)|at|on)|set(?: up)?$)`,
		`(?:re)?scheduled(?: (?:it|this|that|(?:the|your|a) [^,]{1,40}?))? (?:for|every|on|at|to run|to go out|daily|weekly|monthly)\b|scheduled$|(?:the |your |a )?[\w ]{0,20}(?:reminder|schedule) (?:set|created|added|scheduled)\b|set (?:up )?(?:a|the|your) [^,]{0,40}` + kept,
	},
	{
		run.Remembered, `remember memori saved noted stored recorded note`,
		`(?:remembered|memori[sz]ed|saved (?:it|this|that|your|the|all|everything)\b|noted (?:it|this|down|your|that(?:$| you))|(?:stored|recorded) (?:it|this|that|your)\b|made (?:a|myself a) note|added (?:it|this|that) to (?:my )?memory)`,
		`it|this|that|everything|preferences?|settings?|note|fact`,
		`(?:saved|remembered|stored in (?:my )?memory)`,
		``,
		`(?:saved|remembered)(?: (?:it|this|that|your [^,]+|to memory))?$|noted (?:it |this |that )?down\b|(?:preference|note|fact) (?:saved|stored|recorded)\b`,
	},
	{
		run.Deleted, `delet eras cancel unschedul forg removed dropped cleared wiped`,
		`(?:deleted|erased|cancell?ed|unscheduled|(?:removed|stopped) (?:the|your|that|this) (?:[\w'-]+ ){0,2}?` + regular + `(?: [\w'-]+)? (?:reports?|digests?|summary|updates?|posts?)|forgotten (?:it|this|that|your|everything|all)\b|(?:removed|dropped|cleared|wiped) (?:(?:the|your|my|this|that|all|every) )*[\w' ]{0,30}` + gone + `)`,
		`it|this|that|everything|reminders?|schedule|job|task|note|fact|preferences?|file|message|post|memory`,
		`(?:deleted|erased|cancell?ed|removed|forgotten|wiped)`,
		``,
		`(?:deleted|cancell?ed|forgotten|erased)(?: (?:it|this|that|(?:the|your) [^,]+))?$|(?:the |your )?[\w ]{0,20}(?:reminder|schedule|job) (?:deleted|cancell?ed|removed)\b`,
	},
	{
		run.Changed, `set changed updat modif renam edit moved switch adjust paus resum abled turned writ wrote entered`,
		`(?:set (?:the|your) (?:default|prefer)|(?:changed|updated|modified|renamed|edited|moved|switched|adjusted) (?:(?:the|your|my|this|that|all) )*[\w' ]{0,30}` + lasting + `|(?:paused|resumed|disabled|enabled|turned (?:on|off)) (?:it|this|that|the|your)\b|(?:written|wrote|entered) .*\b(?:to|into|in) (?:the|your) [\w ]{0,20}` + lasting + `)`,
		`reminders?|schedule|job|settings?|preferences?|crm|ticket`,
		`(?:changed|updated|modified|renamed|paused|resumed|disabled|enabled|moved|switched)`,
		``,
		`(?:paused|resumed|updated|changed) (?:it|this|that)$|(?:paused|resumed|updated|changed|disabled|enabled) (?:the|your) [\w' ]{0,30}` + lasting + `|(?:setting|schedule|reminder|preference)s? (?:updated|changed|paused|resumed)\b`,
	},
}

// A reading is what may follow some words, and which act that is.
type reading struct {
	act  run.Act
	says lazy
}

// promises are what may follow "I will"; the first that fits has it.
var promises = []reading{
	{run.Remembered, re(`^(?:remember\b|not forget\b|keep (?:it |this |that |your .* )?in mind|note (?:it|this|that) down|make a note|save (?:it|this|that|your)\b|store (?:it|this|that|your)\b|.*\bfrom now on)`)},
	{run.Scheduled, re(`^(?:remind (?:you|everyone|the|your|#|@)|(?:re)?schedule\b|set (?:up )?(?:a|an|the|your|this)\b.*` + kept + `|(?:notify|ping|message|tell) you\b.*(?:\bwhen\b|` + later + `)|(?:post|send|publish|share|forward|e-?mail|deliver|run|repeat|do|check|prepare|generate|create|make|report)\b.*` + later + `)`)},
	{run.Posted, re(`^(?:post|send|publish|share|forward|e-?mail|upload|announce)\b.*` + to)},
	{run.Deleted, re(`^(?:forget|delete|cancel|erase) (?:it|that|this|the|your|everything)\b`)},
	{run.Changed, re(`^(?:(?:update|change|rename|edit) (?:the|your) [\w' ]{0,30}` + lasting + `|(?:pause|resume) (?:it|this|that|the|your)\b)`)},
}

// underway is what may follow "I am".
var underway = []reading{
	{run.Posted, re(`^(?:posting|sending|publishing|forwarding|e-?mailing)\b.*` + to)},
	{run.Scheduled, re(`^(?:scheduling\b|setting (?:up )?(?:a|the|your)\b.*` + kept + `)`)},
	{run.Remembered, re(`^(?:saving|remembering|storing) (?:it|this|that|your)\b`)},
	{run.Deleted, re(`^(?:deleting|cancell?ing|forgetting) (?:it|this|that|the|your)\b`)},
}

const adverbs = `(?: (?:now|just|already|also|successfully|then|all|gone ahead and|went ahead and))*`

var (
	// leads may stand before a claim without changing it.
	leads  = re(`^(?:(?:and|so|now|then|also|ok|okay|done|great|sure|yes|yep|perfect|alright|all right|all set|all done|good|thanks|thank you|certainly|of course|absolutely|no problem|got it|noted|understood|finished|success|confirmed|today|finally|additionally|in addition|good news|as (?:you )?(?:asked|requested|wished|instructed|agreed|approved)|per your request|for you|here you go|hi|hello|[@\w-]+ hi)\b[ ,]*)*$`)
	joined = re(`\b(?:and|so|then)$`)

	// reached is of people whom somebody has told something; unlike them are words before
	// it that are nobody here.
	reached = re(`^(?:(?:and|so|now|then|also|done|ok|great|sure|yes) )*(?:[\p{L}@#∎][\p{L}\d'@#∎_.-]* ){1,5}?(?:(?:has|have)` + adverbs + ` been(?: (?:successfully|automatically|now))*|(?:is|are) (?:now|already)(?: been)?) (?:notified|informed|alerted|messaged|pinged|e-?mailed|reminded|told)(?: |$)(.*)$`)
	unlike  = re(`\b(?:customers?|users?|clients?|buyers?|suppliers?|vendors?|patients?|people|it|this|that|story|as|since|when|because|what|how|why|like|more|most|many|some|few)\b`)
	there   = re(` (?:is|are)` + adverbs + ` (?:` + live + `|` + way + `)`)
	// clock is a time of the day or a date, which is no count.
	clock = re(`^\d{1,2}(?::\d\d|(?:st|nd|rd|th)\b| ?(?:am|pm|o'clock)\b| (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b)`)

	iHave  = re(`\bi(?:'ve| have)?` + adverbs + ` `)
	iMade  = re(`^(?:[\w ]{0,20} )?i(?:'ve| have)? .*? and(?: (?:then|have|also|just|now|successfully))* `)
	iWill  = re(`\bi(?:'ll| will| am going to|'m going to)(?: (?:now|also|then|automatically|always|make sure to|be sure to|go ahead and|definitely|gladly|try to))* (.+)$`)
	iAm    = re(`\bi(?:'m| am)(?: (?:now|just|already|also|currently))* (.+)$`)
	willBe = re(`^(?:the |your |this |that |a )*[\w' ]{0,40}?\b(?:it|report|summary|analysis|message|post|reminder|you) ?(?:'ll| will) (?:now |then |also |automatically )*(?:be (?:automatically )?(?:posted|sent|published|delivered|shared|reminded|notified|run)|(?:get|receive|see) (?:it|this|a|the|an|your)|run|repeat)\b(.*)$`)
	onward = re(`^from now on,? (?:i(?:'ll| will)|you(?:'ll| will)|all|your)\b|\bi(?:'ll| will)\b.*\bfrom now on`)

	// unless are words before which nothing is claimed, and if those after which a
	// promise hangs on something.
	unless = re(`\b(?:if|unless|whether|once|as soon as|before i|after (?:you|approval|that is approved)|when(?:ever)? you|until|would|could|can|may|might|shall|should|must|want|like me|to have|suppose|imagine|for example|e\.g|says?|said|according to|states?|claims? that|reads|shows? that|wrote|written by|not|no|never|nothing|none|neither|nobody|cannot|unable|failed|without|n't|which|who|draft|propose|suggest|example)\b|n't\b`)
	ifs    = re(`\b(?:if|unless|once|as soon as|when(?:ever)? you|after (?:you|approval|your)|until|pending|waiting|awaiting|approval|approve[sd]?|confirm|press|below|here|next time you|as usual)\b`)
	chat   = re(`\blet me know if (?:you|there) .*$|\bif you (?:need|want|have|would like) (?:anything|something|more|any|other).*$`)
	vetoes = re(`^(?: (?:it|this|that|them|you|the \w+))?(?: .*)?\b(?:above|below|here|attached|in this (?:thread|chat|conversation|reply|answer)|the following|quer(?:y|ies)|requests?|nothing|none|no \w+)\b|^ you (?:the|all|my|our|a (?:list|table|summary))\b|^ \$?\d`)
	others = re(`\bby (?:@|[\p{L}])`)
	byWhat = re(`\bby (?:e-?mail|mail|me\b|dm\b|slack|tomorrow|region|product|\w+day\b)`)
	past   = re(`\byesterday(?:$|[^'\w])|\b(?:days?|weeks?|months?|hours?|minutes?|years?) ago\b|\bearlier\b|\bpreviously\b|\bthe other day\b|\blast time\b|(?:\b(?:it|that|this|them)|#[\w-]+) last \w+$|^last (?:week|month|year|night|\w+day)$|\bin the past\b`)
	// bare is an act of the past that could not be another's, at another time: "it was
	// posted to #sales".
	bare = re(`\bwas (?:just |successfully )+|\bwas \w+ to (?:#[\w-]+|the [\w ]{0,20}channel)$|^your (?:[\w-]+ ){1,4}was \w+$`)
	// went is of what is where others see it.
	went = re(`^(?:it|this|that|(?:the|your) (?:[\w'-]+ ){0,3}(?:report|summary|analysis|message|post|announcement|file|chart|link|e-?mail|numbers|figures))(?: has| have)?(?: just| now)? (?:gone|went|landed)(?: out)? (?:to|in) ` + to + `(.*)$`)
	soon = re(later)
)

// forms are the compiled sayings.
var forms = func() []form {
	var all []form
	for _, a := range sayings {
		subject := `^(?:and |so |now |then |also |done |ok |great |sure |yes )*(?:(?:the|your|this|that|my|a|all) )?(?:[\w'#$%∎-]+ ){0,6}?(?:` + a.subjects + `)(?: (?:for|of|about|by|on|with|at) [\w'#$%∎: -]{1,40}?)?`
		all = append(all, form{
			act:     a.act,
			stems:   strings.Fields(a.stems),
			done:    re(`^` + a.done + `\b`),
			passive: re(subject + ` (?:(?:has|have)` + adverbs + ` been|was(?: just)?)(?: (?:successfully|automatically|now|\w+ and))* ` + a.passive + `(?: |$)(.*)$`),
			stands:  re(subject + ` (?:is|are)` + adverbs + `(?: \w+ and)* ` + cmp.Or(a.stands, a.passive) + `(?: |$)(.*)$`),
			alone:   re(`^(?:(?:done|ok|okay|great|sure|yes|perfect|all set|approved) )?(?:(?:and|also|now|successfully|already|just) )*(?:` + a.alone + `)(.*)$`),
		})
	}
	return all
}()

type form struct {
	act                          run.Act
	stems                        []string
	done, passive, stands, alone lazy
}

// spelled writes out what is drawn together and can be read in two ways.
var spelled = strings.NewReplacer(
	"it's been", "it has been", "that's been", "that has been", "'s been", " has been", "it's", "it is", "that's", "that is", "this's", "this is", "everything's", "everything is", "reminder's", "reminder is", "you'll", "you will",
)

// english returns what a sentence claims in English. The signs come first, and what
// takes them back is looked for only where there is one.
func (s sentence) english() []Claim {
	var found []Claim
	for i, c := range s.clauses {
		c = spelled.Replace(c)
		if !holds(c, stems...) {
			continue
		}
		before, after := s.around(i)
		done, willDo := s.claimedAs(c, before), promised(c)
		switch {
		case len(done)+len(willDo) == 0, unless().MatchString(before):
			continue
		case len(done) > 0 && (past().MatchString(c) || slices.ContainsFunc(s.clauses[:i], past().MatchString)):
			done = nil
		}
		if len(willDo) > 0 && (s.asksLater || ifs().MatchString(chat().ReplaceAllString(c+", "+after, ""))) {
			willDo = nil
		}
		found = append(found, append(done, willDo...)...)
	}
	return found
}

// claimedAs returns what a clause says is done. The cheap looks come first: nearly all
// clauses of nearly all answers end with them.
func (s sentence) claimedAs(c, before string) []Claim {
	var found []Claim
	for _, f := range forms {
		if !holds(c, f.stems...) {
			continue
		}
		switch {
		case f.act == run.Posted && (told(c) || holds(c, " went ", " gone ", " landed ") && said(went, c)),
			holds(c, "i ", "i'") && (f.after(c, iHave, leads) || holds(c, " and ") && f.after(c, iMade, nil)),
			holds(c, " been", " was ") && said(f.passive, c) && (!holds(c, " was ") || bare().MatchString(c)),
			!s.heads && leads().MatchString(before) && said(f.alone, c):
			found = append(found, Claim{Act: f.act})
		case holds(c, " is ", " are ") && said(f.stands, c):
			k := f.act
			if k == run.Posted && soon().MatchString(c) && !there().MatchString(c) {
				k = run.Scheduled // "it is posted every month"
			}
			found = append(found, Claim{Act: k, Stands: true})
		}
	}
	return found
}

// told reports whether a clause says that people have been told something.
func told(c string) bool {
	if !holds(c, "notified", "informed", "alerted", "messaged", "pinged", "mailed", "reminded", " told") || !said(reached, c) {
		return false
	}
	rest := reached().FindStringSubmatch(c)[1]
	return !strings.HasPrefix(rest, "to ") && !unlike().MatchString(strings.TrimSuffix(c, rest)) // "told to cut costs"
}

// after reports whether an act follows an opening, before which nothing but leads may
// stand.
func (f form) after(c string, opening, leads lazy) bool {
	for _, at := range opening().FindAllStringIndex(c, -1) {
		head, tail := strings.TrimSpace(c[:at[0]]), c[at[1]:]
		m := f.done().FindStringIndex(tail)
		switch {
		case m == nil, vetoes().MatchString(tail[m[1]:]), unless().MatchString(head):
		case leads == nil && unless().MatchString(c[:at[1]]):
		case leads != nil && !leads().MatchString(head) && !joined().MatchString(head):
		default:
			return true
		}
	}
	return false
}

// said reports whether a clause is of a form, and neither denied nor another's act.
// The last group of the form is what follows the act.
func said(form lazy, c string) bool {
	m := form().FindStringSubmatch(c)
	if m == nil {
		return false
	}
	rest := m[len(m)-1]
	head := strings.TrimSuffix(c, rest)
	vetoed := vetoes().MatchString(" "+rest) && !(clock().MatchString(rest) && holds(head, " for ", " at ", " on "))
	return !unless().MatchString(head) && !vetoed && (!others().MatchString(rest) || byWhat().MatchString(rest))
}

// promised returns what a clause says will be done.
func promised(c string) []Claim {
	if !holds(c, "will", "'ll", "i am", "i'm", "from now on") {
		return nil
	}
	if onward().MatchString(c) && !unless().MatchString(c) {
		return []Claim{{Act: run.Remembered}}
	}
	if m := willBe().FindStringSubmatch(c); m != nil && soon().MatchString(m[1]) && !unless().MatchString(strings.TrimSuffix(c, m[1])) {
		return []Claim{{Act: run.Scheduled}}
	}
	return append(following(c, iWill, promises), following(c, iAm, underway)...)
}

// following reads what stands after an opening.
func following(c string, opening lazy, all []reading) []Claim {
	m := opening().FindStringSubmatchIndex(c)
	if m == nil || unless().MatchString(c[:m[0]]) {
		return nil
	}
	for _, p := range all {
		if p.says().MatchString(c[m[2]:]) {
			return []Claim{{Act: p.act}}
		}
	}
	return nil
}
