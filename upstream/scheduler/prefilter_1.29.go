//go:build !since1_31

package main

import (
	"context"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
)

// runPreFilter does not know, up to v1.30, which plugins exclude nodes.
func runPreFilter(ctx context.Context, f *Framework, state cycleState, pod *v1.Pod) (*preFilterInfo, *status, sets.Set[string]) {
	result, status := f.RunPreFilterPlugins(ctx, state, pod)
	return result, status, nil
}

func (o *Observer) RunPreFilterPlugins(ctx context.Context, state cycleState, pod *v1.Pod) (*preFilterInfo, *status) {
	result, status := o.Framework.RunPreFilterPlugins(ctx, state, pod)
	o.preFiltered(result, status, nil)
	return result, status
}
