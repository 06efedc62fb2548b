//go:build stepper

package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	v1 "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const kindWorkload = "Workload"

// PartStore has the objects of the API, and the watch events that wait.
type PartStore struct {
	objects map[string]map[string]object // by kind and name; a workload by kind/name
	waiting map[string][]partEvent       // of the kinds whose events wait
	version int
	deliver func(partEvent)
}

type partEvent struct {
	kind, name string
	old, now   object
}

func (s *PartStore) put(kind, name string, o object) {
	old := s.objects[kind][name]
	if old != nil {
		o.SetResourceVersion(old.GetResourceVersion())
		if equality.Semantic.DeepEqual(old, o) {
			return // an API server writes nothing
		}
	}
	s.version++
	o.SetResourceVersion(strconv.Itoa(s.version))
	s.objects[kind][name] = o
	s.notify(partEvent{kind, name, old, o})
}

func (s *PartStore) remove(kind, name string) {
	s.version++
	old := s.objects[kind][name]
	delete(s.objects[kind], name)
	s.notify(partEvent{kind, name, old, nil})
}

func (s *PartStore) notify(e partEvent) {
	if waiting, isHeld := s.waiting[e.kind]; isHeld {
		s.waiting[e.kind] = append(waiting, e)
	} else {
		s.deliver(e)
	}
}

func (s *PartStore) pod(name string) *v1.Pod {
	pod, _ := s.objects[kindPod][name].(*v1.Pod)
	return pod
}

func (s *PartStore) pdb(name string) *policy.PodDisruptionBudget {
	pdb, _ := s.objects[kindPDB][name].(*policy.PodDisruptionBudget)
	return pdb
}

// write is a write of a user, a kubelet or another controller.
func (s *PartStore) write(command *PartCommand) *Problem {
	name, made, problem := partObject(command)
	if problem != nil {
		return problem
	}
	stored := s.objects[command.Kind][name]
	if (stored == nil) != (command.Verb == "create") {
		return &Problem{"not-found", "object", fmt.Sprintf("%s %s: cannot %s", command.Kind, name, command.Verb)}
	}
	switch command.Verb {
	case "create":
		s.put(command.Kind, name, made)
	case "update":
		s.update(command.Kind, name, stored, made)
	case "delete":
		pod, isPod := stored.(*v1.Pod)
		if !isPod {
			s.remove(command.Kind, name)
		} else if pod.DeletionTimestamp == nil {
			terminating := pod.DeepCopy()
			terminating.DeletionTimestamp = &metav1.Time{Time: time.Now().Truncate(time.Second)}
			s.put(kindPod, name, terminating)
		}
	case "remove":
		s.remove(command.Kind, name)
	default:
		return &Problem{"unknown-value", "verb", "unknown verb " + command.Verb}
	}
	return nil
}

func (s *PartStore) update(kind, name string, stored, made object) {
	if pdb, isPDB := made.(*policy.PodDisruptionBudget); isPDB {
		old := stored.(*policy.PodDisruptionBudget)
		pdb.Status = *old.Status.DeepCopy()
		pdb.Generation = old.Generation
		if !equality.Semantic.DeepEqual(old.Spec, pdb.Spec) {
			pdb.Generation++
		}
	}
	if pod, isPod := made.(*v1.Pod); isPod {
		pod.DeletionTimestamp = stored.GetDeletionTimestamp()
	}
	s.put(kind, name, made)
}

// partObject returns the object of a write, and its name.
func partObject(command *PartCommand) (string, object, *Problem) {
	var pod PartPod
	var pdb PartPDB
	var workload PartWorkload
	read := map[string]any{kindPod: &pod, kindPDB: &pdb, kindWorkload: &workload}[command.Kind]
	if read == nil {
		return "", nil, &Problem{"unknown-value", "kind", "unknown kind " + command.Kind}
	}
	if err := json.Unmarshal(command.Object, read); err != nil {
		return "", nil, &Problem{"wrong-type", "object", err.Error()}
	}
	switch command.Kind {
	case kindPod:
		return pod.Name, pod.object(), nil
	case kindPDB:
		return pdb.Name, pdb.object(), nil
	}
	return workload.Name, workload.object(), nil
}

// evict is what the eviction API does before it deletes the pod.
func (s *PartStore) evict(podName, pdbName string) *Problem {
	pdb := s.pdb(pdbName)
	if pdb == nil || pdb.Status.ObservedGeneration < pdb.Generation || pdb.Status.DisruptionsAllowed <= 0 {
		return &Problem{"refused", "pdb", "the budget allows no disruption"}
	}
	granted := pdb.DeepCopy()
	granted.Status.DisruptionsAllowed--
	if granted.Status.DisruptedPods == nil {
		granted.Status.DisruptedPods = map[string]metav1.Time{}
	}
	granted.Status.DisruptedPods[podName] = metav1.NewTime(time.Now().Truncate(time.Second))
	s.put(kindPDB, pdbName, granted)
	return nil
}

func nameOfPartCall(request *http.Request) (call, name string) {
	path := strings.Split(strings.TrimSuffix(request.URL.Path, "/status"), "/")
	name = path[len(path)-1]
	if strings.Contains(request.URL.Path, "poddisruptionbudgets") {
		return "updateBudget", name
	}
	return "updatePod", name
}

// perform replaces the status of a budget or of a pod.
func (s *PartStore) perform(call *PartCall) reply {
	var made, changed object
	kind := kindPod
	if call.Call == "updatePod" {
		pod := &v1.Pod{}
		must(json.Unmarshal(call.body, pod))
		made = pod
		if stored := s.pod(call.Name); stored != nil {
			now := stored.DeepCopy()
			now.Status = pod.Status
			changed = now
		}
	} else {
		kind = kindPDB
		pdb := &policy.PodDisruptionBudget{}
		must(json.Unmarshal(call.body, pdb))
		made = pdb
		if stored := s.pdb(call.Name); stored != nil {
			now := stored.DeepCopy()
			now.Status = pdb.Status
			for i := range now.Status.Conditions {
				now.Status.Conditions[i].Message = "" // names one of several pods, by chance
			}
			changed = now
		}
	}
	if changed == nil {
		return failures["notFound"]
	}
	if made.GetUID() != changed.GetUID() || made.GetResourceVersion() != changed.GetResourceVersion() {
		return failures["conflict"]
	}
	s.put(kind, call.Name, changed)
	return success(s.objects[kind][call.Name])
}
