//go:build stepper

package main

import (
	"reflect"
	"unsafe"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/klog/v2"
)

// shownQueue is what can be seen of the queue.
type shownQueue struct {
	Active        []string `json:"active"`
	Backoff       []string `json:"backoff"`
	Unschedulable []string `json:"unschedulable"`
	InFlight      []string `json:"inFlight"`

	// Pods of groups, from v1.37 on: those without a PodGroup, and those that wait for the cycle of their group to end.
	Incomplete *[]string `json:"incompletePodGroupPods,omitempty"`
	Pending    *[]string `json:"pendingPodGroupPods,omitempty"`

	Gated     map[string]string   `json:"gated"`
	Rejectors map[string][]string `json:"rejectors"`
	Attempts  map[string]int64    `json:"attempts"`
}

func (w *World) showQueue(s *State) {
	s.Gated, s.Rejectors, s.Attempts = map[string]string{}, map[string][]string{}, map[string]int64{}
	queue := w.queued()
	s.Active, s.Backoff, s.Unschedulable = s.part(queue.active), s.part(queue.backoff), s.part(queue.unschedulable)
	s.InFlight = sorted(queue.inFlight)
	w.showMembers(s)
}

// part shows the entries of a part of the queue.
func (s *State) part(entries []reflect.Value) []string {
	var names []string
	for _, entry := range entries {
		name := nameIn(entry.Elem().FieldByName("Pod").Interface().(*v1.Pod))
		names = append(names, name)
		s.Attempts[name] = entry.Elem().FieldByName("Attempts").Int()
		rejectors := sets.New[string]()
		for _, field := range []string{"UnschedulablePlugins", "PendingPlugins"} {
			rejectors = rejectors.Union(entry.Elem().FieldByName(field).Interface().(sets.Set[string]))
		}
		s.Rejectors[name] = append([]string{}, sets.List(rejectors)...)
		if plugin := gatedBy(entry.Elem()); plugin != "" {
			s.Gated[name] = plugin
		}
	}
	return sorted(names)
}

// gatedBy returns the plug-in that gates an entry. Up to v1.33 the entry only says that one does.
func gatedBy(entry reflect.Value) string {
	if plugin := entry.FieldByName("GatingPlugin"); plugin.IsValid() {
		return plugin.String()
	}
	if !entry.FieldByName("Gated").Bool() {
		return ""
	}
	if len(entry.FieldByName("Pod").Interface().(*v1.Pod).Spec.SchedulingGates) > 0 {
		return "SchedulingGates"
	}
	return "DefaultPreemption"
}

func (w *World) nominatedTo(node string) (names []string) {
	for _, info := range w.SchedulingQueue.NominatedPodsForNode(node) {
		names = append(names, nameIn(podOf(info)))
	}
	return names
}

// showAssumed shows the last node, by name, of several pods that have one name.
func (w *World) showAssumed(s *State) {
	dump := w.Cache.Dump()
	for name, node := range dump.Nodes {
		for _, info := range podInfosOf(node) {
			if pod := podOf(info); dump.AssumedPods.Has(string(pod.UID)) {
				s.Assumed[nameIn(pod)] = max(s.Assumed[nameIn(pod)], name)
			}
		}
	}
}

// queueParts are the entries of the queue, each a pointer to framework.QueuedPodInfo, and the pods in flight.
type queueParts struct {
	active, backoff, unschedulable []reflect.Value
	inFlight                       []string
}

// queue returns the queue itself. Up to v1.31 no other package may name its type.
func (w *World) queue() unsafe.Pointer { return reflect.ValueOf(w.SchedulingQueue).UnsafePointer() }

func (w *World) logger() klog.Logger { return klog.Background() }

// addToQueue adds a pod to the queue. The first argument is a context from v1.37 on, a logger before.
func (w *World) addToQueue(pod *v1.Pod) {
	add := reflect.ValueOf(w.SchedulingQueue).MethodByName("Add")
	first := reflect.ValueOf(w.logger())
	if context := reflect.ValueOf(w.context()); context.Type().AssignableTo(add.Type().In(0)) {
		first = context
	}
	add.Call([]reflect.Value{first, reflect.ValueOf(pod)})
}
