//go:build since1_35

package main

import fwk "k8s.io/kube-scheduler/framework"

// From v1.35 on everything that a plugin meets stands in the published module.
type (
	nodeInfoLister = fwk.NodeInfoLister
	storageLister  = fwk.StorageInfoLister
	nodeScores     = fwk.NodePluginScores
	nominatingInfo = fwk.NominatingInfo
	nominator      = fwk.PodNominator
	extender       = fwk.Extender
	handle         = fwk.Handle
	plugin         = fwk.Plugin
	postFilterInfo = fwk.PostFilterResult
	preFilterInfo  = fwk.PreFilterResult
	draManager     = fwk.SharedDRAManager
)

const modeOverride = fwk.ModeOverride
