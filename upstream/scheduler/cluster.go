package main

import (
	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// Cluster is what the scheduler's cache and queue know when the pod is tried: the nodes in the order of the question,
// each with its pods in the order of the question, and the nominated pods.
type Cluster struct {
	question  *Question
	bound     map[string][]*v1.Pod // by node
	nominated map[string][]podInfo // by node
	nodes     []nodeInfo           // from build on
	byName    map[string]nodeInfo  // from build on
}

func newCluster(question *Question) *Cluster {
	bound, nominated := input(question)
	cluster := &Cluster{question: question, bound: bound, nominated: map[string][]podInfo{}}
	for name, pods := range nominated {
		for _, pod := range pods {
			// Kubernetes, too, goes on with what could be read of terms that make no sense.
			info, _ := newPodInfo(pod)
			cluster.nominated[name] = append(cluster.nominated[name], info)
		}
	}
	return cluster
}

// ask makes a question about the same objects, with another pod, that of the cluster.
func (c *Cluster) ask(question *Question) {
	question.takeObjects(c.question)
	c.question = question
}

// build makes what plugins see of the nodes. A whole scheduler makes this by itself.
func (c *Cluster) build() {
	if c.nodes != nil {
		return
	}
	c.byName = make(map[string]nodeInfo, len(c.question.Nodes))
	for _, node := range c.question.Nodes {
		info := framework.NewNodeInfo(c.bound[node.Name]...)
		info.SetNode(node)
		c.nodes = append(c.nodes, info)
		c.byName[node.Name] = info
	}
}
