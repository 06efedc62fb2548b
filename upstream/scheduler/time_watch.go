//go:build stepper

package main

import (
	"reflect"

	v1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
)

// deliver gives an event to the scheduler: to the store of the informer, then to each handler, as an informer does. The
// watch leaves out pods that have ended.
func (f *Informers) deliver(e event, isInitial bool) {
	old, now := seenBy(e.old), seenBy(e.now)
	informer, handlers := f.watched(e.kind)
	store := informer.GetIndexer()
	switch {
	case old == nil && now == nil:
		return
	case old == nil:
		must(store.Add(now))
	case now == nil:
		must(store.Delete(old))
	default:
		must(store.Update(now))
	}
	for _, handler := range handlers {
		switch {
		case old == nil:
			added(handler, now, isInitial)
		case now == nil:
			handler.OnDelete(old)
		default:
			handler.OnUpdate(old, now)
		}
	}
}

// watched returns the informer of a kind, and its handlers in the order in which they were registered.
func (f *Informers) watched(kind string) (cache.SharedIndexInformer, []cache.ResourceEventHandler) {
	switch kind {
	case kindPod:
		return f.Core().V1().Pods().Informer(), f.byType[reflect.TypeOf(&v1.Pod{})].handlers
	case kindNode:
		return f.Core().V1().Nodes().Informer(), f.byType[reflect.TypeOf(&v1.Node{})].handlers
	}
	if kind == kindGang {
		return f.gangs()
	}
	return f.budgets(), nil
}
