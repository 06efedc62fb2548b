package main

import (
	"fmt"
	"runtime"
	"testing"

	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/scheduler/algorithm"
	"k8s.io/kubernetes/pkg/scheduler/algorithm/predicates"
	schedulercache "k8s.io/kubernetes/pkg/scheduler/cache"
)

// One processor, as main has it: which nodes a search finds depends on it.
func init() { runtime.GOMAXPROCS(1) }

// run returns a question about a node n1 with one cpu.
func run(pods, pod, more string) string {
	return fmt.Sprintf(`{"cmd":"run","seq":1,"release":"v0.0.0","nodes":[%s],"pods":[%s],"pod":%s%s}`, fullNode, pods, pod, more)
}

// nominee is a pod that wants one cpu and is nominated to n1.
func nominee(name string, priority int, uid string) string {
	return fmt.Sprintf(`{"metadata":{"namespace":"d","name":%q,"uid":%q},"spec":{"priority":%d,`+
		`"containers":[{"name":"c","resources":{"requests":{"cpu":"1"}}}]},"status":{"nominatedNodeName":"n1"}}`, name, uid, priority)
}

func TestAPanicIsAnsweredAndTheNextQuestionFindsACleanScheduler(t *testing.T) {
	scheduler := &Scheduler{}
	question := run(lowPod, highPod, "")
	answers(t, scheduler, question)
	scheduler.framework.Algorithm.Predicates()[predicates.GeneralPred] = func(*v1.Pod, algorithm.PredicateMetadata,
		*schedulercache.NodeInfo) (bool, []algorithm.PredicateFailureReason, error) {
		panic("boom")
	}
	found := answers(t, scheduler, question, question)
	if code(found[0]) != "panic" || found[0]["seq"] != 1.0 || found[1]["outcome"] != "nominated" {
		t.Errorf("answers are %v", found)
	}
}

func TestNominationsAreClearedKeptAndSet(t *testing.T) {
	terminating := `{"metadata":{"namespace":"d","name":"low","deletionTimestamp":"2020-01-01T00:00:00Z"},` +
		`"spec":{"nodeName":"n1","priority":0,"containers":[{"name":"c","resources":{"requests":{"cpu":"1"}}}]}}`
	elsewhere := `{"metadata":{"namespace":"d","name":"p"},"spec":{"priority":10,"nodeName":"n2"},"status":{"nominatedNodeName":"n1"}}`
	for _, c := range []struct{ pods, pod, outcome, nomination, clears string }{
		{lowPod, highPod, "nominated", "set", "[]"},
		{lowPod + "," + nominee("x", 5, "x"), nominee("p", 10, "p"), "nominated", "set", "[d/x]"},
		{lowPod, nominee("p", 0, "p"), "none", "kept", "<nil>"},
		{lowPod, elsewhere, "none", "cleared", "<nil>"},
		{terminating, nominee("p", 10, "p"), "ineligible", "kept", "<nil>"},
	} {
		answer := answers(t, &Scheduler{}, run(c.pods, c.pod, ""))[0]
		if answer["outcome"] != c.outcome || answer["nomination"] != c.nomination || fmt.Sprint(answer["clears"]) != c.clears {
			t.Errorf("%s: %v, not %s, %s, %s", c.pod, answer, c.outcome, c.nomination, c.clears)
		}
	}
}

func TestNothingOfAQuestionIsLeftForTheNext(t *testing.T) {
	found := answers(t, &Scheduler{}, run(lowPod+","+nominee("x", 20, "x"), highPod, ""), run("", highPod, ""))
	if found[0]["outcome"] != "none" || found[1]["outcome"] != "fits" {
		t.Errorf("answers are %v", found)
	}
}

func TestTwoPodsOfOneUIDAreSkipped(t *testing.T) {
	answer := answers(t, &Scheduler{}, run(nominee("x", 5, "u")+","+nominee("y", 5, "u"), highPod, ""))[0]
	if answer["skipped"] == nil {
		t.Errorf("answer is %v", answer)
	}
}

func TestWhatOnlyLaterReleasesHaveIsDroppedAndNoted(t *testing.T) {
	pod := `{"metadata":{"namespace":"d","name":"p"},"spec":{"priority":10,"preemptionPolicy":"Never",` +
		`"ephemeralContainers":[{"name":"e"}],"initContainers":[{"name":"i","restartPolicy":"Always"}],` +
		`"containers":[{"name":"c","resources":{"requests":{"cpu":"1"}}}]}}`
	answer := answers(t, &Scheduler{}, run(lowPod, pod, `,"csiNodes":[{"metadata":{"name":"n1"}}]`))[0]
	notes, _ := answer["notes"].([]any)
	if answer["outcome"] != "nominated" || len(notes) != 4 {
		t.Errorf("answer is %v", answer)
	}
}

func TestAPolicyReplacesPrioritiesAndTheNextQuestionHasTheDefaultsAgain(t *testing.T) {
	nodes, pod := node("n1", "")+","+node("n2", ""), user("p", "1", "")
	policy := `,"config":{"apiVersion":"v1","kind":"Policy","priorities":[{"name":"NodePreferAvoidPodsPriority","weight":3}]}`
	found := answers(t, &Scheduler{}, schedule(nodes, "", pod, ""), schedule(nodes, "", pod, policy), schedule(nodes, "", pod, ""))
	if totals := found[1]["totals"]; fmt.Sprint(totals) != "map[n1:30 n2:30]" {
		t.Errorf("with a Policy the totals are %v", totals)
	}
	if fmt.Sprint(found[0]) != fmt.Sprint(found[2]) {
		t.Errorf("answers are %v", found)
	}
}

func TestWithoutPrioritiesEachFeasibleNodeHasTheTotalOne(t *testing.T) {
	policy := `,"policy":{"apiVersion":"v1","kind":"Policy","priorities":[]}`
	answer := answers(t, &Scheduler{}, schedule(node("n1", "")+","+node("n2", ""), "", user("p", "1", ""), policy))[0]
	if fmt.Sprint(answer["totals"]) != "map[n1:1 n2:1]" || fmt.Sprint(answer["best"]) != "[n1 n2]" {
		t.Errorf("answer is %v", answer)
	}
}

func TestConfigurationsOfOtherKindsAndMalformedPoliciesAreNotRead(t *testing.T) {
	for config, key := range map[string]string{
		`{"kind":"KubeSchedulerConfiguration"}`:                                                  "skipped",
		`{"apiVersion":"v1","kind":"Policy","priorities":[{"name":"EqualPriority","weight":0}]}`: "error",
		`{"apiVersion":"v1","kind":"Policy","extenders":[{"urlPrefix":"http://x"}]}`:             "skipped",
		`{"apiVersion":"v1","kind":"Policy","extenders":[]}`:                                     "outcome",
	} {
		question := schedule(node("n1", ""), "", user("p", "1", ""), `,"config":`+config)
		if answer := answers(t, &Scheduler{}, question)[0]; answer[key] == nil {
			t.Errorf("%s: answer is %v", config, answer)
		}
	}
}
