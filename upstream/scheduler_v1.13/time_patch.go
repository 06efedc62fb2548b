package main

import (
	"encoding/json"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The release sends the whole pod where later ones send a patch of its status.

// sent returns the pod that a call sends.
func (c *Call) sent() *v1.Pod {
	var pod v1.Pod
	must(json.Unmarshal(c.body, &pod))
	return &pod
}

// shown describes a call: of a status only what it changes in the pod that the scheduler knew.
func (w *World) shown(call *Call) ShownCall {
	shown := ShownCall{Call: call.kind, Pod: call.pod(), Held: call.held}
	if call.kind != "patch" {
		return shown
	}
	sent := call.sent()
	known, _ := w.store.past[sent.ResourceVersion].(*v1.Pod)
	if known == nil {
		panic("the scheduler sends a pod that the API never had: " + call.pod())
	}
	if node := sent.Status.NominatedNodeName; node != known.Status.NominatedNodeName {
		shown.NominatedNodeName = &node
	}
	reasons := map[v1.PodConditionType]string{}
	for _, condition := range known.Status.Conditions {
		reasons[condition.Type] = condition.Reason
	}
	for _, condition := range sent.Status.Conditions {
		if condition.Reason != reasons[condition.Type] {
			shown.Reason = condition.Reason
		}
	}
	shown.MessageOnly = shown.NominatedNodeName == nil && shown.Reason == ""
	return shown
}

// patch replaces the status of a pod, if the scheduler knows its last state.
func (s *Store) patch(pod *v1.Pod, body []byte) reply {
	sent := (&Call{body: body}).sent()
	if sent.UID != pod.UID || sent.ResourceVersion != pod.ResourceVersion {
		return failures["conflict"]
	}
	changed := pod.DeepCopy()
	changed.Status = sent.Status
	for i := range changed.Status.Conditions { // times of the real clock
		changed.Status.Conditions[i].LastTransitionTime = metav1.Time{}
	}
	s.put(kindPod, changed)
	return success(changed)
}

// isGated returns false: the release has no scheduling gates.
func isGated(*v1.Pod) bool { return false }
