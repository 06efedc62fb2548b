package main

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
)

func withConfig(more string) string {
	return `,"config":{"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration",` + more + `}`
}

func TestAConfigurationIsHeeded(t *testing.T) {
	nodes, pods := node("n1", "")+","+node("n2", ""), user("a", "1", "n1")
	most := withConfig(`"profiles":[{"schedulerName":"default-scheduler","pluginConfig":[{"name":"NodeResourcesFit","args":` +
		`{"scoringStrategy":{"type":"MostAllocated","resources":[{"name":"cpu","weight":1}]}}}],"plugins":{"score":` +
		`{"disabled":[{"name":"*"}],"enabled":[{"name":"NodeResourcesFit","weight":3}]}}}]`)
	found := answers(t, &Scheduler{}, schedule(nodes, pods, user("p", "1", ""), most), schedule(nodes, pods, user("p", "1", ""), ""))
	if fmt.Sprint(found[0]["scores"]) != "map[n1:map[NodeResourcesFit:150] n2:map[NodeResourcesFit:75]]" || found[0]["node"] != "n1" {
		t.Errorf("answer is %v", found[0])
	}
	if found[1]["node"] != "n2" {
		t.Errorf("the next answer is %v", found[1])
	}
}

func TestAConfigurationThatTheReleaseRefusesIsAnError(t *testing.T) {
	question := schedule(node("n1", ""), "", user("p", "1", ""), "")
	for _, more := range []string{
		withConfig(`"nonsense":1`), withConfig(`"percentageOfNodesToScore":-1`), `,"config":{"kind":"Policy"}`,
		withConfig(`"profiles":[{"schedulerName":"x","plugins":{"score":{"enabled":[{"name":"Nonsense"}]}}}]`),
	} {
		found := answers(t, &Scheduler{}, schedule(node("n1", ""), "", user("p", "1", ""), more), question)
		if code(found[0]) != "refused-configuration" || found[1]["node"] != "n1" {
			t.Errorf("%s: answers are %v", more, found)
		}
	}
}

func TestAProfileThatDoesNotPreemptEndsInNone(t *testing.T) {
	more := withConfig(`"profiles":[{"schedulerName":"default-scheduler","plugins":{"postFilter":{"disabled":[{"name":"*"}]}}}]`)
	question := schedule(fullNode, lowPod, highPod, more)
	for _, answer := range answers(t, &Scheduler{}, question, as("run", question)) {
		if answer["outcome"] != "none" {
			t.Errorf("answer is %v", answer)
		}
	}
}

func TestThePodNamesTheProfileOfAConfiguration(t *testing.T) {
	pod := strings.Replace(user("p", "1", ""), `"spec":{`, `"spec":{"schedulerName":"other",`, 1)
	one := schedule(node("n1", ""), "", pod, withConfig(`"percentageOfNodesToScore":50`))
	two := schedule(node("n1", ""), "", pod, withConfig(`"profiles":[{"schedulerName":"other"}]`))
	none := schedule(node("n1", ""), "", pod, "")
	for _, cmd := range []string{"schedule", "run"} {
		found := answers(t, &Scheduler{}, as(cmd, one), as(cmd, two), as(cmd, none))
		if code(found[0]) != "unknown-profile" || fmt.Sprint(found[1]["feasible"], found[2]["feasible"]) != "[n1] [n1]" {
			t.Errorf("%s: answers are %v", cmd, found)
		}
	}
}

func TestWithoutScorersTheSearchEndsAsTheReleaseHasIt(t *testing.T) {
	none := withConfig(`"profiles":[{"schedulerName":"default-scheduler","plugins":{"score":{"disabled":[{"name":"*"}]}}}]`)
	neither := strings.Replace(none, `"score"`, `"filter":{"disabled":[{"name":"*"}]},"score"`, 1)
	for _, more := range []string{none, neither} {
		answer := answers(t, &Scheduler{}, schedule(node("n1", "")+","+node("n2", ""), "", user("p", "1", ""), more+`,"start":1`))[0]
		one := fmt.Sprint(answer["feasible"]) == "[n2]" && answer["totals"] == nil
		both := fmt.Sprint(answer["feasible"], answer["totals"]) == "[n1 n2] map[n1:1 n2:1]"
		if one == both { // up to v1.29 it is both
			t.Errorf("answer is %v", answer)
		}
	}
}

