//go:build !since1_32

package main

import (
	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// statuses are what the first pass or the dry run says of nodes. Up to v1.31 this is a map; a node that it does not
// have is one where preemption cannot help.
type statuses = framework.NodeToStatusMap

func newStatuses() statuses { return framework.NodeToStatusMap{} }

func setStatus(s statuses, node string, status *status) { s[node] = status }

// statusOf returns the status of a node, or nil.
func statusOf(s statuses, node string) *status { return s[node] }

// setAll gives the status of a failed PreFilter to all nodes.
func setAll(s statuses, nodes []nodeInfo, status *status) {
	for _, node := range nodes {
		s[node.Node().Name] = status
	}
}

// setExcluded is for the nodes that a PreFilter left out: they get no status.
func setExcluded(statuses, []string) {}

func fitError(pod *v1.Pod, nodeCount int, s statuses, preFilter, postFilter string) error {
	return &framework.FitError{Pod: pod, NumAllNodes: nodeCount, Diagnosis: framework.Diagnosis{
		NodeToStatusMap: s, PreFilterMsg: preFilter, PostFilterMsg: postFilter}}
}

// found returns the statuses of a search that found no node.
func found(err *framework.FitError) statuses { return err.Diagnosis.NodeToStatusMap }

// explicit returns the nodes that have a status of their own, with it.
func explicit(s statuses) map[string]*status { return s }
