//go:build stepper && !since1_32

package main

import (
	"context"
	"reflect"

	v1 "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	extender1 "k8s.io/kube-scheduler/extender/v1"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
	"k8s.io/kubernetes/pkg/scheduler/framework/preemption"
)

// preemptionObserver stands between preemption and the plug-in that it asks. Up to v1.31 the plug-in makes what evaluates
// preemption anew in each cycle, so the observer is the plug-in.
type preemptionObserver struct {
	*defaultpreemption.DefaultPreemption
	world  *World
	handle framework.Handle
}

func (w *World) watchPreemption(plugin *defaultpreemption.DefaultPreemption, place reflect.Value) {
	handle := memberOf(plugin, "fh").Interface().(framework.Handle)
	place.Set(reflect.ValueOf(&preemptionObserver{plugin, w, handle}))
}

func (o *preemptionObserver) PostFilter(ctx context.Context, state *framework.CycleState, pod *v1.Pod,
	statuses framework.NodeToStatusMap) (*framework.PostFilterResult, *framework.Status) {
	informers := o.handle.SharedInformerFactory()
	evaluator := preemption.Evaluator{
		PluginName: o.Name(),
		Handler:    o.handle,
		PodLister:  informers.Core().V1().Pods().Lister(),
		PdbLister:  informers.Policy().V1().PodDisruptionBudgets().Lister(),
		State:      state,
		Interface:  o,
	}
	result, why := evaluator.Preempt(ctx, pod, statuses)
	if message := why.Message(); message != "" {
		why = framework.NewStatus(why.Code(), "preemption: "+message) // as the plug-in does
	}
	return result, why
}

func (o *preemptionObserver) PodEligibleToPreemptOthers(pod *v1.Pod, nominated *status) (bool, string) {
	ok, why := o.DefaultPreemption.PodEligibleToPreemptOthers(pod, nominated)
	if !ok {
		o.world.noteIneligible()
	}
	return ok, why
}

// OrderedScoreFuncs is asked just before a candidate is chosen.
func (o *preemptionObserver) OrderedScoreFuncs(ctx context.Context, candidates map[string]*extender1.Victims) []func(node string) int64 {
	o.world.chooseCandidate(candidates)
	return o.DefaultPreemption.OrderedScoreFuncs(ctx, candidates)
}

func (o *preemptionObserver) SelectVictimsOnNode(ctx context.Context, state *framework.CycleState, pod *v1.Pod,
	node *framework.NodeInfo, pdbs []*policy.PodDisruptionBudget) ([]*v1.Pod, int, *framework.Status) {
	victims, violations, why := o.DefaultPreemption.SelectVictimsOnNode(ctx, state, pod, node, pdbs)
	o.world.dryRan(node.Node().Name, victims)
	return victims, violations, why
}
