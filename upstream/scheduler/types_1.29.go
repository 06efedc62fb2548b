//go:build !since1_34

package main

import (
	v1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// Up to v1.33 every type of a plugin's interface stands in package framework, and nodes and pods are structs.
type (
	cycleState     = *framework.CycleState
	nodeInfo       = *framework.NodeInfo
	podInfo        = *framework.PodInfo
	status         = framework.Status
	nodeInfoLister = framework.NodeInfoLister
	storageLister  = framework.StorageInfoLister
	nodeScores     = framework.NodePluginScores
	nominatingInfo = framework.NominatingInfo
	nominator      = framework.PodNominator
	extender       = framework.Extender
	handle         = framework.Handle
	plugin         = framework.Plugin
	postFilterInfo = framework.PostFilterResult
	preFilterInfo  = framework.PreFilterResult
)

const (
	codeError         = framework.Error
	codeUnschedulable = framework.Unschedulable
	codeUnresolvable  = framework.UnschedulableAndUnresolvable
	codeWait          = framework.Wait
	modeOverride      = framework.ModeOverride
)

var (
	newStatus = framework.NewStatus
)

func hasAffinity(node nodeInfo) bool             { return len(node.PodsWithAffinity) > 0 }
func hasRequiredAntiAffinity(node nodeInfo) bool { return len(node.PodsWithRequiredAntiAffinity) > 0 }
func claimUses(node nodeInfo, key string) int    { return node.PVCRefCounts[key] }

func newPodInfo(pod *v1.Pod) (podInfo, error) { return framework.NewPodInfo(pod) }

func podOf(info podInfo) *v1.Pod         { return info.Pod }
func podInfosOf(node nodeInfo) []podInfo { return node.Pods }
