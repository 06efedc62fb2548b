package main

import (
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/informers/core"
	"k8s.io/client-go/informers/internalinterfaces"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
)

// Informers is an informer factory whose informers never run. The objects of a question are put into their stores
// directly, and handlers are told in the same goroutine, so that nothing has to be waited for.
//
// Only volumes and claims have handlers that are told: from these VolumeBinding fills caches of its own. A whole
// scheduler also listens to nodes and pods; its cache is filled without these handlers (cycle.go).
type Informers struct {
	informers.SharedInformerFactory
	byType map[reflect.Type]*Informer
}

func newInformers(client kubernetes.Interface) *Informers {
	return &Informers{informers.NewSharedInformerFactory(client, 0), map[reflect.Type]*Informer{}}
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

// AddEventHandler remembers a handler, beside registering it where nothing will ever happen.
func (i *Informer) AddEventHandler(handler cache.ResourceEventHandler) (cache.ResourceEventHandlerRegistration, error) {
	i.handlers = append(i.handlers, handler)
	return i.SharedIndexInformer.AddEventHandler(handler)
}

// added tells a handler that there is a new object.
func added(handler cache.ResourceEventHandler, object interface{}, isInitial bool) {
	handler.OnAdd(object, isInitial)
}

// budgets returns the informer of PodDisruptionBudgets.
func (f *Informers) budgets() cache.SharedIndexInformer {
	return f.Policy().V1().PodDisruptionBudgets().Informer()
}

// replace makes objects all that an informer's store holds.
func replace[T any](informer cache.SharedIndexInformer, objects []T) (before, after []interface{}) {
	store := informer.GetIndexer()
	before = store.List()
	if len(before) == 0 && len(objects) == 0 {
		return nil, nil
	}
	for _, object := range objects {
		after = append(after, object)
	}
	if err := store.Replace(after, ""); err != nil {
		panic(err)
	}
	return before, store.List()
}

// replaceAndTell is replace for an informer of core objects, and its handlers are told.
func replaceAndTell[T any](f *Informers, informer cache.SharedIndexInformer, objects []T) {
	before, after := replace(informer, objects)
	// From v1.37 on the informer given is a wrapper.
	for _, handler := range f.byType[reflect.TypeOf(objects).Elem()].handlers {
		for _, object := range before {
			handler.OnDelete(object)
		}
		for _, object := range after {
			handler.OnAdd(object, true)
		}
	}
}

// fill puts the objects of a question into the stores.
func (f *Informers) fill(question *Question) {
	everyone := make([]interface{}, 0, len(question.Pods)+1)
	for _, pod := range question.Pods {
		if !isPreemptor(pod, question.Pod) {
			everyone = append(everyone, pod)
		}
	}
	replace(f.Core().V1().Pods().Informer(), append(everyone, question.Pod))
	replace(f.Core().V1().Nodes().Informer(), question.Nodes)
	replace(f.Core().V1().Namespaces().Informer(), question.Namespaces)
	replaceAndTell(f, f.Core().V1().PersistentVolumes().Informer(), question.PVs)
	replaceAndTell(f, f.Core().V1().PersistentVolumeClaims().Informer(), question.PVCs)
	replace(f.budgets(), question.PDBs)
	storage := f.Storage().V1()
	replace(storage.StorageClasses().Informer(), question.StorageClasses)
	replace(storage.CSINodes().Informer(), question.CSINodes)
	replace(storage.CSIDrivers().Informer(), question.CSIDrivers)
	replace(storage.VolumeAttachments().Informer(), question.VolumeAttachments)
	replace(storage.CSIStorageCapacities().Informer(), question.CSIStorageCapacities)
	replace(f.Core().V1().Services().Informer(), question.Services)
	replace(f.Core().V1().ReplicationControllers().Informer(), question.ReplicationControllers)
	replace(f.Apps().V1().ReplicaSets().Informer(), question.ReplicaSets)
	replace(f.Apps().V1().StatefulSets().Informer(), question.StatefulSets)
}
