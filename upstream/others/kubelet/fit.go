package main

import (
	"context"
	"slices"
	"strings"

	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

const (
	name    = "kubelet admission"
	module  = "k8s.io/kubernetes"
	version = "v1.34.4"
)

var features = []string{"core", "requests", "pdbs", "nominated", "taints", "selectors", "ports", "affinity", "spread",
	"nodeFeatures", "volumes"}

// claimed are the plug-ins whose filtering logic AdmissionCheck calls, by its own words.
var claimed = []string{"NodeName", "NodeAffinity", "NodePorts", "NodeResourcesFit"}

// outsideClaim says why the whole question is not claimed: never.
func outsideClaim(*Cluster) string { return "" }

// newJudge returns the admission of pods by the kubelet of each node.
func newJudge(cluster *Cluster) func(*v1.Node) Verdict {
	return func(node *v1.Node) Verdict {
		handler := lifecycle.NewPredicateAdmitHandler(
			func() (*v1.Node, error) { return node, nil },
			asGiven{},
			func(*framework.NodeInfo, *lifecycle.PodAdmitAttributes) error { return nil })
		attributes := &lifecycle.PodAdmitAttributes{Pod: cluster.Pod.DeepCopy(), OtherPods: cluster.bound[node.Name]}
		if result := handler.Admit(attributes); !result.Admit {
			return rejected(criterion(result.Reason))
		}
		return fits
	}
}

// asGiven leaves the reasons of a rejection as they are: no pod is evicted for a critical one.
type asGiven struct{}

func (asGiven) HandleAdmissionFailure(_ context.Context, _ *v1.Pod, reasons []lifecycle.PredicateFailureReason) (
	[]lifecycle.PredicateFailureReason, error) {
	return reasons, nil
}

// criterion returns the plug-in that has the criterion of a reason, and the reason without the name of an extended resource.
func criterion(reason string) (plugin, text string) {
	switch reason {
	case lifecycle.OutOfCPU, lifecycle.OutOfMemory, lifecycle.OutOfEphemeralStorage, lifecycle.OutOfPods:
		return "NodeResourcesFit", reason
	}
	if strings.HasPrefix(reason, lifecycle.InsufficientResourcePrefix) {
		return "NodeResourcesFit", lifecycle.InsufficientResourcePrefix + " an extended resource"
	}
	if slices.Contains(claimed, reason) {
		return reason, reason
	}
	return "", reason
}
