package main

import (
	"context"
	"reflect"
	"slices"
	"sort"
	"strings"
	"sync"
	"unsafe"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/events"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/names"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"k8s.io/kubernetes/pkg/scheduler/metrics"
)

// Framework is the scheduling framework of the release with one profile. One serves many questions: what it sees of a
// cluster is swapped under it.
type Framework struct {
	framework.Framework
	handle     handle
	preemption plugin // nil: the profile does not preempt
	informers  *Informers
	snapshot   *Snapshot
	nominator  *Nominator
	api        *API
}

var registerMetrics sync.Once

func newFramework(profile *config.KubeSchedulerProfile, more ...frameworkruntime.Option) (*Framework, error) {
	registerMetrics.Do(metrics.Register)
	ctx := ended()
	client, api := newAPI()
	f := &Framework{informers: newInformers(client), snapshot: &Snapshot{}, nominator: &Nominator{}, api: api}
	options, err := releaseOptions(ctx, f, client)
	if err != nil {
		return nil, err
	}
	options = append(append(options, more...),
		frameworkruntime.WithClientSet(client),
		frameworkruntime.WithInformerFactory(f.informers),
		frameworkruntime.WithEventRecorder(&events.FakeRecorder{}),
		frameworkruntime.WithSnapshotSharedLister(f.snapshot),
		frameworkruntime.WithPodNominator(f.nominator),
		frameworkruntime.WithParallelism(*parallelism))
	f.Framework, err = frameworkruntime.NewFramework(ctx, f.registry(), profile, options...)
	if err != nil {
		return nil, err
	}
	preempts := func(plugin config.Plugin) bool { return f.preemption != nil && plugin.Name == f.preemption.Name() }
	if !slices.ContainsFunc(f.ListPlugins().PostFilter.Enabled, preempts) {
		f.preemption = nil // it is there for another extension point
	}
	return f, nil
}

// registry returns the plugins of the release, and keeps hold of the one that preempts when it is made.
func (f *Framework) registry() frameworkruntime.Registry {
	registry := plugins.NewInTreeRegistry()
	original := newPreemption(registry[names.DefaultPreemption])
	registry[names.DefaultPreemption] = func(ctx context.Context, args runtime.Object, h handle) (plugin, error) {
		made, err := original(ctx, args, h)
		f.handle, f.preemption = h, made
		return made, err
	}
	return registry
}

// triesShare has the plugin that preempts look for candidates on a share of the nodes, until the returned function is
// called.
func (f *Framework) triesShare(percent int32) (restore func()) {
	if f.preemption == nil {
		return func() {}
	}
	member := reflect.ValueOf(f.preemption).Elem().FieldByName("args")
	args := (*config.DefaultPreemptionArgs)(unsafe.Pointer(member.UnsafeAddr()))
	before := *args
	args.MinCandidateNodesPercentage, args.MinCandidateNodesAbsolute = percent, 0
	return func() { *args = before }
}

// show swaps the cluster that the plugins see.
func (f *Framework) show(cluster *Cluster) {
	cluster.build()
	f.snapshot.cluster = cluster
	f.nominator.cluster = cluster
	f.informers.fill(cluster.question)
	f.api.forget()
}

// API stands for the API server: it agrees to everything, and remembers which nominations were to be cleared.
type API struct {
	sync.Mutex
	client *fake.Clientset
	clears []string
}

func newAPI() (*fake.Clientset, *API) {
	client := fake.NewSimpleClientset()
	api := &API{client: client}
	client.PrependReactor("*", "*", func(action clienttesting.Action) (bool, runtime.Object, error) {
		if patch, ok := action.(clienttesting.PatchAction); ok {
			api.patch(patch)
		}
		return true, &v1.Pod{}, nil
	})
	return client, api
}

func (a *API) patch(patch clienttesting.PatchAction) {
	if strings.Contains(string(patch.GetPatch()), `"nominatedNodeName":null`) {
		a.Lock()
		defer a.Unlock()
		a.clears = append(a.clears, patch.GetNamespace()+"/"+patch.GetName())
	}
}

// cleared returns whose nominations were to be cleared since forget, sorted.
func (a *API) cleared() []string {
	a.Lock()
	defer a.Unlock()
	clears := append([]string{}, a.clears...)
	sort.Strings(clears)
	return clears
}

// forget drops what was asked, which the client would keep for ever.
func (a *API) forget() {
	a.Lock()
	defer a.Unlock()
	a.client.ClearActions()
	a.clears = nil
}
