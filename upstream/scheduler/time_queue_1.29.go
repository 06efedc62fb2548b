//go:build stepper && !since1_33

package main

import (
	"reflect"

	v1 "k8s.io/api/core/v1"
)

// queued reads the entries from the members of the queue, since up to v1.32 no methods show all of them.
func (w *World) queued() queueParts {
	parts := queueParts{
		active:  listed(w.activeHeap()),
		backoff: listed(memberOf(w.SchedulingQueue, "podBackoffQ")),
	}
	pods := unexported(memberOf(w.SchedulingQueue, "unschedulablePods").Elem(), "podInfoMap")
	for _, key := range pods.MapKeys() {
		parts.unschedulable = append(parts.unschedulable, pods.MapIndex(key))
	}
	if shows, ok := w.SchedulingQueue.(interface{ InFlightPods() []*v1.Pod }); ok {
		for _, pod := range shows.InFlightPods() {
			parts.inFlight = append(parts.inFlight, nameIn(pod))
		}
	}
	return parts
}

// activeHeap returns the heap of the active part. From v1.31 on a type of its own holds it.
func (w *World) activeHeap() reflect.Value {
	active := memberOf(w.SchedulingQueue, "activeQ")
	if active.Kind() == reflect.Interface {
		return memberOf(active.Interface(), "queue")
	}
	return active
}

// listed returns the entries of a heap.
func listed(heap reflect.Value) (entries []reflect.Value) {
	list := heap.MethodByName("List").Call(nil)[0]
	for i := 0; i < list.Len(); i++ {
		entry := list.Index(i)
		if entry.Kind() == reflect.Interface {
			entry = entry.Elem()
		}
		entries = append(entries, entry)
	}
	return entries
}

func (w *World) hasToPop() bool { return len(listed(w.activeHeap())) > 0 }
