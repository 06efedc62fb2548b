//go:build since1_35

package main

// heapChooses: from v1.35 on the order in which nodes were found decides among those of the highest total.
const heapChooses = true
