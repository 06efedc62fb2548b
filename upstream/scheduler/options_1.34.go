//go:build since1_34 && !since1_35

package main

import (
	"context"

	"k8s.io/client-go/kubernetes"
	"k8s.io/kubernetes/pkg/scheduler/framework/runtime"
)

func releaseOptions(ctx context.Context, informers *Informers, client kubernetes.Interface) ([]runtime.Option, error) {
	manager, err := newDRAManager(ctx, informers, client)
	if err != nil {
		return nil, err
	}
	return []runtime.Option{
		runtime.WithWaitingPods(runtime.NewWaitingPodsMap()),
		runtime.WithSharedDRAManager(manager),
	}, nil
}
