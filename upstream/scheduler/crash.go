package main

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
)

// crash keeps the first panic of a goroutine that Kubernetes started for a question.
var crash struct {
	sync.Mutex
	text string
}

// containCrashes makes panics of Kubernetes' own goroutines end the question, not the process.
func containCrashes() {
	utilruntime.ReallyCrash = false
	setPanicHandler(&utilruntime.PanicHandlers)
}

// setPanicHandler sets the one handler; its type got a context in v1.31 or so.
func setPanicHandler[F func(any) | func(context.Context, any)](handlers *[]F) {
	var handler F
	switch h := any(&handler).(type) {
	case *func(any):
		*h = recordCrash
	case *func(context.Context, any):
		*h = func(_ context.Context, reason any) { recordCrash(reason) }
	}
	*handlers = []F{handler}
}

func recordCrash(reason any) {
	text := describePanic(reason)
	crash.Lock()
	defer crash.Unlock()
	if crash.text == "" {
		crash.text = text
	}
}

// takeCrash returns the panic that was kept, or nothing, and forgets it.
func takeCrash() string {
	crash.Lock()
	defer crash.Unlock()
	text := crash.text
	crash.text = ""
	return text
}

// describePanic says what was thrown and where: the innermost function of Kubernetes on the panicking stack.
func describePanic(reason any) string {
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(2, callers)])
	panicking := false
	for {
		frame, more := frames.Next()
		if frame.Function == "runtime.gopanic" {
			panicking = true
		} else if panicking && strings.HasPrefix(frame.Function, "k8s.io/") {
			return fmt.Sprintf("%v in %s", reason, frame.Function)
		}
		if !more {
			return fmt.Sprint(reason)
		}
	}
}

// settle waits until no more goroutines run than when nothing is decided, and says whether that came about: the
// parallelizer hands back as soon as the last worker is done, which may be shortly before that worker's panic is recorded,
// and from v1.32 on nominations are cleared beside the cycle.
func settle(goroutines int) bool {
	deadline := time.Now().Add(settleTime)
	for round := 0; runtime.NumGoroutine() > goroutines; round++ {
		if round < 100 {
			runtime.Gosched()
			continue
		}
		if time.Now().After(deadline) {
			return false
		}
		time.Sleep(20 * time.Microsecond)
	}
	return true
}

// settleTime is long enough for a machine with much else to do.
const settleTime = 5 * time.Second
