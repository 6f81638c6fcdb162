package run

// A Status is how a Run stands, in the terms that reports and dashboards use.
type Status string

// The statuses. Those but Working and AwaitingApproval are ends.
const (
	StatusWorking   Status = "working"
	StatusAwaiting  Status = "awaiting_approval" // or another answer of a person
	StatusDone      Status = "done"
	StatusPartial   Status = "partial" // ended at a limit, with what was found
	StatusSuspended Status = "suspended"
	StatusStalled   Status = "stalled"
	StatusRepeated  Status = "repeated"
	StatusTimeout   Status = "timeout"
	StatusBudget    Status = "budget_exceeded"
	StatusConfig    Status = "config_blocked"
	StatusCancelled Status = "cancelled"
	StatusFailed    Status = "failed"
)

// How the answer of a Run that has ended stands: until it has arrived, people have
// nothing of it.
const (
	StatusDelivering  Status = "delivering"
	StatusUndelivered Status = "delivery_failed" // it may yet be tried again
)

// Ends are all statuses in which a Run may end.
func Ends() []Status {
	return []Status{
		StatusDone, StatusPartial, StatusSuspended, StatusStalled, StatusRepeated, StatusTimeout,
		StatusBudget, StatusConfig, StatusCancelled, StatusFailed,
	}
}

// ReadStatus returns the Status of a name, with the names that others use for it.
func ReadStatus(name string) (Status, bool) {
	switch name {
	case "max_rounds_exceeded", "max_iteration_reached":
		return StatusSuspended, true
	}
	for _, s := range append(Ends(), StatusWorking, StatusAwaiting) {
		if string(s) == name {
			return s, true
		}
	}
	return "", false
}

// StatusOf is the Status of a Run that ends so.
func StatusOf(s State, why Why) Status {
	switch s {
	case Working, Delivering:
		return StatusWorking
	case Waiting:
		return StatusAwaiting
	case Done:
		switch why {
		case "":
			return StatusDone
		case Abandoned:
			return StatusCancelled
		}
		return StatusPartial
	case Failed:
		return StatusFailed
	}
	switch why {
	case InCircle:
		return StatusRepeated
	case Stalled, Misfit:
		return StatusStalled
	case TimeUp:
		return StatusTimeout
	case OverBudget, Spent:
		return StatusBudget
	case Misset:
		return StatusConfig
	case Stopped:
		return StatusCancelled
	default:
		return StatusSuspended
	}
}

// Status is how the Run stands.
func (r Run) Status() Status { return StatusOf(r.State, r.Outcome.Why) }
