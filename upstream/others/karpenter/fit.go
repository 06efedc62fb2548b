package main

import (
	"strings"

	v1 "k8s.io/api/core/v1"
)

const (
	name    = "Karpenter simulation"
	module  = "sigs.k8s.io/karpenter"
	version = "v1.14.1"
)

var features = []string{"core", "requests", "pdbs", "nominated", "taints", "selectors", "ports", "affinity", "spread",
	"nodeFeatures", "volumes"}

// claimed are the plug-ins of kube-scheduler that decide what the README and CanAdd name: taints and tolerations, host ports,
// requirements of nodes, resources, and topology (affinity, anti-affinity, spread).
var claimed = []string{"TaintToleration", "NodeAffinity", "NodePorts", "NodeResourcesFit", "PodTopologySpread",
	"InterPodAffinity"}

// outsideClaim says why the whole question is not claimed: Karpenter tries pending pods only, and refuses what its
// Validate names.
func outsideClaim(cluster *Cluster) string {
	if cluster.Pod.Spec.NodeName != "" {
		return "spec.nodeName: Karpenter tries no bound pod"
	}
	for i := range cluster.Pod.Spec.Volumes {
		volume := &cluster.Pod.Spec.Volumes[i]
		if volume.PersistentVolumeClaim != nil || volume.Ephemeral != nil {
			return "claims: this adapter gives Karpenter none"
		}
	}
	if affinity := cluster.Pod.Spec.Affinity; affinity != nil && affinity.NodeAffinity != nil {
		required := affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
		if required != nil && len(required.NodeSelectorTerms) == 0 {
			return "an empty list of nodeSelectorTerms: an API server refuses it"
		}
	}
	for _, constraint := range cluster.Pod.Spec.TopologySpreadConstraints {
		if len(constraint.MatchLabelKeys) > 0 && constraint.LabelSelector == nil {
			return "matchLabelKeys without a labelSelector: an API server refuses it"
		}
	}
	if len(cluster.Pod.Status.ContainerStatuses)+len(cluster.Pod.Status.InitContainerStatuses) > 0 {
		return "statuses of containers: no pending pod has them"
	}
	if usesHostname(cluster) && lacksHostname(cluster.Nodes) {
		return "nodes without the label kubernetes.io/hostname: no live cluster has them"
	}
	if err := newSimulation(cluster).validate(); err != nil {
		return "refused by Karpenter: " + firstLine(err)
	}
	return ""
}

// newJudge returns the simulation with one existing node at a time.
func newJudge(cluster *Cluster) func(*v1.Node) Verdict {
	simulation := newSimulation(cluster)
	return func(node *v1.Node) Verdict {
		if node.Spec.Unschedulable && !hasTaint(node, v1.TaintNodeUnschedulable) {
			return "spec.unschedulable without its taint: no live cluster has such a node"
		}
		if simulation.solves(node.Name) {
			return fits
		}
		return rejected(simulation.criterion(node.Name))
	}
}

// usesHostname says whether a term of a pod has the host name as its topology key.
func usesHostname(cluster *Cluster) bool {
	pods := []*v1.Pod{cluster.Pod}
	for _, bound := range cluster.bound {
		pods = append(pods, bound...)
	}
	for _, pod := range pods {
		for _, constraint := range pod.Spec.TopologySpreadConstraints {
			if constraint.TopologyKey == v1.LabelHostname {
				return true
			}
		}
		affinity := pod.Spec.Affinity
		if affinity == nil {
			continue
		}
		var terms []v1.PodAffinityTerm
		if affinity.PodAffinity != nil {
			terms = append(terms, affinity.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution...)
		}
		if affinity.PodAntiAffinity != nil {
			terms = append(terms, affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution...)
		}
		for _, term := range terms {
			if term.TopologyKey == v1.LabelHostname {
				return true
			}
		}
	}
	return false
}

func lacksHostname(nodes []*v1.Node) bool {
	for _, node := range nodes {
		if _, found := node.Labels[v1.LabelHostname]; !found {
			return true
		}
	}
	return false
}

func hasTaint(node *v1.Node, key string) bool {
	for _, taint := range node.Spec.Taints {
		if taint.Key == key {
			return true
		}
	}
	return false
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
