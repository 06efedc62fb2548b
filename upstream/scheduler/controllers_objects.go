//go:build stepper

package main

import (
	"fmt"
	"strings"
	"time"

	apps "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// PartPod is what the disruption controller reads of a pod.
type PartPod struct {
	Name        string      `json:"name"`
	App         string      `json:"app"` // its label
	Ready       bool        `json:"ready"`
	Phase       v1.PodPhase `json:"phase"`
	Terminating bool        `json:"terminating"`
	Owner       string      `json:"owner"` // kind/name of its controller
	Target      *PartTarget `json:"disruptionTarget"`
}

// PartTarget is the condition DisruptionTarget of a pod.
type PartTarget struct {
	Status v1.ConditionStatus `json:"status"`
	Reason string             `json:"reason"`
	Since  Moment             `json:"lastTransitionTime"`
}

// PartPDB is the specification of a budget, and the disrupted pods in its status.
type PartPDB struct {
	Name           string              `json:"name"`
	App            string              `json:"app"` // the label that it selects; without it nothing
	MinAvailable   *intstr.IntOrString `json:"minAvailable"`
	MaxUnavailable *intstr.IntOrString `json:"maxUnavailable"`
	Disrupted      map[string]Moment   `json:"disruptedPods"`
}

// PartWorkload is a controller of pods.
type PartWorkload struct {
	Name     string `json:"name"` // kind/name
	UID      string `json:"uid"`  // without it, the name
	Replicas int32  `json:"replicas"`
	Owner    string `json:"owner"` // of a ReplicaSet
}

const partNamespace = "default"

// groups has the API version of each kind of controllers.
var groups = map[string]string{
	"ReplicaSet": "apps/v1", "Deployment": "apps/v1", "StatefulSet": "apps/v1", "ReplicationController": "v1",
	"Widget": "example.com/v1",
}

func (p PartPod) object() *v1.Pod {
	pod := &v1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: partNamespace, Name: p.Name, UID: types.UID(p.Name)}}
	if p.App != "" {
		pod.Labels = map[string]string{"app": p.App}
	}
	if p.Terminating {
		pod.DeletionTimestamp = &metav1.Time{Time: time.Now().Truncate(time.Second)}
	}
	pod.OwnerReferences = ownersOf(p.Owner)
	pod.Status.Phase = p.Phase
	ready := v1.PodCondition{Type: v1.PodReady, Status: v1.ConditionFalse}
	if p.Ready {
		ready.Status = v1.ConditionTrue
	}
	pod.Status.Conditions = []v1.PodCondition{ready}
	if p.Target != nil {
		pod.Status.Conditions = append(pod.Status.Conditions, v1.PodCondition{
			Type: v1.DisruptionTarget, Status: p.Target.Status, Reason: p.Target.Reason,
			LastTransitionTime: metav1.NewTime(p.Target.Since.Time),
		})
	}
	return pod
}

func ownersOf(owner string) []metav1.OwnerReference {
	kind, name, ok := strings.Cut(owner, "/")
	if !ok {
		return nil
	}
	yes := true
	return []metav1.OwnerReference{{APIVersion: groups[kind], Kind: kind, Name: name, UID: types.UID(owner), Controller: &yes}}
}

func (p PartPDB) object() *policy.PodDisruptionBudget {
	pdb := &policy.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{
		Namespace: partNamespace, Name: p.Name, UID: types.UID(p.Name), Generation: 1,
	}}
	pdb.Spec.MinAvailable, pdb.Spec.MaxUnavailable = p.MinAvailable, p.MaxUnavailable
	if p.App != "" {
		pdb.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": p.App}}
	}
	for name, at := range p.Disrupted {
		if pdb.Status.DisruptedPods == nil {
			pdb.Status.DisruptedPods = map[string]metav1.Time{}
		}
		pdb.Status.DisruptedPods[name] = metav1.NewTime(at.Time)
	}
	return pdb
}

func (p PartWorkload) object() object {
	kind, name, _ := strings.Cut(p.Name, "/")
	uid := p.UID
	if uid == "" {
		uid = p.Name
	}
	meta := metav1.ObjectMeta{Namespace: partNamespace, Name: name, UID: types.UID(uid), OwnerReferences: ownersOf(p.Owner)}
	replicas := p.Replicas
	switch kind {
	case "ReplicaSet":
		return &apps.ReplicaSet{ObjectMeta: meta, Spec: apps.ReplicaSetSpec{Replicas: &replicas}}
	case "Deployment":
		return &apps.Deployment{ObjectMeta: meta, Spec: apps.DeploymentSpec{Replicas: &replicas}}
	case "StatefulSet":
		return &apps.StatefulSet{ObjectMeta: meta, Spec: apps.StatefulSetSpec{Replicas: &replicas}}
	case "ReplicationController":
		return &v1.ReplicationController{ObjectMeta: meta, Spec: v1.ReplicationControllerSpec{Replicas: &replicas}}
	}
	// A kind of which the controller has no lister.
	return &apps.ControllerRevision{ObjectMeta: meta, Revision: int64(replicas)}
}

// scaleOf returns the replicas of a controller of pods.
func scaleOf(o object) int32 {
	switch w := o.(type) {
	case *apps.ReplicaSet:
		return *w.Spec.Replicas
	case *apps.Deployment:
		return *w.Spec.Replicas
	case *apps.StatefulSet:
		return *w.Spec.Replicas
	case *v1.ReplicationController:
		return *w.Spec.Replicas
	case *apps.ControllerRevision:
		return int32(w.Revision)
	}
	panic(fmt.Sprintf("%T has no scale", o))
}
