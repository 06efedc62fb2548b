package main

import (
	"fmt"
	"runtime"
	"sort"
	"sync"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/scheduler/algorithm"
	schedulerapi "k8s.io/kubernetes/pkg/scheduler/api"
	schedulercache "k8s.io/kubernetes/pkg/scheduler/cache"
	"k8s.io/kubernetes/pkg/scheduler/core"
)

// defaultPercentage is how many of the nodes the release searches by default.
const defaultPercentage = 50

// Observer keeps the scores of a cycle: of each node by each priority function, normalised, and by all extenders.
type Observer struct {
	mutex    sync.Mutex
	weights  map[string]int64
	scores   map[string]Scores // nil: nothing is observed
	extended map[string]int64
}

// observe has the priority functions of an algorithm tell what they answer.
func observe(of algorithm.ScheduleAlgorithm) *Observer {
	observer := &Observer{weights: map[string]int64{}}
	observer.forget()
	prioritizers := *member[[]algorithm.PriorityConfig](of, "prioritizers")
	for i := range prioritizers {
		observer.watch(&prioritizers[i])
	}
	return observer
}

// watch replaces the functions of a priority by some that call them and keep their answers; the last one counts.
func (o *Observer) watch(priority *algorithm.PriorityConfig) {
	name := priority.Name
	o.weights[name] = int64(priority.Weight)
	if compute := priority.Map; compute != nil {
		priority.Map = func(pod *v1.Pod, meta interface{}, node *schedulercache.NodeInfo) (schedulerapi.HostPriority, error) {
			score, err := compute(pod, meta, node)
			o.keep(name, score)
			return score, err
		}
	}
	if normalise := priority.Reduce; normalise != nil {
		priority.Reduce = func(pod *v1.Pod, meta interface{}, nodes map[string]*schedulercache.NodeInfo, scores schedulerapi.HostPriorityList) error {
			defer catch() // the release starts a goroutine here, which would end the process
			err := normalise(pod, meta, nodes, scores)
			o.keep(name, scores...)
			return err
		}
	}
	if compute := priority.Function; compute != nil {
		priority.Function = func(pod *v1.Pod, infos map[string]*schedulercache.NodeInfo, nodes []*v1.Node) (schedulerapi.HostPriorityList, error) {
			scores, err := compute(pod, infos, nodes)
			o.keep(name, scores...)
			return scores, err
		}
	}
}

// keep keeps scores, times the weight.
func (o *Observer) keep(name string, scores ...schedulerapi.HostPriority) {
	if o.scores == nil {
		return
	}
	o.mutex.Lock()
	defer o.mutex.Unlock()
	for _, score := range scores {
		if o.scores[score.Host] == nil {
			o.scores[score.Host] = Scores{}
		}
		o.scores[score.Host][name] = int64(score.Score) * o.weights[name]
	}
}

// add keeps scores of one extender, times the weight, with those of others.
func (o *Observer) add(scores schedulerapi.HostPriorityList, weight int) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	for _, score := range scores {
		o.extended[score.Host] += int64(score.Score) * int64(weight)
	}
}

func (o *Observer) forget() { o.scores, o.extended = map[string]Scores{}, map[string]int64{} }

// catch records a panic.
func catch() {
	if reason := recover(); reason != nil {
		recordCrash(reason)
	}
}

// schedule runs the release's own Schedule. If no node is feasible, the rest is as for run.
func (a *attempt) schedule() {
	percentage := member[int32](a.f.Algorithm, "percentageOfNodesToScore")
	everyNode := *percentage
	defer func() { *percentage = everyNode }()
	if a.question.Start != nil {
		*percentage = defaultPercentage
	}
	if a.question.Timings {
		a.timings.ScheduleNs = a.time()
	}
	*member[uint64](a.f.Algorithm, "lastNodeIndex") = 0
	host, err := a.scheduleOnce()
	if fitError, noneFits := err.(*core.FitError); noneFits {
		*percentage = everyNode
		if len(a.f.askedExtenders()) > 0 {
			a.preempt(fitError) // the search may have left out nodes before extenders rejected the others
		} else {
			a.run()
		}
		return
	}
	if err == nil {
		a.decision.Outcome = outcomeScheduled
		a.describePlacement(host, a.f.observer.scores)
		a.decision.Filter, err = a.rejected()
	}
	if a.question.Repeat > 0 && err == nil {
		a.decision.Observed = map[string]int{host: 1}
	}
	for i := 1; i < a.question.Repeat && err == nil; i++ {
		host, err = a.scheduleOnce()
		if _, noneFits := err.(*core.FitError); noneFits {
			err = nil // of volumes of one size one is taken at random
			continue
		}
		a.decision.Observed[host]++
	}
	if err != nil {
		a.fail(err)
	}
}

