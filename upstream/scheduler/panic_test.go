package main

import (
	"context"
	"testing"

	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// broken panics where the plugins of a release might.
type broken struct {
	framework.Framework
	filter func()
}

func (b broken) RunFilterPluginsWithNominatedPods(context.Context, cycleState, *v1.Pod, nodeInfo) *status {
	b.filter()
	return nil
}

func TestAPanicIsAnsweredAndTheNextQuestionFindsACleanScheduler(t *testing.T) {
	run := `{"cmd":"run","seq":1,` + rest
	for name, filter := range map[string]func(*Scheduler){
		"in the cycle": func(*Scheduler) { panic("boom") },
		"in a goroutine": func(s *Scheduler) {
			s.framework.handle.Parallelizer().Until(context.Background(), 1, func(int) { panic("boom") }, "test")
		},
	} {
		scheduler := &Scheduler{}
		answers(t, scheduler, run)
		scheduler.framework.Framework = broken{scheduler.framework.Framework, func() { filter(scheduler) }}
		found := answers(t, scheduler, run, run)
		if code(found[0]) != "panic" || found[0]["seq"] != 1.0 || found[1]["outcome"] != "nominated" {
			t.Errorf("%s: answers are %v", name, found)
		}
	}
}
