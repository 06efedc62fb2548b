//go:build stepper

package main

import (
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"time"

	v1 "k8s.io/api/core/v1"
	kjson "sigs.k8s.io/json"
)

// Command is a line about a scheduler over time.
type Command struct {
	Cmd string `json:"cmd"`
	Seq *int64 `json:"seq"`

	// init
	Release      string          `json:"release"`
	Now          *time.Time      `json:"now"`
	Nodes        json.RawMessage `json:"nodes"`
	Pods         json.RawMessage `json:"pods"`
	PDBs         json.RawMessage `json:"pdbs"`
	Workloads    json.RawMessage `json:"workloads"`
	PodGroups    json.RawMessage `json:"podGroups"`
	Config       json.RawMessage `json:"config"`
	FeatureGates map[string]bool `json:"featureGates"`
	Trace        bool            `json:"trace"`

	Verb    string          `json:"verb"` // write
	Kind    string          `json:"kind"`
	Object  json.RawMessage `json:"object"`
	Take    string          `json:"take"`    // cycle
	Seconds json.Number     `json:"seconds"` // advance
	Queue   string          `json:"queue"`   // flush
	Call    string          `json:"call"`    // hold and answer
	Pod     string          `json:"pod"`
	Result  string          `json:"result"` // answer and permit
	Watch   string          `json:"watch"`  // hold and deliver
	Count   *int            `json:"count"`

	written    object // what Object says
	withStatus bool
	listed     map[string][]object // what init lists
}

var timeCommands = []string{"init", "write", "cycle", "advance", "flush", "hold", "answer", "deliver", "permit", "state"}

// isOverTime says whether a line is about a scheduler over time.
func isOverTime(line []byte) bool {
	var named struct {
		Cmd string `json:"cmd"`
	}
	return json.Unmarshal(line, &named) == nil && slices.Contains(timeCommands, named.Cmd)
}

// decodeCommand returns the command of a line, or what is wrong with it, and notes about fields of other releases.
func decodeCommand(line []byte) (*Command, []string, *Problem) {
	command := &Command{}
	strict, err := kjson.UnmarshalStrict(line, command)
	if err != nil {
		return nil, nil, &Problem{"wrong-type", "", err.Error()}
	}
	if len(strict) > 0 {
		return nil, nil, &Problem{"unknown-field", quoted(strict[0].Error()), strict[0].Error()}
	}
	search := fieldSearch{dropped: map[string]bool{}}
	problem := command.check()
	if problem == nil {
		problem = command.decodeObjects(&search)
	}
	return command, search.notes(), problem
}

// expect refuses a value that is none of a list.
func expect(path, value string, names ...string) *Problem {
	if slices.Contains(names, value) {
		return nil
	}
	return &Problem{"unknown-value", path, fmt.Sprintf("expected one of %s, found %q", strings.Join(names, ", "), value)}
}

func (c *Command) check() *Problem {
	kinds := []string{kindPod, kindNode, kindPDB}
	if hasGangs {
		kinds = append(kinds, kindGang)
	}
	for member, list := range map[string]json.RawMessage{"workloads": c.Workloads, "podGroups": c.PodGroups} {
		if isGiven(list) && (!hasGangs || member != gangsMember) {
			return &Problem{"not-supported", member, "the release has no " + member + " that are known here"}
		}
	}
	calls := []string{"delete", "patch", "bind"}
	switch c.Cmd {
	case "init":
		if c.Release != release {
			return &Problem{"unknown-release", "release",
				fmt.Sprintf("this is kube-scheduler %s and answers for no other; asked for %q", release, c.Release)}
		}
		if c.Now == nil {
			return &Problem{"missing-field", "now", "now is missing"}
		}
	case "write":
		if problem := expect("verb", c.Verb, "create", "update", "delete", "remove"); problem != nil {
			return problem
		}
		return expect("kind", c.Kind, kinds...)
	case "flush":
		return expect("queue", c.Queue, "backoff", "leftover")
	case "advance":
		if _, problem := c.duration(); problem != nil {
			return problem
		}
	case "hold":
		if c.Watch != "" {
			return expect("watch", c.Watch, kinds...)
		}
		return expect("call", c.Call, calls...)
	case "answer":
		if problem := expect("call", c.Call, calls...); problem != nil {
			return problem
		}
		return expect("result", c.Result, "ok", "notFound", "conflict", "error")
	case "permit":
		return expect("result", c.Result, "allow", "reject")
	case "deliver":
		if c.Count != nil && *c.Count < 0 {
			return &Problem{"out-of-range", "count", "count is negative"}
		}
		return expect("watch", c.Watch, kinds...)
	}
	return nil
}

