//go:build stepper && since1_37

package main

import (
	"reflect"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	kubefeatures "k8s.io/kubernetes/pkg/features"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// ordersBindings says that bindings go on in the order in which their pods were assumed: those of a group begin together.
const ordersBindings = true

// poppedGroup notes the pod group of the cycle.
func (w *World) poppedGroup(group *framework.QueuedPodGroupInfo) {
	w.loop.mutex.Lock()
	defer w.loop.mutex.Unlock()
	w.loop.isPopped, w.loop.isGroup = true, true
	w.loop.result.PodGroup = group.GetNamespace() + "/" + group.GetName()
}

// keepLastPopped returns what restores the entry that the queue remembers as popped last.
func (w *World) keepLastPopped() func() {
	last := memberOf(memberOf(w.SchedulingQueue, "activeQ").Interface(), "lastPoppedEntityKey")
	key := last.String()
	return func() { last.SetString(key) }
}

// showMembers shows the pods of groups that are in no part of the queue.
func (w *World) showMembers(s *State) {
	if !utilfeature.DefaultFeatureGate.Enabled(kubefeatures.GenericWorkload) {
		return
	}
	incomplete := s.part(w.membersIn("incompletePodGroupPods"))
	pending := s.part(w.membersIn("pendingPodGroupPods"))
	s.Incomplete, s.Pending = &incomplete, &pending
}

// membersIn returns the entries of the pods of groups in a member of the queue.
func (w *World) membersIn(member string) (entries []reflect.Value) {
	groups := unexported(memberOf(w.SchedulingQueue, member).Elem(), "podGroupToPodInfos").MapRange()
	for groups.Next() {
		for pods := groups.Value().MapRange(); pods.Next(); {
			entries = append(entries, pods.Value())
		}
	}
	return entries
}
