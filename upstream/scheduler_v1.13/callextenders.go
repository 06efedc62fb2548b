package main

import (
	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/scheduler/algorithm"
	schedulerapi "k8s.io/kubernetes/pkg/scheduler/api"
)

// watched is an extender of the release that tells what it adds to totals.
type watched struct {
	algorithm.SchedulerExtender
	observer *Observer
}

func (w watched) Prioritize(pod *v1.Pod, nodes []*v1.Node) (*schedulerapi.HostPriorityList, int, error) {
	scores, weight, err := w.SchedulerExtender.Prioritize(pod, nodes)
	if err == nil {
		w.observer.add(*scores, weight)
	}
	return scores, weight, err
}

// askTables makes the extenders of the scheduler ask the tables of the question.
func (f *Framework) askTables() {
	extenders := f.askedExtenders()
	for i, each := range extenders {
		answerFor(each, &f.extenders)
		extenders[i] = watched{each, f.observer}
	}
}

// askedExtenders returns the extenders that the scheduler asks.
func (f *Framework) askedExtenders() []algorithm.SchedulerExtender {
	return *member[[]algorithm.SchedulerExtender](f.Algorithm, "extenders")
}

// nameStrangers says whether some table has a name that no node of the cluster has.
func (e *Extenders) nameStrangers() bool {
	for _, tables := range e.tables {
		for _, table := range tables {
			if len(e.strange(table)) > 0 {
				return true
			}
		}
	}
	return false
}

// crashed describes an attempt that crashes the release, because an extender names a node that does not exist. What the
// release reports before it preempts is left.
func (a *attempt) crashed(text string) *Decision {
	decision := &Decision{Seq: a.question.Seq, Notes: a.question.notes, Outcome: outcomeError, Reason: text}
	if a.preempts {
		decision.Filter, decision.Message = a.decision.Filter, a.decision.Message
		decision.Nomination = a.kept()
	}
	return decision
}
