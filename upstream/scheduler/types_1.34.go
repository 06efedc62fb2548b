//go:build since1_34 && !since1_35

package main

import (
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// In v1.34 statuses, the cycle state, nodes and pods moved to the published module.
type (
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
	draManager     = framework.SharedDRAManager
)

const modeOverride = framework.ModeOverride
