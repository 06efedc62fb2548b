//go:build stepper

package main

import (
	"context"
	"reflect"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	extender1 "k8s.io/kube-scheduler/extender/v1"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
)

// stopper is a pod that ends a cycle that found nothing to pop.
var stopper = &v1.Pod{
	Spec: v1.PodSpec{SchedulerName: v1.DefaultSchedulerName},
}

const stopperUID = types.UID("touchstone/stopper")

func init() {
	stopper.Namespace, stopper.Name, stopper.UID = "touchstone", "stopper", stopperUID
}

// stopPopping ends a cycle that waits for a pod: the queue has entries, but none that may be popped.
func (w *World) stopPopping() {
	defer w.keepLastPopped()()
	w.addToQueue(stopper)
	w.atRest()
}

// popped notes the pod of the cycle, and says whether it is one.
func (w *World) popped(pod *v1.Pod) bool {
	if pod.UID == stopperUID {
		w.SchedulingQueue.Done(stopperUID)
		return false
	}
	w.loop.mutex.Lock()
	defer w.loop.mutex.Unlock()
	w.loop.isPopped = true
	w.loop.result.Pod = nameIn(pod)
	w.loop.isGroup = isOfGroup(pod)
	return true
}

// watchCycles puts observers where a cycle can be seen from outside.
func (w *World) watchCycles() {
	w.watchPops()
	original := w.FailureHandler
	w.FailureHandler = func(ctx context.Context, profile framework.Framework, info *framework.QueuedPodInfo, why *status,
		nominating *nominatingInfo, start time.Time) {
		w.failed(why, nominating)
		original(ctx, profile, info, why, nominating, start)
	}
	for name, profile := range w.Profiles {
		w.Profiles[name] = &timeObserver{profile, w}
		plugins := memberOf(profile, "postFilterPlugins")
		for i := 0; i < plugins.Len(); i++ {
			if preemption, ok := plugins.Index(i).Interface().(*defaultpreemption.DefaultPreemption); ok {
				w.watchPreemption(preemption, plugins.Index(i))
			}
		}
	}
}

// failed notes how a cycle failed. A binding that fails has had its cycle.
func (w *World) failed(why *status, nominating *nominatingInfo) {
	loop := &w.loop
	loop.mutex.Lock()
	defer loop.mutex.Unlock()
	if goroutineID() != loop.by {
		return
	}
	if loop.isGroup {
		loop.memberFailed(why, nominating)
		return
	}
	loop.isKnown = true
	result := &loop.result
	result.Node = ""
	switch {
	case why.Code() == codeError:
		result.Outcome = outcomeError
	case nominating != nil && nominating.NominatedNodeName != "":
		result.Outcome, result.Node = outcomeNominated, nominating.NominatedNodeName
		for _, victim := range loop.victimsOn[result.Node] {
			result.Victims = append(result.Victims, nameIn(victim))
		}
	case nominating != nil:
		result.Outcome = outcomeNone
	case loop.ineligible:
		result.Outcome = outcomeIneligible
	default:
		result.Outcome = outcomeError // of preemption itself
	}
}

// memberFailed notes how a pod of a group failed. The outcome is that of the group: scheduled, nominated, error or none.
func (l *Loop) memberFailed(why *status, nominating *nominatingInfo) {
	switch {
	case l.result.Outcome == outcomeScheduled || l.result.Outcome == outcomeNominated:
	case nominating != nil && nominating.NominatedNodeName != "":
		l.result.Outcome = outcomeNominated
	case why.Code() == codeError:
		l.result.Outcome = outcomeError
	case l.result.Outcome == "":
		l.result.Outcome = outcomeNone
	}
}

// timeObserver is the framework of a profile. It sees where a pod goes, and chooses among the best nodes.
type timeObserver struct {
	framework.Framework
	world *World
}

// RunScorePlugins raises the node that shall be chosen above those that are as good.
func (o *timeObserver) RunScorePlugins(ctx context.Context, state cycleState, pod *v1.Pod, nodes []scoredNode) ([]nodeScores, *status) {
	scores, status := o.Framework.RunScorePlugins(ctx, state, pod, nodes)
	var best []string
	highest := int64(-1)
	for _, node := range scores {
		if node.TotalScore > highest {
			best, highest = nil, node.TotalScore
		}
		if node.TotalScore == highest {
			best = append(best, node.Name)
		}
	}
	chosen := o.world.choose(best)
	for i := range scores {
		if scores[i].Name == chosen {
			scores[i].TotalScore++
		}
	}
	return scores, status
}

// RunReservePluginsReserve runs when the node is known.
func (o *timeObserver) RunReservePluginsReserve(ctx context.Context, state cycleState, pod *v1.Pod, node string) *status {
	if isTrial(state) {
		return o.Framework.RunReservePluginsReserve(ctx, state, pod, node)
	}
	loop := &o.world.loop
	loop.mutex.Lock()
	loop.result.Outcome, loop.result.Node = outcomeScheduled, node
	if loop.isGroup {
		loop.result.Node = ""
	}
	o.world.assumed = append(o.world.assumed, pod)
	loop.mutex.Unlock()
	return o.Framework.RunReservePluginsReserve(ctx, state, pod, node)
}

// RunReservePluginsUnreserve runs first when a binding fails.
func (o *timeObserver) RunReservePluginsUnreserve(ctx context.Context, state cycleState, pod *v1.Pod, node string) {
	by := goroutineID()
	o.world.loop.mutex.Lock()
	if by != o.world.loop.by {
		o.world.failing[by] = true
	}
	o.world.loop.mutex.Unlock()
	o.Framework.RunReservePluginsUnreserve(ctx, state, pod, node)
}

// isFailing says whether a goroutine is that of a binding that fails.
func (w *World) isFailing(by int64) bool {
	w.loop.mutex.Lock()
	defer w.loop.mutex.Unlock()
	return w.failing[by]
}

// chooseCandidate leaves one of the candidates that the release may choose. The release itself chooses by the order of a
// map, so it shows all of them if it is asked often.
func (w *World) chooseCandidate(candidates map[string]*extender1.Victims) {
	if len(candidates) < 2 {
		return
	}
	seen := map[string]bool{}
	for i := 0; i < 256; i++ {
		again := make(map[string]*extender1.Victims, len(candidates))
		for name, victims := range candidates {
			again[name] = victims
		}
		seen[pickOneNode(w.logger(), again, nil)] = true
	}
	var equal []string
	for name := range seen {
		equal = append(equal, name)
	}
	chosen := w.choose(equal)
	for name := range candidates {
		if name != chosen {
			delete(candidates, name)
		}
	}
}

// memberOf returns an unexported member of what an interface holds.
func memberOf(holder any, name string) reflect.Value {
	return unexported(reflect.ValueOf(holder).Elem(), name)
}
