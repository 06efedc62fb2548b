//go:build stepper && since1_37

package main

import (
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// watchPops sees which pod a cycle is about. From v1.37 on the queue also has pod groups.
func (w *World) watchPops() {
	original := w.NextEntity
	w.NextEntity = func(logger klog.Logger) (framework.QueuedEntityInfo, error) {
		entity, err := original(logger)
		if info, ok := entity.(*framework.QueuedPodInfo); ok && !w.popped(info.Pod) {
			return nil, err
		}
		if group, ok := entity.(*framework.QueuedPodGroupInfo); ok {
			w.poppedGroup(group)
		}
		return entity, err
	}
}
