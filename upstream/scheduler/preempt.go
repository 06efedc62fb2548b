package main

import (
	"fmt"
	"time"

	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler/framework/preemption"
)

// preempt has the release's own plug-in preempt, part by part, so that each part can be shown.
func (a *attempt) preempt() {
	pod := a.question.Pod
	if a.f.preemption == nil {
		a.decision.Outcome = outcomeNone
		a.postFilter(a.statuses)
		return
	}
	evaluator := evaluator(a.f, a.state)
	ok, why := eligible(a.ctx, evaluator, pod, statusOf(a.statuses, pod.Status.NominatedNodeName))
	if !ok {
		a.decision.Outcome, a.decision.Ineligible = outcomeIneligible, why
		a.postFilter(a.statuses)
		return
	}
	candidates, dryRunErr := a.dryRun(evaluator)
	if len(candidates) == 0 && dryRunErr != nil {
		a.decision.Outcome, a.decision.Reason = outcomeError, dryRunErr.Error()
		a.dryRunErr = dryRunErr
		a.postFilter(a.statuses)
		return
	}
	if len(candidates) > 0 {
		// If an extender fails, none is left, and PostFilter has the error.
		candidates, _ = callExtenders(evaluator, klog.Background(), pod, candidates)
		a.describeCandidates(candidates)
	}
	if len(candidates) == 0 {
		a.decision.Outcome = outcomeNone
		if a.quota == 0 {
			defer a.f.triesShare(0)()
		}
		a.postFilter(a.statuses)
		return
	}
	a.choose(evaluator, candidates)
}

// dryRun evaluates the potential nodes: all of them, or, with an offset, as many as the release would.
func (a *attempt) dryRun(evaluator *preemption.Evaluator) ([]preemption.Candidate, error) {
	var potential []nodeInfo
	for _, node := range a.cluster.nodes {
		if statusOf(a.statuses, node.Node().Name).Code() == codeUnschedulable {
			potential = append(potential, node)
		}
	}
	a.decision.DryRun = &map[string]Status{}
	if len(potential) == 0 {
		return nil, nil
	}
	offset, count := int32(0), int32(len(potential))
	if a.question.Offset != nil {
		offset = int32(*a.question.Offset % int64(len(potential)))
		_, count = evaluator.GetOffsetAndNumCandidates(int32(len(potential)))
		if a.question.Quota != nil {
			count = *a.question.Quota
		}
	}
	a.quota = count
	begin := time.Now()
	candidates, statuses, err := dryRun(a.ctx, evaluator, a.state, a.question.Pod, potential, a.question.PDBs, offset, count)
	a.timings.DryRunNs = time.Since(begin).Nanoseconds()
	for name, status := range explicit(statuses) {
		(*a.decision.DryRun)[name] = describeStatus(status)
	}
	return candidates, err
}

func (a *attempt) describeCandidates(candidates []preemption.Candidate) {
	if len(candidates) > 0 {
		a.decision.Candidates = make(map[string]Candidate, len(candidates))
		for _, candidate := range candidates {
			a.decision.Candidates[candidate.Name()] = describeCandidate(candidate)
		}
	}
}

// choose has the release choose among the candidates, as often as asked, and prepare the first choice.
func (a *attempt) choose(evaluator *preemption.Evaluator, candidates []preemption.Candidate) {
	chosen := evaluator.SelectCandidate(a.ctx, candidates)
	described := describeCandidate(chosen)
	a.decision.Outcome = outcomeNominated
	a.decision.Node = chosen.Name()
	a.decision.Victims = &described.Victims
	a.decision.NumPDBViolations = &described.NumPDBViolations
	if a.question.Repeat > 0 {
		a.decision.Observed = map[string]int{chosen.Name(): 1}
		for i := 1; i < a.question.Repeat; i++ {
			a.decision.Observed[evaluator.SelectCandidate(a.ctx, candidates).Name()]++
		}
	}
	// The plugin draws lots by itself: only the node chosen is left to it, so that it prepares that one.
	only := newStatuses()
	for _, node := range a.cluster.nodes {
		code := codeUnresolvable
		if node.Node().Name == chosen.Name() {
			code = codeUnschedulable
		}
		setStatus(only, node.Node().Name, newStatus(code))
	}
	defer a.f.triesShare(100)() // one node is left, and a share of it may be none
	if a.postFilter(only) {
		clears := a.f.api.cleared()
		a.decision.Clears = &clears
	}
}

func describeCandidate(candidate preemption.Candidate) Candidate {
	victims := candidate.Victims()
	names := make([]string, len(victims.Pods))
	for i, pod := range victims.Pods {
		names[i] = fmt.Sprintf("%s/%s", pod.Namespace, pod.Name)
	}
	return Candidate{names, victims.NumPDBViolations}
}
