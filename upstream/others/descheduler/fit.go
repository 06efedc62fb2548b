package main

import (
	"context"
	"strings"

	v1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"sigs.k8s.io/descheduler/pkg/descheduler/node"
	podutil "sigs.k8s.io/descheduler/pkg/descheduler/pod"
)

const (
	name    = "descheduler NodeFit"
	module  = "sigs.k8s.io/descheduler"
	version = "v0.36.0"
)

var features = []string{"core", "requests", "pdbs", "nominated", "taints", "selectors", "ports", "affinity", "spread",
	"nodeFeatures", "volumes"}

// claimed are the plug-ins of kube-scheduler that decide what the README names in "Node Fit filtering": node selectors, taints,
// node affinity, requests, unschedulable, and anti-affinity between pods.
var claimed = []string{"NodeUnschedulable", "TaintToleration", "NodeAffinity", "NodeResourcesFit", "InterPodAffinity"}

// outsideClaim says why the whole question is not claimed. A pod with a node is one that runs: its own requests are not
// checked there.
func outsideClaim(cluster *Cluster) string {
	if cluster.Pod.Spec.NodeName != "" {
		return "spec.nodeName: to the descheduler the pod runs there"
	}
	return ""
}

// newJudge returns NodeFit, with an index of the cluster's pods by node.
func newJudge(cluster *Cluster) func(*v1.Node) Verdict {
	informer := informers.NewSharedInformerFactory(fake.NewClientset(), 0).Core().V1().Pods().Informer()
	podsOf, err := podutil.BuildGetPodsAssignedToNodeFunc(informer)
	if err != nil {
		panic(err)
	}
	for _, pods := range cluster.bound {
		for _, pod := range pods {
			if err := informer.GetIndexer().Add(pod); err != nil {
				panic(err)
			}
		}
	}
	return func(each *v1.Node) Verdict {
		if err := node.NodeFit(context.Background(), podsOf, cluster.Pod, each); err != nil {
			return rejected(criterion(err.Error()))
		}
		if hasAffinity(cluster.Pod) {
			return "podAffinity is not claimed"
		}
		return fits
	}
}

// hasAffinity says whether a pod requires other pods. NodeFit claims anti-affinity alone.
func hasAffinity(pod *v1.Pod) bool {
	affinity := pod.Spec.Affinity
	return affinity != nil && affinity.PodAffinity != nil &&
		len(affinity.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution) > 0
}

// criterion returns the plug-in that has the criterion of an error of NodeFit, and its text without the name of a resource.
func criterion(text string) (plugin, reason string) {
	switch {
	case text == "node is not schedulable":
		return "NodeUnschedulable", text
	case strings.HasPrefix(text, "pod node selector"):
		return "NodeAffinity", text
	case strings.HasPrefix(text, "pod does not tolerate"):
		return "TaintToleration", text
	case strings.HasPrefix(text, "pod matches inter-pod anti-affinity"):
		return "InterPodAffinity", text
	case strings.HasPrefix(text, "insufficient "):
		return "NodeResourcesFit", "insufficient resource"
	}
	return "", text
}
