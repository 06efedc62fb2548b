//go:build stepper

package main

import (
	"reflect"
	"sort"
	"unsafe"

	v1 "k8s.io/api/core/v1"
)

// StepAnswer is the answer to a command about a scheduler over time.
type StepAnswer struct {
	Seq *int64 `json:"seq"`
	*Result
	Calls *[]ShownCall `json:"calls,omitempty"`
	Ended *Result      `json:"ended,omitempty"`
	State *State       `json:"state"`
	Notes []string     `json:"notes,omitempty"`
}

// State is what can be seen of a scheduler.
type State struct {
	shownQueue

	Nominated map[string][]string  `json:"nominated"`
	Assumed   map[string]string    `json:"assumed"`
	Waiting   *[]string            `json:"waiting,omitempty"` // in Permit
	Pods      map[string]StoredPod `json:"pods"`
	Held      Held                 `json:"held"`
}

// StoredPod is what the API has of a pod.
type StoredPod struct {
	NodeName          string `json:"nodeName,omitempty"`
	NominatedNodeName string `json:"nominatedNodeName,omitempty"`
	Terminating       bool   `json:"terminating,omitempty"`
	Reason            string `json:"reason,omitempty"`
}

// Held is what waits.
type Held struct {
	Calls []ShownCall    `json:"calls"`
	Watch map[string]int `json:"watch"`
}

func (w *World) state() *State {
	s := &State{
		Nominated: map[string][]string{}, Assumed: map[string]string{}, Pods: map[string]StoredPod{},
		Held: Held{Calls: []ShownCall{}, Watch: map[string]int{}},
	}
	w.showQueue(s)
	w.showNominations(s)
	w.showAssumed(s)
	w.showWaiting(s)
	for name, o := range w.store.objects[kindPod] {
		s.Pods[name] = shownPod(o.(*v1.Pod))
	}
	for _, call := range w.calls.list() {
		s.Held.Calls = append(s.Held.Calls, ShownCall{Call: call.kind, Pod: call.pod()})
	}
	key := func(call ShownCall) string { return call.Pod + ":" + call.Call }
	sort.SliceStable(s.Held.Calls, func(i, j int) bool { return key(s.Held.Calls[i]) < key(s.Held.Calls[j]) })
	for kind := range w.kept {
		s.Held.Watch[kind] = 0
		for _, e := range w.store.events {
			if e.kind == kind {
				s.Held.Watch[kind]++
			}
		}
	}
	return s
}

func sorted(names []string) []string {
	names = append([]string{}, names...)
	sort.Strings(names)
	return names
}

// showNominations asks for every node name that has been seen: a nomination may outlive its node.
func (w *World) showNominations(s *State) {
	for _, o := range w.store.objects[kindNode] {
		w.nodesSeen[o.GetName()] = true
	}
	for _, o := range w.store.objects[kindPod] {
		w.nodesSeen[o.(*v1.Pod).Status.NominatedNodeName] = true
	}
	for node := range w.nodesSeen {
		names := w.nominatedTo(node)
		if len(names) > 0 && node != "" {
			s.Nominated[node] = sorted(names)
		}
	}
}

func shownPod(pod *v1.Pod) StoredPod {
	shown := StoredPod{
		NodeName: pod.Spec.NodeName, NominatedNodeName: pod.Status.NominatedNodeName, Terminating: pod.DeletionTimestamp != nil,
	}
	for _, condition := range pod.Status.Conditions {
		if condition.Type == v1.PodScheduled && condition.Status == v1.ConditionFalse {
			shown.Reason = string(condition.Reason)
		}
	}
	return shown
}

// unexported returns a member of a struct that can be read and set.
func unexported(holder reflect.Value, name string) reflect.Value {
	field := holder.FieldByName(name)
	return reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem()
}
