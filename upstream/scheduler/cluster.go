package main

import (
	"fmt"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// Cluster is what the scheduler's cache and queue know when the pod is tried: the nodes in the order of the question,
// each with its pods in the order of the question, and the nominated pods.
type Cluster struct {
	nodes     []nodeInfo
	byName    map[string]nodeInfo
	nominated map[string][]podInfo
}

// newCluster applies the input rules of spec/protocol.md. It gives a UID to pods that have none, since Kubernetes tells
// pods apart by it.
func newCluster(question *Question) *Cluster {
	cluster := &Cluster{
		byName:    make(map[string]nodeInfo, len(question.Nodes)),
		nominated: map[string][]podInfo{},
	}
	setNamespaces(question)
	bound := make(map[string][]*v1.Pod, len(question.Nodes))
	for _, node := range question.Nodes {
		bound[node.Name] = nil
	}
	for i, pod := range question.Pods {
		// The informer of pods leaves out those that have ended, wherever they were.
		hasEnded := pod.Status.Phase == v1.PodSucceeded || pod.Status.Phase == v1.PodFailed
		if isPreemptor(pod, question.Pod) || hasEnded {
			continue
		}
		name := pod.Spec.NodeName
		if name == "" {
			name = pod.Status.NominatedNodeName
		}
		if _, known := bound[name]; !known {
			continue
		}
		if pod.UID == "" {
			pod.UID = types.UID(fmt.Sprintf("touchstone/pods[%d]", i))
		}
		if pod.Spec.NodeName != "" {
			bound[name] = append(bound[name], pod)
		} else {
			// Kubernetes, too, goes on with what could be read of terms that make no sense.
			info, _ := newPodInfo(pod)
			cluster.nominated[name] = append(cluster.nominated[name], info)
		}
	}
	if question.Pod.UID == "" {
		question.Pod.UID = "touchstone/pod"
	}
	for _, node := range question.Nodes {
		info := framework.NewNodeInfo(bound[node.Name]...)
		info.SetNode(node)
		cluster.nodes = append(cluster.nodes, info)
		cluster.byName[node.Name] = info
	}
	return cluster
}

// setNamespaces puts objects without a namespace into the one that an API server would take.
func setNamespaces(question *Question) {
	for _, pod := range append([]*v1.Pod{question.Pod}, question.Pods...) {
		if pod.Namespace == "" {
			pod.Namespace = v1.NamespaceDefault
		}
	}
	for _, pdb := range question.PDBs {
		if pdb.Namespace == "" {
			pdb.Namespace = v1.NamespaceDefault
		}
	}
	for _, claim := range question.PVCs {
		if claim.Namespace == "" {
			claim.Namespace = v1.NamespaceDefault
		}
	}
	for _, capacity := range question.CSIStorageCapacities {
		if capacity.Namespace == "" {
			capacity.Namespace = v1.NamespaceDefault
		}
	}
}

// isPreemptor says whether an entry of pods is the pod of the question itself.
func isPreemptor(entry, pod *v1.Pod) bool {
	if entry.UID != "" || pod.UID != "" {
		return entry.UID == pod.UID
	}
	return entry.Namespace == pod.Namespace && entry.Name == pod.Name
}
