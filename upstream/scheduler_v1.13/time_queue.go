package main

import (
	"reflect"

	v1 "k8s.io/api/core/v1"
	schedulercache "k8s.io/kubernetes/pkg/scheduler/cache"
	"k8s.io/kubernetes/pkg/scheduler/internal/queue"
)

// shownQueue is what can be seen of the queue. It has two parts, and entries are pods alone.
type shownQueue struct {
	Active        []string `json:"active"`
	Unschedulable []string `json:"unschedulable"`
}

func (w *World) activeHeap() *queue.Heap {
	return memberOf(w.Config().SchedulingQueue, "activeQ").Interface().(*queue.Heap)
}

func (w *World) hasToPop() bool { return len(w.activeHeap().List()) > 0 }

func (w *World) showQueue(s *State) {
	var active, unschedulable []string
	for _, pod := range w.activeHeap().List() {
		active = append(active, nameIn(pod.(*v1.Pod)))
	}
	left := memberOf(w.Config().SchedulingQueue, "unschedulableQ").Interface()
	for _, pod := range memberOf(left, "pods").Interface().(map[string]*v1.Pod) {
		unschedulable = append(unschedulable, nameIn(pod))
	}
	s.Active, s.Unschedulable = sorted(active), sorted(unschedulable)
}

func (w *World) nominatedTo(node string) []string {
	return namesOf(w.Config().SchedulingQueue.WaitingPodsForNode(node))
}

func (w *World) showAssumed(s *State) {
	snapshot := w.Config().SchedulerCache.Snapshot()
	for name, node := range snapshot.Nodes {
		for _, pod := range node.Pods() {
			key, err := schedulercache.GetPodKey(pod)
			must(err)
			if snapshot.AssumedPods[key] {
				s.Assumed[nameIn(pod)] = max(s.Assumed[nameIn(pod)], name)
			}
		}
	}
}

// memberOf returns an unexported member of what an interface holds.
func memberOf(holder any, name string) reflect.Value {
	return unexported(reflect.ValueOf(holder).Elem(), name)
}
