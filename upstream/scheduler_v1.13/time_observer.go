package main

import (
	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/scheduler/algorithm"
	schedulerapi "k8s.io/kubernetes/pkg/scheduler/api"
	schedulercache "k8s.io/kubernetes/pkg/scheduler/cache"
	"k8s.io/kubernetes/pkg/scheduler/core"
	"k8s.io/kubernetes/pkg/scheduler/factory"
)

// watchCycles puts observers where a cycle can be seen from outside.
func (w *World) watchCycles() {
	config := w.Config()
	pop := config.NextPod
	config.NextPod = func() *v1.Pod {
		pod := pop()
		w.popped(pod)
		return pod
	}
	handle := config.Error
	config.Error = func(pod *v1.Pod, err error) {
		w.failed(err)
		handle(pod, err)
	}
	observer := &timeObserver{ScheduleAlgorithm: config.Algorithm, world: w}
	observer.chooseHosts()
	extenders := member[[]algorithm.SchedulerExtender](config.Algorithm, "extenders")
	*extenders = append(*extenders, &chooser{observer: observer})
	config.Algorithm = observer
	config.PodPreemptor = &preemptorObserver{config.PodPreemptor, w}
}

// popped notes the pod of the cycle.
func (w *World) popped(pod *v1.Pod) {
	w.loop.mutex.Lock()
	defer w.loop.mutex.Unlock()
	w.loop.isPopped = true
	w.loop.result.Pod = nameIn(pod)
}

// stopPopping is never needed: a pod of the active part can always be popped.
func (w *World) stopPopping() { panic("nothing was popped") }

// failed notes how a cycle failed. After preemption the outcome is known when the cycle ends; after another failure now. A
// binding that fails has had its cycle.
func (w *World) failed(err error) {
	loop := &w.loop
	loop.mutex.Lock()
	defer loop.mutex.Unlock()
	if goroutineID() != loop.by {
		return
	}
	_, isUnfit := err.(*core.FitError)
	loop.isKnown = !isUnfit
	loop.result.Outcome, loop.result.Node = outcomeError, ""
}

// preempted notes what preemption has come to.
func (w *World) preempted(outcome, node string) {
	loop := &w.loop
	loop.mutex.Lock()
	defer loop.mutex.Unlock()
	loop.result.Outcome, loop.result.Node, loop.result.Victims = outcome, node, nil
	if node != "" {
		loop.result.Victims = namesOf(loop.victimsOn[node])
	}
}

// timeObserver is the algorithm of a scheduler. It sees where a pod goes, and chooses among the best nodes.
type timeObserver struct {
	algorithm.ScheduleAlgorithm
	world    *World
	preempts bool
}

func (o *timeObserver) Schedule(pod *v1.Pod, nodes algorithm.NodeLister) (string, error) {
	host, err := o.ScheduleAlgorithm.Schedule(pod, nodes)
	if err == nil {
		o.world.preempted(outcomeScheduled, "")
		o.world.loop.result.Node = host
	}
	return host, err
}

func (o *timeObserver) Preempt(pod *v1.Pod, nodes algorithm.NodeLister, why error) (*v1.Node, []*v1.Pod, []*v1.Pod, error) {
	o.preempts = true
	node, victims, cleared, err := o.ScheduleAlgorithm.Preempt(pod, nodes, why)
	o.preempts = false
	infos := *member[map[string]*schedulercache.NodeInfo](o.ScheduleAlgorithm, "cachedNodeInfoMap")
	switch {
	case err != nil:
		o.world.preempted(outcomeError, "")
	case node != nil:
		o.world.preempted(outcomeNominated, node.Name)
	case !eligible(pod, infos):
		o.world.preempted(outcomeIneligible, "")
	default:
		o.world.preempted(outcomeNone, "")
	}
	return node, victims, cleared, err
}

// chooseHosts has one priority function stand for all: it raises the node that shall be chosen above those that are as good.
func (o *timeObserver) chooseHosts() {
	metadata := *member[algorithm.PriorityMetadataProducer](o.ScheduleAlgorithm, "priorityMetaProducer")
	prioritizers := member[[]algorithm.PriorityConfig](o.ScheduleAlgorithm, "prioritizers")
	all := *prioritizers
	*prioritizers = []algorithm.PriorityConfig{{Name: "all", Weight: 1, Function: func(pod *v1.Pod,
		infos map[string]*schedulercache.NodeInfo, nodes []*v1.Node) (schedulerapi.HostPriorityList, error) {
		totals, err := core.PrioritizeNodes(pod, infos, metadata(pod, infos), all, nodes, nil)
		if err != nil {
			return nil, err
		}
		var best []string
		highest := -1
		for _, total := range totals {
			if total.Score > highest {
				best, highest = nil, total.Score
			}
			if total.Score == highest {
				best = append(best, total.Host)
			}
		}
		chosen := o.world.choose(best)
		for i := range totals {
			if totals[i].Host == chosen {
				totals[i].Score++
			}
		}
		return totals, nil
	}}}
}

// chooser is asked between the dry run and the choice of a candidate, as an extender. It takes part in nothing else.
type chooser struct {
	algorithm.SchedulerExtender // nil: nothing else is asked
	observer                    *timeObserver
}

func (c *chooser) IsInterested(*v1.Pod) bool { return c.observer.preempts }
func (c *chooser) SupportsPreemption() bool  { return true }

// ProcessPreemption notes the victims, and leaves one of the candidates that the release may choose. The release itself
// chooses by the order of a map, so it shows all of them if it is asked often.
func (c *chooser) ProcessPreemption(_ *v1.Pod, candidates map[*v1.Node]*schedulerapi.Victims,
	_ map[string]*schedulercache.NodeInfo) (map[*v1.Node]*schedulerapi.Victims, error) {
	world := c.observer.world
	for node, victims := range candidates {
		world.dryRan(node.Name, victims.Pods)
	}
	if len(candidates) < 2 {
		return candidates, nil
	}
	seen := map[string]*v1.Node{}
	for i := 0; i < 256; i++ {
		node := pickOneNode(anew(candidates))
		seen[node.Name] = node
	}
	var equal []string
	for name := range seen {
		equal = append(equal, name)
	}
	node := seen[world.choose(equal)]
	return map[*v1.Node]*schedulerapi.Victims{node: candidates[node]}, nil
}

// preemptorObserver sees calls of preemption fail, which ends it.
type preemptorObserver struct {
	factory.PodPreemptor
	world *World
}

func (o *preemptorObserver) seen(err error) error {
	if err != nil {
		o.world.preempted(outcomeError, "")
	}
	return err
}

func (o *preemptorObserver) GetUpdatedPod(pod *v1.Pod) (*v1.Pod, error) {
	updated, err := o.PodPreemptor.GetUpdatedPod(pod)
	return updated, o.seen(err)
}

func (o *preemptorObserver) DeletePod(pod *v1.Pod) error {
	return o.seen(o.PodPreemptor.DeletePod(pod))
}

func (o *preemptorObserver) SetNominatedNodeName(pod *v1.Pod, node string) error {
	return o.seen(o.PodPreemptor.SetNominatedNodeName(pod, node))
}
