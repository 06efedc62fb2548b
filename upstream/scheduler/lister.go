package main

import (
	"fmt"

	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
)

// Snapshot shows the plugins the cluster of the question in its order. The scheduler's own snapshot orders nodes by
// zone and, from v1.32 on, differently in each process.
type Snapshot struct{ cluster *Cluster }

func (s *Snapshot) NodeInfos() nodeInfoLister   { return s }
func (s *Snapshot) StorageInfos() storageLister { return s }

func (s *Snapshot) List() ([]nodeInfo, error) { return s.cluster.nodes, nil }

func (s *Snapshot) HavePodsWithAffinityList() ([]nodeInfo, error) {
	return s.those(hasAffinity), nil
}

func (s *Snapshot) HavePodsWithRequiredAntiAffinityList() ([]nodeInfo, error) {
	return s.those(hasRequiredAntiAffinity), nil
}

func (s *Snapshot) Get(name string) (nodeInfo, error) {
	if node, ok := s.cluster.byName[name]; ok {
		return node, nil
	}
	return nil, fmt.Errorf("nodeinfo not found for node name %q", name)
}

func (s *Snapshot) IsPVCUsedByPods(key string) bool {
	for _, node := range s.cluster.nodes {
		if claimUses(node, key) > 0 {
			return true
		}
	}
	return false
}

func (s *Snapshot) those(wanted func(nodeInfo) bool) []nodeInfo {
	var nodes []nodeInfo
	for _, node := range s.cluster.nodes {
		if wanted(node) {
			nodes = append(nodes, node)
		}
	}
	return nodes
}

// Nominator knows the nominated pods of the question, and nothing changes them.
type Nominator struct{ cluster *Cluster }

func (n *Nominator) NominatedPodsForNode(node string) []podInfo             { return n.cluster.nominated[node] }
func (n *Nominator) AddNominatedPod(klog.Logger, podInfo, *nominatingInfo)  {}
func (n *Nominator) DeleteNominatedPodIfExists(*v1.Pod)                     {}
func (n *Nominator) UpdateNominatedPod(_ klog.Logger, _ *v1.Pod, _ podInfo) {}

var _ nominator = &Nominator{}
