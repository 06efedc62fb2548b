package main

import (
	"errors"
	"fmt"
	"runtime"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// schedule answers the question of a whole cycle. If no node is feasible, the answer is that of run with the profile of
// the pod.
func (s *Scheduler) schedule(question *Question) (any, *Problem) {
	switch {
	case isGiven(question.Extenders):
		return Skipped{question.Seq, "extenders are not asked"}, nil
	case isGiven(question.Policy):
		return Skipped{question.Seq, "the release has no Policy"}, nil
	}
	if why := twice(question); why != "" {
		return Skipped{question.Seq, why}, nil
	}
	undo, err := setGates(question.FeatureGates)
	if err != nil {
		return nil, &Problem{"wrong-type", "featureGates", err.Error()}
	}
	defer undo()
	configuration, err := configure(question.Config)
	if err != nil {
		return nil, refused(err)
	}
	if len(configuration.Extenders) > 0 {
		return Skipped{question.Seq, "extenders are not asked"}, nil
	}
	workers := *parallelism
	if question.Start != nil {
		workers = 1
	}
	everyNode := question.Start == nil
	settings := fmt.Sprintf("%s %v %d %v", question.Config, question.FeatureGates, workers, everyNode)
	cycle, ok := s.cycles[settings]
	if !ok {
		if len(s.cycles) == 0 || len(s.cycles) == cyclesMax {
			s.closeCycles()
			s.cycles, s.base = map[string]*Cycle{}, runtime.NumGoroutine()
		}
		if cycle, err = newCycle(configuration, workers, everyNode); err != nil {
			return nil, refused(err)
		}
		s.cycles[settings], s.idle = cycle, runtime.NumGoroutine()
	}
	defer cycle.clear()
	return s.place(cycle, question)
}

// cyclesMax is how many schedulers are kept. It takes them up to a second to end, all together as well.
const cyclesMax = 32

func refused(err error) *Problem {
	return &Problem{"config-refused", "config", err.Error()}
}

// closeCycles ends the schedulers that schedule has made.
func (s *Scheduler) closeCycles() {
	if len(s.cycles) == 0 {
		return
	}
	for _, cycle := range s.cycles {
		cycle.stop()
	}
	settle(s.base)
	s.cycles, s.idle = nil, runtime.NumGoroutine()
}

// place shows the question to the scheduler and describes what it does.
func (s *Scheduler) place(cycle *Cycle, question *Question) (any, *Problem) {
	pod := question.Pod
	if pod.Spec.SchedulerName == "" {
		pod.Spec.SchedulerName = v1.DefaultSchedulerName
	}
	if !cycle.Profiles.HandlesSchedulerName(pod.Spec.SchedulerName) {
		return Skipped{question.Seq, fmt.Sprintf("no profile has the name %q of the pod", pod.Spec.SchedulerName)}, nil
	}
	cluster := newCluster(question)
	if err := cycle.show(cluster, question); err != nil {
		panic(err)
	}
	start := int64(0)
	if question.Start != nil {
		start = *question.Start
	}
	attempt := s.newAttempt(nil, question, cluster)
	s.idle = min(s.idle, runtime.NumGoroutine())
	result, observer, err := cycle.run(pod, start)
	settle(s.idle)
	var fitError *framework.FitError
	switch {
	case errors.As(err, &fitError):
		preempting, err := cycle.framework(pod.Spec.SchedulerName)
		if err != nil {
			return nil, &Problem{"not-ready", "", err.Error()}
		}
		s.idle = runtime.NumGoroutine()
		preempting.show(cluster, question)
		return s.finish(s.newAttempt(preempting, question, cluster)), nil
	case err != nil:
		attempt.fail(err)
		return attempt.decision, nil
	}
	attempt.describePlacement(result, observer, start)
	for i := 1; i < question.Repeat; i++ {
		again, _, err := cycle.run(pod, start)
		settle(s.idle)
		if err != nil {
			attempt.fail(err)
			break
		}
		attempt.decision.Observed[again.SuggestedHost]++
	}
	return attempt.decision, nil
}

// describePlacement describes where the pod goes, and why.
func (a *attempt) describePlacement(result scheduler.ScheduleResult, observer *Observer, start int64) {
	decision := a.decision
	decision.Outcome = outcomeScheduled
	if a.question.Repeat > 0 {
		decision.Observed = map[string]int{result.SuggestedHost: 1}
	}
	feasible := sets.New(result.SuggestedHost)
	if result.FeasibleNodes > 1 {
		decision.Scores, decision.Totals = map[string]Scores{}, map[string]int64{}
		if observer.scores == nil {
			// Up to v1.29 several nodes are found without scorers. The scheduler gives each of them a total of 1.
			for _, name := range foundWithoutScores(result, observer, start) {
				feasible.Insert(name)
				decision.Scores[name], decision.Totals[name] = Scores{}, 1
			}
		}
		for _, node := range observer.scores {
			feasible.Insert(node.Name)
			decision.Totals[node.Name] = node.TotalScore
			scores := Scores{}
			for _, scorer := range node.Scores {
				scores[scorer.Name] = scorer.Score
			}
			decision.Scores[node.Name] = scores
		}
	}
	highest := decision.Totals[result.SuggestedHost]
	for _, node := range a.cluster.nodes {
		name := node.Node().Name
		if !feasible.Has(name) {
			continue
		}
		decision.Feasible = append(decision.Feasible, name)
		if decision.Totals[name] == highest {
			decision.Best = append(decision.Best, name)
		}
	}
	if heapChooses && a.question.Start != nil {
		// Nodes are then looked at one after the other, which leaves one host.
		decision.Best = []string{result.SuggestedHost}
	}
	decision.Node = decision.Best[0]
	decision.Filter = a.describeRejected(observer, feasible)
}

// foundWithoutScores returns the nodes that the search found: as many as it says, of those that passed the filters.
func foundWithoutScores(result scheduler.ScheduleResult, observer *Observer, start int64) []string {
	passed := observer.passed
	if !observer.HasFilterPlugins() {
		nodes, err := observer.SnapshotSharedLister().NodeInfos().List()
		must(err)
		for i := range nodes {
			passed = append(passed, nodes[(int(start)+i)%len(nodes)].Node().Name)
		}
	}
	return passed[:result.FeasibleNodes]
}

// describeRejected describes the status of each node that the search looked at, or that PreFilter excluded.
func (a *attempt) describeRejected(observer *Observer, feasible sets.Set[string]) map[string]Status {
	found := newStatuses()
	var nodes []nodeInfo
	for _, node := range a.cluster.nodes {
		name := node.Node().Name
		if status, ok := observer.rejected[name]; ok {
			setStatus(found, name, status)
			nodes = append(nodes, node)
		} else if observer.searched != nil && !observer.searched.Has(name) {
			nodes = append(nodes, node)
		}
	}
	if observer.searched != nil {
		setExcluded(found, sets.List(observer.excludes))
	}
	return a.describeStatuses(nodes, found, feasible)
}
