package main

import (
	"k8s.io/api/core/v1"
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

func (w *World) rankMembers() {}

// ordersBindings says that bindings go on in the order in which their pods were assumed.
const ordersBindings = false
