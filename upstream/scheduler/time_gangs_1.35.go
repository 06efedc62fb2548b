//go:build stepper && since1_35 && !since1_36

package main

import (
	"reflect"

	v1 "k8s.io/api/core/v1"
	schedulingapi "k8s.io/api/scheduling/v1alpha1"
	"k8s.io/client-go/informers/scheduling"
	"k8s.io/client-go/tools/cache"
)

// hasGangs says that the release schedules gangs of pods, behind its gates.
const hasGangs = true

// kindGang is the kind of the objects that say which pods form gangs, and gangsMember the member of init that lists them.
const (
	kindGang    = "Workload"
	gangsMember = "workloads"
)

// Scheduling returns the informers of scheduling objects, made by InformerFor.
func (f *Informers) Scheduling() scheduling.Interface { return scheduling.New(f, "", nil) }

// newGangs returns an object that says which pods form gangs.
func newGangs() object { return &schedulingapi.Workload{} }

// gangs returns the informer of these objects, and its handlers. Without the gates there is none that handles them.
func (f *Informers) gangs() (cache.SharedIndexInformer, []cache.ResourceEventHandler) {
	workloads := f.Scheduling().V1alpha1().Workloads().Informer()
	return workloads, f.byType[reflect.TypeOf(&schedulingapi.Workload{})].handlers
}

// isOfGroup says whether the release schedules a pod together with its pod group.
func isOfGroup(*v1.Pod) bool { return false }

// isTrial says whether a cycle only tries where the pods of a group fit.
func isTrial(cycleState) bool { return false }

func (w *World) rankMembers() {}
