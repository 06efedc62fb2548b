//go:build since1_36

package main

import (
	"context"

	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// schedulePod calls the scheduler's own function, which takes an entry of the queue from v1.36 on. The entry has no
// signature, so that no result of an earlier pod is taken for this one.
func schedulePod(ctx context.Context, s *scheduler.Scheduler, profile framework.Framework, state cycleState, pod *v1.Pod) (scheduler.ScheduleResult, error) {
	info, err := framework.NewPodInfo(pod)
	if err != nil {
		return scheduler.ScheduleResult{}, err
	}
	return s.SchedulePod(ctx, profile, state, &framework.QueuedPodInfo{PodInfo: info})
}
