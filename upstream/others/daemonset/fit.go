package main

import (
	apps "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/controller/daemon"
	"k8s.io/kubernetes/pkg/controller/daemon/util"
)

const (
	name    = "DaemonSet controller"
	module  = "k8s.io/kubernetes"
	version = "v1.34.4"
)

var features = []string{"core", "requests", "pdbs", "nominated", "taints", "selectors", "ports", "affinity", "spread",
	"nodeFeatures", "volumes"}

// claimed are the plug-ins of which NodeShouldRunDaemonPod evaluates the predicates.
var claimed = []string{"NodeName", "NodeAffinity", "TaintToleration"}

// outsideClaim says why the whole question is not claimed: never.
func outsideClaim(*Cluster) string { return "" }

// newJudge returns the controller's decision for a DaemonSet whose template is the pod.
func newJudge(cluster *Cluster) func(*v1.Node) Verdict {
	set := &apps.DaemonSet{ObjectMeta: *cluster.Pod.ObjectMeta.DeepCopy()}
	set.Spec.Template.Spec = *cluster.Pod.Spec.DeepCopy()
	set.Spec.Template.Labels = cluster.Pod.Labels
	daemonPod := cluster.Pod.DeepCopy()
	util.AddOrUpdateDaemonPodTolerations(&daemonPod.Spec)
	added := daemonPod.Spec.Tolerations
	return func(node *v1.Node) Verdict {
		if node.Spec.Unschedulable {
			return "daemon pods run on unschedulable nodes"
		}
		for i := range node.Spec.Taints {
			if tolerates(added, &node.Spec.Taints[i]) && !tolerates(cluster.Pod.Spec.Tolerations, &node.Spec.Taints[i]) {
				return "the controller adds a toleration"
			}
		}
		// The template's spec is copied: the controller writes to it.
		if shouldRun, _ := daemon.NodeShouldRunDaemonPod(node, set.DeepCopy()); !shouldRun {
			return rejected("", "the node should not run the daemon pod")
		}
		return fits
	}
}

func tolerates(tolerations []v1.Toleration, taint *v1.Taint) bool {
	for i := range tolerations {
		if tolerations[i].ToleratesTaint(taint) {
			return true
		}
	}
	return false
}
