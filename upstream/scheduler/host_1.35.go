//go:build since1_35

package main

// heapChooses: from v1.35 on the order in which nodes were found decides among those of the highest total.
const heapChooses = true

// chosenByHeap returns the nodes that may be the host, of those of the highest total. Nodes that extenders score have a
// random number that decides among them, and come before all others. Among the others the order of the search decides; if
// it is not known, each may be the host.
func chosenByHeap(best []string, host string, observer *Observer, isOrdered bool) (chosen []string) {
	drawn := map[string]bool{}
	for _, node := range observer.scores {
		drawn[node.Name] = node.Randomizer != 0
	}
	if !drawn[host] && isOrdered {
		return []string{host}
	}
	if !drawn[host] {
		return best
	}
	for _, name := range best {
		if drawn[name] {
			chosen = append(chosen, name)
		}
	}
	return chosen
}
