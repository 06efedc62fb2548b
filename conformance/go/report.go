package touchstone

import (
	"encoding/json"
	"sort"
	"strings"
	"testing"
)

// report is what the package reads of spec/schema/conformance.schema.json.
type report struct {
	Interrupted bool             `json:"interrupted"`
	Levels      []level          `json:"levels"`
	Smallest    map[string]shown `json:"smallest"` // by clause
	Failures    []failure        `json:"failures"`
	Known       []struct {
		Reason  string `json:"reason"`
		Problem string `json:"problem"`
	} `json:"known"`
}

type level struct {
	Level      string            `json:"level"`
	NotClaimed int               `json:"notClaimed"`
	Results    map[string]string `json:"results"` // case to verdict
}

func (l level) names() []string {
	names := make([]string, 0, len(l.Results))
	for name := range l.Results {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

type failure struct {
	Case          string `json:"case"`
	Level         string `json:"level"`
	Clause        string `json:"clause"`
	StandardError string `json:"standardError"`
	KnownFailure  *int   `json:"knownFailure"` // index in report.Known
	shown
}

// shown is a question with both answers.
type shown struct {
	Sentence string                     `json:"sentence"`
	Cluster  string                     `json:"cluster"`
	Ours     map[string]json.RawMessage `json:"ours"`
	Given    map[string]json.RawMessage `json:"given"`
}

// verdict ends the subtest of a case. A case without a failure conforms.
func (r *report) verdict(t *testing.T, found *failure) {
	t.Helper()
	if found == nil {
		return
	}
	if found.KnownFailure != nil {
		t.Skip("known failure: " + r.Known[*found.KnownFailure].Reason)
	}
	text := found.Sentence + "\n"
	show := found.shown
	if smallest, ok := r.Smallest[found.Clause]; ok {
		show = smallest
		if show.Sentence != found.Sentence {
			text += "\nThe smallest cluster that shows this:\n" + show.Sentence + "\n"
		}
	}
	if show.Given != nil {
		text += "\nanswered:   " + without(show.Given, "seq")
	}
	text += "\nexpected:   " + without(show.Ours, "candidates", "admissible", "filter", "dryRun", "trace") + "\n"
	for _, key := range []string{"admissible", "best"} {
		var answers []json.RawMessage
		if json.Unmarshal(show.Ours[key], &answers) == nil && len(answers) > 1 {
			for _, answer := range answers {
				text += "admissible: " + string(answer) + "\n"
			}
		}
	}
	if found.StandardError != "" {
		text += "\n" + found.StandardError + "\n"
	}
	t.Error(strings.TrimSpace(text + "\n" + show.Cluster))
}

// without is an answer as JSON, without some keys.
func without(answer map[string]json.RawMessage, keys ...string) string {
	rest := map[string]json.RawMessage{}
	for key, value := range answer {
		rest[key] = value
	}
	for _, key := range keys {
		delete(rest, key)
	}
	text, _ := json.Marshal(rest) // of JSON that was read: no error
	return string(text)
}
