//go:build stepper && since1_33

package main

import (
	"reflect"

	v1 "k8s.io/api/core/v1"
)

// fromQueue are the methods of the queue that show it.
type fromQueue interface {
	PodsInActiveQ() []*v1.Pod
	PodsInBackoffQ() []*v1.Pod
	UnschedulablePods() []*v1.Pod
	InFlightPods() []*v1.Pod
}

func (w *World) queued() queueParts {
	queue := w.SchedulingQueue.(fromQueue)
	parts := queueParts{
		active:        w.entries(queue.PodsInActiveQ()),
		backoff:       w.entries(queue.PodsInBackoffQ()),
		unschedulable: w.entries(queue.UnschedulablePods()),
	}
	for _, pod := range queue.InFlightPods() {
		parts.inFlight = append(parts.inFlight, nameIn(pod))
	}
	return parts
}

// entries looks up the entries of pods. From v1.37 on the lookup also takes spec.schedulingGroup.
func (w *World) entries(pods []*v1.Pod) (entries []reflect.Value) {
	lookup := reflect.ValueOf(w.SchedulingQueue).MethodByName("GetPod")
	for _, pod := range pods {
		arguments := []reflect.Value{reflect.ValueOf(pod.Name), reflect.ValueOf(pod.Namespace)}
		for i := len(arguments); i < lookup.Type().NumIn(); i++ {
			arguments = append(arguments, reflect.ValueOf(pod.Spec).FieldByName("SchedulingGroup"))
		}
		entries = append(entries, lookup.Call(arguments)[0])
	}
	return entries
}

// hasToPop says whether a pod may be popped. From v1.33 on that is also one that backs off.
func (w *World) hasToPop() bool {
	queue := w.SchedulingQueue.(fromQueue)
	return len(queue.PodsInActiveQ()) > 0 || len(queue.PodsInBackoffQ()) > 0
}
