//go:build stepper && !since1_30

package main

import (
	"context"
	_ "unsafe" // for go:linkname

	"k8s.io/kubernetes/pkg/scheduler"
)

// scheduleOne is the release's own cycle.
func scheduleOne(ctx context.Context, s *scheduler.Scheduler) { scheduleOneOf(s, ctx) }

//go:linkname scheduleOneOf k8s.io/kubernetes/pkg/scheduler.(*Scheduler).scheduleOne
func scheduleOneOf(s *scheduler.Scheduler, ctx context.Context)
