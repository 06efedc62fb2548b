//go:build stepper

package main

import (
	"encoding/json"
	"net/http"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

func (w *World) shown(call *Call) ShownCall { return call.shown() }

// shown describes a call: of a patch only what it changes.
func (c *Call) shown() ShownCall {
	shown := ShownCall{Call: c.kind, Pod: c.pod(), Held: c.held}
	if c.kind != "patch" {
		return shown
	}
	var patch struct {
		Status map[string]json.RawMessage `json:"status"`
	}
	var conditions []v1.PodCondition
	must(json.Unmarshal(c.body, &patch))
	if raw, ok := patch.Status["conditions"]; ok {
		must(json.Unmarshal(raw, &conditions))
	}
	if raw, ok := patch.Status["nominatedNodeName"]; ok {
		node := ""
		must(json.Unmarshal(raw, &node)) // null: it is cleared
		shown.NominatedNodeName = &node
	}
	for _, condition := range conditions { // the first reason, since releases copied the conditions of another pod
		if shown.Reason == "" {
			shown.Reason = string(condition.Reason)
		}
	}
	shown.MessageOnly = shown.NominatedNodeName == nil && shown.Reason == ""
	return shown
}

// patch changes the status of a pod. A patch that changes nothing is a write all the same.
func (s *Store) patch(pod *v1.Pod, body []byte) reply {
	before, err := json.Marshal(pod)
	must(err)
	after, err := strategicpatch.StrategicMergePatch(before, body, v1.Pod{})
	if err != nil {
		return failure(http.StatusBadRequest, metav1.StatusReasonBadRequest)
	}
	var patched v1.Pod
	must(json.Unmarshal(after, &patched))
	changed := pod.DeepCopy()
	changed.Status = patched.Status
	for i := range changed.Status.Conditions { // times of the real clock
		changed.Status.Conditions[i].LastTransitionTime = metav1.Time{}
	}
	s.put(kindPod, changed)
	return success(changed)
}

func isGated(pod *v1.Pod) bool { return len(pod.Spec.SchedulingGates) > 0 }
