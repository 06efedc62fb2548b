//go:build stepper && !since1_33

package main

import (
	"reflect"

	"k8s.io/kubernetes/pkg/scheduler"
	testclock "k8s.io/utils/clock/testing"
)

func clockOption(*testclock.FakeClock) []scheduler.Option { return nil }

// setClock gives the queue our clock. Up to v1.32 the scheduler does not take one.
func (w *World) setClock() { memberOf(w.SchedulingQueue, "clock").Set(reflect.ValueOf(w.clock)) }
