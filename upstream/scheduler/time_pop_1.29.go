//go:build stepper && !since1_37

package main

import (
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// watchPops sees which pod a cycle is about.
func (w *World) watchPops() {
	original := w.NextPod
	w.NextPod = func(logger klog.Logger) (*framework.QueuedPodInfo, error) {
		info, err := original(logger)
		if err != nil || info == nil || !w.popped(info.Pod) {
			return nil, err
		}
		return info, nil
	}
}
