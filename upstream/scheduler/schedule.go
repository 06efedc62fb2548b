package main

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// cyclesMax is how many schedulers are kept, of about 2 MB each.
const cyclesMax = 64

// cycleOf returns the scheduler with the configuration and the feature gates of a question. The gates must be set. It
// names the profile in the pod.
func (s *Scheduler) cycleOf(question *Question) (*Cycle, *Problem) {
	extenders, answers, err := extendersOf(question)
	if err != nil {
		return nil, &Problem{"wrong-type", "extenders", err.Error()}
	}
	answers.tables[refuser] = tables{"filter": {verb: "filter"}}
	given, err := withExtenders(question.Config, "kubescheduler.config.k8s.io/v1", "KubeSchedulerConfiguration", extenders)
	if err != nil {
		return nil, &Problem{"refused-configuration", "config", err.Error()}
	}
	settings := fmt.Sprintf("%s %v", given, question.FeatureGates)
	cycle, ok := s.cycles[settings]
	if !ok {
		configuration, err := configure(given)
		if err == nil {
			s.quietly(func() { cycle, err = newCycle(configuration) })
		}
		if err != nil {
			return nil, &Problem{"refused-configuration", "config", err.Error()}
		}
		if len(s.cycles) == cyclesMax {
			s.cycles = nil
		}
		if s.cycles == nil {
			s.cycles = map[string]*Cycle{}
		}
		s.cycles[settings] = cycle
	}
	cycle.extenders = answers
	// Without a configuration the default profile counts, whatever the pod names.
	name := &question.Pod.Spec.SchedulerName
	if *name == "" || !isGiven(question.Config) {
		*name = v1.DefaultSchedulerName
	}
	if !cycle.Profiles.HandlesSchedulerName(*name) {
		return nil, &Problem{"unknown-profile", "config", fmt.Sprintf("no profile has the schedulerName of the pod, %s", *name)}
	}
	return cycle, nil
}

// quietly makes something, and waits until what it has started beside has ended.
func (s *Scheduler) quietly(make func()) {
	before := runtime.NumGoroutine()
	make()
	settle(before)
	s.idle = runtime.NumGoroutine()
}

// notAsked says which part of a question this adapter does not put to the release.
func notAsked(question *Question, cycle *Cycle) string {
	switch {
	case !isGiven(question.Extenders) && len(cycle.configuration.Extenders) > 0:
		return "extenders of a configuration are not asked, only those of a question"
	case question.Offset != nil && !slices.Contains(features, "offset"):
		return "a sampled search is not claimed"
	case isGiven(question.Policy):
		return "the release has no Policy"
	case question.Cmd == "schedule":
		return twice(question)
	}
	return ""
}

// schedule answers the question of a whole cycle. If no node is feasible, the answer is that of run.
func (s *Scheduler) schedule(cycle *Cycle, cluster *Cluster) *Decision {
	if s.shown != cycle || cycle.cluster != cluster {
		s.hide()
		must(cycle.show(cluster))
		s.shown = cycle
	}
	question := cluster.question
	timings := s.time(cycle, question)
	observer := &Observer{Framework: cycle.profile(question), rejected: map[string]*status{}}
	result, err := cycle.run(observer, question)
	settle(s.idle)
	attempt := s.newAttempt(cluster)
	attempt.extenders = cycle.extenders
	var fitError *framework.FitError
	switch {
	case errors.As(err, &fitError):
		preempting := s.run(cycle, cluster, fitError)
		preempting.Timings.ScheduleNs = timings.ScheduleNs
		return preempting
	case err != nil:
		attempt.fail(err)
	default:
		attempt.describePlacement(result, cycle, observer)
		s.observe(cycle, attempt, result.SuggestedHost)
	}
	attempt.decision.Timings = timings
	return attempt.decision
}

// time measures a run of its own, which nothing observes, if the question wants to know.
func (s *Scheduler) time(cycle *Cycle, question *Question) *Timings {
	if !question.Timings {
		return &Timings{}
	}
	begin := time.Now()
	_, _ = cycle.run(cycle.profile(question), question) // the run that is observed shows what it answers
	elapsed := time.Since(begin)
	settle(s.idle)
	return &Timings{ScheduleNs: elapsed.Nanoseconds()}
}

// hide removes the cluster that a scheduler was shown last.
func (s *Scheduler) hide() {
	if s.shown != nil {
		s.shown.clear()
		s.shown = nil
	}
}

// observe counts the hosts of as many runs as the question wants. The first has been. Of volumes of one size one is taken at
// random, so that another run may find no node.
func (s *Scheduler) observe(cycle *Cycle, a *attempt, host string) {
	if a.question.Repeat == 0 {
		return
	}
	a.decision.Observed = map[string]int{host: 1}
	for i := 1; i < a.question.Repeat; i++ {
		result, err := cycle.run(cycle.profile(a.question), a.question)
		settle(s.idle)
		var fitError *framework.FitError
		if errors.As(err, &fitError) {
			continue
		}
		must(err)
		a.decision.Observed[result.SuggestedHost]++
	}
}

