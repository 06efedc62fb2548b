//go:build since1_34

package main

import (
	"context"

	"k8s.io/client-go/kubernetes"
	"k8s.io/dynamic-resource-allocation/resourceslice/tracker"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/dynamicresources"
	"k8s.io/kubernetes/pkg/scheduler/util/assumecache"
)

// newDRAManager returns what keeps resource claims for the plugin that is on by default from v1.34 on. The protocol has
// no claims, slices or classes: it knows none.
func newDRAManager(ctx context.Context, informers *Informers, client kubernetes.Interface) (draManager, error) {
	resources := informers.Resource().V1()
	claims := assumecache.NewAssumeCache(klog.FromContext(ctx), resources.ResourceClaims().Informer(), "ResourceClaim", "", nil)
	slices, err := tracker.StartTracker(ctx, tracker.Options{SliceInformer: resources.ResourceSlices(), KubeClient: client})
	if err != nil {
		return nil, err
	}
	return dynamicresources.NewDRAManager(ctx, claims, slices, informers), nil
}
