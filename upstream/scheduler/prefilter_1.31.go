//go:build since1_31

package main

import (
	"context"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
)

// runPreFilter also returns the plugins that exclude nodes.
func runPreFilter(ctx context.Context, f *Framework, state cycleState, pod *v1.Pod) (*preFilterInfo, *status, sets.Set[string]) {
	return f.RunPreFilterPlugins(ctx, state, pod)
}

func (o *Observer) RunPreFilterPlugins(ctx context.Context, state cycleState, pod *v1.Pod) (*preFilterInfo, *status, sets.Set[string]) {
	result, status, plugins := o.Framework.RunPreFilterPlugins(ctx, state, pod)
	o.preFiltered(result, status, plugins)
	return result, status, plugins
}
