package main

// Hello says who answers.
type Hello struct {
	Name     string   `json:"name"`
	Version  string   `json:"version"`
	Module   string   `json:"module,omitempty"`
	Protocol int      `json:"protocol"`
	Releases []string `json:"releases"`
	Features []string `json:"features"`
}

// Malformed is the answer to a question without a decision; Seq is null where it could not be read.
type Malformed struct {
	Seq   *int64   `json:"seq"`
	Error *Problem `json:"error"`
}

func malformed(seq *int64, problem *Problem) Malformed { return Malformed{seq, problem} }

// The outcomes of an attempt.
const (
	outcomeFits       = "fits"
	outcomeScheduled  = "scheduled"
	outcomeIneligible = "ineligible"
	outcomeNone       = "none"
	outcomeNominated  = "nominated"
	outcomeError      = "error"
)

// Skipped is the answer to a question that this subject cannot put to the release.
type Skipped struct {
	Seq     *int64 `json:"seq"`
	Skipped string `json:"skipped"`
}

// Decision is the answer to run and to schedule. A nil member is left out.
type Decision struct {
	Seq              *int64               `json:"seq"`
	Outcome          string               `json:"outcome"`
	Feasible         []string             `json:"feasible,omitempty"`
	Ineligible       string               `json:"ineligible,omitempty"`
	Reason           string               `json:"reason,omitempty"`
	Node             string               `json:"node,omitempty"`
	Victims          *[]string            `json:"victims,omitempty"` // an extender may leave none
	NumPDBViolations *int64               `json:"numPDBViolations,omitempty"`
	Candidates       map[string]Candidate `json:"candidates,omitempty"`
	Scores           map[string]Scores    `json:"scores,omitempty"`
	Totals           map[string]int64     `json:"totals,omitempty"`
	Best             []string             `json:"best,omitempty"`
	Filter           map[string]Status    `json:"filter,omitempty"`
	DryRun           *map[string]Status   `json:"dryRun,omitempty"`
	Clears           *[]string            `json:"clears,omitempty"`
	Nomination       string               `json:"nomination,omitempty"`
	Observed         map[string]int       `json:"observed,omitempty"`
	Message          string               `json:"message,omitempty"`
	Timings          *Timings             `json:"timings,omitempty"`
	Notes            []string             `json:"notes,omitempty"`
}

// Candidate is a node on which the pod fits after its victims are gone.
type Candidate struct {
	Victims          []string `json:"victims"`
	NumPDBViolations int64    `json:"numPDBViolations"`
}

// Scores are what each scorer adds to the total of a node: normalised, times its weight.
type Scores map[string]int64

// Status is what a plugin said of a node.
type Status struct {
	Code    string   `json:"code"`
	Plugin  string   `json:"plugin,omitempty"`
	Reasons []string `json:"reasons,omitempty"`
}

// Timings are wall times inside Kubernetes; 0 stands for what did not run.
type Timings struct {
	ScheduleNs int64 `json:"schedule_ns"` // PreFilter, Filter, scores and choice of the host, as schedule runs them
	FilterNs   int64 `json:"filter_ns"`   // PreFilter and Filter of all nodes, as run does
	DryRunNs   int64 `json:"dryRun_ns"`
}
