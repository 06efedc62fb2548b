//go:build stepper

package main

import (
	"context"
	"fmt"
	"math/rand"
	"net/http"
	"reflect"
	"sort"
	"time"
	"unsafe"

	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// PartLease is the record of a lease.
type PartLease struct {
	Holder      string `json:"holderIdentity"`
	Seconds     int    `json:"leaseDurationSeconds"`
	Acquired    Moment `json:"acquireTime"`
	Renewed     Moment `json:"renewTime"`
	Transitions int    `json:"leaseTransitions"`
}

// nameOfLeaseCall returns the kind of a call about the lease.
func nameOfLeaseCall(request *http.Request) (call, name string) {
	switch request.Method {
	case http.MethodGet:
		return "get", ""
	case http.MethodPost:
		return "create", ""
	}
	return "update", ""
}

// PartElector is one process in the init of an election.
type PartElector struct {
	Name            string  `json:"name"`
	Now             *Moment `json:"now"`
	LeaseSeconds    int     `json:"leaseDurationSeconds"`
	DeadlineSeconds int     `json:"renewDeadlineSeconds"`
	RetrySeconds    int     `json:"retryPeriodSeconds"`
	Jitter          int     `json:"jitter"` // which of jitterSeeds
	ReleaseOnCancel bool    `json:"releaseOnCancel"`
}

// jitterSeeds has the first number of the random source be about 0, a third, two thirds, and 1.
var jitterSeeds = []int64{9, 31, 12, 52}

// Election has several electors, each with a clock of its own, and one lease.
type Election struct {
	lease    LeaseStore
	electors map[string]*Elector
	made     []*PartCall
}

// Elector is one process: the release's own elector, which runs by itself while its clock moves.
type Elector struct {
	PartElector
	*Bubble
	connection *Connection
	elector    *leaderelection.LeaderElector
	cancel     context.CancelFunc
	phase      string
}

// ShownElector is what can be seen of an elector.
type ShownElector struct {
	Phase        string     `json:"phase"`
	Now          Moment     `json:"now"`
	IsLeader     bool       `json:"isLeader"`
	Observed     *PartLease `json:"observed,omitempty"`
	ObservedTime *Moment    `json:"observedTime,omitempty"`
	Reported     string     `json:"reportedLeader,omitempty"`
	Held         string     `json:"held,omitempty"`
}

func init() { registerPart("leaderElection", newElection) }

func newElection(command *PartCommand) (Part, *Problem) {
	e := &Election{electors: map[string]*Elector{}}
	e.lease.set(command.Lease)
	for _, each := range command.Electors {
		if each.Now == nil || each.Jitter < 0 || each.Jitter >= len(jitterSeeds) || e.electors[each.Name] != nil {
			e.end()
			return nil, &Problem{"unknown-value", "electors", "expected a name, now and jitter"}
		}
		e.electors[each.Name] = &Elector{PartElector: each, Bubble: newBubble(each.Now.Time), phase: "stopped"}
	}
	return e, nil
}

func (e *Election) run(command *PartCommand) (any, *Problem) {
	var problem *Problem
	switch command.Cmd {
	case "init", "state":
	case "write":
		e.lease.set(command.Lease)
	default:
		elector := e.electors[command.Elector]
		if elector == nil {
			return nil, &Problem{"not-found", "elector", "unknown elector " + command.Elector}
		}
		elector.do(func() {
			//nolint:staticcheck // the jitter shall be known
			rand.Seed(jitterSeeds[elector.Jitter])
			problem = e.step(elector, command)
		})
	}
	if problem != nil {
		return nil, problem
	}
	return &PartAnswer{Seq: command.Seq, Calls: shownCalls(&e.made), State: e.state()}, nil
}

func (e *Election) step(elector *Elector, command *PartCommand) *Problem {
	switch command.Cmd {
	case "start":
		return e.start(elector)
	case "stop":
		if elector.phase == "stopped" {
			return &Problem{"not-running", "elector", "it does not run"}
		}
		elector.cancel()
	case "advance":
		// The random source is set anew before each moment at which the elector may draw.
		end := time.Now().Add(time.Duration(command.Nanos))
		time.Sleep(time.Until(end))
	case "hold":
		if elector.connection == nil {
			return &Problem{"not-running", "elector", "it does not run"}
		}
		elector.connection.armed[command.Call]++
	case "answer":
		if elector.connection == nil {
			return &Problem{"not-waiting", "call", "no call waits"}
		}
		return elector.connection.answer(command.Result)
	default:
		return &Problem{"unknown-value", "cmd", "expected a command of an election, found " + command.Cmd}
	}
	return nil
}

// start begins a process with the name of the elector.
func (e *Election) start(elector *Elector) *Problem {
	if elector.phase != "stopped" {
		return &Problem{"running", "elector", "it runs"}
	}
	if elector.connection != nil && len(elector.connection.waiting) > 0 {
		return &Problem{"running", "elector", "a call of it waits"}
	}
	elector.connection = &Connection{by: elector.Name, name: nameOfLeaseCall, made: &e.made, armed: map[string]int{}}
	elector.connection.perform = func(call *PartCall) reply {
		rand.Seed(jitterSeeds[elector.Jitter]) //nolint:staticcheck // the jitter shall be known
		return e.lease.perform(call)
	}
	config := leaderelection.LeaderElectionConfig{
		Lock:          lockFor(elector),
		LeaseDuration: time.Duration(elector.LeaseSeconds) * time.Second,
		RenewDeadline: time.Duration(elector.DeadlineSeconds) * time.Second,
		RetryPeriod:   time.Duration(elector.RetrySeconds) * time.Second,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) {
				if elector.phase == "acquiring" {
					elector.phase = "leading"
				}
			},
			OnStoppedLeading: func() { elector.phase = "stopped" },
		},
	}
	releaseOnCancel(&config, elector.ReleaseOnCancel)
	var err error
	elector.elector, err = leaderelection.NewLeaderElector(config)
	if err != nil {
		return &Problem{"refused-configuration", "elector", err.Error()}
	}
	ctx, cancel := context.WithCancel(context.Background())
	elector.cancel = cancel
	elector.phase = "acquiring"
	go elector.elector.Run(ctx)
	return nil
}

