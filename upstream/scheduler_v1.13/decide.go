package main

import (
	"fmt"
	"runtime"
	"sort"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kubernetes/pkg/scheduler/algorithmprovider"
	"k8s.io/kubernetes/pkg/scheduler/core"
	"k8s.io/kubernetes/pkg/scheduler/factory"
)

// features are the parts of the protocol that the release can answer. It does not sample, and a dry run has no statuses.
var features = []string{"core", "requests", "pdbs", "nominated", "taints", "selectors", "ports", "affinity", "volumes",
	"filter", "nomination", "repeat", "message", "timings", "schedule", "start", "extenders", "policy", "sameCluster"}

// The codes of a status, which the release does not have: whether preemption may help on the node.
const (
	codeUnschedulable = "Unschedulable"
	codeUnresolvable  = "UnschedulableAndUnresolvable"
)

// Framework is the scheduler of the release with its default provider or a Policy, and with its default feature gates.
// One serves many questions: what its cache, its queue and its informers hold is replaced.
type Framework struct {
	*factory.Config
	informers *Informers
	stop      chan struct{}
	observer  *Observer  // reads the scores of this scheduler
	extenders *Extenders // of the question
	undo      []func() error
}

func init() {
	algorithmprovider.ApplyFeatureGates()
}

// newFramework makes the scheduler of a Policy; without one, that of the default provider.
func newFramework(policy string) (*Framework, error) {
	f := &Framework{informers: newInformers(), stop: make(chan struct{})}
	var err error
	// Every node is filtered.
	f.Config, err = create(factory.NewConfigFactory(arguments(f.informers, nil, f.stop, 100)), policy)
	if err == nil {
		f.observer = observe(f.Algorithm)
		f.askTables()
	}
	return f, err
}

// show makes the cluster of a question all that the scheduler knows.
func (f *Framework) show(question *Question) error {
	if err := f.clear(); err != nil {
		return err
	}
	bound, nominated := input(question) // first: it completes the objects
	f.informers.fill(question)
	for _, node := range question.Nodes {
		if err := f.SchedulerCache.AddNode(node); err != nil {
			return err
		}
		f.undo = append(f.undo, func() error { return f.SchedulerCache.RemoveNode(node) })
		for _, pod := range bound[node.Name] {
			if err := f.SchedulerCache.AddPod(pod); err != nil {
				return err
			}
			f.undo = append(f.undo, func() error { return f.SchedulerCache.RemovePod(pod) })
		}
		for _, pod := range nominated[node.Name] {
			if err := f.SchedulingQueue.Add(pod); err != nil {
				return err
			}
			f.undo = append(f.undo, func() error { return f.SchedulingQueue.Delete(pod) })
		}
	}
	// A kubelet updates its node soon. The cache counts the nodes with an image anew for that node only.
	for _, node := range question.Nodes {
		if err := f.SchedulerCache.UpdateNode(node, node); err != nil {
			return err
		}
	}
	return nil
}

// clear takes away what show has added, the last first.
func (f *Framework) clear() error {
	for ; len(f.undo) > 0; f.undo = f.undo[:len(f.undo)-1] {
		if err := f.undo[len(f.undo)-1](); err != nil {
			return err
		}
	}
	return nil
}

// Scheduler answers questions, one at a time. Its zero value is ready.
type Scheduler struct {
	framework *Framework
	policy    string    // of the framework
	question  *Question // the last one
	shown     bool      // the framework has its cluster
	idle      int       // the fewest goroutines ever seen between questions

	timeline Timeline
}

// Decide tries the pod of a question and, where no node fits, preempts, as the release does in one scheduling cycle.
// After a panic of Kubernetes it returns a problem and starts the next question with a new scheduler.
//
// If extenders name nodes that do not exist, a panic is the release's own: its process would end.
func (s *Scheduler) Decide(question *Question) (answer any, problem *Problem) {
	var cycle *attempt
	defer func() {
		reason := recover()
		if reason == unsettled {
			answer = Skipped{question.Seq, unsettled}
			return
		}
		if reason != nil {
			recordCrash(reason)
		}
		if text := takeCrash(); text != "" {
			if s.framework != nil {
				close(s.framework.stop)
			}
			s.framework, s.question = nil, nil
			answer, problem = nil, &Problem{"panic", "", text}
			if cycle != nil && cycle.f.extenders.nameStrangers() {
				answer, problem = cycle.crashed(text), nil
			}
		}
	}()
	if why := twice(question); why != "" {
		return Skipped{question.Seq, why}, nil
	}
	policy, why := policyOf(question)
	if why != "" {
		return Skipped{question.Seq, why}, nil
	}
	settings, extenders, problem := settingsOf(question, policy)
	if problem != nil {
		return nil, problem
	}
	if problem := s.configure(settings); problem != nil {
		return nil, problem
	}
	s.framework.extenders = extenders
	if problem := s.show(question); problem != nil {
		return nil, problem
	}
	s.idle = min(s.idle, runtime.NumGoroutine())
	cycle = &attempt{
		f:        s.framework,
		pod:      question.Pod,
		question: question,
		decision: &Decision{Seq: question.Seq, Notes: question.notes},
	}
	if question.Cmd == "schedule" {
		cycle.schedule()
	} else {
		cycle.run()
	}
	settle(s.idle)
	if extenders.unknown != "" {
		return Skipped{question.Seq, extenders.unknown}, nil
	}
	if question.Timings {
		cycle.decision.Timings = &cycle.timings
	}
	return cycle.decision, nil
}