// duration returns how far the clock moves, to the nanosecond.
func (c *Command) duration() (time.Duration, *Problem) {
	seconds, ok := new(big.Rat).SetString(c.Seconds.String())
	if ok {
		seconds.Mul(seconds, big.NewRat(int64(time.Second), 1))
		if seconds.Sign() >= 0 && seconds.IsInt() && seconds.Num().IsInt64() {
			return time.Duration(seconds.Num().Int64()), nil
		}
	}
	return 0, &Problem{"out-of-range", "seconds", fmt.Sprintf("expected a number of seconds, found %q", c.Seconds)}
}

// memberOfKind is the member of init that lists objects of a kind.
var memberOfKind = map[string]string{kindPod: "pods", kindNode: "nodes", kindPDB: "pdbs", kindGang: gangsMember}

// decodeObjects decodes the objects as strictly as those of a question.
func (c *Command) decodeObjects(search *fieldSearch) *Problem {
	if c.Cmd == "write" {
		member := memberOfKind[c.Kind]
		made, problem := decodeObject(search, member+"[0]", c.Object)
		if problem != nil {
			return problem
		}
		var parts map[string]json.RawMessage
		must(json.Unmarshal(c.Object, &parts))
		_, c.withStatus = parts["status"]
		c.written = made
	}
	c.listed = map[string][]object{}
	gangs := c.Workloads
	if isGiven(c.PodGroups) {
		gangs = c.PodGroups
	}
	for kind, list := range map[string]json.RawMessage{kindNode: c.Nodes, kindPDB: c.PDBs, kindGang: gangs, kindPod: c.Pods} {
		if !isGiven(list) {
			continue
		}
		member := memberOfKind[kind]
		var parts []json.RawMessage
		if err := json.Unmarshal(list, &parts); err != nil {
			return &Problem{"wrong-type", member, err.Error()}
		}
		for i, part := range parts {
			made, problem := decodeObject(search, fmt.Sprintf("%s[%d]", member, i), part)
			if problem != nil {
				return problem
			}
			c.listed[kind] = append(c.listed[kind], made)
		}
	}
	return nil
}

func decodeObject(search *fieldSearch, path string, raw json.RawMessage) (object, *Problem) {
	var made object
	switch member, _, _ := strings.Cut(path, "["); member {
	case "pods":
		made = &v1.Pod{}
	case "nodes":
		made = &v1.Node{}
	case gangsMember:
		made = newGangs()
	default:
		made = &podDisruptionBudget{}
	}
	if !isGiven(raw) {
		return nil, &Problem{"missing-field", path, "the object is missing"}
	}
	if problem := search.value(path, raw, reflect.TypeOf(made).Elem()); problem != nil {
		return nil, problem
	}
	must(kjson.UnmarshalCaseSensitivePreserveInts(raw, made))
	if made.GetName() == "" {
		return nil, &Problem{"missing-field", path + ".metadata.name", "the object has no name"}
	}
	switch o := made.(type) {
	case *v1.Pod:
		complete(o)
		if o.Spec.SchedulerName == "" {
			o.Spec.SchedulerName = v1.DefaultSchedulerName
		}
	case *podDisruptionBudget:
		complete(o)
	}
	return made, nil
}
