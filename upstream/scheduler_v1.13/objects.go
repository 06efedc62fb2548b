package main

import (
	"encoding/json"
	"fmt"

	apps "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1beta1"
	storage "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Objects are the objects of a question, in the types of the release. Budgets are of policy/v1beta1, which has the same
// fields. Lists of kinds that the release does not have are not read.
type Objects struct {
	Pod   *v1.Pod                       `json:"pod"`
	Nodes []*v1.Node                    `json:"nodes"`
	Pods  []*v1.Pod                     `json:"pods"`
	PDBs  []*policy.PodDisruptionBudget `json:"pdbs"`

	Namespaces        []*v1.Namespace             `json:"namespaces"`
	PVCs              []*v1.PersistentVolumeClaim `json:"pvcs"`
	PVs               []*v1.PersistentVolume      `json:"pvs"`
	StorageClasses    []*storage.StorageClass     `json:"storageClasses"`
	VolumeAttachments []*storage.VolumeAttachment `json:"volumeAttachments"`

	Services               []*v1.Service               `json:"services"`
	ReplicationControllers []*v1.ReplicationController `json:"replicationControllers"`
	ReplicaSets            []*apps.ReplicaSet          `json:"replicaSets"`
	StatefulSets           []*apps.StatefulSet         `json:"statefulSets"`

	CSINodes             []json.RawMessage `json:"csiNodes"`
	CSIDrivers           []json.RawMessage `json:"csiDrivers"`
	CSIStorageCapacities []json.RawMessage `json:"csiStorageCapacities"`
}

// foreign returns a note for each list of objects of a kind that the release does not have.
func (o *Objects) foreign() []string {
	var notes []string
	for _, list := range []struct {
		key     string
		objects []json.RawMessage
	}{{"csiDrivers", o.CSIDrivers}, {"csiNodes", o.CSINodes}, {"csiStorageCapacities", o.CSIStorageCapacities}} {
		if len(list.objects) > 0 {
			notes = append(notes, fmt.Sprintf("%s has no objects of kind %s: dropped", release, list.key))
		}
	}
	return notes
}

// namespaced returns the objects that live in a namespace.
func (o *Objects) namespaced() []metav1.Object {
	objects := []metav1.Object{o.Pod}
	for _, pod := range o.Pods {
		objects = append(objects, pod)
	}
	for _, pdb := range o.PDBs {
		objects = append(objects, pdb)
	}
	for _, claim := range o.PVCs {
		objects = append(objects, claim)
	}
	for _, service := range o.Services {
		objects = append(objects, service)
	}
	for _, controller := range o.ReplicationControllers {
		objects = append(objects, controller)
	}
	for _, controller := range o.ReplicaSets {
		objects = append(objects, controller)
	}
	for _, controller := range o.StatefulSets {
		objects = append(objects, controller)
	}
	return objects
}

type podDisruptionBudget = policy.PodDisruptionBudget
