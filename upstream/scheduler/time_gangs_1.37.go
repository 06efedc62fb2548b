//go:build stepper && since1_37

package main

import (
	"reflect"

	v1 "k8s.io/api/core/v1"
	schedulingapi "k8s.io/api/scheduling/v1beta1"
	"k8s.io/client-go/informers/scheduling"
	"k8s.io/client-go/tools/cache"
)

// hasGangs says that the release schedules groups of pods, behind its gate.
const hasGangs = true

// kindGang is the kind of the objects that say which pods form a group, and gangsMember the member of init that lists them.
const (
	kindGang    = "PodGroup"
	gangsMember = "podGroups"
)

// Scheduling returns the informers of scheduling objects, made by InformerFor.
func (f *Informers) Scheduling() scheduling.Interface { return scheduling.New(f, "", nil) }

// newGangs returns an object that says how a group of pods is scheduled.
func newGangs() object { return &schedulingapi.PodGroup{} }

// gangs returns the informer of these objects, and its handlers. Without the gate there is none that handles them.
func (f *Informers) gangs() (cache.SharedIndexInformer, []cache.ResourceEventHandler) {
	groups := f.Scheduling().V1beta1().PodGroups().Informer()
	return groups, f.byType[reflect.TypeOf(&schedulingapi.PodGroup{})].handlers
}

// isOfGroup says whether the release schedules a popped pod together with its pod group. From v1.37 on groups are popped
// themselves: World.poppedGroup.
func isOfGroup(*v1.Pod) bool { return false }

// isTrial says whether a cycle only tries where the pods of a group fit.
func isTrial(state cycleState) bool { return state.IsPodGroupSchedulingCycle() }

func (w *World) rankMembers() {}
