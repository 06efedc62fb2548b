package main

import (
	"errors"
	"fmt"
	_ "unsafe" // for go:linkname

	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/preemption"
)

// callExtenders is the release's own function that has extenders choose among candidates. PostFilter runs it, but
// shows neither the candidates that are left nor their violations.
//
//go:linkname callExtenders k8s.io/kubernetes/pkg/scheduler/framework/preemption.(*Evaluator).callExtenders
func callExtenders(evaluator *preemption.Evaluator, logger klog.Logger, pod *v1.Pod, candidates []preemption.Candidate) ([]preemption.Candidate, *status)

// refuser is the name of an extender that leaves no node.
const refuser = "refuser"

// answerForAll makes the extenders of a scheduler, and one more, which leaves no node, ask the tables of the question.
func (c *Cycle) answerForAll() error {
	last, err := scheduler.NewHTTPExtender(&config.Extender{URLPrefix: refuser, FilterVerb: "filter", NodeCacheCapable: true})
	if err != nil {
		return err
	}
	c.refusing = append(c.Extenders[:len(c.Extenders):len(c.Extenders)], last)
	for _, each := range c.refusing {
		answerFor(each, &c.extenders)
	}
	return nil
}

// statusesBeside returns the statuses of the nodes that are not feasible for a pod that was scheduled, which the scheduler
// drops. An extender more, which leaves no node, makes it return them.
func (c *Cycle) statusesBeside(question *Question) statuses {
	own := c.Extenders
	c.Extenders = c.refusing
	defer func() { c.Extenders = own }()
	_, err := c.run(c.profile(question), question)
	var fitError *framework.FitError
	if !errors.As(err, &fitError) {
		panic(fmt.Sprintf("an extender left no node, and the error is %v", err))
	}
	return found(fitError)
}
