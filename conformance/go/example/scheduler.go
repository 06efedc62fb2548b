// Package example is a scheduler that preempts as kube-scheduler v1.34 does, for clusters of nodes, pods, requests and
// priorities. scheduler_test.go shows it. Quantities are exact; everything else of Kubernetes is left out. A scheduler
// that uses k8s.io/api would unmarshal corev1.Node and corev1.Pod instead of the types here.
package example

import (
	"context"
	"encoding/json"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"touchstone"
)

type resources map[string]quantity

type node struct {
	Metadata struct{ Name string }
	Status   struct{ Allocatable resources }

	pods []*pod
}

type pod struct {
	Metadata struct{ Namespace, Name, UID string }
	Spec     struct {
		NodeName         string
		Priority         int64
		PreemptionPolicy string
		Containers       []struct{ Resources struct{ Requests resources } }
	}
	Status struct{ Phase, StartTime string }
}

// quantity is a quantity of Kubernetes as it is written: a string or a number.
type quantity string

func (q *quantity) UnmarshalJSON(text []byte) error {
	*q = quantity(strings.Trim(string(text), `"`))
	return nil
}

var units = map[string]*big.Rat{"n": big.NewRat(1, 1e9), "u": big.NewRat(1, 1e6), "m": big.NewRat(1, 1e3)}

func init() {
	decimal, binary := big.NewRat(1, 1), big.NewRat(1, 1)
	units[""] = big.NewRat(1, 1)
	for _, prefix := range []string{"k", "M", "G", "T", "P", "E"} {
		decimal.Mul(decimal, big.NewRat(1000, 1))
		binary.Mul(binary, big.NewRat(1024, 1))
		units[prefix] = new(big.Rat).Set(decimal)
		units[strings.ToUpper(prefix)+"i"] = new(big.Rat).Set(binary)
	}
}

// amount is a quantity as an integer: cpu in milli, every other resource in whole units, rounded up.
func (r resources) amount(name string) int64 {
	text, ok := r[name]
	if !ok {
		return 0
	}
	digits := strings.TrimRight(string(text), "numkKMGTPEi")
	value, _ := new(big.Rat).SetString(digits)
	value.Mul(value, units[string(text)[len(digits):]])
	if name == "cpu" {
		value.Mul(value, big.NewRat(1000, 1))
	}
	up := new(big.Int).Add(value.Num(), new(big.Int).Sub(value.Denom(), big.NewInt(1)))
	return up.Div(up, value.Denom()).Int64()
}

// counted matches the names of resources that kube-scheduler does not ignore.
var counted = regexp.MustCompile("^(cpu|memory|ephemeral-storage|hugepages-.*|.*/.*)$")

func (p *pod) requests() map[string]int64 {
	total := map[string]int64{}
	for _, container := range p.Spec.Containers {
		for name := range container.Resources.Requests {
			if counted.MatchString(name) {
				total[name] += container.Resources.Requests.amount(name)
			}
		}
	}
	return total
}

// start is later than every time for a pod that has not started.
func (p *pod) start() string {
	if p.Status.StartTime == "" {
		return "~"
	}
	return p.Status.StartTime
}

func (p *pod) name() string {
	if p.Metadata.Namespace == "" {
		return "default/" + p.Metadata.Name
	}
	return p.Metadata.Namespace + "/" + p.Metadata.Name
}

func (p *pod) is(other *pod) bool {
	if p.Metadata.UID == "" && other.Metadata.UID == "" {
		return p.name() == other.name()
	}
	return p.Metadata.UID == other.Metadata.UID
}

func (p *pod) fits(n *node, others []*pod) bool {
	if int64(len(others)+1) > n.Status.Allocatable.amount("pods") {
		return false
	}
	for name, wanted := range p.requests() {
		free := n.Status.Allocatable.amount(name)
		for _, other := range others {
			free -= other.requests()[name]
		}
		if wanted > 0 && wanted > free {
			return false
		}
	}
	return true
}

