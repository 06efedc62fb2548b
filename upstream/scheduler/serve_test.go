package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

const (
	fullNode = `{"metadata":{"name":"n1"},"status":{"allocatable":{"cpu":"1","pods":"110"}}}`
	lowPod   = `{"metadata":{"namespace":"d","name":"low"},"spec":{"nodeName":"n1","priority":0,` +
		`"containers":[{"name":"c","resources":{"requests":{"cpu":"1"}}}]}}`
	highPod = `{"metadata":{"namespace":"d","name":"high"},"spec":{"priority":10,` +
		`"containers":[{"name":"c","resources":{"requests":{"cpu":"1"}}}]}}`
	rest = `"release":"v0.0.0","nodes":[` + fullNode + `],"pods":[` + lowPod + `],"pod":` + highPod + `}`
)

// answers serves lines and returns what was answered.
func answers(t *testing.T, scheduler *Scheduler, lines ...string) []map[string]any {
	t.Helper()
	var out bytes.Buffer
	if err := serveLines(strings.NewReader(strings.Join(lines, "\n")), &out, scheduler, 1<<16); err != nil {
		t.Fatal(err)
	}
	var found []map[string]any
	for scanner := bufio.NewScanner(&out); scanner.Scan(); {
		var answer map[string]any
		if err := json.Unmarshal(scanner.Bytes(), &answer); err != nil {
			t.Fatalf("%s: %v", scanner.Text(), err)
		}
		found = append(found, answer)
	}
	return found
}

// code returns the code of an answer that is an error.
func code(answer map[string]any) any {
	problem, _ := answer["error"].(map[string]any)
	return problem["code"]
}

func TestNominatesTheNodeOfALowerPod(t *testing.T) {
	answer := answers(t, &Scheduler{}, `{"cmd":"run","seq":1,"repeat":3,"timings":true,`+rest)[0]
	for key, want := range map[string]any{
		"seq": 1.0, "outcome": "nominated", "node": "n1", "numPDBViolations": 0.0, "nomination": "set",
	} {
		if answer[key] != want {
			t.Errorf("%s is %v, not %v", key, answer[key], want)
		}
	}
	// From v1.37 on a second sentence names the node.
	if message, _ := answer["message"].(string); !strings.HasPrefix(message, "0/1 nodes are available: 1 Insufficient cpu.") {
		t.Errorf("message is %q", message)
	}
	if observed, _ := answer["observed"].(map[string]any); observed["n1"] != 3.0 {
		t.Errorf("observed is %v", answer["observed"])
	}
	if timings, _ := answer["timings"].(map[string]any); timings["filter_ns"] == 0.0 || timings["dryRun_ns"] == 0.0 {
		t.Errorf("timings are %v", answer["timings"])
	}
}

func TestEveryBadLineGetsAnErrorAndTheNextIsAnswered(t *testing.T) {
	for line, want := range map[string]string{
		``:                                   "json-malformed",
		`garbage`:                            "json-malformed",
		`{"cmd":"run","seq":1,"release`:      "json-malformed",
		`{"cmd":"run","seq":1} trailing`:     "json-malformed",
		`[]`:                                 "json-malformed",
		`null`:                               "json-malformed",
		`7`:                                  "json-malformed",
		`{}`:                                 "missing-field",
		`{"cmd":"dance"}`:                    "unknown-command",
		`{"cmd":7}`:                          "wrong-type",
		`{"cmd":"hello","nonsense":1}`:       "unknown-field",
		`{"cmd":"hello","cmd":"bye"}`:        "unknown-field",
		`{"cmd":"run","seq":1}`:              "unknown-release",
		strings.Repeat("x", 1<<16+1):         "input-too-large",
		`{"cmd":"run",` + rest:               "missing-field",
		`{"cmd":"run","seq":"1",` + rest:     "wrong-type",
		`{"cmd":"run","seq":1.5,` + rest:     "wrong-type",
		`{"cmd":"run","seq":1,"release":""}`: "unknown-release",
		`{"cmd":"run","seq":1,"release":"v0.0.0"}`:    "missing-field",
		`{"cmd":"run","seq":1,"offset":-1,` + rest:    "out-of-range",
		`{"cmd":"run","seq":1,"offset":1e99,` + rest:  "wrong-type",
		`{"cmd":"run","seq":1,"quota":-1,` + rest:     "out-of-range",
		`{"cmd":"run","seq":1,"nodes":[null],` + rest: "unknown-field",
	} {
		found := answers(t, &Scheduler{}, line, `{"cmd":"hello"}`, `{"cmd":"bye"}`, `{"cmd":"hello"}`)
		if len(found) != 2 || code(found[0]) != want || found[1]["name"] != "kube-scheduler" {
			t.Errorf("%.80s: answers are %v, not %s and hello", line, found, want)
		}
	}
}

func TestTheLastLineNeedsNoEndAndNoInputNeedsNoAnswer(t *testing.T) {
	if found := answers(t, &Scheduler{}, `{"cmd":"hello"}`); len(found) != 1 {
		t.Errorf("%d answers", len(found))
	}
	if found := answers(t, &Scheduler{}); len(found) != 0 {
		t.Errorf("%d answers to nothing", len(found))
	}
}

// The answers of a checkout are not evidence for a release: it has its own name, and no module.
func TestHelloNamesACheckout(t *testing.T) {
	source, version = "mine", "v1.36.3-1-g0123456"
	defer func() { source, version = "", "" }()
	found := answers(t, &Scheduler{}, `{"cmd":"hello"}`)[0]
	if found["name"] != "mine" || found["version"] != version || found["module"] != nil {
		t.Errorf("hello is %v", found)
	}
	source = ""
	if found := answers(t, &Scheduler{}, `{"cmd":"hello"}`)[0]; found["name"] != "kube-scheduler" || found["module"] == nil {
		t.Errorf("hello of a release is %v", found)
	}
}
