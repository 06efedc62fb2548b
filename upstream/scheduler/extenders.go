package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"sort"
	"strings"
	"sync"
	"unsafe"

	v1 "k8s.io/api/core/v1"
	extenderv1 "k8s.io/kube-scheduler/extender/v1"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// tables are the answers of an extender of a question, by the key of the table. An absent table is not known.
type tables map[string]*table

// table has the answers to the calls of one verb.
type table struct {
	verb  string
	err   *string                    // every call ends with this error; empty: HTTP status 500
	nodes map[string]json.RawMessage // by name
}

// Extenders answer in the place of HTTP servers. The release's own extender sends its calls and reads the answers.
type Extenders struct {
	mutex    sync.Mutex
	question *Question
	tables   map[string]tables // by the URL of the extender
	unknown  string            // a table that was needed and is not there
}

// extendersOf splits the extenders of a question into their configuration and their tables. An extender without a URL is
// named by its index.
func extendersOf(question *Question) (configured []map[string]json.RawMessage, answers *Extenders, err error) {
	answers = &Extenders{question: question, tables: map[string]tables{refuser: {"filter": {verb: "filter"}}}}
	if !isGiven(question.Extenders) {
		return nil, answers, nil
	}
	if err := json.Unmarshal(question.Extenders, &configured); err != nil {
		return nil, nil, fmt.Errorf("extenders: %w", err)
	}
	for i, each := range configured {
		name := textOf(each["urlPrefix"])
		if name == "" {
			name = fmt.Sprintf("extender %d", i)
			each["urlPrefix"], _ = json.Marshal(name)
		}
		if answers.tables[name] != nil {
			return nil, nil, fmt.Errorf("extenders[%d]: another extender has the URL %q", i, name)
		}
		answers.tables[name] = tables{}
		for _, key := range []string{"filter", "prioritize", "preempt"} {
			raw, ok := each[key]
			delete(each, key)
			if !ok {
				continue
			}
			read, err := newTable(textOf(each[key+"Verb"]), raw)
			if err != nil {
				return nil, nil, fmt.Errorf("extenders[%d].%s: %w", i, key, err)
			}
			answers.tables[name][key] = read
		}
	}
	return configured, answers, nil
}

func textOf(raw json.RawMessage) (text string) {
	_ = json.Unmarshal(raw, &text)
	return text
}

func newTable(verb string, raw json.RawMessage) (*table, error) {
	read := &table{verb: verb}
	if text := textOf(raw); strings.HasPrefix(text, "error") {
		text = strings.TrimPrefix(strings.TrimPrefix(text, "error"), ": ")
		read.err = &text
		return read, nil
	}
	return read, json.Unmarshal(raw, &read.nodes)
}

// withExtenders returns the configuration of a question with its extenders in it.
func withExtenders(question *Question, extenders []map[string]json.RawMessage) (json.RawMessage, error) {
	if len(extenders) == 0 {
		return question.Config, nil
	}
	members := map[string]json.RawMessage{
		"apiVersion": json.RawMessage(`"kubescheduler.config.k8s.io/v1"`),
		"kind":       json.RawMessage(`"KubeSchedulerConfiguration"`),
	}
	if isGiven(question.Config) {
		if err := json.Unmarshal(question.Config, &members); err != nil {
			return nil, err
		}
	}
	list, err := json.Marshal(extenders)
	if err != nil {
		return nil, err
	}
	members["extenders"] = list
	return json.Marshal(members)
}

// refuser is the name of an extender that leaves no node.
const refuser = "refuser"

// answerFor makes the extenders of a scheduler ask the tables that the cycle has at the time of a call.
func (c *Cycle) answerFor() error {
	last, err := scheduler.NewHTTPExtender(&config.Extender{URLPrefix: refuser, FilterVerb: "filter", NodeCacheCapable: true})
	if err != nil {
		return err
	}
	c.refusing = append(c.Extenders[:len(c.Extenders):len(c.Extenders)], last)
	for _, each := range c.refusing {
		field := reflect.ValueOf(each).Elem().FieldByName("client")
		client := *(**http.Client)(unsafe.Pointer(field.UnsafeAddr()))
		*client = http.Client{Transport: &transport{c, each.Name()}} // a timeout would start a goroutine
	}
	return nil
}

