package main

import (
	_ "unsafe" // for go:linkname

	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler/framework/preemption"
)

// callExtenders is the release's own function that has extenders choose among candidates. PostFilter runs it, but
// shows neither the candidates that are left nor their violations.
//
//go:linkname callExtenders k8s.io/kubernetes/pkg/scheduler/framework/preemption.(*Evaluator).callExtenders
func callExtenders(evaluator *preemption.Evaluator, logger klog.Logger, pod *v1.Pod, candidates []preemption.Candidate) ([]preemption.Candidate, *status)
