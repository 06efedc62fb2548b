//go:build stepper

package main

import (
	"bytes"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// restTime bounds how long a scheduler may take to come to rest after one step.
const restTime = 60 * time.Second

// Rest finds out whether a scheduler has come to rest: nothing that it has started can go on by itself. Nobody counts
// Kubernetes' goroutines, so all of them are looked at while the world stands still.
type Rest struct {
	own  map[int64]bool // goroutines that were there before the scheduler
	text []byte
}

func newRest() *Rest {
	r := &Rest{own: map[int64]bool{}, text: make([]byte, 1<<16)}
	for _, g := range r.goroutines() {
		r.own[g.id] = true
	}
	return r
}

// goroutine is one of a dump of all.
type goroutine struct {
	id    int64
	state string
	stack string
}

// canGoOn says whether a goroutine can go on without another one, or is waiting for real time. A semaphore is also where
// the collector of garbage has it wait, so only that of a WaitGroup counts as waiting for another.
func (g goroutine) canGoOn() bool {
	switch g.state {
	case "chan receive", "chan send", "chan receive (nil chan)", "chan send (nil chan)", "select", "select (no cases)",
		"sync.Cond.Wait", "sync.WaitGroup.Wait", "sync.Mutex.Lock", "sync.RWMutex.Lock", "sync.RWMutex.RLock":
		return false
	case "semacquire":
		return !strings.Contains(g.stack, "sync.(*WaitGroup).Wait(")
	}
	return true
}

// goroutines returns all goroutines but the one that asks.
func (r *Rest) goroutines() []goroutine {
	size := runtime.Stack(r.text, true)
	for size == len(r.text) {
		r.text = make([]byte, 2*len(r.text))
		size = runtime.Stack(r.text, true)
	}
	var all []goroutine
	for i, part := range bytes.Split(r.text[:size], []byte("\n\n")) {
		if i > 0 {
			all = append(all, parseGoroutine(string(part)))
		}
	}
	return all
}

// parseGoroutine reads "goroutine 12 [select, 3 minutes]:" and the stack below it.
func parseGoroutine(text string) goroutine {
	head, stack, _ := strings.Cut(text, "\n")
	number, rest, _ := strings.Cut(strings.TrimPrefix(head, "goroutine "), " ")
	id, _ := strconv.ParseInt(number, 10, 64)
	if _, after, ok := strings.Cut(rest, "["); ok {
		rest = after
	}
	rest, _, _ = strings.Cut(rest, "]")
	state, _, _ := strings.Cut(rest, ",")
	return goroutine{id, state, stack}
}

// wait returns as soon as no goroutine can go on, or says that this did not come about.
func (r *Rest) wait() bool {
	deadline := time.Now().Add(restTime)
	for round := 0; ; round++ {
		runtime.Gosched()
		if r.isAtRest() {
			return true
		}
		if round > 20 {
			if time.Now().After(deadline) {
				return false
			}
			time.Sleep(50 * time.Microsecond)
		}
	}
}

func (r *Rest) isAtRest() bool {
	for _, g := range r.goroutines() {
		if !r.own[g.id] && g.canGoOn() {
			return false
		}
	}
	return true
}

// goroutineID returns the number of the goroutine that asks.
func goroutineID() int64 {
	text := make([]byte, 64)
	text = text[:runtime.Stack(text, false)]
	return parseGoroutine(string(text)).id
}
