//go:build stepper

package main

import (
	"reflect"
	"sort"
	"unsafe"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/klog/v2"
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
	Active        []string `json:"active"`
	Backoff       []string `json:"backoff"`
	Unschedulable []string `json:"unschedulable"`
	InFlight      []string `json:"inFlight"`

	Gated     map[string]string   `json:"gated"`
	Rejectors map[string][]string `json:"rejectors"`
	Attempts  map[string]int64    `json:"attempts"`

	Nominated map[string][]string  `json:"nominated"`
	Assumed   map[string]string    `json:"assumed"`
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
		Gated: map[string]string{}, Rejectors: map[string][]string{}, Attempts: map[string]int64{},
		Nominated: map[string][]string{}, Assumed: map[string]string{}, Pods: map[string]StoredPod{},
		Held: Held{Calls: []ShownCall{}, Watch: map[string]int{}},
	}
	queue := w.queued()
	s.Active, s.Backoff, s.Unschedulable = s.part(queue.active), s.part(queue.backoff), s.part(queue.unschedulable)
	s.InFlight = sorted(queue.inFlight)
	w.showNominations(s)
	w.showAssumed(s)
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

// showNominations asks for every node name that has been seen: a nomination may outlive its node.
func (w *World) showNominations(s *State) {
	for _, o := range w.store.objects[kindNode] {
		w.nodesSeen[o.GetName()] = true
	}
	for _, o := range w.store.objects[kindPod] {
		w.nodesSeen[o.(*v1.Pod).Status.NominatedNodeName] = true
	}
	for node := range w.nodesSeen {
		var names []string
		for _, info := range w.SchedulingQueue.NominatedPodsForNode(node) {
			names = append(names, nameIn(podOf(info)))
		}
		if len(names) > 0 && node != "" {
			s.Nominated[node] = sorted(names)
		}
	}
}

func (w *World) showAssumed(s *State) {
	dump := w.Cache.Dump()
	for name, node := range dump.Nodes {
		for _, info := range podInfosOf(node) {
			if pod := podOf(info); dump.AssumedPods.Has(string(pod.UID)) {
				s.Assumed[nameIn(pod)] = name
			}
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

// queueParts are the entries of the queue, each a pointer to framework.QueuedPodInfo, and the pods in flight.
type queueParts struct {
	active, backoff, unschedulable []reflect.Value
	inFlight                       []string
}

// queue returns the queue itself. Up to v1.31 no other package may name its type.
func (w *World) queue() unsafe.Pointer { return reflect.ValueOf(w.SchedulingQueue).UnsafePointer() }

func (w *World) logger() klog.Logger { return klog.Background() }

// unexported returns a member of a struct that can be read and set.
func unexported(holder reflect.Value, name string) reflect.Value {
	field := holder.FieldByName(name)
	return reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem()
}

// addToQueue adds a pod to the queue. The first argument is a context from v1.37 on, a logger before.
func (w *World) addToQueue(pod *v1.Pod) {
	add := reflect.ValueOf(w.SchedulingQueue).MethodByName("Add")
	first := reflect.ValueOf(w.logger())
	if context := reflect.ValueOf(w.context()); context.Type().AssignableTo(add.Type().In(0)) {
		first = context
	}
	add.Call([]reflect.Value{first, reflect.ValueOf(pod)})
}
