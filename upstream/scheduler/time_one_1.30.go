//go:build stepper && since1_30

package main

import (
	"context"

	"k8s.io/kubernetes/pkg/scheduler"
)

// scheduleOne is the release's own cycle.
func scheduleOne(ctx context.Context, s *scheduler.Scheduler) { s.ScheduleOne(ctx) }
