package main

import (
	"fmt"
	"sort"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/scheduler/algorithm"
	schedulerapi "k8s.io/kubernetes/pkg/scheduler/api"
	schedulercache "k8s.io/kubernetes/pkg/scheduler/cache"
	"k8s.io/kubernetes/pkg/scheduler/core"
)

// preempt has the release preempt, after each of its steps for what it does not return.
func (a *attempt) preempt(fitError *core.FitError) {
	a.preempts = true
	a.decision.Message = fitError.Error()
	a.decision.Filter = describeFailed(fitError.FailedPredicates)
	infos := *member[map[string]*schedulercache.NodeInfo](a.f.Algorithm, "cachedNodeInfoMap")
	var candidates map[*v1.Node]*schedulerapi.Victims
	var err error
	if !eligible(a.pod, infos) {
		a.decision.Outcome = outcomeIneligible
		// What the release logs.
		a.decision.Ineligible = fmt.Sprintf("Pod %v/%v is not eligible for more preemption.", a.pod.Namespace, a.pod.Name)
	} else {
		a.decision.Outcome = outcomeNone
		if candidates, err = a.candidates(infos, potentialNodes(a.question.Nodes, fitError.FailedPredicates)); err != nil {
			a.failPreemption(err)
			return
		}
		a.describeCandidates(candidates)
	}
	node, victims, cleared, err := a.f.Algorithm.Preempt(a.pod, a.f.NodeLister, fitError)
	if err != nil {
		a.failPreemption(err)
		return
	}
	if node != nil {
		a.nominate(node, victims, cleared, candidates)
	} else if a.decision.Nomination = a.kept(); a.decision.Nomination != "" && len(cleared) > 0 { // it is the pod itself
		a.decision.Nomination = "cleared"
	}
}

// candidates returns those of the dry run that extenders leave.
func (a *attempt) candidates(infos map[string]*schedulercache.NodeInfo, potential []*v1.Node) (map[*v1.Node]*schedulerapi.Victims, error) {
	metadata := *member[algorithm.PredicateMetadataProducer](a.f.Algorithm, "predicateMetaProducer")
	begin := time.Now()
	candidates, err := dryRun(a.pod, infos, potential, a.f.Algorithm.Predicates(), metadata, a.f.SchedulingQueue, a.question.PDBs)
	a.timings.DryRunNs = time.Since(begin).Nanoseconds()
	if err != nil {
		return nil, err
	}
	return callExtenders(pointerOf(a.f.Algorithm), a.pod, candidates)
}

// failPreemption ends an attempt whose preemption errs.
func (a *attempt) failPreemption(err error) {
	a.decision.Outcome, a.decision.Reason, a.decision.Nomination = outcomeError, err.Error(), a.kept()
}

// kept says that the pod keeps its nomination, if it has one.
func (a *attempt) kept() string {
	if a.pod.Status.NominatedNodeName == "" {
		return ""
	}
	return "kept"
}

func (a *attempt) nominate(node *v1.Node, victims, cleared []*v1.Pod, candidates map[*v1.Node]*schedulerapi.Victims) {
	a.decision.Outcome = outcomeNominated
	a.decision.Nomination = "set"
	a.decision.Node = node.Name
	names, clears := namesOf(victims), namesOf(cleared)
	a.decision.Victims = &names
	if candidate, ok := a.decision.Candidates[node.Name]; ok {
		a.decision.NumPDBViolations = &candidate.NumPDBViolations
	}
	sort.Strings(clears)
	a.decision.Clears = &clears
	if a.question.Repeat > 0 {
		a.decision.Observed = map[string]int{node.Name: 1}
		for i := 1; i < a.question.Repeat; i++ {
			if chosen := pickOneNode(anew(candidates)); chosen != nil {
				a.decision.Observed[chosen.Name]++
			}
		}
	}
}

// anew returns the candidates in a map of its own, as each dry run makes one. The order of a map is random by where it
// begins and by how its keys are hashed; the second is drawn once a map.
func anew(candidates map[*v1.Node]*schedulerapi.Victims) map[*v1.Node]*schedulerapi.Victims {
	copied := make(map[*v1.Node]*schedulerapi.Victims)
	for node, victims := range candidates {
		copied[node] = victims
	}
	return copied
}

func (a *attempt) describeCandidates(candidates map[*v1.Node]*schedulerapi.Victims) {
	if len(candidates) == 0 {
		return
	}
	a.decision.Candidates = make(map[string]Candidate, len(candidates))
	for node, victims := range candidates {
		if node == nil {
			continue // an extender names a node that does not exist, without victims
		}
		a.decision.Candidates[node.Name] = Candidate{namesOf(victims.Pods), int64(victims.NumPDBViolations)}
	}
}
