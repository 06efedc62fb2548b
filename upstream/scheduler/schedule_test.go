package main

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// node returns a node with four cpus.
func node(name, more string) string {
	return fmt.Sprintf(`{"metadata":{"name":%q%s},"status":{"allocatable":{"cpu":"4","memory":"8Gi","pods":"110"}}}`, name, more)
}

// user is a pod with the label app=a that uses some cpu, on a node or, without one, to be placed.
func user(name, cpu, node string) string {
	return fmt.Sprintf(`{"metadata":{"namespace":"d","name":%q,"labels":{"app":"a"},"ownerReferences":[`+
		`{"apiVersion":"%%s","kind":"%%s","name":"owner","uid":"o","controller":true}]},"spec":{"nodeName":%q,`+
		`"priority":1,"containers":[{"name":"c","resources":{"requests":{"cpu":%q,"memory":"1Gi"}}}]}}`, name, node, cpu)
}

func schedule(nodes, pods, pod, more string) string {
	pods, pod = strings.ReplaceAll(pods, "%s", "x"), strings.ReplaceAll(pod, "%s", "x")
	return fmt.Sprintf(`{"cmd":"schedule","seq":1,"release":"v0.0.0","nodes":[%s],"pods":[%s],"pod":%s%s}`, nodes, pods, pod, more)
}

// as returns the question with another command.
func as(cmd, question string) string {
	return strings.Replace(question, `"cmd":"schedule"`, fmt.Sprintf(`"cmd":%q`, cmd), 1)
}

// asked is the answer about three nodes of 4 CPUs with a pod of each, and a pod that asks for cpu, with extenders.
func asked(t *testing.T, cpu, extenders string) map[string]any {
	t.Helper()
	nodes := node("n1", "") + "," + node("n2", "") + "," + node("n3", "")
	pods := user("a", "1", "n1") + "," + user("b", "1", "n2") + "," + user("c", "1", "n3")
	high := `{"metadata":{"name":"p"},"spec":{"priority":5,"containers":[{"name":"c","resources":{"requests":{"cpu":"` + cpu + `"}}}]}}`
	return answers(t, &Scheduler{}, schedule(nodes, pods, high, `,"extenders":[`+extenders+`]`))[0]
}

func demand(t *testing.T, answer map[string]any, key string, expected any) {
	t.Helper()
	if !reflect.DeepEqual(answer[key], expected) {
		t.Errorf("%s is %v, expected %v; answer is %v", key, answer[key], expected, answer)
	}
}

func TestTheNodeOfTheHighestTotalIsTheHost(t *testing.T) {
	question := schedule(node("n1", "")+","+node("n2", "")+","+node("n3", ""), user("a", "2", "n1")+","+user("b", "4", "n3"),
		user("p", "1", ""), `,"repeat":5`)
	answer := answers(t, &Scheduler{}, question)[0]
	for key, want := range map[string]string{"outcome": "scheduled", "node": "n2", "feasible": "[n1 n2]", "best": "[n2]", "observed": "map[n2:5]"} {
		if fmt.Sprint(answer[key]) != want {
			t.Errorf("%s is %v, not %s", key, answer[key], want)
		}
	}
	if filter, _ := answer["filter"].(map[string]any); len(filter) != 1 || filter["n3"] == nil {
		t.Errorf("filter is %v", filter)
	}
	totals, _ := answer["totals"].(map[string]any)
	scores, _ := answer["scores"].(map[string]any)
	for _, name := range []string{"n1", "n2"} {
		sum := 0.0
		for _, score := range scores[name].(map[string]any) {
			sum += score.(float64)
		}
		if totals[name] != sum || sum == 0 {
			t.Errorf("%s: total %v, scores %v", name, totals[name], scores[name])
		}
	}
}

func TestNodesOfOneTotalAreAllBest(t *testing.T) {
	answer := answers(t, &Scheduler{}, schedule(node("n2", "")+","+node("n1", ""), "", user("p", "1", ""), ""))[0]
	if fmt.Sprint(answer["best"]) != "[n2 n1]" || answer["node"] != "n2" {
		t.Errorf("answer is %v", answer)
	}
}

func TestOneFeasibleNodeIsNotScored(t *testing.T) {
	answer := answers(t, &Scheduler{}, schedule(node("n1", ""), "", user("p", "1", ""), ""))[0]
	if answer["node"] != "n1" || answer["scores"] != nil || answer["totals"] != nil || fmt.Sprint(answer["best"]) != "[n1]" {
		t.Errorf("answer is %v", answer)
	}
}

