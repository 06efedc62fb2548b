//go:build since1_34

package main

import (
	v1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// From v1.34 on nodes and pods are interfaces of the published module.
type (
	cycleState = fwk.CycleState
	nodeInfo   = fwk.NodeInfo
	podInfo    = fwk.PodInfo
	status     = fwk.Status
)

const (
	codeError         = fwk.Error
	codeUnschedulable = fwk.Unschedulable
	codeUnresolvable  = fwk.UnschedulableAndUnresolvable
	codeWait          = fwk.Wait
)

var newStatus = fwk.NewStatus

func hasAffinity(node nodeInfo) bool { return len(node.GetPodsWithAffinity()) > 0 }
func hasRequiredAntiAffinity(node nodeInfo) bool {
	return len(node.GetPodsWithRequiredAntiAffinity()) > 0
}
func claimUses(node nodeInfo, key string) int { return node.GetPVCRefCounts()[key] }

func newPodInfo(pod *v1.Pod) (podInfo, error) { return framework.NewPodInfo(pod) }

func podOf(info podInfo) *v1.Pod         { return info.GetPod() }
func podInfosOf(node nodeInfo) []podInfo { return node.GetPods() }
