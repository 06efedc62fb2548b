//go:build since1_36

package main

import (
	"fmt"

	fwk "k8s.io/kube-scheduler/framework"
)

// PodGroupStates knows no pod group: what looks at them is off by default.
func (s *Snapshot) PodGroupStates() fwk.PodGroupStateLister { return noPodGroups{} }

type noPodGroups struct{}

func (noPodGroups) Get(namespace, name string) (fwk.PodGroupState, error) {
	return nil, fmt.Errorf("pod group %s/%s is not found", namespace, name)
}
