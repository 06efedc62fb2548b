//go:build stepper && since1_33

package main

import (
	"k8s.io/kubernetes/pkg/scheduler"
	testclock "k8s.io/utils/clock/testing"
)

// clockOption has the scheduler made with our clock.
func clockOption(clock *testclock.FakeClock) []scheduler.Option {
	return []scheduler.Option{scheduler.WithClock(clock)}
}

func (w *World) setClock() {}
