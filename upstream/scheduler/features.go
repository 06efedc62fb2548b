package main

// features are the parts of the protocol that the release can answer.
var features = []string{"core", "requests", "pdbs", "nominated", "taints", "selectors", "ports", "affinity", "spread",
	"nodeFeatures", "volumes", "filter", "dryRun", "offset", "quota", "nomination", "repeat", "message", "timings",
	"schedule", "start", "config", "featureGates", "extenders", "sameCluster"}
