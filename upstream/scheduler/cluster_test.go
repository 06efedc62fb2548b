package main

import (
	"testing"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

func podOn(name string, uid types.UID, node, nominated string, phase v1.PodPhase) *v1.Pod {
	return &v1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "d", Name: name, UID: uid},
		Spec:       v1.PodSpec{NodeName: node},
		Status:     v1.PodStatus{NominatedNodeName: nominated, Phase: phase},
	}
}

// seen returns the names of the pods on, and nominated to, node n.
func seen(t *testing.T, preemptor *v1.Pod, pods ...*v1.Pod) (bound, nominated []string) {
	t.Helper()
	node := &v1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n"}}
	cluster := newCluster(&Question{Objects: Objects{Pod: preemptor, Nodes: []*v1.Node{node}, Pods: pods}})
	cluster.build()
	for _, info := range podInfosOf(cluster.nodes[0]) {
		bound = append(bound, podOf(info).Name)
	}
	for _, info := range (&Nominator{cluster}).NominatedPodsForNode("n") {
		nominated = append(nominated, podOf(info).Name)
	}
	return bound, nominated
}

func TestOnlyLivePodsOnKnownNodesAreSeenInListOrder(t *testing.T) {
	bound, nominated := seen(t, podOn("p", "", "", "", ""),
		podOn("z", "", "n", "", v1.PodRunning), podOn("a", "", "n", "other", ""),
		podOn("succeeded", "", "n", "", v1.PodSucceeded), podOn("failed", "", "n", "", v1.PodFailed),
		podOn("elsewhere", "", "m", "n", ""), podOn("pending", "", "", "", ""),
		podOn("y", "", "", "n", ""), podOn("b", "", "", "n", v1.PodFailed), podOn("lost", "", "", "m", ""))
	if !equal(bound, "z", "a") || !equal(nominated, "y") {
		t.Errorf("bound %v, nominated %v", bound, nominated)
	}
}

func TestThePreemptorIsKnownByUIDOrByNameWhereNoneHasOne(t *testing.T) {
	for _, c := range []struct {
		own, name string
		uid       types.UID
		wanted    bool
	}{
		{"", "p", "", false}, {"", "p", "u", true}, {"u", "p", "", true}, {"u", "other", "u", false}, {"u", "p", "v", true},
	} {
		bound, _ := seen(t, podOn("p", types.UID(c.own), "", "", ""), podOn(c.name, c.uid, "n", "", ""))
		if (len(bound) == 1) != c.wanted {
			t.Errorf("%+v: bound %v", c, bound)
		}
	}
}

func TestPodsWithoutUIDAreToldApart(t *testing.T) {
	same := []*v1.Pod{podOn("x", "", "n", "", ""), podOn("x", "", "n", "", "")}
	seen(t, podOn("p", "", "", "", ""), same...)
	if same[0].UID == same[1].UID || same[0].UID == "" {
		t.Errorf("UIDs are %q and %q", same[0].UID, same[1].UID)
	}
}

func equal(got []string, want ...string) bool {
	if len(got) != len(want) {
		return false
	}
	for i := range got {
		if got[i] != want[i] {
			return false
		}
	}
	return true
}
