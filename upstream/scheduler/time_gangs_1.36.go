//go:build stepper && since1_36 && !since1_37

package main

import (
	"reflect"
	"time"

	v1 "k8s.io/api/core/v1"
	schedulingapi "k8s.io/api/scheduling/v1alpha2"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/informers/scheduling"
	"k8s.io/client-go/tools/cache"
	kubefeatures "k8s.io/kubernetes/pkg/features"
)

// hasGangs says that the release schedules groups of pods, behind its gates.
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

// gangs returns the informer of these objects, and its handlers. Without the gates there is none that handles them.
func (f *Informers) gangs() (cache.SharedIndexInformer, []cache.ResourceEventHandler) {
	groups := f.Scheduling().V1alpha2().PodGroups().Informer()
	return groups, f.byType[reflect.TypeOf(&schedulingapi.PodGroup{})].handlers
}

// isOfGroup says whether the release schedules a pod together with its pod group.
func isOfGroup(pod *v1.Pod) bool {
	return utilfeature.DefaultFeatureGate.Enabled(kubefeatures.GenericWorkload) && pod.Spec.SchedulingGroup != nil
}

// isTrial says whether a cycle only tries where the pods of a group fit.
func isTrial(state cycleState) bool { return state.IsPodGroupSchedulingCycle() }

// rankMembers has pods of equal priority and time be tried in the order in which the scheduler has seen them. The release
// itself takes them in the order of a map.
func (w *World) rankMembers() {
	queue := w.queued()
	for _, part := range [][]reflect.Value{queue.active, queue.backoff, queue.unschedulable} {
		for _, entry := range part {
			first := entry.Elem().FieldByName("InitialAttemptTimestamp")
			if pod := entry.Elem().FieldByName("Pod").Interface().(*v1.Pod); isOfGroup(pod) && !first.IsNil() {
				rank := time.Duration(w.seen[pod.UID])
				ranked := first.Interface().(*time.Time).Truncate(time.Microsecond).Add(rank)
				first.Set(reflect.ValueOf(&ranked))
			}
		}
	}
}