// statusesBeside returns the statuses of the nodes that are not feasible for a pod that was scheduled, which the scheduler
// drops. An extender more, which leaves no node, makes it return them.
func (c *Cycle) statusesBeside(question *Question) statuses {
	own := c.Extenders
	c.Extenders = c.refusing
	defer func() { c.Extenders = own }()
	_, err := c.run(c.profile(question), question)
	var fitError *framework.FitError
	if !errors.As(err, &fitError) {
		panic(fmt.Sprintf("an extender left no node, and the error is %v", err))
	}
	return found(fitError)
}

// transport answers the calls of one extender.
type transport struct {
	cycle *Cycle
	name  string
}

// failing is the body of an answer that cannot be read.
type failing struct{ error }

func (f failing) Read([]byte) (int, error) { return 0, f.error }
func (f failing) Close() error             { return nil }

func (t *transport) RoundTrip(request *http.Request) (*http.Response, error) {
	call, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	extenders := t.cycle.extenders
	for key, table := range extenders.tables[t.name] {
		if table.verb == "" || !strings.HasSuffix(request.URL.Path, "/"+table.verb) {
			continue
		}
		switch {
		case table.err != nil && *table.err == "":
			return &http.Response{StatusCode: http.StatusInternalServerError, Body: http.NoBody, Request: request}, nil
		case table.err != nil:
			return &http.Response{StatusCode: http.StatusOK, Body: failing{errors.New(*table.err)}, Request: request}, nil
		}
		answer, err := extenders.answer(key, table, call)
		if err != nil {
			return nil, err
		}
		text, err := json.Marshal(answer)
		if err != nil {
			return nil, err
		}
		return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(bytes.NewReader(text)), Request: request}, nil
	}
	extenders.mutex.Lock()
	defer extenders.mutex.Unlock()
	extenders.unknown = fmt.Sprintf("%s has no table for a verb that was needed", t.name)
	return nil, errors.New(extenders.unknown)
}

func (e *Extenders) answer(key string, table *table, call []byte) (any, error) {
	if key == "preempt" {
		var args extenderv1.ExtenderPreemptionArgs
		if err := json.Unmarshal(call, &args); err != nil {
			return nil, err
		}
		return e.preempt(table, &args)
	}
	var args extenderv1.ExtenderArgs
	if err := json.Unmarshal(call, &args); err != nil {
		return nil, err
	}
	if key == "prioritize" {
		return e.prioritize(table, &args)
	}
	return e.filter(table, &args), nil
}

// names returns the nodes that a table has something to say about: those that were sent, in this order, and then those
// that the cluster does not have.
func (e *Extenders) names(table *table, sent []string) []string {
	known := map[string]bool{}
	for _, node := range e.question.Nodes {
		known[node.Name] = true
	}
	var names, strange []string
	for _, name := range sent {
		if _, ok := table.nodes[name]; ok {
			names = append(names, name)
		}
	}
	for name := range table.nodes {
		if !known[name] {
			strange = append(strange, name)
		}
	}
	sort.Strings(strange)
	for _, name := range strange {
		if !contains(sent, name) {
			names = append(names, name)
		}
	}
	return names
}

func contains(names []string, wanted string) bool {
	for _, name := range names {
		if name == wanted {
			return true
		}
	}
	return false
}

// sentNodes returns the names of the nodes of a call, and the objects if it has them.
func sentNodes(args *extenderv1.ExtenderArgs) (names []string, objects map[string]v1.Node) {
	if args.NodeNames != nil {
		return *args.NodeNames, nil
	}
	objects = map[string]v1.Node{}
	if args.Nodes != nil {
		for _, node := range args.Nodes.Items {
			names = append(names, node.Name)
			objects[node.Name] = node
		}
	}
	return names, objects
}

