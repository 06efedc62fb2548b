//go:build since1_37

package main

import (
	"errors"
	"fmt"

	v1 "k8s.io/api/core/v1"
	scheduling "k8s.io/api/scheduling/v1alpha3"
	schedulingbeta "k8s.io/api/scheduling/v1beta1"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
)

// From v1.37 on preemption reads a lister that can be changed for a while. Only preemption for pod groups changes it.
var _ fwk.MutableSnapshotSharedLister = &Snapshot{}

// HavePodsWithRequiredNonHostScopedAntiAffinityList returns nothing: what reads it is off by default.
func (s *Snapshot) HavePodsWithRequiredNonHostScopedAntiAffinityList() ([]nodeInfo, error) {
	return nil, nil
}

// PodGroups knows no pod group, as PodGroupStates.
func (s *Snapshot) PodGroups() fwk.PodGroupLister { return noPodGroupObjects{} }

// CompositePodGroups knows no composite pod group.
func (s *Snapshot) CompositePodGroups() fwk.CompositePodGroupLister { return noCompositePodGroups{} }

// CompositePodGroupStates knows no composite pod group.
func (s *Snapshot) CompositePodGroupStates() fwk.CompositePodGroupStateLister {
	return noCompositePodGroupStates{}
}

var errNoMutations = errors.New("this snapshot cannot be changed: pod groups are not answered for")

func (s *Snapshot) StartMutations() error                        { return errNoMutations }
func (s *Snapshot) EndMutations() error                          { return errNoMutations }
func (s *Snapshot) AddPod(podInfo, string) error                 { return errNoMutations }
func (s *Snapshot) RemovePod(klog.Logger, *v1.Pod, string) error { return errNoMutations }

type (
	noPodGroupObjects         struct{}
	noCompositePodGroups      struct{}
	noCompositePodGroupStates struct{}
)

func (noPodGroupObjects) Get(namespace, name string) (*schedulingbeta.PodGroup, error) {
	return nil, fmt.Errorf("pod group %s/%s is not found", namespace, name)
}

func (noCompositePodGroups) Get(namespace, name string) (*scheduling.CompositePodGroup, error) {
	return nil, fmt.Errorf("composite pod group %s/%s is not found", namespace, name)
}

func (noCompositePodGroupStates) Get(namespace, name string) (fwk.CompositePodGroupState, error) {
	return nil, fmt.Errorf("composite pod group %s/%s is not found", namespace, name)
}
