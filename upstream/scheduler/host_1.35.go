//go:build since1_35

package main

// heapChooses: from v1.35 on the order in which nodes were found decides among those of the highest total.
const heapChooses = true

// chosenByHeap returns the nodes that may be the host, of those of the highest total. Nodes that extenders score have a
// random number that decides among them, and come before all others.
func chosenByHeap(best []string, host string, observer *Observer) (chosen []string) {
	drawn := map[string]bool{}
	for _, node := range observer.scores {
		drawn[node.Name] = node.Randomizer != 0
	}
	if !drawn[host] {
		return []string{host}
	}
	for _, name := range best {
		if drawn[name] {
			chosen = append(chosen, name)
		}
	}
	return chosen
}
