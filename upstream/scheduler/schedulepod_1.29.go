//go:build !since1_36

package main

import (
	"context"

	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// schedulePod calls the scheduler's own function, which takes the pod up to v1.35.
func schedulePod(ctx context.Context, s *scheduler.Scheduler, profile framework.Framework, state cycleState, pod *v1.Pod) (scheduler.ScheduleResult, error) {
	return s.SchedulePod(ctx, profile, state, pod)
}
