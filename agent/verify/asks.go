package verify

import "strings"

var (
	// lacksEn and lacksZh are of a sentence that needs to know something; offers asks
	// only for leave to do what was asked for already.
	lacksEn = re(`^(?:\w+[ ,]+){0,4}(?:which|what|who|whom|where|when|how (?:many|much|often|should|do you)|is it|are they|is that|did you mean|do you mean|does it)\b|\bor\b`)
	needs   = re(`^(?:\w+[ ,]+){0,3}(?:please|could you|can you|i need you to|let me know) (?:tell|say|specify|provide|confirm|clarify|choose|pick|give|which|what|where|who|when|share the)\b|\bi (?:still )?need (?:to know|the|your|a|an|more)\b|\bi don't know (?:which|what|who|where|when)\b`)
	offers  = re(`^(?:(?:so|and|or|now|ok|okay|then)[ ,]+)*(?:shall|should) i\b|\b(?:would you like|do you want|want me to|may i|how does that|how about|sound good|what else|anything else)\b`)
	lacksZh = re(`哪|什么|谁|几|多少|何时|还是|是指|是不是指`)
	needsZh = re(`请问|请(?:告诉|提供|说明|指定|选择|补充|给出)|需要(?:知道|您?你?提供|您?你?告诉)|缺少`)
	offerZh = re(`要不要|要我|需要我|是否需要|可以吗|好吗|行吗|还有什么|别的`)
)

// Asks reports whether an answer asks for what the work cannot go on without: then it is
// no end of it. To offer what was asked for is to ask for nothing.
func Asks(text string) bool {
	low := strings.ToLower(text)
	for _, s := range sentences(plain(low)) {
		if offers().MatchString(s.text) || offerZh().MatchString(s.text) {
			continue
		}
		if s.asks && (lacksEn().MatchString(s.text) || lacksZh().MatchString(s.text)) || needs().MatchString(s.text) || needsZh().MatchString(s.text) {
			return true
		}
	}
	return false
}
