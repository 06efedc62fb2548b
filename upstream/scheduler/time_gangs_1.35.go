//go:build stepper && since1_35 && !since1_36

package main

import (
	"reflect"

	schedulingapi "k8s.io/api/scheduling/v1alpha1"
	"k8s.io/client-go/informers/scheduling"
	"k8s.io/client-go/tools/cache"
)

// hasGangs says that the release schedules gangs of pods, behind its gates.
const hasGangs = true

// Scheduling returns the informers of scheduling objects, made by InformerFor.
func (f *Informers) Scheduling() scheduling.Interface { return scheduling.New(f, "", nil) }

// newGangs returns an object that says which pods form gangs.
func newGangs() object { return &schedulingapi.Workload{} }

// gangs returns the informer of these objects, and its handlers. Without the gates there is none that handles them.
func (f *Informers) gangs() (cache.SharedIndexInformer, []cache.ResourceEventHandler) {
	workloads := f.Scheduling().V1alpha1().Workloads().Informer()
	return workloads, f.byType[reflect.TypeOf(&schedulingapi.Workload{})].handlers
}
