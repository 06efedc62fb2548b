package main

const (
	name    = "scheduler-plugins PreemptionToleration"
	module  = "sigs.k8s.io/scheduler-plugins"
	version = "v0.34.7"
)

// features are those of the kube-scheduler that is linked in, without whole cycles: the plug-in only preempts.
var features = []string{"core", "requests", "pdbs", "nominated", "taints", "selectors", "ports", "affinity", "spread",
	"nodeFeatures", "volumes", "filter", "offset", "quota", "nomination", "repeat", "timings"}
