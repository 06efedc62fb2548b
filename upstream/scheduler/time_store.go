//go:build stepper

package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// The kinds of objects that are written and watched, beside kindGang.
const (
	kindPod  = "Pod"
	kindNode = "Node"
	kindPDB  = "PodDisruptionBudget"
)

// object is a Pod, a Node, a PodDisruptionBudget, a Workload or a PodGroup. One that is stored is never changed: a write puts a
// new one in its place.
type object interface {
	metav1.Object
	runtime.Object
}

// Store has the objects of the API, numbers every write, and keeps the watch events that are not delivered yet.
type Store struct {
	objects map[string]map[string]object // by kind and name
	events  []event                      // oldest first
	past    map[string]object            // each state that a pod has had, by its resource version
	version int64
	uids    int
}

// event is a change of an object: old and now, of which one may be missing.
type event struct {
	kind     string
	old, now object
}

func newStore() *Store {
	return &Store{objects: map[string]map[string]object{kindPod: {}, kindNode: {}, kindPDB: {}, kindGang: {}}, past: map[string]object{}}
}

// nameIn returns the name by which an object is stored and shown.
func nameIn(o metav1.Object) string {
	if o.GetNamespace() == "" {
		return o.GetName()
	}
	return o.GetNamespace() + "/" + o.GetName()
}

func (s *Store) pod(name string) *v1.Pod {
	pod, _ := s.objects[kindPod][name].(*v1.Pod)
	return pod
}

// put stores an object, and notes the event.
func (s *Store) put(kind string, o object) {
	s.version++
	o.SetResourceVersion(strconv.FormatInt(s.version, 10))
	name := nameIn(o)
	s.events = append(s.events, event{kind, s.objects[kind][name], o})
	s.objects[kind][name] = o
	if kind == kindPod {
		s.past[o.GetResourceVersion()] = o
	}
}

// remove has an object gone at once. The watch tells its last state, with the number of this write.
func (s *Store) remove(kind, name string) {
	s.version++
	last := s.objects[kind][name].DeepCopyObject().(object)
	last.SetResourceVersion(strconv.FormatInt(s.version, 10))
	s.events = append(s.events, event{kind, last, nil})
	delete(s.objects[kind], name)
}

func unknownObject(kind, name string) *Problem {
	return &Problem{"not-found", "object", fmt.Sprintf("unknown %s %s", kind, name)}
}

func (s *Store) create(kind string, o object) *Problem {
	if name := nameIn(o); s.objects[kind][name] != nil {
		return &Problem{"exists", "object", fmt.Sprintf("%s %s exists", kind, name)}
	}
	if o.GetUID() == "" {
		s.uids++
		o.SetUID(types.UID(fmt.Sprintf("touchstone/%d", s.uids)))
	}
	s.put(kind, o)
	return nil
}

// update replaces an object, but for what an API server does not let a user change. Without a status it keeps the one that
// is stored.
func (s *Store) update(kind string, o object, withStatus bool) *Problem {
	stored := s.objects[kind][nameIn(o)]
	if stored == nil {
		return unknownObject(kind, nameIn(o))
	}
	o.SetUID(stored.GetUID())
	o.SetCreationTimestamp(stored.GetCreationTimestamp())
	o.SetDeletionTimestamp(stored.GetDeletionTimestamp())
	switch now := o.(type) {
	case *v1.Pod:
		now.Spec.NodeName = stored.(*v1.Pod).Spec.NodeName
		if !withStatus {
			now.Status = stored.(*v1.Pod).Status
		}
	case *v1.Node:
		if !withStatus {
			now.Status = stored.(*v1.Node).Status
		}
	case *podDisruptionBudget:
		if !withStatus {
			now.Status = stored.(*podDisruptionBudget).Status
		}
	}
	s.put(kind, o)
	return nil
}

// delete is what an API server does when it is asked to: a pod with a node stays, and terminates.
func (s *Store) delete(kind, name string, now time.Time) *Problem {
	stored := s.objects[kind][name]
	if stored == nil {
		return unknownObject(kind, name)
	}
	pod, isPod := stored.(*v1.Pod)
	if isPod && pod.DeletionTimestamp != nil {
		return nil
	}
	grace := int64(v1.DefaultTerminationGracePeriodSeconds)
	if isPod && pod.Spec.TerminationGracePeriodSeconds != nil {
		grace = *pod.Spec.TerminationGracePeriodSeconds
	}
	if !isPod || pod.Spec.NodeName == "" || grace == 0 || hasEnded(pod) {
		s.remove(kind, name)
		return nil
	}
	terminating := pod.DeepCopy()
	end := metav1.NewTime(now.Add(time.Duration(grace) * time.Second))
	terminating.DeletionTimestamp = &end
	s.put(kind, terminating)
	return nil
}

// seenBy returns the object if the watch tells it.
func seenBy(o object) object {
	if pod, ok := o.(*v1.Pod); ok && hasEnded(pod) {
		return nil
	}
	return o
}

func hasEnded(pod *v1.Pod) bool {
	return pod.Status.Phase == v1.PodSucceeded || pod.Status.Phase == v1.PodFailed
}

// perform does what a call of the scheduler asks for.
func (s *Store) perform(call *Call, now time.Time) reply {
	pod := s.pod(call.pod())
	if pod == nil {
		return failures["notFound"]
	}
	switch call.kind {
	case callGet:
		return success(pod)
	case "patch":
		return s.patch(pod, call.body)
	case "bind":
		return s.bind(pod, call.body)
	}
	s.delete(kindPod, call.pod(), now)
	return success(pod)
}

// bind gives a pod the node that the scheduler has chosen.
func (s *Store) bind(pod *v1.Pod, body []byte) reply {
	var binding v1.Binding
	must(json.Unmarshal(body, &binding))
	isOther := binding.UID != "" && binding.UID != pod.UID
	if isOther || pod.DeletionTimestamp != nil || pod.Spec.NodeName != "" || isGated(pod) {
		return failures["conflict"]
	}
	bound := pod.DeepCopy()
	bound.Spec.NodeName = binding.Target.Name
	if minor() >= 35 {
		bound.Status.NominatedNodeName = ""
	}
	scheduled := v1.PodCondition{Type: v1.PodScheduled, Status: v1.ConditionTrue}
	conditions := []v1.PodCondition{scheduled}
	for _, condition := range bound.Status.Conditions {
		if condition.Type != v1.PodScheduled {
			conditions = append(conditions, condition)
		}
	}
	bound.Status.Conditions = conditions
	s.put(kindPod, bound)
	return success(&metav1.Status{TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: metav1.StatusSuccess})
}

// minor returns the N of release v1.N.P.
func minor() int {
	var n int
	_, _ = fmt.Sscanf(release, "v1.%d", &n)
	return n
}