// time measures a run of its own, which nothing observes.
func (a *attempt) time() int64 {
	a.f.observer.scores = nil
	a.begin()
	begin := time.Now()
	_, _ = a.f.Algorithm.Schedule(a.pod, a.f.NodeLister) // the run that is observed shows what it answers
	return time.Since(begin).Nanoseconds()
}

// scheduleOnce has the scheduler place the pod, with the tie counter where it is.
func (a *attempt) scheduleOnce() (host string, err error) {
	counter := member[uint64](a.f.Algorithm, "lastNodeIndex")
	before := *counter
	a.untilSettled(func() string {
		*counter = before
		a.f.observer.forget()
		a.begin()
		host, err = a.f.Algorithm.Schedule(a.pod, a.f.NodeLister)
		if fitError, noneFits := err.(*core.FitError); noneFits {
			return fmt.Sprint(nodesIn(fitError.FailedPredicates))
		}
		return fmt.Sprint(host, a.f.observer.scores)
	})
	return host, err
}

// rejected describes why the nodes that a search looked at do not fit.
func (a *attempt) rejected() (described map[string]Status, err error) {
	a.untilSettled(func() string {
		a.begin()
		var failed core.FailedPredicateMap
		if _, failed, err = findNodesThatFit(pointerOf(a.f.Algorithm), a.pod, a.question.Nodes); err == nil {
			described = describeFailed(failed)
		}
		return fmt.Sprint(nodesIn(failed))
	})
	return described, err
}

// nodesIn names the nodes that do not fit. The order of their reasons is that of a map, another one in each search.
func nodesIn(failed core.FailedPredicateMap) []string {
	var names []string
	for name := range failed {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// untilSettled repeats a search until three in a row found the same. A search with start ends in the midst of the nodes.
// Its workers take turns, and each looks at one node after the other until it is interrupted: then another worker goes on,
// and the search finds nodes in another order. The garbage collector interrupts a worker now and then, and Go's scheduler
// one that runs for timeSlice: a search that takes longer counts for nothing.
func (a *attempt) untilSettled(search func() string) {
	if a.question.Start == nil || *parallelism != 1 {
		search()
		return
	}
	last, times := "", 0
	for i := 0; times < 3; i++ {
		if i == searchesMax {
			panic(unsettled)
		}
		runtime.Gosched() // a time slice begins
		begin := time.Now()
		found := search()
		if time.Since(begin) >= timeSlice {
			times = 0
			continue
		}
		if found != last {
			last, times = found, 0
		}
		times++
	}
}

const (
	searchesMax = 100                   // ends searches that never find the same
	timeSlice   = 10 * time.Millisecond // of Go's scheduler
	unsettled   = "start: no three searches in a row find the same nodes, because its workers are interrupted"
)

// begin has the next search begin at the node with index start, in the order of the node tree.
func (a *attempt) begin() {
	tree := a.f.SchedulerCache.NodeTree()
	resetNodeTree(tree)
	if a.question.Start == nil || len(a.question.Nodes) == 0 {
		return
	}
	for i := int64(0); i < *a.question.Start%int64(len(a.question.Nodes)); i++ {
		tree.Next()
	}
}

// describePlacement describes where the pod goes, and why. With one feasible node there are no scores. Without
// priorities and extenders each feasible node has the total 1.
func (a *attempt) describePlacement(host string, scores map[string]Scores) {
	neverScores := len(a.f.observer.weights) == 0
	if neverScores {
		scores = a.unscored()
	}
	if len(scores) == 0 {
		a.decision.Feasible, a.decision.Best, a.decision.Node = []string{host}, []string{host}, host
		return
	}
	a.decision.Scores, a.decision.Totals = scores, map[string]int64{}
	for node, parts := range scores {
		if extended, ok := a.f.observer.extended[node]; ok {
			parts["extenders"] = extended
		}
		total := int64(0)
		if neverScores && len(a.f.askedExtenders()) == 0 {
			total = 1
		}
		for _, score := range parts {
			total += score
		}
		a.decision.Totals[node] = total
	}
	highest := a.decision.Totals[host]
	a.decision.Feasible = inOrder(a.question.Nodes, scores)
	for _, node := range a.decision.Feasible {
		total := a.decision.Totals[node]
		if total > highest {
			panic(fmt.Sprintf("%s is chosen with a total of %d, and %s has %d", host, highest, node, total))
		}
		if total == highest {
			a.decision.Best = append(a.decision.Best, node)
		}
	}
	a.decision.Node = a.decision.Best[0]
}

// unscored returns the feasible nodes, if there are several, each without any score.
func (a *attempt) unscored() map[string]Scores {
	a.begin()
	feasible, _, err := findNodesThatFit(pointerOf(a.f.Algorithm), a.pod, a.question.Nodes)
	if err != nil {
		panic(err)
	}
	scores := map[string]Scores{}
	for _, node := range feasible {
		scores[node.Name] = Scores{}
	}
	if len(scores) == 1 {
		return nil
	}
	return scores
}