func (e *Extenders) filter(table *table, args *extenderv1.ExtenderArgs) *extenderv1.ExtenderFilterResult {
	sent, objects := sentNodes(args)
	result := &extenderv1.ExtenderFilterResult{
		FailedNodes: extenderv1.FailedNodesMap{}, FailedAndUnresolvableNodes: extenderv1.FailedNodesMap{}}
	passed := []string{}
	for _, name := range e.names(table, sent) {
		verdict, reason, _ := strings.Cut(textOf(table.nodes[name]), ": ")
		switch verdict {
		case "ok":
			passed = append(passed, name)
		case "failed":
			result.FailedNodes[name] = reason
		case "unresolvable":
			result.FailedAndUnresolvableNodes[name] = reason
		}
	}
	if objects == nil {
		result.NodeNames = &passed
		return result
	}
	result.Nodes = &v1.NodeList{}
	for _, name := range passed {
		node, ok := objects[name]
		if !ok {
			node.Name = name
		}
		result.Nodes.Items = append(result.Nodes.Items, node)
	}
	return result
}

func (e *Extenders) prioritize(table *table, args *extenderv1.ExtenderArgs) (extenderv1.HostPriorityList, error) {
	sent, _ := sentNodes(args)
	result := extenderv1.HostPriorityList{}
	for _, name := range e.names(table, sent) {
		var score int64
		if err := json.Unmarshal(table.nodes[name], &score); err != nil {
			return nil, err
		}
		result = append(result, extenderv1.HostPriority{Host: name, Score: score})
	}
	return result, nil
}

func (e *Extenders) preempt(table *table, args *extenderv1.ExtenderPreemptionArgs) (*extenderv1.ExtenderPreemptionResult, error) {
	asked := args.NodeNameToMetaVictims
	if asked == nil {
		asked = map[string]*extenderv1.MetaVictims{}
		for name, victims := range args.NodeNameToVictims {
			asked[name] = &extenderv1.MetaVictims{NumPDBViolations: victims.NumPDBViolations}
			for _, pod := range victims.Pods {
				asked[name].Pods = append(asked[name].Pods, &extenderv1.MetaPod{UID: string(pod.UID)})
			}
		}
	}
	var sent []string
	for name := range asked {
		sent = append(sent, name)
	}
	result := &extenderv1.ExtenderPreemptionResult{NodeNameToMetaVictims: map[string]*extenderv1.MetaVictims{}}
	for _, name := range e.names(table, sent) {
		raw := table.nodes[name]
		if textOf(raw) == "keep" {
			result.NodeNameToMetaVictims[name] = &extenderv1.MetaVictims{}
			if victims, ok := asked[name]; ok {
				result.NodeNameToMetaVictims[name] = victims
			}
			continue
		}
		var entry *struct {
			Victims          []string `json:"victims"`
			NumPDBViolations int64    `json:"numPDBViolations"`
		}
		if err := json.Unmarshal(raw, &entry); err != nil {
			return nil, err
		}
		if entry == nil {
			continue
		}
		victims := &extenderv1.MetaVictims{NumPDBViolations: entry.NumPDBViolations}
		for _, pod := range entry.Victims {
			victims.Pods = append(victims.Pods, &extenderv1.MetaPod{UID: e.uidOf(pod, name)})
		}
		result.NodeNameToMetaVictims[name] = victims
	}
	return result, nil
}

// uidOf returns the UID of a pod that a table names, that on the node first.
func (e *Extenders) uidOf(name, node string) string {
	uid := ""
	for _, pod := range e.question.Pods {
		if pod.Namespace+"/"+pod.Name != name {
			continue
		}
		if pod.Spec.NodeName == node {
			return string(pod.UID)
		}
		if uid == "" {
			uid = string(pod.UID)
		}
	}
	if uid == "" {
		_, name, _ = strings.Cut(name, "/")
		uid = "uid-" + name
	}
	return uid
}
