//go:build !since1_31

package main

import (
	"context"

	"k8s.io/client-go/kubernetes"
	"k8s.io/kubernetes/pkg/scheduler/framework/runtime"
)

// releaseOptions returns what a framework of the release needs beyond what all need: up to v1.30 nothing.
func releaseOptions(context.Context, *Framework, kubernetes.Interface) ([]runtime.Option, error) {
	return nil, nil
}
