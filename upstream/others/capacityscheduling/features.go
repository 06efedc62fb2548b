package main

const (
	name    = "scheduler-plugins CapacityScheduling"
	module  = "sigs.k8s.io/scheduler-plugins"
	version = "v0.34.7"
)

// features are those that PostFilter shows. It evaluates every node, so that nothing is sampled, and it keeps the statuses of
// its dry run.
var features = []string{"core", "requests", "pdbs", "nominated", "taints", "selectors", "ports", "affinity", "spread",
	"nodeFeatures", "volumes", "filter", "nomination"}
