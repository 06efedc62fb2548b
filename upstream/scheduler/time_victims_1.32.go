//go:build stepper && since1_32 && !since1_37

package main

import (
	"context"

	v1 "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
)

// watchVictims sees the victims of pod groups. Up to v1.36 a group as a whole has none.
func (w *World) watchVictims(*defaultpreemption.DefaultPreemption) {}

func (o *preemptionObserver) SelectVictimsOnNode(ctx context.Context, state cycleState, pod *v1.Pod, node nodeInfo,
	pdbs []*policy.PodDisruptionBudget) ([]*v1.Pod, int, *status) {
	victims, violations, why := o.Interface.SelectVictimsOnNode(ctx, state, pod, node, pdbs)
	o.world.dryRan(node.Node().Name, victims)
	return victims, violations, why
}