// victims are the pods to evict from the node; none if that does not help.
func (p *pod) victims(n *node) (victims []*pod) {
	var staying, started, unstarted []*pod
	for _, other := range n.pods {
		switch {
		case other.Spec.Priority >= p.Spec.Priority:
			staying = append(staying, other)
		case other.Status.StartTime == "":
			// Up to v1.36 the last of the unstarted pods of equal priority is the most important.
			unstarted = append([]*pod{other}, unstarted...)
		default:
			started = append(started, other)
		}
	}
	if !p.fits(n, staying) {
		return nil
	}
	candidates := append(started, unstarted...)
	slices.SortStableFunc(candidates, func(a, b *pod) int {
		if a.Spec.Priority != b.Spec.Priority {
			return compare(b.Spec.Priority, a.Spec.Priority)
		}
		return strings.Compare(a.start(), b.start())
	})
	for _, candidate := range candidates {
		if p.fits(n, append(slices.Clip(staying), candidate)) {
			staying = append(staying, candidate) // reprieved
		} else {
			victims = append(victims, candidate)
		}
	}
	return victims
}

func compare(a, b int64) int {
	if a < b {
		return -1
	}
	if a > b {
		return 1
	}
	return 0
}

// isBetter compares two lists of victims: the better one has the lower highest priority, then the lower sum, then
// fewer victims, then the later start.
func isBetter(victims, than []*pod) bool {
	sum := func(pods []*pod) (sum int64) {
		for _, each := range pods {
			sum += each.Spec.Priority + 1<<31
		}
		return sum
	}
	earliest := func(pods []*pod) string {
		start := pods[0].start()
		for _, each := range pods {
			if each.Spec.Priority == pods[0].Spec.Priority {
				start = min(start, each.start())
			}
		}
		return start
	}
	for _, order := range []int{
		compare(victims[0].Spec.Priority, than[0].Spec.Priority),
		compare(sum(victims), sum(than)),
		len(victims) - len(than),
		strings.Compare(earliest(than), earliest(victims)),
	} {
		if order != 0 {
			return order < 0
		}
	}
	return false
}

func decide(_ context.Context, question touchstone.Question) (touchstone.Answer, error) {
	preemptor, nodes, err := read(question)
	if err != nil {
		return touchstone.Answer{}, err
	}
	if len(nodes) == 0 {
		return touchstone.Answer{Outcome: "error"}, nil
	}
	var feasible []string
	for _, n := range nodes {
		if preemptor.fits(n, n.pods) {
			feasible = append(feasible, n.Metadata.Name)
		}
	}
	if feasible != nil {
		return touchstone.Answer{Outcome: "fits", Feasible: feasible}, nil
	}
	if preemptor.Spec.PreemptionPolicy == "Never" {
		return touchstone.Answer{Outcome: "ineligible"}, nil
	}
	var chosen *node
	var best []*pod
	for _, n := range nodes {
		victims := preemptor.victims(n)
		if victims != nil && (best == nil || isBetter(victims, best)) {
			chosen, best = n, victims
		}
	}
	if chosen == nil {
		return touchstone.Answer{Outcome: "none"}, nil
	}
	answer := touchstone.Answer{Outcome: "nominated", Node: chosen.Metadata.Name}
	for _, victim := range best {
		answer.Victims = append(answer.Victims, victim.name())
	}
	return answer, nil
}

// read returns the pod to schedule, and the nodes with the pods on them.
func read(question touchstone.Question) (*pod, []*node, error) {
	preemptor := &pod{}
	if err := json.Unmarshal(question.Pod, preemptor); err != nil {
		return nil, nil, err
	}
	var nodes []*node
	for _, object := range question.Nodes {
		n := &node{}
		if err := json.Unmarshal(object, n); err != nil {
			return nil, nil, err
		}
		nodes = append(nodes, n)
	}
	for _, object := range question.Pods {
		p := &pod{}
		if err := json.Unmarshal(object, p); err != nil {
			return nil, nil, err
		}
		if p.Status.Phase == "Succeeded" || p.Status.Phase == "Failed" || p.is(preemptor) {
			continue
		}
		for _, n := range nodes {
			if n.Metadata.Name == p.Spec.NodeName {
				n.pods = append(n.pods, p)
			}
		}
	}
	return preemptor, nodes, nil
}
