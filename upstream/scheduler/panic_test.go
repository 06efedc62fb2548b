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
	const profile = "default-scheduler"
	for name, filter := range map[string]func(handle){
		"in the cycle": func(handle) { panic("boom") },
		"in a goroutine": func(h handle) {
			h.Parallelizer().Until(context.Background(), 1, func(int) { panic("boom") }, "test")
		},
	} {
		for _, cmd := range []string{"run", "schedule"} {
			question := `{"cmd":"` + cmd + `","seq":1,` + rest
			scheduler := &Scheduler{}
			answers(t, scheduler, question)
			for _, cycle := range scheduler.cycles {
				f := cycle.frameworks[profile] // both commands have preempted with it
				cycle.Profiles[profile] = broken{cycle.Profiles[profile], func() { filter(f.handle) }}
				f.Framework = broken{f.Framework, func() { filter(f.handle) }}
			}
			found := answers(t, scheduler, question, question)
			if code(found[0]) != "panic" || found[0]["seq"] != 1.0 || found[1]["outcome"] != "nominated" {
				t.Errorf("%s, %s: answers are %v", cmd, name, found)
			}
		}
	}
}
