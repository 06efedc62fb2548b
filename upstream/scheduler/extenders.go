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
	answers = &Extenders{question: question, tables: map[string]tables{}}
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

// withExtenders returns a configuration of a kind with extenders in it.
func withExtenders(given json.RawMessage, version, kind string, extenders []map[string]json.RawMessage) (json.RawMessage, error) {
	if len(extenders) == 0 {
		return given, nil
	}
	members := map[string]json.RawMessage{
		"apiVersion": json.RawMessage(fmt.Sprintf("%q", version)),
		"kind":       json.RawMessage(fmt.Sprintf("%q", kind)),
	}
	if isGiven(given) {
		if err := json.Unmarshal(given, &members); err != nil {
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

// answerFor makes an extender of the release ask the tables that stand there at the time of a call.
func answerFor(extender interface{ Name() string }, extenders **Extenders) {
	field := reflect.ValueOf(extender).Elem().FieldByName("client")
	client := *(**http.Client)(unsafe.Pointer(field.UnsafeAddr()))
	*client = http.Client{Transport: &transport{extenders, extender.Name()}} // a timeout would start a goroutine
}

// transport answers the calls of one extender.
type transport struct {
	extenders **Extenders
	name      string
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
	extenders := *t.extenders
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

// callArgs are what a release sends. It names the members in one of several ways; which letters are capitals is not read.
type callArgs struct {
	Nodes         *v1.NodeList            `json:"nodes"`
	NodeNames     *[]string               `json:"nodenames"`
	ToVictims     map[string]*sentVictims `json:"nodeNameToVictims"`
	ToMetaVictims map[string]*metaVictims `json:"nodeNameToMetaVictims"`
}

type sentVictims struct {
	Pods []struct {
		Metadata metaPod `json:"metadata"`
	} `json:"pods"`
	NumPDBViolations int64 `json:"numPDBViolations"`
}

type metaVictims struct {
	Pods             []metaPod `json:"pods"`
	NumPDBViolations int64     `json:"numPDBViolations"`
}

type metaPod struct {
	UID string `json:"uid"`
}

// filtered is the answer to a filterVerb. Early releases do not read failedAndUnresolvableNodes.
type filtered struct {
	Nodes        *v1.NodeList      `json:"nodes,omitempty"`
	NodeNames    *[]string         `json:"nodenames,omitempty"`
	Failed       map[string]string `json:"failedNodes"`
	Unresolvable map[string]string `json:"failedAndUnresolvableNodes"`
}

// scored is an entry of the answer to a prioritizeVerb.
type scored struct {
	Host  string `json:"host"`
	Score int64  `json:"score"`
}

// preempted is the answer to a preemptVerb.
type preempted struct {
	ToMetaVictims map[string]*metaVictims `json:"nodeNameToMetaVictims"`
}

func (e *Extenders) answer(key string, table *table, call []byte) (any, error) {
	var args callArgs
	if err := json.Unmarshal(call, &args); err != nil {
		return nil, err
	}
	switch key {
	case "preempt":
		return e.preempt(table, &args)
	case "prioritize":
		return e.prioritize(table, &args)
	}
	return e.filter(table, &args), nil
}

// names returns the nodes that a table has something to say about: those that were sent, in this order, and then those
// that the cluster does not have.
func (e *Extenders) names(table *table, sent []string) []string {
	var names []string
	for _, name := range sent {
		if _, ok := table.nodes[name]; ok {
			names = append(names, name)
		}
	}
	for _, name := range e.strange(table) {
		if !contains(sent, name) {
			names = append(names, name)
		}
	}
	return names
}

// strange returns the names in a table that no node of the cluster has.
func (e *Extenders) strange(table *table) (names []string) {
	known := map[string]bool{}
	for _, node := range e.question.Nodes {
		known[node.Name] = true
	}
	for name := range table.nodes {
		if !known[name] {
			names = append(names, name)
		}
	}
	sort.Strings(names)
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
func sentNodes(args *callArgs) (names []string, objects map[string]v1.Node) {
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

func (e *Extenders) filter(table *table, args *callArgs) *filtered {
	sent, objects := sentNodes(args)
	result := &filtered{Failed: map[string]string{}, Unresolvable: map[string]string{}}
	passed := []string{}
	for _, name := range e.names(table, sent) {
		verdict, reason, _ := strings.Cut(textOf(table.nodes[name]), ": ")
		switch verdict {
		case "ok":
			passed = append(passed, name)
		case "failed":
			result.Failed[name] = reason
		case "unresolvable":
			result.Unresolvable[name] = reason
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

func (e *Extenders) prioritize(table *table, args *callArgs) ([]scored, error) {
	sent, _ := sentNodes(args)
	result := []scored{}
	for _, name := range e.names(table, sent) {
		var score int64
		if err := json.Unmarshal(table.nodes[name], &score); err != nil {
			return nil, err
		}
		result = append(result, scored{name, score})
	}
	return result, nil
}

func (e *Extenders) preempt(table *table, args *callArgs) (*preempted, error) {
	asked := args.ToMetaVictims
	if asked == nil {
		asked = map[string]*metaVictims{}
		for name, victims := range args.ToVictims {
			asked[name] = &metaVictims{NumPDBViolations: victims.NumPDBViolations}
			for _, pod := range victims.Pods {
				asked[name].Pods = append(asked[name].Pods, pod.Metadata)
			}
		}
	}
	var sent []string
	for name := range asked {
		sent = append(sent, name)
	}
	result := &preempted{map[string]*metaVictims{}}
	for _, name := range e.names(table, sent) {
		raw := table.nodes[name]
		if textOf(raw) == "keep" {
			result.ToMetaVictims[name] = &metaVictims{}
			if victims, ok := asked[name]; ok {
				result.ToMetaVictims[name] = victims
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
		victims := &metaVictims{NumPDBViolations: entry.NumPDBViolations}
		for _, pod := range entry.Victims {
			victims.Pods = append(victims.Pods, metaPod{e.uidOf(pod, name)})
		}
		result.ToMetaVictims[name] = victims
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
