//go:build stepper && since1_32

package main

import (
	"context"
	"reflect"

	v1 "k8s.io/api/core/v1"
	extender1 "k8s.io/kube-scheduler/extender/v1"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
	"k8s.io/kubernetes/pkg/scheduler/framework/preemption"
)

// preemptionObserver stands between preemption and the plug-in that it asks.
type preemptionObserver struct {
	preemption.Interface
	world *World
}

func (w *World) watchPreemption(plugin *defaultpreemption.DefaultPreemption, _ reflect.Value) {
	plugin.Evaluator.Interface = &preemptionObserver{plugin.Evaluator.Interface, w}
	w.watchVictims(plugin)
}

func (o *preemptionObserver) PodEligibleToPreemptOthers(ctx context.Context, pod *v1.Pod, nominated *status) (bool, string) {
	ok, why := o.Interface.PodEligibleToPreemptOthers(ctx, pod, nominated)
	if !ok {
		o.world.noteIneligible()
	}
	return ok, why
}

// OrderedScoreFuncs is asked just before a candidate is chosen.
func (o *preemptionObserver) OrderedScoreFuncs(ctx context.Context, candidates map[string]*extender1.Victims) []func(node string) int64 {
	o.world.chooseCandidate(candidates)
	return o.Interface.OrderedScoreFuncs(ctx, candidates)
}
