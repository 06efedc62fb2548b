//go:build since1_31 && !since1_34

package main

import (
	"context"

	"k8s.io/client-go/kubernetes"
	"k8s.io/kubernetes/pkg/scheduler/framework/runtime"
)

// releaseOptions returns what a framework of the release needs beyond what all need: from v1.31 on the waiting pods,
// which it made itself before.
func releaseOptions(context.Context, *Framework, kubernetes.Interface) ([]runtime.Option, error) {
	return []runtime.Option{runtime.WithWaitingPods(runtime.NewWaitingPodsMap())}, nil
}
