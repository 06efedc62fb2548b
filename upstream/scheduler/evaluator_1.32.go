//go:build since1_32

package main

import (
	"context"

	v1 "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
	"k8s.io/kubernetes/pkg/scheduler/framework/preemption"
)

// evaluator returns what evaluates preemption. From v1.32 on the plugin holds it.
func evaluator(f *Framework, _ cycleState) *preemption.Evaluator {
	return f.preemption.(*defaultpreemption.DefaultPreemption).Evaluator
}

func eligible(ctx context.Context, evaluator *preemption.Evaluator, pod *v1.Pod, nominated *status) (bool, string) {
	return evaluator.PodEligibleToPreemptOthers(ctx, pod, nominated)
}

func dryRun(ctx context.Context, evaluator *preemption.Evaluator, state cycleState, pod *v1.Pod, nodes []nodeInfo,
	pdbs []*policy.PodDisruptionBudget, offset, count int32) ([]preemption.Candidate, statuses, error) {
	return evaluator.DryRunPreemption(ctx, state, pod, nodes, pdbs, offset, count)
}
