package main

import (
	"context"
	"slices"
	"strings"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/kubernetes/pkg/apis/core/validation"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// Scheduler answers questions, one at a time. Its zero value is ready.
type Scheduler struct {
	cycles  map[string]*Cycle // by configuration and feature gates
	cluster *Cluster          // of the last question
	shown   *Cycle            // the one that was shown a cluster last
	idle    int               // goroutines when nothing is decided

	timeline Timeline
}

// Decide tries the pod of a question and, where no node fits, preempts, as the release does in one scheduling cycle.
// After a panic of Kubernetes it returns a problem and starts the next question with a new scheduler.
func (s *Scheduler) Decide(question *Question) (answer any, problem *Problem) {
	defer func() {
		if reason := recover(); reason != nil {
			recordCrash(reason)
		}
		if text := takeCrash(); text != "" {
			s.cycles, s.cluster, s.shown = nil, nil, nil
			answer, problem = nil, &Problem{"panic", "", text}
		}
	}()
	containCrashes()
	s.timeline.end()
	undo, err := setGates(question.FeatureGates)
	if err != nil {
		return nil, &Problem{"refused-feature-gates", "featureGates", err.Error()}
	}
	defer undo()
	cycle, problem := s.cycleOf(question)
	if problem != nil {
		return nil, problem
	}
	if why := notAsked(question, cycle); why != "" {
		return Skipped{question.Seq, why}, nil
	}
	if question.SameCluster && s.cluster == nil {
		return nil, &Problem{"no-cluster", "sameCluster", "there is no question before that was answered"}
	}
	if question.SameCluster {
		s.cluster.ask(question)
	} else {
		s.cluster = newCluster(question)
	}
	var decision *Decision
	if question.Cmd == "schedule" {
		decision = s.schedule(cycle, s.cluster)
	} else {
		decision = s.run(cycle, s.cluster, nil)
	}
	if why := cycle.extenders.unknown; why != "" {
		return Skipped{question.Seq, why}, nil
	}
	if !question.Timings {
		decision.Timings = nil
	}
	return decision, nil
}

// run answers the question of one attempt, with the profile of the pod. If extenders have rejected nodes, rejected is what
// the scheduler's own search found.
func (s *Scheduler) run(cycle *Cycle, cluster *Cluster, rejected *framework.FitError) *Decision {
	var f *Framework
	s.quietly(func() { f = cycle.framework(cluster.question.Pod.Spec.SchedulerName) })
	f.show(cluster)
	attempt := s.newAttempt(cluster)
	attempt.f = f
	if len(cycle.Extenders) > 0 {
		attempt.rejected = rejected
	}
	attempt.run()
	settle(s.idle)
	attempt.decision.Timings = &attempt.timings
	if !slices.Contains(features, "message") {
		attempt.decision.Message = ""
	}
	if !slices.Contains(features, "dryRun") {
		attempt.decision.DryRun = nil
	}
	return attempt.decision
}

func (s *Scheduler) newAttempt(cluster *Cluster) *attempt {
	return &attempt{
		idle:     s.idle,
		ctx:      context.Background(),
		question: cluster.question,
		cluster:  cluster,
		state:    newCycleState(),
		statuses: newStatuses(),
		decision: &Decision{Seq: cluster.question.Seq, Notes: cluster.question.notes},
	}
}

func newCycleState() cycleState { return framework.NewCycleState() }

// attempt is one scheduling cycle of a pod.
type attempt struct {
	f         *Framework
	idle      int // goroutines when nothing is decided
	ctx       context.Context
	question  *Question
	extenders *Extenders
	cluster   *Cluster
	rejected  *framework.FitError // of the search, if there are extenders
	state     cycleState
	decision  *Decision
	timings   Timings
	quota     int32 // of candidates in the dry run

	statuses         statuses
	searched         sets.Set[string] // the nodes that PreFilter leaves; nil: all
	feasible         []string
	erred            []string // nodes whose filters erred where that is no reason to stop: they have no status
	preFilterMessage string
	dryRunErr        error           // if there is no candidate
	result           *postFilterInfo // of the PostFilter plugins
	said             string          // by the PostFilter plugins
}

func (a *attempt) run() {
	if len(a.question.Nodes) == 0 {
		a.fail(scheduler.ErrNoNodesAvailable)
		return
	}
	begin := time.Now()
	err := a.filter()
	a.timings.FilterNs = time.Since(begin).Nanoseconds()
	if err != nil {
		a.fail(err)
		return
	}
	a.decision.Filter = describeStatuses(a.question.Nodes, a.statuses, a.searched, sets.New(a.feasible...).Insert(a.erred...))
	if len(a.feasible) > 0 {
		a.decision.Outcome, a.decision.Feasible = outcomeFits, a.feasible
		return
	}
	a.preempt()
}

// fail ends an attempt that errs before preemption.
func (a *attempt) fail(err error) {
	a.decision.Outcome = outcomeError
	a.decision.Reason = err.Error()
	a.decision.Message = eventNote(err.Error())
}

// filter fills statuses and feasible, as the release does for all nodes: none is left out for there being enough.
func (a *attempt) filter() error {
	result, status, rejectors := runPreFilter(a.ctx, a.f, a.state, a.question.Pod)
	if !status.IsSuccess() {
		if !status.IsRejected() {
			return status.AsError()
		}
		setAll(a.statuses, a.cluster.nodes, status)
		a.preFilterMessage = status.Message()
		return nil
	}
	if !result.AllNodes() {
		a.searched = result.NodeNames
	}
	if a.rejected != nil {
		a.statuses = found(a.rejected)
		return nil
	}
	// The nominated node is tried by itself first, even if PreFilter excluded it. Its error is no reason to stop.
	nominated := a.question.Pod.Status.NominatedNodeName
	passed := sets.New[string]()
	if node, ok := a.cluster.byName[nominated]; ok && nominated != "" {
		if fits, err := a.filterNode(node); err == nil && fits {
			passed.Insert(nominated)
		}
	}
	for _, node := range a.cluster.nodes {
		name := node.Node().Name
		if a.searched != nil && !a.searched.Has(name) {
			continue
		}
		fits, err := a.filterNode(node)
		if err != nil && !passed.Has(nominated) {
			return err
		}
		if err != nil {
			a.erred = append(a.erred, name)
		}
		if fits {
			passed.Insert(name)
		}
	}
	if a.searched != nil {
		setExcluded(a.statuses, sets.List(rejectors))
	}
	for _, node := range a.cluster.nodes {
		if name := node.Node().Name; passed.Has(name) {
			a.feasible = append(a.feasible, name)
		}
	}
	return nil
}

func (a *attempt) filterNode(node nodeInfo) (fits bool, err error) {
	status := a.f.RunFilterPluginsWithNominatedPods(a.ctx, a.state, a.question.Pod, node)
	switch {
	case status.IsSuccess():
		return true, nil
	case status.Code() == codeError:
		return false, status.AsError()
	}
	setStatus(a.statuses, node.Node().Name, status)
	return false, nil
}

// preemptionSays is how a message of the plugin DefaultPreemption begins.
const preemptionSays = "preemption: "

// postFilter runs the PostFilter plugins of the release on the given statuses, for what becomes of the nomination and
// for the message of the event. It returns whether they made the pod schedulable.
func (a *attempt) postFilter(given statuses) bool {
	pod := a.question.Pod
	result, status := a.f.RunPostFilterPlugins(a.ctx, a.state, pod, given)
	settled := settle(a.idle)
	a.decision.Nomination = describeNomination(pod, result)
	said := status.Message()
	a.result, a.said = result, said
	if a.dryRunErr != nil && strings.HasPrefix(said, preemptionSays) {
		// The plugin begins its dry run at a random node, so that errors of several nodes come in any order.
		said = preemptionSays + a.dryRunErr.Error()
	}
	err := fitError(pod, len(a.cluster.nodes), a.statuses, a.preFilterMessage, said)
	a.decision.Message = eventNote(err.Error())
	// A plugin that errs because it was not asked before (the pod was rejected first) is none of preemption.
	if status.Code() == codeError && a.preFilterMessage == "" {
		a.decision.Outcome, a.decision.Reason, a.decision.Ineligible = outcomeError, said, ""
	}
	// What is still being carried out is not known.
	return status.IsSuccess() && settled
}

func describeNomination(pod *v1.Pod, result *postFilterInfo) string {
	had := pod.Status.NominatedNodeName != ""
	switch {
	case result == nil || result.NominatingInfo == nil || result.Mode() != modeOverride:
		if had {
			return "kept"
		}
	case result.NominatedNodeName != "":
		return "set"
	case had:
		return "cleared"
	}
	return ""
}

// eventNote is what an event holds of a message.
func eventNote(message string) string {
	const cut = " ..."
	if len(message) <= validation.NoteLengthLimit {
		return message
	}
	return message[:validation.NoteLengthLimit-len(cut)] + cut
}

func describeStatus(status *status) Status {
	return Status{Code: status.Code().String(), Plugin: status.Plugin(), Reasons: status.Reasons()}
}

// describeStatuses describes the status of each of these nodes that does not fit. Up to v1.31 Kubernetes has none for a
// node that PreFilter does not leave in `searched`; that is shown as a code without reasons, the one for which preemption
// takes it. It has none either for a node that extenders leave out; that is shown as it is.
func describeStatuses(nodes []*v1.Node, statuses statuses, searched, without sets.Set[string]) map[string]Status {
	described := make(map[string]Status, len(nodes))
	for _, node := range nodes {
		if without.Has(node.Name) {
			continue
		}
		status := statusOf(statuses, node.Name)
		if status == nil && searched != nil && !searched.Has(node.Name) {
			status = newStatus(codeUnresolvable)
		}
		if status != nil {
			described[node.Name] = describeStatus(status)
		}
	}
	return described
}
