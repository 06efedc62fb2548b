//go:build stepper

package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sort"
	"sync"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/pkg/scheduler"
)

// World is a whole scheduler of the release that does nothing by itself. Its clock stands still, its informers are told
// events one at a time, and each of its API calls waits until it is answered. A command is carried out until nothing can
// go on without another one.
type World struct {
	*scheduler.Scheduler
	store     *Store
	calls     *Calls
	informers *Informers
	clock     *worldClock
	rest      *Rest
	undo      func() // what is not to outlive the world

	loop    Loop
	victims map[string]int    // victim → its place among those of its preemption
	failing map[int64]bool    // the goroutines of bindings that fail
	assumed []*v1.Pod         // the pods that were assumed, in this order
	seen    map[types.UID]int // the pods in the order in which the scheduler was told of them
	told    int
	permits []*Permit // one for each profile
	armed   []armedHold
	kept    map[string]bool // kinds whose events wait
	made    []ShownCall
	nodes   []string // in the order in which the scheduler was told of them

	nodesSeen map[string]bool
}

// armedHold has the next call of a kind for a pod wait.
type armedHold struct{ kind, pod string }

// useOneProcessor runs all goroutines of this process on one thread from the first call on. A scheduler over time does one
// thing at a time: more threads only wait for each other. Garbage is collected at five times the live heap.
var useOneProcessor = sync.OnceFunc(func() {
	runtime.GOMAXPROCS(1)
	debug.SetGCPercent(400)
})

// newWorld makes a scheduler as the release's own command does, and tells it the objects.
func newWorld(command *Command) (*World, *Problem) {
	useOneProcessor()
	w := &World{
		store: newStore(), calls: &Calls{}, clock: newClock(*command.Now), rest: newRest(),
		victims: map[string]int{}, failing: map[int64]bool{}, seen: map[types.UID]int{}, kept: map[string]bool{}, nodesSeen: map[string]bool{},
	}
	if problem := w.start(command); problem != nil {
		return nil, problem
	}
	for _, kind := range []string{kindNode, kindPDB, kindGang, kindPod} {
		for _, o := range command.listed[kind] {
			if problem := w.store.create(kind, o); problem != nil {
				w.end()
				return nil, problem
			}
		}
	}
	for _, e := range w.take(len(w.store.events), "") {
		w.deliver(e, true)
	}
	w.settle()
	return w, nil
}

// end has everything end that still waits.
func (w *World) end() {
	w.undo()
	w.rejectAll()
	for len(w.calls.list()) > 0 {
		for _, call := range w.calls.list() {
			w.calls.answer(call, refusal(call))
		}
		w.atRest()
	}
}

// run carries out a command. Seq is not set in the answer.
func (w *World) run(command *Command) (*StepAnswer, *Problem) {
	w.made, w.loop.ended = []ShownCall{}, nil
	answer := &StepAnswer{}
	var problem *Problem
	switch command.Cmd {
	case "write":
		problem = w.write(command)
	case "cycle":
		answer.Result = w.cycle(command.Take)
	case "advance":
		duration, _ := command.duration()
		w.clock.Step(duration)
		w.expire()
	case "flush":
		w.flush(command.Queue)
	case "hold":
		if command.Watch != "" {
			w.kept[command.Watch] = true
		} else {
			w.armed = append(w.armed, armedHold{command.Call, command.Pod})
		}
	case "answer":
		problem = w.answer(command)
	case "permit":
		problem = w.permit(command)
	case "deliver":
		problem = w.deliverHeld(command)
	}
	if problem != nil {
		return nil, problem
	}
	w.settle()
	if command.Cmd == "cycle" || len(w.made) > 0 {
		answer.Calls = &w.made
	}
	if command.Cmd != "cycle" {
		answer.Ended = w.loop.ended
	}
	answer.State = w.state()
	return answer, nil
}

func (w *World) write(command *Command) *Problem {
	o := command.written
	name := nameIn(o)
	switch command.Verb {
	case "create":
		return w.store.create(command.Kind, o)
	case "update":
		return w.store.update(command.Kind, o, command.withStatus)
	case "delete":
		return w.store.delete(command.Kind, name, w.clock.Now())
	}
	if w.store.objects[command.Kind][name] == nil {
		return unknownObject(command.Kind, name)
	}
	w.store.remove(command.Kind, name)
	return nil
}

func (w *World) answer(command *Command) *Problem {
	for _, call := range w.calls.list() {
		if call.held && call.kind == command.Call && call.pod() == command.Pod {
			w.reply(call, command.Result)
			return nil
		}
	}
	return &Problem{"not-waiting", "call", fmt.Sprintf("no such call of %s waits", command.Pod)}
}

