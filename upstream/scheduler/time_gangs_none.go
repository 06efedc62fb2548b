//go:build stepper && !since1_35

package main

import (
	v1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
)

// hasGangs says that the release schedules gangs of pods, as far as this program knows them.
const hasGangs = false

const (
	kindGang    = "Workload"
	gangsMember = "workloads"
)

func newGangs() object { return nil }

func (f *Informers) gangs() (cache.SharedIndexInformer, []cache.ResourceEventHandler) {
	return nil, nil
}

// isOfGroup says whether the release schedules a pod together with its pod group.
func isOfGroup(*v1.Pod) bool { return false }

// isTrial says whether a cycle only tries where the pods of a group fit.
func isTrial(cycleState) bool { return false }

func (w *World) rankMembers() {}
