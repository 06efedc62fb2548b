package main

import "testing"

func TestExtendersFilterAndScore(t *testing.T) {
	for _, cached := range []string{"", `,"nodeCacheCapable":true`} {
		answer := asked(t, "1", `{"filterVerb":"f","filter":{"n1":"ok","n2":"ok","n3":"failed: no"},`+
			`"prioritizeVerb":"s","weight":2,"prioritize":{"n2":3}`+cached+`}`)
		demand(t, answer, "feasible", []any{"n1", "n2"})
		demand(t, answer, "best", []any{"n2"})
		demand(t, answer["scores"].(map[string]any)["n2"].(map[string]any), "extenders", 60.0)
		demand(t, answer, "filter", map[string]any{"n3": map[string]any{"code": "Unschedulable", "reasons": []any{"no"}}})
	}
}

// From v1.35 on, a node that an extender scores comes before others of the same total, wherever the search begins.
func TestExtendersThatScoreDecideAmongEqualNodes(t *testing.T) {
	expected := []any{"n1", "n2", "n3"}
	if heapChooses {
		expected = []any{"n2", "n3"}
	}
	demand(t, asked(t, "1", `{"prioritizeVerb":"s","weight":2,"prioritize":{"n2":0,"n3":0}}`), "best", expected)
}

func TestExtendersThatFailEndTheCycleUnlessTheyAreIgnorable(t *testing.T) {
	demand(t, asked(t, "1", `{"filterVerb":"f","filter":"error"}`), "reason",
		"failed f with extender at URL extender 0/f, code 500")
	demand(t, asked(t, "1", `{"filterVerb":"f","filter":"error: broken"}`), "reason", "broken")
	demand(t, asked(t, "1", `{"filterVerb":"f","filter":"error","ignorable":true}`), "outcome", "scheduled")
}

func TestExtendersChooseVictims(t *testing.T) {
	answer := asked(t, "4", `{"preemptVerb":"v","preempt":{"n2":{"victims":["d/b"],"numPDBViolations":3},"n3":null}}`)
	demand(t, answer, "node", "n2")
	demand(t, answer, "victims", []any{"d/b"})
	demand(t, answer, "candidates", map[string]any{
		"n2": map[string]any{"victims": []any{"d/b"}, "numPDBViolations": 3.0}})
	demand(t, asked(t, "4", `{"preemptVerb":"v","preempt":{}}`), "outcome", "none")
	demand(t, asked(t, "4", `{"preemptVerb":"v","preempt":"error: broken"}`), "reason", "preemption: broken")
}

func TestExtendersMayNameANodeThatDoesNotExist(t *testing.T) {
	demand(t, asked(t, "1", `{"filterVerb":"f","filter":{"ghost":"ok"}}`), "node", "ghost")
	demand(t, asked(t, "1", `{"filterVerb":"f","filter":{"ghost":"ok"},"nodeCacheCapable":true}`), "outcome", "error")
}

func TestExtendersThatTheReleaseRefusesAreRefused(t *testing.T) {
	if answer := asked(t, "1", `{"prioritizeVerb":"s","prioritize":{}}`); code(answer) != "refused-configuration" {
		t.Errorf("answer is %v", answer)
	}
}