func (w *World) deliverHeld(command *Command) *Problem {
	kind := command.Watch
	if !w.kept[kind] {
		return &Problem{"not-held", "watch", "events of this kind are not held"}
	}
	if command.Count == nil {
		delete(w.kept, kind)
		return nil
	}
	for i := 0; i < *command.Count; i++ {
		events := w.take(1, kind)
		if len(events) == 0 {
			break
		}
		w.deliver(events[0], false)
		w.settle()
	}
	return nil
}

// take takes up to count of the oldest events of a kind, or without a kind of those that do not wait.
func (w *World) take(count int, kind string) (taken []event) {
	var left []event
	for _, e := range w.store.events {
		isWanted := e.kind == kind || kind == "" && !w.kept[e.kind]
		if isWanted && len(taken) < count {
			taken = append(taken, e)
		} else {
			left = append(left, e)
		}
	}
	w.store.events = left
	return taken
}

func (w *World) deliver(e event, isInitial bool) {
	if e.kind == kindNode {
		w.noteNode(e)
	}
	if e.kind == kindPod && e.old == nil {
		w.told++
		w.seen[e.now.GetUID()] = w.told
	}
	w.informers.deliver(e, isInitial)
}

// noteNode keeps the order in which the scheduler was told of nodes.
func (w *World) noteNode(e event) {
	if e.old != nil && e.now != nil {
		return
	}
	var nodes []string
	for _, name := range w.nodes {
		if e.old == nil || name != e.old.GetName() {
			nodes = append(nodes, name)
		}
	}
	if e.now != nil {
		nodes = append(nodes, e.now.GetName())
	}
	w.nodes = nodes
}

// settle carries on until nothing can: first the calls, then one event, then the calls that it set off.
func (w *World) settle() {
	for {
		w.atRest()
		if call := w.nextCall(); call != nil {
			w.issue(call)
			continue
		}
		events := w.take(1, "")
		if len(events) == 0 {
			return
		}
		w.deliver(events[0], false)
	}
}

func (w *World) atRest() {
	if !w.rest.wait() {
		panic("the scheduler does not come to rest")
	}
}

// nextCall returns the call to carry out next: those of the cycle first, then those of victims in their order, then those of
// bindings that fail.
func (w *World) nextCall() *Call {
	var calls []*Call
	for _, call := range w.calls.list() {
		if !call.held {
			calls = append(calls, call)
		}
	}
	sort.SliceStable(calls, func(i, j int) bool {
		a, b := calls[i], calls[j]
		switch first, second := w.turn(a), w.turn(b); {
		case first != second:
			return first < second
		case first == turnOfPreemption && a.root != b.root:
			return a.root < b.root // of a group
		case first == turnOfPreemption:
			return w.placeOf(a) < w.placeOf(b)
		case first == turnOfFailure, first == turnOfBinding && ordersBindings, a.kind == "bind" && b.kind == "bind": // of a gang
			return w.assumedAt(a) < w.assumedAt(b)
		}
		return false
	})
	if len(calls) == 0 {
		return nil
	}
	return calls[0]
}

// Whose calls are carried out first.
const (
	turnOfCycle = iota
	turnOfBinding
	turnOfPreemption
	turnOfFailure
	turnOfPutBack // what is put back is put back last
)

func (w *World) turn(call *Call) int {
	switch {
	case call.by == w.loop.by:
		return turnOfCycle
	case call.kind == callGet:
		return turnOfPutBack
	case w.isFailing(call.by):
		return turnOfFailure
	case call.ofPreemption:
		return turnOfPreemption
	}
	return turnOfBinding
}

// placeOf returns the place of a call's pod among the victims of its preemption. The nominations are cleared before.
func (w *World) placeOf(call *Call) int {
	if place, isVictim := w.victims[call.pod()]; isVictim {
		return place
	}
	return -1
}

// assumedAt returns the place of a call's pod among those that were assumed.
func (w *World) assumedAt(call *Call) (place int) {
	for i, pod := range w.assumed {
		if nameIn(pod) == call.pod() {
			place = i
		}
	}
	return place
}

// issue is the moment at which a call is made: it waits if it shall, or is carried out.
func (w *World) issue(call *Call) {
	for i, hold := range w.armed {
		if hold.kind == call.kind && hold.pod == call.pod() {
			w.armed = append(w.armed[:i:i], w.armed[i+1:]...)
			call.held = true
			break
		}
	}
	if call.kind != callGet {
		w.made = append(w.made, w.shown(call))
	}
	if !call.held {
		w.reply(call, "ok")
	}
}

func (w *World) reply(call *Call, result string) {
	if answer, fails := failures[result]; fails {
		w.calls.answer(call, answer)
	} else {
		w.calls.answer(call, w.store.perform(call, w.clock.Now()))
	}
}
