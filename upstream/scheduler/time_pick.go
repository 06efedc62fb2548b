//go:build stepper

package main

import (
	_ "unsafe" // for go:linkname

	"k8s.io/klog/v2"
	extender1 "k8s.io/kube-scheduler/extender/v1"
)

// pickOneNode is the release's own function that chooses among candidates.
//
//go:linkname pickOneNode k8s.io/kubernetes/pkg/scheduler/framework/preemption.pickOneNodeForPreemption
func pickOneNode(logger klog.Logger, candidates map[string]*extender1.Victims, scores []func(node string) int64) string
