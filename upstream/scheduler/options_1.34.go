//go:build since1_34 && !since1_35

package main

import (
	"context"

	"k8s.io/client-go/kubernetes"
	"k8s.io/kubernetes/pkg/scheduler/framework/runtime"
)

// releaseOptions returns what a framework of the release needs beyond what all need: in v1.34 resource claims too,
// which are on by default from there on.
func releaseOptions(ctx context.Context, f *Framework, client kubernetes.Interface) ([]runtime.Option, error) {
	claims, err := newDRAManager(ctx, f.informers, client)
	return []runtime.Option{
		runtime.WithWaitingPods(runtime.NewWaitingPodsMap()),
		runtime.WithSharedDRAManager(claims),
	}, err
}
