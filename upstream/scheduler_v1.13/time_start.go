package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/signal"
	"syscall"
	"time"
	_ "unsafe" // for go:linkname

	v1 "k8s.io/api/core/v1"
	clientset "k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/record"
	"k8s.io/kubernetes/pkg/scheduler"
	schedulerapi "k8s.io/kubernetes/pkg/scheduler/api"
	"k8s.io/kubernetes/pkg/scheduler/factory"
)

func init() {
	// A configuration factory asks for a signal. The goroutine that waits for signals has to be there before the first
	// world, since it is never seen to wait.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGUSR2)
}

// scheduleOne is the release's own cycle.
func scheduleOne(_ context.Context, s *scheduler.Scheduler) { scheduleOneOf(s) }

//go:linkname scheduleOneOf k8s.io/kubernetes/pkg/scheduler.(*Scheduler).scheduleOne
func scheduleOneOf(s *scheduler.Scheduler)

// worldClock is for what an API server does. The release's queue has no clock.
type worldClock struct{ now time.Time }

func newClock(now time.Time) *worldClock { return &worldClock{now} }

func (c *worldClock) Now() time.Time              { return c.now }
func (c *worldClock) Step(duration time.Duration) { c.now = c.now.Add(duration) }

// start makes the scheduler of a Policy, without one that of the default provider.
func (w *World) start(command *Command) *Problem {
	if len(command.FeatureGates) > 0 {
		return &Problem{"refused-feature-gates", "featureGates", "feature gates are not set"}
	}
	policy, problem := policyAlone(command.Config)
	if problem != nil {
		return problem
	}
	client, err := newClient(w.calls)
	if err != nil {
		return &Problem{"not-ready", "", err.Error()}
	}
	w.informers = newInformers()
	stop := make(chan struct{})
	config, err := create(factory.NewConfigFactory(arguments(w.informers, client, stop, schedulerapi.DefaultPercentageOfNodesToScore)), policy)
	if err != nil {
		close(stop)
		return &Problem{"refused-configuration", "config", err.Error()}
	}
	config.Recorder = &record.FakeRecorder{}
	w.undo = func() { close(stop) }
	w.Scheduler = scheduler.NewFromConfig(config)
	w.watchCycles()
	return nil
}

// policyAlone returns the Policy of a configuration, which has no extenders.
func policyAlone(configuration json.RawMessage) (string, *Problem) {
	if !isGiven(configuration) {
		return "", nil
	}
	var members struct {
		Kind      string          `json:"kind"`
		Extenders json.RawMessage `json:"extenders"`
	}
	if err := json.Unmarshal(configuration, &members); err != nil || members.Kind != "Policy" || isGiven(members.Extenders) {
		return "", &Problem{"refused-configuration", "config", "of the configurations only a Policy without extenders is read"}
	}
	return string(bytes.TrimSpace(configuration)), nil
}

// arguments are those of a configuration factory whose informers are ours.
func arguments(f *Informers, client clientset.Interface, stop <-chan struct{}, percentage int32) *factory.ConfigFactoryArgs {
	core, apps := f.Core().V1(), f.Apps().V1()
	return &factory.ConfigFactoryArgs{
		SchedulerName:                  v1.DefaultSchedulerName,
		Client:                         client,
		NodeInformer:                   core.Nodes(),
		PodInformer:                    core.Pods(),
		PvInformer:                     core.PersistentVolumes(),
		PvcInformer:                    core.PersistentVolumeClaims(),
		ReplicationControllerInformer:  core.ReplicationControllers(),
		ReplicaSetInformer:             apps.ReplicaSets(),
		StatefulSetInformer:            apps.StatefulSets(),
		ServiceInformer:                core.Services(),
		PdbInformer:                    f.Policy().V1beta1().PodDisruptionBudgets(),
		StorageClassInformer:           f.Storage().V1().StorageClasses(),
		HardPodAffinitySymmetricWeight: v1.DefaultHardPodAffinitySymmetricWeight,
		PercentageOfNodesToScore:       percentage,
		StopCh:                         stop,
	}
}

// flush does nothing: the queue has no timers.
func (w *World) flush(string) {}

// context is that of cycles, which take none.
func (w *World) context() context.Context { return context.Background() }