func TestWithoutAFeasibleNodeTheAnswerIsThatOfRun(t *testing.T) {
	for _, pod := range []string{highPod, lowPod} {
		pod = strings.Replace(pod, `"nodeName":"n1",`, "", 1)
		question := schedule(fullNode, lowPod, strings.Replace(pod, "low", "other", 1), "")
		found := answers(t, &Scheduler{}, question, as("run", question))
		if !reflect.DeepEqual(found[0], found[1]) || found[0]["outcome"] == nil {
			t.Errorf("answers are %v and %v", found[0], found[1])
		}
	}
}

func TestServicesAndControllersAreSeen(t *testing.T) {
	selector := map[string]string{"services": `{"app":"a"}`, "replicationControllers": `{"app":"a"}`,
		"replicaSets": `{"matchLabels":{"app":"a"}}`, "statefulSets": `{"matchLabels":{"app":"a"}}`}
	kinds := map[string][2]any{"services": {"x", "x"}, "replicationControllers": {"v1", "ReplicationController"},
		"replicaSets": {"apps/v1", "ReplicaSet"}, "statefulSets": {"apps/v1", "StatefulSet"}}
	for list, kind := range kinds {
		pod := fmt.Sprintf(user("p", "1", ""), kind[0], kind[1])
		more := fmt.Sprintf(`,%q:[{"metadata":{"namespace":"d","name":"owner"},"spec":{"selector":%s}}]`, list, selector[list])
		nodes := node("n1", `,"labels":{"kubernetes.io/hostname":"n1"}`) + "," + node("n2", `,"labels":{"kubernetes.io/hostname":"n2"}`)
		pods := user("a", "1", "n1")
		found := answers(t, &Scheduler{}, schedule(nodes, pods, pod, more), schedule(nodes, pods, pod, ""))
		with, without := found[0]["totals"].(map[string]any), found[1]["totals"].(map[string]any)
		if with["n1"].(float64)-with["n2"].(float64) >= without["n1"].(float64)-without["n2"].(float64) {
			t.Errorf("%s: totals %v, and %v without", list, found[0], found[1])
		}
	}
}

// manyNodes returns 150 nodes, the first with the given number.
func manyNodes(first, step int) string {
	var nodes []string
	for i := 0; i < 150; i++ {
		nodes = append(nodes, node(fmt.Sprintf("n%d", first+i*step), ""))
	}
	return strings.Join(nodes, ",")
}

func TestASearchBeginsAtStartAndEndsWithEnoughNodes(t *testing.T) {
	pod := user("p", "1", "")
	found := answers(t, &Scheduler{}, schedule(manyNodes(0, 1), "", pod, `,"start":7`), schedule(manyNodes(0, 1), "", pod, ""),
		schedule(manyNodes(149, -1), "", pod, `,"start":160`))
	for i, want := range []struct {
		count       int
		first, last string
	}{{100, "n7", "n106"}, {150, "n0", "n149"}, {100, "n139", "n40"}} {
		feasible, _ := found[i]["feasible"].([]any)
		if len(feasible) != want.count || feasible[0] != want.first || feasible[want.count-1] != want.last {
			t.Errorf("feasible are %v", feasible)
		}
	}
}

func TestNodesAreSearchedByZone(t *testing.T) {
	zone := func(name, zone string) string {
		return node(name, fmt.Sprintf(`,"labels":{"failure-domain.beta.kubernetes.io/zone":%q}`, zone))
	}
	var nodes []string
	for i := 0; i < 150; i++ {
		nodes = append(nodes, zone(fmt.Sprintf("a%d", i), "a"))
	}
	question := schedule(strings.Join(nodes, ",")+","+zone("b", "b")+","+zone("c", "c"), "", user("p", "1", ""), `,"start":0`)
	feasible := fmt.Sprint(answers(t, &Scheduler{}, question)[0]["feasible"])
	if !strings.HasSuffix(feasible, " b c]") {
		t.Errorf("feasible are %s", feasible)
	}
}