func TestAllBestNodesMayBeTheHostUnlessTheSearchHasAnOrder(t *testing.T) {
	nodes, named := node("n1", "")+","+node("n2", ""), `"spec":{"affinity":{"nodeAffinity":{`+
		`"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchFields":[`+
		`{"key":"metadata.name","operator":"In","values":["n1"]}]},{"matchFields":[`+
		`{"key":"metadata.name","operator":"In","values":["n2"]}]}]}}},`
	one := "[n1 n2]"
	if heapChooses {
		one = "[n2]"
	}
	pod := user("p", "1", "")
	for _, c := range []struct {
		pod, more, best string
		workers         int
	}{
		{pod, `,"start":1`, one, 1}, {pod, "", "[n1 n2]", 1}, {pod, `,"start":1`, "[n1 n2]", 16},
		{strings.Replace(pod, `"spec":{`, named, 1), `,"start":1`, "[n1 n2]", 1}, // in the order of a map
	} {
		*parallelism = c.workers
		answer := answers(t, &Scheduler{}, schedule(nodes, "", c.pod, c.more+`,"repeat":50`))[0]
		*parallelism = 1
		observed, _ := answer["observed"].(map[string]any)
		if fmt.Sprint(answer["best"]) != c.best || len(observed) == 0 || c.best == "[n2]" && observed["n2"] != 50.0 {
			t.Errorf("%s%s: answer is %v, not %s", c.pod, c.more, answer, c.best)
		}
	}
}

func TestFeatureGatesAreSetForTheTimeOfAQuestion(t *testing.T) {
	const gate = "CPUManagerPolicyAlphaOptions" // all releases have it, off, and no plugin looks at it
	enabled := func() bool { return utilfeature.DefaultFeatureGate.Enabled(gate) }
	question := schedule(node("n1", ""), "", user("p", "1", ""), `,"featureGates":{"`+gate+`":true}`)
	for _, cmd := range []string{"schedule", "run"} {
		scheduler, seen := &Scheduler{}, false
		answers(t, scheduler, question, as("run", question))
		for _, cycle := range scheduler.cycles {
			look := func() { seen = enabled() }
			profile, f := cycle.Profiles["default-scheduler"], cycle.frameworks["default-scheduler"]
			cycle.Profiles["default-scheduler"], f.Framework = broken{profile, look}, broken{f.Framework, look}
		}
		found := answers(t, scheduler, as(cmd, question), as(cmd, schedule(node("n1", ""), "", user("p", "1", ""), "")))
		if !seen || enabled() || len(scheduler.cycles) != 2 || code(found[0]) != nil {
			t.Errorf("%s: seen %v, left %v, %d schedulers, answers %v", cmd, seen, enabled(), len(scheduler.cycles), found)
		}
	}
	nonsense := schedule(node("n1", ""), "", user("p", "1", ""), `,"featureGates":{"Nonsense":true,"`+gate+`":true}`)
	found := answers(t, &Scheduler{}, nonsense, schedule(node("n1", ""), "", user("p", "1", ""), ""))
	if code(found[0]) != "refused-feature-gates" || found[1]["node"] != "n1" || enabled() {
		t.Errorf("answers are %v, the gate is %v", found, enabled())
	}
}

func TestSchedulersOfManyConfigurationsAreKeptForAWhile(t *testing.T) {
	scheduler := &Scheduler{}
	var questions []string
	for i := 0; i <= cyclesMax; i++ {
		more := withConfig(fmt.Sprintf(`"percentageOfNodesToScore":%d`, i))
		questions = append(questions, schedule(node("n1", ""), "", user("p", "1", ""), more))
	}
	before := runtime.NumGoroutine()
	for _, answer := range answers(t, scheduler, questions...) {
		if answer["node"] != "n1" {
			t.Errorf("answer is %v", answer)
		}
	}
	if len(scheduler.cycles) != 1 {
		t.Errorf("%d schedulers are left", len(scheduler.cycles))
	}
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines before, %d after", before, after)
	}
}

func TestAPolicyIsSkipped(t *testing.T) {
	question := schedule(node("n1", ""), "", user("p", "1", ""), `,"policy":{"kind":"Policy"}`)
	if answer := answers(t, &Scheduler{}, question)[0]; answer["skipped"] == nil {
		t.Errorf("answer is %v", answer)
	}
}

// The plugin that preempts tries what the question says, not what its own arguments say.
func TestTheNominationIsThatOfTheQuota(t *testing.T) {
	high := `{"metadata":{"namespace":"d","name":"p"},"status":{"nominatedNodeName":"n1"},"spec":{"priority":5,"containers":[` +
		`{"name":"c","resources":{"requests":{"cpu":"4"}}}]}}`
	for quota, expected := range map[string][]string{"0": {"none", "cleared"}, "1": {"nominated", "set"}} {
		for _, cmd := range []string{"run", "schedule"} {
			question := schedule(node("n1", ""), user("a", "1", "n1"), high, `,"offset":0,"quota":`+quota)
			answer := answers(t, &Scheduler{}, as(cmd, question))[0]
			demand(t, answer, "outcome", expected[0])
			demand(t, answer, "nomination", expected[1])
		}
	}
	share := withConfig(`"profiles":[{"schedulerName":"default-scheduler","pluginConfig":[{"name":"DefaultPreemption","args":` +
		`{"minCandidateNodesPercentage":50,"minCandidateNodesAbsolute":0}}]}]`)
	question := schedule(node("n1", "")+","+node("n2", ""), user("a", "1", "n1")+","+user("b", "1", "n2"), high, `,"offset":1`+share)
	demand(t, answers(t, &Scheduler{}, question)[0], "nomination", "set")
}