// show shows the cluster of a question to the framework, unless it has it.
func (s *Scheduler) show(question *Question) *Problem {
	if question.SameCluster && s.question == nil {
		return &Problem{"no-cluster", "sameCluster", "there is no question before that was answered"}
	}
	if question.SameCluster {
		question.takeObjects(s.question)
	}
	if !question.SameCluster || !s.shown {
		if err := s.framework.show(question); err != nil {
			panic(err)
		}
	}
	s.question, s.shown = question, true
	return nil
}

// configure makes the scheduler of a Policy, unless it is there.
func (s *Scheduler) configure(policy string) *Problem {
	if s.framework != nil && s.policy == policy {
		return nil
	}
	containCrashes()
	if s.framework != nil {
		close(s.framework.stop)
	}
	s.framework, s.shown = nil, false
	made, err := newFramework(policy)
	if err != nil && policy != "" {
		return &Problem{"refused-configuration", "config", err.Error()}
	}
	if err != nil {
		return &Problem{"not-ready", "", err.Error()}
	}
	s.framework, s.policy, s.idle = made, policy, runtime.NumGoroutine()
	return nil
}

// attempt is one scheduling cycle of a pod.
type attempt struct {
	f        *Framework
	pod      *v1.Pod
	question *Question
	decision *Decision
	timings  Timings
	preempts bool // it has come to preemption
}

func (a *attempt) run() {
	if err := basicChecks(a.pod, a.f.informers.Core().V1().PersistentVolumeClaims().Lister()); err != nil {
		a.fail(err)
		return
	}
	if len(a.question.Nodes) == 0 {
		a.fail(core.ErrNoNodesAvailable)
		return
	}
	if err := snapshot(pointerOf(a.f.Algorithm)); err != nil {
		a.fail(err)
		return
	}
	begin := time.Now()
	feasible, failed, err := findNodesThatFit(pointerOf(a.f.Algorithm), a.pod, a.question.Nodes)
	a.timings.FilterNs = time.Since(begin).Nanoseconds()
	if err != nil {
		a.fail(err)
		return
	}
	if len(feasible) > 0 {
		a.decision.Outcome, a.decision.Filter = outcomeFits, describeFailed(failed)
		a.decision.Feasible = inOrder(a.question.Nodes, byName(feasible))
		return
	}
	a.preempt(&core.FitError{Pod: a.pod, NumAllNodes: len(a.question.Nodes), FailedPredicates: failed})
}

// fail ends an attempt that errs before preemption.
func (a *attempt) fail(err error) {
	a.decision.Outcome = outcomeError
	a.decision.Reason = err.Error()
	a.decision.Message = err.Error()
}

// byName returns nodes by their names.
func byName(nodes []*v1.Node) map[string]*v1.Node {
	named := map[string]*v1.Node{}
	for _, node := range nodes {
		named[node.Name] = node
	}
	return named
}

// inOrder returns the names of a map in the order of nodes. Extenders may name others: these come last.
func inOrder[V any](nodes []*v1.Node, of map[string]V) []string {
	var names, others []string
	known := byName(nodes)
	for name := range of {
		if known[name] == nil {
			others = append(others, name)
		}
	}
	for _, node := range nodes {
		if _, ok := of[node.Name]; ok {
			names = append(names, node.Name)
		}
	}
	sort.Strings(others)
	return append(names, others...)
}

// describeFailed describes why each node does not fit. The release has reasons, no codes: the code says whether it takes
// the node for one where preemption might help.
func describeFailed(failed core.FailedPredicateMap) map[string]Status {
	var nodes []*v1.Node
	for name := range failed {
		nodes = append(nodes, &v1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}})
	}
	helped := byName(potentialNodes(nodes, failed))
	described := make(map[string]Status, len(failed))
	for name, reasons := range failed {
		status := Status{Code: codeUnresolvable}
		if helped[name] != nil {
			status.Code = codeUnschedulable
		}
		for _, reason := range reasons {
			status.Reasons = append(status.Reasons, reason.GetReason())
		}
		described[name] = status
	}
	return described
}

func namesOf(pods []*v1.Pod) []string {
	names := make([]string, len(pods))
	for i, pod := range pods {
		names[i] = fmt.Sprintf("%s/%s", pod.Namespace, pod.Name)
	}
	return names
}