func TestAQuestionMayBeAboutTheClusterOfTheOneBefore(t *testing.T) {
	lower := strings.Replace(user("b", "2", "n2"), `"priority":1`, `"priority":0`, 1) // no tie
	nodes, pods := node("n1", "")+","+node("n2", ""), user("a", "3", "n1")+","+lower
	small, large := user("p", "1", ""), strings.Replace(user("q", "4", ""), `"priority":1`, `"priority":5`, 1)
	for _, first := range []string{"run", "schedule"} {
		for _, second := range []string{"run", "schedule"} {
			for _, pod := range []string{small, large} {
				again := as(second, schedule("", "", pod, `,"sameCluster":true`))
				found := answers(t, &Scheduler{}, as(first, schedule(nodes, pods, small, "")), again, again)
				want := answers(t, &Scheduler{}, as(second, schedule(nodes, pods, pod, "")))[0]
				if !reflect.DeepEqual(found[1], want) || !reflect.DeepEqual(found[2], want) || code(want) != nil {
					t.Errorf("%s %s: answers are %v, not %v", first, second, found, want)
				}
			}
		}
	}
	given := schedule(nodes, "", small, `,"sameCluster":true`)
	found := answers(t, &Scheduler{}, schedule("", "", small, `,"sameCluster":true`), given)
	if code(found[0]) != "no-cluster" || code(found[1]) != "out-of-range" {
		t.Errorf("answers are %v", found)
	}
}

func TestObjectsWithoutANamespaceAreInTheDefaultOne(t *testing.T) {
	claimed := func(namespace string) string {
		pod := `{"metadata":{"name":"p"` + namespace + `},"spec":{"containers":[{"name":"c"}],"volumes":[{"name":"v",` +
			`"persistentVolumeClaim":{"claimName":"c"}}]}}`
		more := `,"pvs":[{"metadata":{"name":"v"},"spec":{"claimRef":{"namespace":"default","name":"c"}}}],"pvcs":[{"metadata":` +
			`{"name":"c","annotations":{"pv.kubernetes.io/bind-completed":"yes"}` + namespace + `},"spec":{"volumeName":"v"}}]`
		return schedule(node("n1", ""), "", pod, more)
	}
	found := answers(t, &Scheduler{}, claimed(""), claimed(`,"namespace":"default"`), claimed(""))
	for i, answer := range found {
		if answer["node"] != "n1" {
			t.Errorf("answer %d is %v", i, answer)
		}
	}
}

func TestTimingsAreThoseOfWhatRan(t *testing.T) {
	nodes := node("n1", "") + "," + node("n2", "")
	low, high := user("a", "4", "n1"), strings.Replace(user("p", "4", ""), `"priority":1`, `"priority":5`, 1)
	fits, full := schedule(nodes, "", high, `,"timings":true`), schedule(node("n1", ""), low, high, `,"timings":true`)
	for _, c := range []struct {
		question                string
		schedules, runs, dryRun bool
	}{{fits, true, false, false}, {full, true, true, true}, {as("run", fits), false, true, false}, {as("run", full), false, true, true}} {
		timings, _ := answers(t, &Scheduler{}, c.question)[0]["timings"].(map[string]any)
		for key, ran := range map[string]bool{"schedule_ns": c.schedules, "filter_ns": c.runs, "dryRun_ns": c.dryRun} {
			if timings[key] == nil || (timings[key] != 0.0) != ran {
				t.Errorf("%s: timings are %v", c.question, timings)
			}
		}
	}
	if answer := answers(t, &Scheduler{}, schedule(nodes, "", high, ""))[0]; answer["timings"] != nil {
		t.Errorf("answer is %v", answer)
	}
}

func TestWhatScheduleDoesNotReadIsSkippedAndWhatRunDoesNotReadIsRefused(t *testing.T) {
	for _, more := range []string{`,"extenders":[{"filterVerb":"filter"}]`} {
		if answer := answers(t, &Scheduler{}, schedule(node("n1", ""), "", user("p", "1", ""), more))[0]; answer["skipped"] == nil {
			t.Errorf("%s: answer is %v", more, answer)
		}
	}
	for _, more := range []string{`,"extenders":[{}]`, `,"policy":{}`, `,"start":0`} {
		question := as("run", schedule(node("n1", ""), "", user("p", "1", ""), more))
		if answer := answers(t, &Scheduler{}, question)[0]; code(answer) != "unknown-field" {
			t.Errorf("%s: answer is %v", more, answer)
		}
	}
	if answer := answers(t, &Scheduler{}, schedule(node("n1", ""), "", user("p", "1", ""), `,"start":-1`))[0]; code(answer) != "out-of-range" {
		t.Errorf("answer is %v", answer)
	}
}
