//go:build since1_35 && !since1_36

package main

import (
	"context"

	"k8s.io/client-go/kubernetes"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodevolumelimits"
	"k8s.io/kubernetes/pkg/scheduler/framework/runtime"
)

// releaseOptions returns what a framework of the release needs beyond what all need: in v1.35 CSI nodes too.
func releaseOptions(ctx context.Context, f *Framework, client kubernetes.Interface) ([]runtime.Option, error) {
	claims, err := newDRAManager(ctx, f.informers, client)
	return []runtime.Option{
		runtime.WithWaitingPods(runtime.NewWaitingPodsMap()),
		runtime.WithSharedDRAManager(claims),
		runtime.WithSharedCSIManager(nodevolumelimits.NewCSIManager(f.informers.Storage().V1().CSINodes().Lister())),
	}, err
}
