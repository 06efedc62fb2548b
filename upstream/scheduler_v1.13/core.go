package main

import (
	"reflect"
	"unsafe"

	v1 "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1beta1"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/kubernetes/pkg/scheduler/algorithm"
	schedulerapi "k8s.io/kubernetes/pkg/scheduler/api"
	schedulercache "k8s.io/kubernetes/pkg/scheduler/cache"
	"k8s.io/kubernetes/pkg/scheduler/core"
	"k8s.io/kubernetes/pkg/scheduler/internal/cache"
	"k8s.io/kubernetes/pkg/scheduler/internal/queue"
)

// The steps of Schedule and Preempt, which package core does not export. core.s lets them have no body here.

//go:linkname basicChecks k8s.io/kubernetes/pkg/scheduler/core.podPassesBasicChecks
func basicChecks(pod *v1.Pod, claims corelisters.PersistentVolumeClaimLister) error

//go:linkname snapshot k8s.io/kubernetes/pkg/scheduler/core.(*genericScheduler).snapshot
func snapshot(scheduler unsafe.Pointer) error

//go:linkname findNodesThatFit k8s.io/kubernetes/pkg/scheduler/core.(*genericScheduler).findNodesThatFit
func findNodesThatFit(scheduler unsafe.Pointer, pod *v1.Pod, nodes []*v1.Node) ([]*v1.Node, core.FailedPredicateMap, error)

//go:linkname eligible k8s.io/kubernetes/pkg/scheduler/core.podEligibleToPreemptOthers
func eligible(pod *v1.Pod, nodes map[string]*schedulercache.NodeInfo) bool

//go:linkname potentialNodes k8s.io/kubernetes/pkg/scheduler/core.nodesWherePreemptionMightHelp
func potentialNodes(nodes []*v1.Node, failed core.FailedPredicateMap) []*v1.Node

//go:linkname dryRun k8s.io/kubernetes/pkg/scheduler/core.selectNodesForPreemption
func dryRun(pod *v1.Pod, infos map[string]*schedulercache.NodeInfo, potential []*v1.Node,
	predicates map[string]algorithm.FitPredicate, metadata algorithm.PredicateMetadataProducer,
	queue queue.SchedulingQueue, pdbs []*policy.PodDisruptionBudget) (map[*v1.Node]*schedulerapi.Victims, error)

//go:linkname callExtenders k8s.io/kubernetes/pkg/scheduler/core.(*genericScheduler).processPreemptionWithExtenders
func callExtenders(scheduler unsafe.Pointer, pod *v1.Pod, candidates map[*v1.Node]*schedulerapi.Victims) (map[*v1.Node]*schedulerapi.Victims, error)

//go:linkname pickOneNode k8s.io/kubernetes/pkg/scheduler/core.pickOneNodeForPreemption
func pickOneNode(candidates map[*v1.Node]*schedulerapi.Victims) *v1.Node

//go:linkname resetNodeTree k8s.io/kubernetes/pkg/scheduler/internal/cache.(*NodeTree).resetExhausted
func resetNodeTree(tree *cache.NodeTree)

// pointerOf returns where the scheduler's algorithm lies.
func pointerOf(algorithm algorithm.ScheduleAlgorithm) unsafe.Pointer {
	return reflect.ValueOf(algorithm).UnsafePointer()
}

// member returns where an unexported member of the scheduler's algorithm lies. It panics where there is none of that
// name and type.
func member[T any](algorithm algorithm.ScheduleAlgorithm, name string) *T {
	field := reflect.ValueOf(algorithm).Elem().FieldByName(name)
	if !field.IsValid() || field.Type() != reflect.TypeOf((*T)(nil)).Elem() {
		panic("the scheduler's algorithm has no " + name + " of the type wanted")
	}
	return (*T)(field.Addr().UnsafePointer())
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
