//go:build !since1_32

package main

import (
	"context"

	v1 "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
	"k8s.io/kubernetes/pkg/scheduler/framework/preemption"
)

// evaluator returns what evaluates preemption in a cycle. Up to v1.31 the plugin makes one for each.
func evaluator(f *Framework, state cycleState) *preemption.Evaluator {
	plugin := f.preemption.(*defaultpreemption.DefaultPreemption)
	return &preemption.Evaluator{
		PluginName: plugin.Name(),
		Handler:    f.handle,
		PodLister:  f.handle.SharedInformerFactory().Core().V1().Pods().Lister(),
		PdbLister:  f.handle.SharedInformerFactory().Policy().V1().PodDisruptionBudgets().Lister(),
		State:      state,
		Interface:  plugin,
	}
}

func eligible(_ context.Context, evaluator *preemption.Evaluator, pod *v1.Pod, nominated *status) (bool, string) {
	return evaluator.PodEligibleToPreemptOthers(pod, nominated)
}

func dryRun(ctx context.Context, evaluator *preemption.Evaluator, _ cycleState, pod *v1.Pod, nodes []nodeInfo,
	pdbs []*policy.PodDisruptionBudget, offset, count int32) ([]preemption.Candidate, statuses, error) {
	return evaluator.DryRunPreemption(ctx, pod, nodes, pdbs, offset, count)
}
