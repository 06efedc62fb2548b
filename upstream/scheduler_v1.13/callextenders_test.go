package main

import (
	"fmt"
	"strings"
	"testing"
)

func TestExtendersFilterAndScore(t *testing.T) {
	for _, cached := range []string{"", `,"nodeCacheCapable":true`} {
		answer := asked(t, "1", `{"filterVerb":"f","filter":{"n1":"ok","n2":"ok","n3":"failed: no"},`+
			`"prioritizeVerb":"s","weight":2,"prioritize":{"n2":3}`+cached+`}`)
		demand(t, answer, "feasible", []any{"n1", "n2"})
		demand(t, answer, "best", []any{"n2"})
		demand(t, answer["scores"].(map[string]any)["n2"].(map[string]any), "extenders", 6.0)
		demand(t, answer, "filter", map[string]any{"n3": map[string]any{"code": "Unschedulable", "reasons": []any{"no"}}})
		totals := answer["totals"].(map[string]any)
		if totals["n2"].(float64)-totals["n1"].(float64) != 6 {
			t.Errorf("totals are %v", totals)
		}
	}
}

// The default provider has the same predicates and priorities when a Policy has extenders alone.
func TestAnExtenderWithoutVerbsLeavesTheDefaults(t *testing.T) {
	for _, cpu := range []string{"1", "4"} {
		plain, extended := asked(t, cpu, ""), asked(t, cpu, `{"urlPrefix":"http://x"}`)
		for _, key := range []string{"outcome", "totals", "best", "filter", "candidates", "message"} {
			demand(t, extended, key, plain[key])
		}
	}
}

func TestExtendersReplaceThoseOfThePolicy(t *testing.T) {
	nodes, pod := node("n1", "")+","+node("n2", ""), user("p", "1", "")
	policy := `,"policy":{"apiVersion":"v1","kind":"Policy","priorities":[],"extenders":[{"urlPrefix":"http://x","filterVerb":"f"}]}`
	answer := answers(t, &Scheduler{}, schedule(nodes, "", pod, policy+`,"extenders":[{"prioritizeVerb":"s","weight":1,"prioritize":{"n2":4}}]`))[0]
	demand(t, answer, "totals", map[string]any{"n1": 0.0, "n2": 4.0})
	demand(t, answer, "best", []any{"n2"})
}

func TestExtendersThatFailEndTheCycleUnlessTheyAreIgnorable(t *testing.T) {
	demand(t, asked(t, "1", `{"filterVerb":"f","filter":"error"}`), "reason",
		"Failed f with extender at URL extender 0/f, code 500")
	demand(t, asked(t, "1", `{"filterVerb":"f","filter":"error: broken"}`), "reason", "broken")
	demand(t, asked(t, "1", `{"filterVerb":"f","filter":"error","ignorable":true}`), "outcome", "scheduled")
}

func TestExtendersChooseVictims(t *testing.T) {
	for _, cached := range []string{"", `,"nodeCacheCapable":true`} {
		answer := asked(t, "4", `{"preemptVerb":"v","preempt":{"n2":{"victims":["d/b"],"numPDBViolations":3},"n3":null}`+cached+`}`)
		demand(t, answer, "node", "n2")
		demand(t, answer, "victims", []any{"d/b"})
		demand(t, answer, "candidates", map[string]any{
			"n2": map[string]any{"victims": []any{"d/b"}, "numPDBViolations": 0.0}}) // the number is lost
		demand(t, asked(t, "4", `{"preemptVerb":"v","preempt":{"n1":"keep"}`+cached+`}`), "victims", []any{"d/a"})
	}
	demand(t, asked(t, "4", `{"preemptVerb":"v","preempt":{}}`), "outcome", "none")
	demand(t, asked(t, "4", `{"preemptVerb":"v","preempt":"error: broken"}`), "reason", "broken")
	demand(t, asked(t, "4", `{"preemptVerb":"v","preempt":{"n1":{"victims":[]}}}`), "victims", []any{})
}