// describePlacement describes where the pod goes, and why.
func (a *attempt) describePlacement(result scheduler.ScheduleResult, cycle *Cycle, observer *Observer) {
	decision := a.decision
	decision.Outcome = outcomeScheduled
	feasible := sets.New(result.SuggestedHost)
	if result.FeasibleNodes > 1 {
		decision.Scores, decision.Totals = map[string]Scores{}, map[string]int64{}
		if observer.scores == nil {
			// Up to v1.29 several nodes are found without scorers. The scheduler gives each of them a total of 1.
			for _, name := range a.foundWithoutScores(result, observer) {
				feasible.Insert(name)
				decision.Scores[name], decision.Totals[name] = Scores{}, 1
			}
		}
		for _, node := range observer.scores {
			feasible.Insert(node.Name)
			decision.Totals[node.Name] = node.TotalScore
			scores := Scores{}
			for _, scorer := range node.Scores {
				name := scorer.Name
				if a.extenders.tables[name] != nil {
					name = "extenders" // the sum of all extenders
				}
				scores[name] += scorer.Score
			}
			decision.Scores[node.Name] = scores
		}
	}
	highest := decision.Totals[result.SuggestedHost]
	for _, name := range a.inOrder(feasible) {
		decision.Feasible = append(decision.Feasible, name)
		if decision.Totals[name] == highest {
			decision.Best = append(decision.Best, name)
		}
	}
	if heapChooses {
		decision.Best = chosenByHeap(decision.Best, result.SuggestedHost, observer, a.isOrdered(observer))
	}
	decision.Node = decision.Best[0]
	if len(cycle.Extenders) == 0 {
		decision.Filter = a.describeRejected(observer, feasible)
	} else {
		decision.Filter = a.describeBeside(cycle, observer, feasible)
	}
}

// inOrder returns nodes in the order of the question. Extenders may name others: these come last.
func (a *attempt) inOrder(nodes sets.Set[string]) (names []string) {
	rest := nodes.Clone()
	for _, node := range a.question.Nodes {
		if rest.Has(node.Name) {
			names = append(names, node.Name)
			rest.Delete(node.Name)
		}
	}
	return append(names, sets.List(rest)...)
}

// isOrdered says whether the search took one node after the other, from start on. Otherwise workers took several at the same
// time, or PreFilter left a set of nodes, which Kubernetes searches in the order of a map.
func (a *attempt) isOrdered(observer *Observer) bool {
	return a.question.Start != nil && *parallelism == 1 && observer.searched == nil
}

// foundWithoutScores returns the nodes that the search found: as many as it says, of those that passed the filters.
func (a *attempt) foundWithoutScores(result scheduler.ScheduleResult, observer *Observer) []string {
	passed := observer.passed
	if !observer.HasFilterPlugins() {
		nodes, err := observer.SnapshotSharedLister().NodeInfos().List()
		must(err)
		start := int(startOf(a.question))
		for i := range nodes {
			passed = append(passed, nodes[(start+i)%len(nodes)].Node().Name)
		}
	}
	return passed[:result.FeasibleNodes]
}

// describeBeside describes the same nodes, and those that extenders reject or leave out. If the nominated node takes the
// pod, no other node has a status.
func (a *attempt) describeBeside(cycle *Cycle, observer *Observer, feasible sets.Set[string]) map[string]Status {
	seen := sets.New(observer.passed...)
	nominated := a.question.Pod.Status.NominatedNodeName
	if nominated != "" && feasible.Has(nominated) && seen.Len()+len(observer.rejected) == 1 {
		return nil
	}
	statuses := cycle.statusesBeside(a.question)
	settle(a.idle)
	var nodes []*v1.Node
	for _, node := range a.question.Nodes {
		_, rejected := observer.rejected[node.Name]
		excluded := observer.searched != nil && !observer.searched.Has(node.Name)
		if rejected || excluded || seen.Has(node.Name) {
			nodes = append(nodes, node)
		}
	}
	return describeStatuses(nodes, statuses, observer.searched, feasible)
}

// describeRejected describes the status of each node that the search looked at, or that PreFilter excluded.
func (a *attempt) describeRejected(observer *Observer, feasible sets.Set[string]) map[string]Status {
	found := newStatuses()
	var nodes []*v1.Node
	// The scheduler tries the node to which the pod is nominated before it excludes other nodes.
	excludes := observer.searched != nil && !feasible.Has(a.question.Pod.Status.NominatedNodeName)
	for _, node := range a.question.Nodes {
		if status, ok := observer.rejected[node.Name]; ok {
			setStatus(found, node.Name, status)
			nodes = append(nodes, node)
		} else if excludes && !observer.searched.Has(node.Name) {
			nodes = append(nodes, node)
		}
	}
	if excludes {
		setExcluded(found, sets.List(observer.excludes))
	}
	return describeStatuses(nodes, found, observer.searched, feasible)
}
