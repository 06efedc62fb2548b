//go:build !since1_30

package main

import v1 "k8s.io/api/core/v1"

// scoredNode is what the scorers get of a node: in v1.29 the object.
type scoredNode = *v1.Node
