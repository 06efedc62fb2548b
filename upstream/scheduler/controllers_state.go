//go:build stepper

package main

import (
	"reflect"
	"sort"
	"time"

	v1 "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// DisruptionState is what can be seen of the disruption controller and of the API.
type DisruptionState struct {
	Now    Moment                 `json:"now"`
	PDBs   map[string]*ShownPDB   `json:"pdbs"`
	Pods   map[string]*PartTarget `json:"pods"` // those with a DisruptionTarget
	Queues map[string]*ShownQueue `json:"queues"`
	Held   []*PartCall            `json:"held"`
	Watch  map[string]int         `json:"watch"`
	Total  int                    `json:"version"`
}

// ShownPDB is the status of a budget.
type ShownPDB struct {
	Generation int64             `json:"generation"`
	Observed   int64             `json:"observedGeneration"`
	Expected   int32             `json:"expectedPods"`
	Desired    int32             `json:"desiredHealthy"`
	Healthy    int32             `json:"currentHealthy"`
	Allowed    int32             `json:"disruptionsAllowed"`
	Disrupted  map[string]Moment `json:"disruptedPods"`
	Condition  *ShownCondition   `json:"condition,omitempty"`
}

// ShownCondition is the condition DisruptionAllowed.
type ShownCondition struct {
	Status   metav1.ConditionStatus `json:"status"`
	Reason   string                 `json:"reason"`
	Since    Moment                 `json:"lastTransitionTime"`
	Observed int64                  `json:"observedGeneration"`
}

func (d *Disruption) state() *DisruptionState {
	state := &DisruptionState{
		Now: Moment{time.Now()}, PDBs: map[string]*ShownPDB{}, Pods: map[string]*PartTarget{}, Queues: map[string]*ShownQueue{},
		Held: append([]*PartCall{}, d.connection.waiting...), Watch: map[string]int{}, Total: d.store.version,
	}
	for name, o := range d.store.objects[kindPDB] {
		state.PDBs[name] = shownPDB(o.(*policy.PodDisruptionBudget))
	}
	for name, o := range d.store.objects[kindPod] {
		for _, condition := range o.(*v1.Pod).Status.Conditions {
			if condition.Type == v1.DisruptionTarget {
				state.Pods[name] = &PartTarget{condition.Status, condition.Reason, Moment{condition.LastTransitionTime.Time}}
			}
		}
	}
	for name := range queueFields {
		state.Queues[name] = d.queue(name)
	}
	for kind, events := range d.store.waiting {
		state.Watch[kind] = len(events)
	}
	return state
}

func shownPDB(pdb *policy.PodDisruptionBudget) *ShownPDB {
	status := pdb.Status
	shown := &ShownPDB{
		pdb.Generation, status.ObservedGeneration, status.ExpectedPods, status.DesiredHealthy, status.CurrentHealthy,
		status.DisruptionsAllowed, map[string]Moment{}, nil,
	}
	for name, at := range status.DisruptedPods {
		shown.Disrupted[name] = Moment{at.Time}
	}
	for _, condition := range status.Conditions {
		shown.Condition = &ShownCondition{condition.Status, condition.Reason, Moment{condition.LastTransitionTime.Time}, condition.ObservedGeneration}
	}
	return shown
}

// stringsIn returns the keys of a list in its order, or those of a set sorted.
func stringsIn(value reflect.Value) []string {
	for value.Kind() == reflect.Interface || value.Kind() == reflect.Pointer {
		value = value.Elem()
	}
	found := []string{}
	text := func(v reflect.Value) string {
		if v.Kind() == reflect.Interface {
			v = v.Elem()
		}
		return v.String()
	}
	if value.Kind() == reflect.Map {
		for _, key := range value.MapKeys() {
			found = append(found, text(key))
		}
		sort.Strings(found)
		return found
	}
	for i := 0; i < value.Len(); i++ {
		found = append(found, text(value.Index(i)))
	}
	return found
}
