package main

import (
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// Cluster is what the scheduler's cache and queue know when the pod is tried: the nodes in the order of the question,
// each with its pods in the order of the question, and the nominated pods.
type Cluster struct {
	nodes     []nodeInfo
	byName    map[string]nodeInfo
	nominated map[string][]podInfo
}

func newCluster(question *Question) *Cluster {
	cluster := &Cluster{
		byName:    make(map[string]nodeInfo, len(question.Nodes)),
		nominated: map[string][]podInfo{},
	}
	bound, nominated := input(question)
	for name, pods := range nominated {
		for _, pod := range pods {
			// Kubernetes, too, goes on with what could be read of terms that make no sense.
			info, _ := newPodInfo(pod)
			cluster.nominated[name] = append(cluster.nominated[name], info)
		}
	}
	for _, node := range question.Nodes {
		info := framework.NewNodeInfo(bound[node.Name]...)
		info.SetNode(node)
		cluster.nodes = append(cluster.nodes, info)
		cluster.byName[node.Name] = info
	}
	return cluster
}
