package slack

import (
	"unicode/utf8"

	"github.com/slack-go/slack"

	"hermes/bot"
)

// titleLimit is what Slack takes in the title of a plan or a task.
const titleLimit = 256

// mostTasks is how many tasks one plan shows: of more, the newest.
const mostTasks = 40

// planBlock shows a Plan in a message.
func planBlock(plan bot.Plan, id string) *slack.PlanBlock {
	var cards []*slack.TaskCardBlock
	for _, t := range newest(plan) {
		cards = append(cards, slack.NewTaskCardBlock(t.ID, taskTitle(t)).WithStatus(taskStatus(t.State)))
	}
	return slack.NewPlanBlock(planTitle(plan), slack.PlanBlockOptionBlockID(id)).WithTasks(cards...)
}

// planChunks show in a stream what of a Plan is not shown yet, and return how many
// characters that is. shown is by the name of a task, and by an empty one for the
// title.
func planChunks(plan bot.Plan, shown map[string]string) (chunks []slack.StreamChunk, size int) {
	if title := planTitle(plan); shown[""] != title {
		chunks = append(chunks, slack.NewPlanUpdateChunk(title))
		size += utf8.RuneCountInString(title)
	}
	for _, t := range newest(plan) {
		c := slack.NewTaskUpdateChunk(t.ID, taskTitle(t))
		c.Status = taskStatus(t.State)
		if shown[t.ID] == string(c.Status)+c.Title {
			continue
		}
		chunks = append(chunks, c)
		size += utf8.RuneCountInString(c.ID) + utf8.RuneCountInString(c.Title)
	}
	return chunks, size
}

// shows notes in shown what planChunks has said.
func shows(chunks []slack.StreamChunk, shown map[string]string) {
	for _, c := range chunks {
		switch c := c.(type) {
		case slack.PlanUpdateChunk:
			shown[""] = c.Title
		case slack.TaskUpdateChunk:
			shown[c.ID] = string(c.Status) + c.Title
		}
	}
}

func newest(plan bot.Plan) []bot.Task {
	return plan.Tasks[max(0, len(plan.Tasks)-mostTasks):]
}

func planTitle(plan bot.Plan) string { return title(plan.Title) }

func taskTitle(t bot.Task) string {
	if t.Title == "" {
		return title(t.ID)
	}
	return title(t.Title)
}

func title(s string) string {
	if s = cut(silent.Replace(s), titleLimit); s == "" {
		return "…"
	}
	return s
}

func taskStatus(s bot.TaskState) slack.TaskCardStatus {
	switch s {
	case bot.Underway:
		return slack.TaskCardStatusInProgress
	case bot.Complete:
		return slack.TaskCardStatusComplete
	case bot.Failed:
		return slack.TaskCardStatusError
	}
	return slack.TaskCardStatusPending
}
