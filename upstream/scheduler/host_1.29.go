//go:build !since1_35

package main

// heapChooses: up to v1.34 the scheduler chooses among the nodes of the highest total at random.
const heapChooses = false
