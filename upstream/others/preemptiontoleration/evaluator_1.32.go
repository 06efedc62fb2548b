package main

import (
	"context"

	v1 "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	"k8s.io/kubernetes/pkg/scheduler/framework/preemption"
	"sigs.k8s.io/scheduler-plugins/pkg/preemptiontoleration"
)

// evaluator returns what evaluates preemption, made as the plug-in's PostFilter makes it.
func evaluator(f *Framework, _ cycleState) *preemption.Evaluator {
	made := f.preemption.(*preemptiontoleration.PreemptionToleration)
	return preemption.NewEvaluator(made.Name(), f.handle, made, false)
}

func eligible(ctx context.Context, evaluator *preemption.Evaluator, pod *v1.Pod, nominated *status) (bool, string) {
	return evaluator.PodEligibleToPreemptOthers(ctx, pod, nominated)
}

func dryRun(ctx context.Context, evaluator *preemption.Evaluator, state cycleState, pod *v1.Pod, nodes []nodeInfo,
	pdbs []*policy.PodDisruptionBudget, offset, count int32) ([]preemption.Candidate, statuses, error) {
	return evaluator.DryRunPreemption(ctx, state, pod, nodes, pdbs, offset, count)
}
