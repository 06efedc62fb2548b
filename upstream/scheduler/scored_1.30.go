//go:build since1_30

package main

// scoredNode is what the scorers get of a node: from v1.30 on what the scheduler knows of it.
type scoredNode = nodeInfo
