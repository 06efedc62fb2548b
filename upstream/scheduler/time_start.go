//go:build stepper

package main

import (
	"context"
	"time"

	"k8s.io/kubernetes/pkg/scheduler"
	testclock "k8s.io/utils/clock/testing"
)

type worldClock = testclock.FakeClock

func newClock(now time.Time) *worldClock { return testclock.NewFakeClock(now) }

// start makes the scheduler.
func (w *World) start(command *Command) *Problem {
	gates := map[string]bool{}
	for gate, value := range command.FeatureGates {
		gates[gate] = value
	}
	if minor() >= 35 {
		gates["OpportunisticBatching"] = false // what it keeps ages by the real clock
	}
	undo, err := setGates(gates)
	if err != nil {
		return &Problem{"refused-feature-gates", "featureGates", err.Error()}
	}
	w.undo = undo
	if err := w.configure(command); err != nil {
		undo()
		return &Problem{"refused-configuration", "config", err.Error()}
	}
	return nil
}

func (w *World) configure(command *Command) error {
	configuration, err := configure(configurationOf(command.Config))
	if err != nil {
		return err
	}
	client, err := newClient(w.calls)
	if err != nil {
		return err
	}
	w.informers = newInformers(client)
	options := append([]scheduler.Option{
		scheduler.WithComponentConfigVersion(configuration.TypeMeta.APIVersion),
		scheduler.WithProfiles(configuration.Profiles...),
		scheduler.WithPercentageOfNodesToScore(configuration.PercentageOfNodesToScore),
		scheduler.WithPodInitialBackoffSeconds(configuration.PodInitialBackoffSeconds),
		scheduler.WithPodMaxBackoffSeconds(configuration.PodMaxBackoffSeconds),
		scheduler.WithParallelism(configuration.Parallelism),
		w.permitOptions(configuration),
	}, clockOption(w.clock)...)
	w.Scheduler, err = scheduler.New(ended(), client, w.informers, nil, newRecorder, options...)
	if err != nil {
		return err
	}
	w.setClock()
	w.watchCycles()
	return nil
}

// flush runs a timer of the queue once.
func (w *World) flush(queue string) {
	if queue == "backoff" {
		flushBackoff(w.queue(), w.logger())
	} else {
		flushLeftover(w.queue(), w.logger())
	}
}

// context is that of cycles.
func (w *World) context() context.Context { return context.Background() }
