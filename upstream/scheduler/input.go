package main

import (
	"fmt"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// input sorts the pods of a question by the node that they are bound or nominated to, in the order of the question, as
// the input rules of spec/protocol.md say. It puts objects without a namespace into the one that an API server would
// take, and gives a UID to pods that have none, since Kubernetes tells pods apart by it.
func input(question *Question) (bound, nominated map[string][]*v1.Pod) {
	for _, object := range question.namespaced() {
		complete(object)
	}
	bound = make(map[string][]*v1.Pod, len(question.Nodes))
	for _, node := range question.Nodes {
		bound[node.Name] = nil
	}
	nominated = map[string][]*v1.Pod{}
	for i, pod := range question.Pods {
		// The informer of pods leaves out those that have ended, wherever they were.
		hasEnded := pod.Status.Phase == v1.PodSucceeded || pod.Status.Phase == v1.PodFailed
		if isPreemptor(pod, question.Pod) || hasEnded {
			continue
		}
		name := pod.Spec.NodeName
		if name == "" {
			name = pod.Status.NominatedNodeName
		}
		if _, known := bound[name]; !known {
			continue
		}
		if pod.UID == "" {
			pod.UID = types.UID(fmt.Sprintf("touchstone/pods[%d]", i))
		}
		if pod.Spec.NodeName != "" {
			bound[name] = append(bound[name], pod)
		} else {
			nominated[name] = append(nominated[name], pod)
		}
	}
	completePod(question.Pod)
	return bound, nominated
}

// complete puts an object without a namespace into the one that an API server would take.
func complete(object metav1.Object) {
	if object.GetNamespace() == "" {
		object.SetNamespace(v1.NamespaceDefault)
	}
}

// completePod gives the pod of a question a namespace and a UID.
func completePod(pod *v1.Pod) {
	complete(pod)
	if pod.UID == "" {
		pod.UID = "touchstone/pod"
	}
}

// takeObjects makes the objects of an earlier question those of this one, but for its pod.
func (question *Question) takeObjects(earlier *Question) {
	pod := question.Pod
	completePod(pod)
	question.Objects = earlier.Objects
	question.Pod = pod
}

// twice says which UID two pods have, since the cache of the scheduler keeps one pod of a UID.
func twice(question *Question) string {
	seen := map[types.UID]bool{}
	for _, pod := range question.Pods {
		if pod.UID != "" && seen[pod.UID] && !isPreemptor(pod, question.Pod) {
			return fmt.Sprintf("two pods have UID %s: the scheduler's cache knows one pod of a UID", pod.UID)
		}
		seen[pod.UID] = true
	}
	return ""
}

// isPreemptor says whether an entry of pods is the pod of the question itself.
func isPreemptor(entry, pod *v1.Pod) bool {
	if entry.UID != "" || pod.UID != "" {
		return entry.UID == pod.UID
	}
	return entry.Namespace == pod.Namespace && entry.Name == pod.Name
}
