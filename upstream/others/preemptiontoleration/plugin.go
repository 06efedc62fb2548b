package main

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	plugins "sigs.k8s.io/scheduler-plugins/apis/config"
	"sigs.k8s.io/scheduler-plugins/pkg/preemptiontoleration"
)

// newPreemption returns what makes PreemptionToleration, with the arguments that the profile has for DefaultPreemption.
func newPreemption(frameworkruntime.PluginFactory) frameworkruntime.PluginFactory {
	return func(ctx context.Context, args runtime.Object, h handle) (plugin, error) {
		given, ok := args.(*config.DefaultPreemptionArgs)
		if !ok {
			return nil, fmt.Errorf("arguments of DefaultPreemption have the type %T", args)
		}
		return preemptiontoleration.New(ctx, (*plugins.PreemptionTolerationArgs)(given), h)
	}
}
