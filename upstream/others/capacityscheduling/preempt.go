package main

import "strings"

// preempt has CapacityScheduling preempt. Its preemptor is not exported, so that PostFilter runs as a whole: the node is its
// result, the victims are those of the candidates that the observer was shown.
func (a *attempt) preempt() {
	candidates.victims = nil
	succeeded := a.postFilter(a.statuses)
	if a.decision.Outcome == outcomeError {
		return
	}
	if !succeeded || a.result == nil || a.result.NominatingInfo == nil || a.result.NominatedNodeName == "" {
		a.decision.Outcome = outcomeNone
		if _, why, found := strings.Cut(a.said, "not eligible "); found {
			a.decision.Outcome, a.decision.Ineligible = outcomeIneligible, "not eligible "+why
		}
		return
	}
	a.decision.Outcome, a.decision.Node = outcomeNominated, a.result.NominatedNodeName
	a.decision.Candidates = map[string]Candidate{}
	for node, victims := range candidates.victims {
		described := Candidate{NumPDBViolations: victims.NumPDBViolations}
		for _, pod := range victims.Pods {
			described.Victims = append(described.Victims, pod.Namespace+"/"+pod.Name)
		}
		a.decision.Candidates[node] = described
	}
	chosen := a.decision.Candidates[a.decision.Node]
	a.decision.Victims, a.decision.NumPDBViolations = &chosen.Victims, &chosen.NumPDBViolations
	clears := a.f.api.cleared()
	a.decision.Clears = &clears
}
