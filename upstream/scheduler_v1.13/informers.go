package main

import (
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/informers/core"
	"k8s.io/client-go/informers/internalinterfaces"
	"k8s.io/client-go/tools/cache"
)

// Informers is an informer factory whose informers never run and have no client: the objects of a question are put into
// their stores directly.
//
// Only volumes and claims have handlers that are told, in the same goroutine: from these the volume binder fills caches
// of its own.
type Informers struct {
	informers.SharedInformerFactory
	byType map[reflect.Type]*Informer
}

func newInformers() *Informers {
	return &Informers{informers.NewSharedInformerFactory(nil, 0), map[reflect.Type]*Informer{}}
}

// Core returns the informers of core objects, made by InformerFor below.
func (f *Informers) Core() core.Interface { return core.New(f, "", nil) }

// InformerFor returns the one informer of a type.
func (f *Informers) InformerFor(object runtime.Object, make internalinterfaces.NewInformerFunc) cache.SharedIndexInformer {
	kind := reflect.TypeOf(object)
	if _, ok := f.byType[kind]; !ok {
		f.byType[kind] = &Informer{SharedIndexInformer: f.SharedInformerFactory.InformerFor(object, make)}
	}
	return f.byType[kind]
}

// Informer remembers its handlers.
type Informer struct {
	cache.SharedIndexInformer
	handlers []cache.ResourceEventHandler
}

// AddEventHandler remembers a handler. It is not registered: the informer never runs.
func (i *Informer) AddEventHandler(handler cache.ResourceEventHandler) {
	i.handlers = append(i.handlers, handler)
}

// added tells a handler that there is a new object.
func added(handler cache.ResourceEventHandler, object interface{}, _ bool) { handler.OnAdd(object) }

// budgets returns the informer of PodDisruptionBudgets.
func (f *Informers) budgets() cache.SharedIndexInformer {
	return f.Policy().V1beta1().PodDisruptionBudgets().Informer()
}

// replace makes objects all that an informer's store holds.
func replace[T any](informer cache.SharedIndexInformer, objects []T) (before, after []interface{}) {
	store := informer.GetIndexer()
	before = store.List()
	for _, object := range objects {
		after = append(after, object)
	}
	if err := store.Replace(after, ""); err != nil {
		panic(err)
	}
	return before, store.List()
}

// replaceAndTell is replace, and the informer's handlers are told.
func replaceAndTell[T any](informer cache.SharedIndexInformer, objects []T) {
	before, after := replace(informer, objects)
	for _, handler := range informer.(*Informer).handlers {
		for _, object := range before {
			handler.OnDelete(object)
		}
		for _, object := range after {
			handler.OnAdd(object)
		}
	}
}

// fill puts the objects of a question into the stores that are read: pods come from the scheduler's cache.
func (f *Informers) fill(question *Question) {
	replace(f.Core().V1().Nodes().Informer(), question.Nodes)
	replace(f.budgets(), question.PDBs)
	replace(f.Storage().V1().StorageClasses().Informer(), question.StorageClasses)
	replace(f.Core().V1().Services().Informer(), question.Services)
	replace(f.Core().V1().ReplicationControllers().Informer(), question.ReplicationControllers)
	replace(f.Apps().V1().ReplicaSets().Informer(), question.ReplicaSets)
	replace(f.Apps().V1().StatefulSets().Informer(), question.StatefulSets)
	replaceAndTell(f.Core().V1().PersistentVolumes().Informer(), question.PVs)
	replaceAndTell(f.Core().V1().PersistentVolumeClaims().Informer(), question.PVCs)
}
