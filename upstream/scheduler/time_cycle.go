//go:build stepper

package main

import (
	"slices"
	"sync"

	v1 "k8s.io/api/core/v1"
)

// Outcomes of a cycle beside those of an attempt.
const (
	outcomeDropped = "dropped"
	outcomeIdle    = "idle"
	outcomeBusy    = "busy"
	outcomeOpen    = "open"
)

// Result is what a cycle came to.
type Result struct {
	Pod      string   `json:"pod,omitempty"`
	PodGroup string   `json:"podGroup,omitempty"` // from v1.37 on
	Outcome  string   `json:"outcome,omitempty"`
	Node     string   `json:"node,omitempty"`
	Victims  []string `json:"victims,omitempty"`
}

// Loop is the scheduling loop. Its fields change while the scheduler runs, and are read when it is at rest.
type Loop struct {
	mutex    sync.Mutex
	by       int64 // the goroutine of the cycle
	running  bool
	isPopped bool
	isKnown  bool // the outcome
	isOpen   bool // it was not known when `cycle` was answered
	isGroup  bool // a pod group is scheduled: the outcome is known when all is done
	take     string
	result   Result
	ended    *Result

	ineligible bool
	victimsOn  map[string][]*v1.Pod // what preemption would evict on each node
}

// cycle runs one scheduling cycle.
func (w *World) cycle(take string) *Result {
	loop := &w.loop
	if loop.running {
		return &Result{Outcome: outcomeBusy}
	}
	if !w.hasToPop() {
		return &Result{Outcome: outcomeIdle}
	}
	loop.running, loop.isPopped, loop.isKnown, loop.isOpen, loop.ineligible = true, false, false, false, false
	loop.isGroup = false
	w.rankMembers()
	loop.take, loop.result, loop.victimsOn = take, Result{}, map[string][]*v1.Pod{}
	go func() {
		defer w.endCycle()
		defer func() {
			if reason := recover(); reason != nil {
				recordCrash(reason)
			}
		}()
		loop.mutex.Lock()
		loop.by = goroutineID()
		loop.mutex.Unlock()
		scheduleOne(w.context(), w.Scheduler)
	}()
	w.atRest()
	if !loop.isPopped {
		w.stopPopping()
		return &Result{Outcome: outcomeIdle}
	}
	w.settle()
	if loop.isKnown || !loop.running {
		result := loop.result
		return &result
	}
	loop.isOpen = true
	return &Result{Pod: loop.result.Pod, PodGroup: loop.result.PodGroup, Outcome: outcomeOpen}
}

func (w *World) endCycle() {
	loop := &w.loop
	loop.mutex.Lock()
	defer loop.mutex.Unlock()
	loop.running, loop.by = false, 0
	if loop.result.Outcome == "" {
		loop.result.Outcome = outcomeDropped
	}
	if loop.isOpen {
		result := loop.result
		loop.ended = &result
	}
}

// choose returns the node to choose among those that the release may choose: the one that the command names, or the first.
func (w *World) choose(equal []string) string {
	if slices.Contains(equal, w.loop.take) {
		return w.loop.take
	}
	for _, name := range w.nodes {
		if slices.Contains(equal, name) {
			return name
		}
	}
	return ""
}

// dryRan notes the victims on a node.
func (w *World) dryRan(node string, victims []*v1.Pod) {
	w.loop.mutex.Lock()
	defer w.loop.mutex.Unlock()
	w.loop.victimsOn[node] = victims
	for i, victim := range victims {
		w.victims[nameIn(victim)] = i
	}
}

func (w *World) noteIneligible() {
	w.loop.mutex.Lock()
	defer w.loop.mutex.Unlock()
	w.loop.ineligible = true
}
