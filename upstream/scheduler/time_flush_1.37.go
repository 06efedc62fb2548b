//go:build stepper && since1_37

package main

import (
	"unsafe"

	"k8s.io/klog/v2"
)

// The timers of the queue run these functions of the release.

//go:linkname flushBackoff k8s.io/kubernetes/pkg/scheduler/backend/queue.(*PriorityQueue).flushBackoffQCompleted
func flushBackoff(queue unsafe.Pointer, logger klog.Logger)

//go:linkname flushLeftover k8s.io/kubernetes/pkg/scheduler/backend/queue.(*PriorityQueue).flushUnschedulableEntitiesLeftover
func flushLeftover(queue unsafe.Pointer, logger klog.Logger)