func TestANodeThatAnExtenderRejectsHasNoVictims(t *testing.T) {
	answer := asked(t, "1", `{"filterVerb":"f","filter":{"n1":"failed: no","ghost":"failed: no"}}`)
	demand(t, answer, "outcome", "nominated")
	demand(t, answer, "victims", []any{})
	demand(t, answer["filter"].(map[string]any), "ghost", map[string]any{"code": "Unschedulable", "reasons": []any{"no"}})
}

// A search with start has found enough before it sees every node. Those that it has not seen have no status.
func TestNodesThatTheSearchHasNotSeenHaveNoStatus(t *testing.T) {
	var nodes []string
	for i := 0; i < 150; i++ {
		nodes = append(nodes, node(fmt.Sprintf("n%d", i), ""))
	}
	question := schedule(strings.Join(nodes, ","), "", user("p", "1", ""), `,"start":0,"extenders":[{"filterVerb":"f","filter":{"n0":"failed: no"}}]`)
	answer := answers(t, &Scheduler{}, question)[0]
	demand(t, answer, "filter", map[string]any{"n0": map[string]any{"code": "Unschedulable", "reasons": []any{"no"}}})
	if candidates := answer["candidates"].(map[string]any); len(candidates) != 150 {
		t.Errorf("%d candidates", len(candidates))
	}
}

// A name that no node has crashes the release, or is the host.
func TestExtendersMayNameANodeThatDoesNotExist(t *testing.T) {
	demand(t, asked(t, "1", `{"filterVerb":"f","filter":{"ghost":"ok"}}`), "node", "ghost")
	for _, extenders := range []string{
		`{"filterVerb":"f","filter":{"ghost":"ok"},"nodeCacheCapable":true}`,
		`{"filterVerb":"f","filter":{"n1":"ok","ghost":"ok"},"nodeCacheCapable":true}`,
		`{"filterVerb":"f","filter":{"n1":"ok","ghost":"ok"}}`,
		`{"filterVerb":"f","filter":{"n1":"ok","n2":"ok","ghost":"ok"},"nodeCacheCapable":true,"ignorable":true}`,
	} {
		answer := asked(t, "1", extenders)
		demand(t, answer, "outcome", "error")
		demand(t, answer, "candidates", nil)
	}
	answer := asked(t, "4", `{"preemptVerb":"v","preempt":{"n1":"keep","ghost":{"victims":["d/a"]}}}`)
	demand(t, answer, "outcome", "error")
	demand(t, answer, "message", "0/3 nodes are available: 3 Insufficient cpu.")
}

func TestAVerbWithoutATableIsSkipped(t *testing.T) {
	demand(t, asked(t, "1", `{"filterVerb":"f"}`), "skipped", "extender 0 has no table for a verb that was needed")
}

func TestExtendersThatTheReleaseRefusesAreRefused(t *testing.T) {
	if answer := asked(t, "1", `{"prioritizeVerb":"s","prioritize":{}}`); code(answer) != "refused-configuration" {
		t.Errorf("answer is %v", answer)
	}
}

func TestTheNextQuestionMayHaveOtherTablesOrOtherExtendersAboutTheSameCluster(t *testing.T) {
	nodes, pod := node("n1", "")+","+node("n2", ""), user("p", "1", "")
	table := `,"extenders":[{"filterVerb":"f","filter":{%q:"ok"}}]`
	same := func(more string) string { return schedule("", "", pod, `,"sameCluster":true`+more) }
	found := answers(t, &Scheduler{}, schedule(nodes, user("a", "1", "n1"), pod, fmt.Sprintf(table, "n1")),
		same(fmt.Sprintf(table, "n2")), same(""), same(`,"extenders":[{"filterVerb":"g","filter":{"n1":"ok"}}]`))
	for i, best := range []string{"n1", "n2", "n2", "n1"} {
		demand(t, found[i], "best", []any{best})
	}
}
