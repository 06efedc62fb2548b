package main

import (
	"context"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	extenderv1 "k8s.io/kube-scheduler/extender/v1"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"sigs.k8s.io/scheduler-plugins/pkg/capacityscheduling"
)

// newPreemption returns what makes CapacityScheduling. The cache that it starts ends when it has synced: there is no
// ElasticQuota, and none will come.
func newPreemption(frameworkruntime.PluginFactory) frameworkruntime.PluginFactory {
	return func(_ context.Context, _ runtime.Object, h handle) (plugin, error) {
		ctx, end := context.WithCancel(context.Background())
		defer end()
		return capacityscheduling.New(ctx, nil, observed{h})
	}
}

// observed is a handle with one extender, which keeps the candidates that it is shown and changes none: PostFilter itself
// returns no victims. Its API server has no ElasticQuota.
type observed struct{ handle }

func (observed) Extenders() []framework.Extender { return []framework.Extender{&candidates} }
func (observed) KubeConfig() *rest.Config {
	return &rest.Config{Host: "http://localhost", Transport: withoutQuotas{}}
}

// candidates are those of the last preemption.
var candidates candidateObserver

type candidateObserver struct {
	framework.Extender
	victims map[string]*extenderv1.Victims // by node
}

func (*candidateObserver) Name() string              { return "observer" }
func (*candidateObserver) IsInterested(*v1.Pod) bool { return true }
func (*candidateObserver) IsIgnorable() bool         { return false }
func (*candidateObserver) SupportsPreemption() bool  { return true }

func (o *candidateObserver) ProcessPreemption(_ *v1.Pod, victims map[string]*extenderv1.Victims,
	_ framework.NodeInfoLister) (map[string]*extenderv1.Victims, error) {
	o.victims = victims
	return victims, nil
}
