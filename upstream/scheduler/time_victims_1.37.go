//go:build stepper && since1_37

package main

import (
	"context"

	v1 "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
	"k8s.io/kubernetes/pkg/scheduler/framework/preemption"
)

// watchVictims notes the order of the victims of a pod group, which are those of no single node.
func (w *World) watchVictims(plugin *defaultpreemption.DefaultPreemption) {
	original := plugin.Executor.PreemptPod
	plugin.Executor.PreemptPod = func(ctx context.Context, candidate preemption.Candidate, preemptor preemption.ExecutorPreemptor,
		victim *v1.Pod, name string) (bool, error) {
		w.loop.mutex.Lock()
		for i, each := range candidate.Victims().Pods {
			w.victims[nameIn(each)] = i
		}
		w.loop.mutex.Unlock()
		return original(ctx, candidate, preemptor, victim, name)
	}
}

func (o *preemptionObserver) SelectVictimsOnNode(ctx context.Context, state cycleState, pod *v1.Pod, node nodeInfo,
	possible []*preemption.DomainVictim, pdbs []*policy.PodDisruptionBudget) ([]*v1.Pod, int, *status) {
	victims, violations, why := o.Interface.SelectVictimsOnNode(ctx, state, pod, node, possible, pdbs)
	o.world.dryRan(node.Node().Name, victims)
	return victims, violations, why
}
