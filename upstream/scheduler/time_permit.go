//go:build stepper

package main

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
)

// permitPlugin is the one plug-in that no release has. No default plug-in has pods wait in Permit.
const permitPlugin = "TouchstonePermit"

// permitAnnotation of a pod is the number of seconds for which it waits.
const permitAnnotation = "touchstone.dev/permit-seconds"

// longestWait is how long the release itself lets a pod wait, by the real clock.
const longestWait = 15 * time.Minute

// Permit has pods wait, and registers no event. The release's own timers do not run out here, since its clock is the real
// one: World.expire does what they would do.
type Permit struct {
	world  *World
	handle handle
	waits  []permitWait // those of pods that may have stopped waiting are among them
}

// permitWait is the wait of one pod.
type permitWait struct {
	pod    *v1.Pod
	length time.Duration
	end    time.Time
}

func (*Permit) Name() string { return permitPlugin }

func (p *Permit) Permit(_ context.Context, _ cycleState, pod *v1.Pod, _ string) (*status, time.Duration) {
	seconds, err := strconv.ParseUint(pod.Annotations[permitAnnotation], 10, 31)
	length := time.Duration(seconds) * time.Second
	if err != nil || length <= 0 || length > longestWait {
		return nil, 0
	}
	p.waits = slices.DeleteFunc(p.waits, func(wait permitWait) bool { return wait.pod.UID == pod.UID })
	p.waits = append(p.waits, permitWait{pod, length, p.world.clock.Now().Add(length)})
	return newStatus(codeWait), longestWait
}

// permitOptions has the scheduler made with the plug-in, in each of its profiles.
func (w *World) permitOptions(configuration *config.KubeSchedulerConfiguration) scheduler.Option {
	for _, profile := range configuration.Profiles {
		permit := &profile.Plugins.Permit
		permit.Enabled = append(permit.Enabled, config.Plugin{Name: permitPlugin})
	}
	return scheduler.WithFrameworkOutOfTreeRegistry(frameworkruntime.Registry{
		permitPlugin: func(_ context.Context, _ runtime.Object, handle handle) (plugin, error) {
			made := &Permit{world: w, handle: handle}
			w.permits = append(w.permits, made)
			return made, nil
		},
	})
}

// waiting calls do for each pod that waits, those that end first before others.
func (w *World) waiting(do func(*Permit, permitWait)) {
	for _, permit := range w.permits {
		var left []permitWait
		for _, wait := range permit.waits {
			if permit.handle.GetWaitingPod(wait.pod.UID) != nil {
				left = append(left, wait)
			}
		}
		sort.SliceStable(left, func(i, j int) bool {
			if !left[i].end.Equal(left[j].end) {
				return left[i].end.Before(left[j].end)
			}
			return nameIn(left[i].pod) < nameIn(left[j].pod)
		})
		permit.waits = left
		for _, wait := range left {
			do(permit, wait)
		}
	}
}

// showWaiting shows the pods that any plug-in has wait.
func (w *World) showWaiting(s *State) {
	waiting := map[string]bool{}
	for _, pod := range w.assumed {
		for _, permit := range w.permits {
			if permit.handle.GetWaitingPod(pod.UID) != nil {
				waiting[nameIn(pod)] = true
			}
		}
	}
	names := []string{}
	for name := range waiting {
		names = append(names, name)
	}
	names = sorted(names)
	s.Waiting = &names
}

// rejectAll ends all waits in Permit, whichever plug-in has pods wait. Otherwise their goroutines would stay, and keep the
// scheduler in memory.
func (w *World) rejectAll() {
	for _, pod := range w.assumed {
		for _, permit := range w.permits {
			if waiting := permit.handle.GetWaitingPod(pod.UID); waiting != nil {
				waiting.Reject(permitPlugin, "the scheduler ends")
			}
		}
	}
	w.atRest()
}

// permit has the plug-in allow or reject a pod that waits.
func (w *World) permit(command *Command) *Problem {
	found := false
	w.waiting(func(permit *Permit, wait permitWait) {
		if found || nameIn(wait.pod) != command.Pod {
			return
		}
		found = true
		waiting := permit.handle.GetWaitingPod(wait.pod.UID)
		if command.Result == "allow" {
			waiting.Allow(permitPlugin)
		} else {
			waiting.Reject(permitPlugin, "rejected")
		}
	})
	if !found {
		return &Problem{"not-waiting", "pod", fmt.Sprintf("%s does not wait in Permit", command.Pod)}
	}
	return nil
}

// expire rejects the pods that have waited for long enough, one after another, as the release's timers do.
func (w *World) expire() {
	var late []func()
	w.waiting(func(permit *Permit, wait permitWait) {
		if wait.end.After(w.clock.Now()) {
			return
		}
		late = append(late, func() {
			if waiting := permit.handle.GetWaitingPod(wait.pod.UID); waiting != nil {
				waiting.Reject(permitPlugin, fmt.Sprintf("rejected due to timeout after waiting %v at plugin %v", wait.length, permitPlugin))
			}
		})
	})
	for _, reject := range late {
		reject()
		w.settle()
	}
}
