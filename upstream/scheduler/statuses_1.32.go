//go:build since1_32

package main

import (
	"fmt"

	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// statuses are what the first pass or the dry run says of nodes. From v1.32 on there is one for all nodes that have
// none of their own.
type statuses = *framework.NodeToStatus

func newStatuses() statuses { return framework.NewDefaultNodeToStatus() }

func setStatus(s statuses, node string, status *status) { s.Set(node, status) }

// statusOf returns the status of a node, or that of all others.
func statusOf(s statuses, node string) *status { return s.Get(node) }

// setAll gives the status of a failed PreFilter to all nodes.
func setAll(s statuses, _ []nodeInfo, status *status) { s.SetAbsentNodesStatus(status) }

// setExcluded gives the nodes that the PreFilter of these plugins left out their status.
func setExcluded(s statuses, plugins []string) {
	s.SetAbsentNodesStatus(newStatus(codeUnresolvable, fmt.Sprintf("node(s) didn't satisfy plugin(s) %v", plugins)))
}

func fitError(pod *v1.Pod, nodeCount int, s statuses, preFilter, postFilter string) error {
	return &framework.FitError{Pod: pod, NumAllNodes: nodeCount, Diagnosis: framework.Diagnosis{
		NodeToStatus: s, PreFilterMsg: preFilter, PostFilterMsg: postFilter}}
}

// found returns the statuses of a search that found no node.
func found(err *framework.FitError) statuses { return err.Diagnosis.NodeToStatus }

// explicit returns the nodes that have a status of their own, with it.
func explicit(s statuses) map[string]*status {
	own := make(map[string]*status, s.Len())
	s.ForEachExplicitNode(func(name string, status *status) { own[name] = status })
	return own
}
