package main

import (
	"fmt"

	v1 "k8s.io/api/core/v1"
	corev1helpers "k8s.io/component-helpers/scheduling/corev1"
)

// Cluster is what an implementation sees: the nodes of a question, the pods bound to them, and the pod that is tried.
type Cluster struct {
	*Question
	bound map[string][]*v1.Pod // by node, in the order of the question
}

// Scheduler answers questions, one at a time. Each question is answered from its own objects alone.
type Scheduler struct{}

// Decide asks the implementation about each node. A panic of the implementation is a problem of the question.
func (s *Scheduler) Decide(question *Question) (answer any, problem *Problem) {
	defer func() {
		if reason := recover(); reason != nil {
			answer, problem = nil, &Problem{"panic", "", fmt.Sprint(reason)}
		}
	}()
	if key := unsupportedKey(question); key != "" {
		return nil, &Problem{"not-supported", key, fmt.Sprintf("%s gives a verdict for each node, and has no %s", name, key)}
	}
	if why := twice(question); why != "" {
		return Skipped{question.Seq, why}, nil
	}
	bound, nominated := input(question)
	cluster := &Cluster{question, bound}
	if why := outsideClaim(cluster); why != "" {
		return Skipped{question.Seq, why}, nil
	}
	judge := newJudge(cluster)
	verdicts := make(map[string]Verdict, len(question.Nodes))
	for _, node := range question.Nodes {
		if counts(nominated[node.Name], question.Pod) {
			verdicts[node.Name] = "nominated pods are not claimed"
			continue
		}
		verdicts[node.Name] = judge(node)
	}
	return Fits{question.Seq, verdicts}, nil
}

// unsupportedKey returns a key of the question that only a scheduler heeds, or nothing.
func unsupportedKey(question *Question) string {
	for _, key := range []struct {
		name  string
		given bool
	}{
		{"schedule", question.Cmd == "schedule"},
		{"sameCluster", question.SameCluster},
		{"config", isGiven(question.Config)},
		{"featureGates", len(question.FeatureGates) > 0},
	} {
		if key.given {
			return key.name
		}
	}
	return ""
}

// counts says whether kube-scheduler counts one of these nominated pods against a pod: those of at least its priority.
func counts(nominated []*v1.Pod, pod *v1.Pod) bool {
	for _, each := range nominated {
		if corev1helpers.PodPriority(each) >= corev1helpers.PodPriority(pod) {
			return true
		}
	}
	return false
}

// answerOverTime answers nothing: a verdict for a node has no time.
func answerOverTime([]byte, *Scheduler) any { return nil }
