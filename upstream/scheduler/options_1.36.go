//go:build since1_36 && !since1_37

package main

import (
	"context"

	"k8s.io/client-go/kubernetes"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodevolumelimits"
	"k8s.io/kubernetes/pkg/scheduler/framework/runtime"
)

// releaseOptions returns what a framework of the release needs beyond what all need: in v1.36 the pods on their
// way to being bound too.
func releaseOptions(ctx context.Context, f *Framework, client kubernetes.Interface) ([]runtime.Option, error) {
	claims, err := newDRAManager(ctx, f.informers, client)
	return []runtime.Option{
		runtime.WithWaitingPods(runtime.NewWaitingPodsMap()),
		runtime.WithPodsInPreBind(runtime.NewPodsInPreBindMap()),
		runtime.WithSharedDRAManager(claims),
		runtime.WithSharedCSIManager(nodevolumelimits.NewCSIManager(f.informers.Storage().V1().CSINodes().Lister())),
	}, err
}
