//go:build !since1_35

package main

// heapChooses: up to v1.34 the scheduler chooses among the nodes of the highest total at random.
const heapChooses = false

func chosenByHeap(best []string, _ string, _ *Observer, _ bool) []string { return best }