// ElectionState is what can be seen of an election.
type ElectionState struct {
	Lease    *PartLease               `json:"lease"`
	Version  int                      `json:"version"`
	Electors map[string]*ShownElector `json:"electors"`
}

func (e *Election) state() *ElectionState {
	state := &ElectionState{e.lease.shown(), e.lease.version, map[string]*ShownElector{}}
	names := []string{}
	for name := range e.electors {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		elector := e.electors[name]
		elector.do(func() { state.Electors[name] = elector.shown() })
	}
	return state
}

func (e *Elector) shown() *ShownElector {
	shown := &ShownElector{Phase: e.phase, Now: Moment{time.Now()}}
	if e.elector == nil {
		return shown
	}
	shown.IsLeader = e.elector.IsLeader()
	observed := hidden[resourcelock.LeaderElectionRecord](e.elector, "observedRecord")
	at := Moment{hidden[time.Time](e.elector, "observedTime")}
	if !at.IsZero() {
		shown.ObservedTime = &at
		shown.Observed = &PartLease{observed.HolderIdentity, observed.LeaseDurationSeconds, Moment{observed.AcquireTime.Time},
			Moment{observed.RenewTime.Time}, observed.LeaderTransitions}
	}
	shown.Reported = hidden[string](e.elector, "reportedLeader")
	if len(e.connection.waiting) > 0 {
		shown.Held = e.connection.waiting[0].Call
	}
	return shown
}

// hidden returns a field of a struct of the release that is not exported.
func hidden[T any](owner any, name string) T {
	field := reflect.ValueOf(owner).Elem().FieldByName(name)
	if !field.IsValid() {
		panic(fmt.Sprintf("%T has no %s", owner, name))
	}
	return *(*T)(unsafe.Pointer(field.UnsafeAddr()))
}

func (e *Election) end() {
	for _, elector := range e.electors {
		elector.do(func() {
			if elector.connection != nil {
				elector.cancel()
				elector.connection.end()
			}
		})
		elector.Bubble.end()
	}
}
