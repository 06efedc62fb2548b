package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"sort"
	"strings"

	kjson "sigs.k8s.io/json"
)

// Question is a line to a subject. Kubernetes objects are decoded as the API server of the release would with strict
// field validation: a field that no release has is refused, and so is one that stands twice. A field that only other
// releases have is dropped, as the API server of the release drops it, and noted.
type Question struct {
	Cmd     string `json:"cmd"`
	Seq     *int64 `json:"seq"`
	Release string `json:"release"`

	Offset   *int64 `json:"offset"`
	Quota    *int32 `json:"quota"`
	Repeat   int    `json:"repeat"`
	Timings  bool   `json:"timings"`
	AnyOrder bool   `json:"anyOrder"`
	Trace    bool   `json:"trace"`

	SameCluster bool `json:"sameCluster"`

	PriorityClasses json.RawMessage `json:"priorityClasses"`

	Config       json.RawMessage `json:"config"`
	FeatureGates map[string]bool `json:"featureGates"`

	// Only schedule has these.
	Start     *int64          `json:"start"`
	Policy    json.RawMessage `json:"policy"`
	Extenders json.RawMessage `json:"extenders"`

	Objects // the objects of Kubernetes, in the types of the release

	notes []string
}

// Problem says why a question has no decision. Code and path are stable, the message is for people.
type Problem struct {
	Code    string `json:"code"`
	Path    string `json:"path"`
	Message string `json:"message"`
}

// decodeQuestion returns the question of a line, complete and within its bounds, or what is wrong with it.
func decodeQuestion(line []byte) (*Question, *Problem) {
	if text := bytes.TrimSpace(line); len(text) == 0 || text[0] != '{' {
		return nil, &Problem{"json-malformed", "", "the line is no JSON object"}
	}
	question := &Question{}
	if strict, err := kjson.UnmarshalStrict(line, question); err != nil || len(strict) > 0 {
		search := fieldSearch{dropped: map[string]bool{}}
		if problem := search.question(line, err, strict); problem != nil {
			return nil, problem
		}
		question.notes = search.notes()
	}
	question.notes = append(question.notes, question.foreign()...)
	switch question.Cmd {
	case "hello", "bye":
		return question, nil
	case "run":
		if problem := checkRun(question); problem != nil {
			return question, problem
		}
		return question, checkScheduleOnly(question)
	case "schedule":
		return question, checkRun(question)
	case "":
		return nil, &Problem{"missing-field", "cmd", "the line says not what to do: cmd is missing"}
	}
	return nil, &Problem{"unknown-command", "cmd", fmt.Sprintf("%q is none of hello, run, schedule and bye", question.Cmd)}
}

func checkRun(question *Question) *Problem {
	switch {
	case question.Seq == nil:
		return &Problem{"missing-field", "seq", "seq is missing"}
	case question.Release != release:
		return &Problem{"unknown-release", "release",
			fmt.Sprintf("this is kube-scheduler %s and answers for no other; asked for %q", release, question.Release)}
	case question.Pod == nil:
		return &Problem{"missing-field", "pod", "pod is missing"}
	case question.Offset != nil && *question.Offset < 0:
		return &Problem{"out-of-range", "offset", "offset is negative"}
	case question.Quota != nil && *question.Quota < 0:
		return &Problem{"out-of-range", "quota", "quota is negative"}
	case question.Repeat < 0:
		return &Problem{"out-of-range", "repeat", "repeat is negative"}
	case question.Start != nil && *question.Start < 0:
		return &Problem{"out-of-range", "start", "start is negative"}
	case question.SameCluster && len(question.Nodes)+len(question.Pods) > 0:
		return &Problem{"out-of-range", "sameCluster", "a question with sameCluster has no nodes and no pods"}
	}
	return checkNames(question)
}

// checkScheduleOnly refuses what run would not heed.
func checkScheduleOnly(question *Question) *Problem {
	for _, key := range []struct {
		name  string
		given bool
	}{
		{"start", question.Start != nil},
		{"policy", isGiven(question.Policy)},
		{"extenders", isGiven(question.Extenders)},
	} {
		if key.given {
			return &Problem{"unknown-field", key.name, fmt.Sprintf("run has no %s: schedule has", key.name)}
		}
	}
	return nil
}

// isGiven says whether a key has a value that is neither null nor an empty list.
func isGiven(raw json.RawMessage) bool {
	text := string(bytes.TrimSpace(raw))
	return text != "" && text != "null" && text != "[]"
}

// checkNames refuses objects without a name, null in place of an object, and two nodes of one name: no API server
// serves them. Lists that only plugins read are held to the first two.
func checkNames(question *Question) *Problem {
	if question.Pod.Name == "" {
		return &Problem{"missing-field", "pod.metadata.name", "the pod has no name"}
	}
	value := reflect.ValueOf(question).Elem()
	for _, field := range reflect.VisibleFields(value.Type()) {
		key := field.Tag.Get("json")
		if key == "" || field.Type.Kind() != reflect.Slice || field.Type.Elem().Kind() != reflect.Pointer {
			continue
		}
		list := value.FieldByIndex(field.Index)
		for j := 0; j < list.Len(); j++ {
			path := fmt.Sprintf("%s[%d]", key, j)
			if list.Index(j).IsNil() {
				return &Problem{"wrong-type", path, "null is no object"}
			}
			if list.Index(j).Interface().(interface{ GetName() string }).GetName() == "" {
				return &Problem{"missing-field", path + ".metadata.name", "the object has no name"}
			}
		}
	}
	seen := make(map[string]bool, len(question.Nodes))
	for i, node := range question.Nodes {
		if seen[node.Name] {
			return &Problem{"repeated-node", fmt.Sprintf("nodes[%d].metadata.name", i),
				fmt.Sprintf("there are two nodes %q", node.Name)}
		}
		seen[node.Name] = true
	}
	return nil
}

// otherFields are the fields that one of the releases (v1.13.0 and v1.29 to v1.37) has and another has not, one a line,
// without their own fields. Containers stand for all kinds of them.
//
//go:embed other_fields.txt
var otherFields string

// fieldSearch looks for what could not be decoded. It decodes each object by itself, since the errors of the decoder
// do not always say where, nor all of them.
type fieldSearch struct {
	dropped map[string]bool
}

// question returns what is wrong with a line, or nil where it only has fields of other releases.
func (f *fieldSearch) question(line []byte, err error, strict []error) *Problem {
	var members map[string]json.RawMessage
	if malformed := json.Unmarshal(line, &members); malformed != nil {
		return &Problem{"json-malformed", "", malformed.Error()}
	}
	for _, field := range reflect.VisibleFields(reflect.TypeOf(Question{})) {
		key := field.Tag.Get("json")
		if raw, ok := members[key]; ok {
			if problem := f.value(key, raw, field.Type); problem != nil {
				return problem
			}
		}
	}
	for _, unknown := range strict {
		if path := quoted(unknown.Error()); !strings.Contains(path, ".") {
			return &Problem{"unknown-field", path, unknown.Error()}
		}
	}
	if err != nil {
		return &Problem{"wrong-type", "", err.Error()}
	}
	return nil
}

// value returns what is wrong with a value of the given type, list members one by one, or nil.
func (f *fieldSearch) value(path string, raw json.RawMessage, kind reflect.Type) *Problem {
	var members []json.RawMessage
	if kind.Kind() == reflect.Slice && kind.Elem().Kind() == reflect.Pointer && json.Unmarshal(raw, &members) == nil {
		for i, member := range members {
			if problem := f.value(fmt.Sprintf("%s[%d]", path, i), member, kind.Elem()); problem != nil {
				return problem
			}
		}
		return nil
	}
	value := reflect.New(kind)
	strict, err := kjson.UnmarshalStrict(raw, value.Interface())
	if err != nil {
		return &Problem{"wrong-type", path, nameOf(raw) + err.Error()}
	}
	for _, unknown := range strict {
		field := path + "." + quoted(unknown.Error())
		if !f.drop(field, unknown.Error()) {
			return &Problem{"unknown-field", field, nameOf(raw) + unknown.Error()}
		}
	}
	return nil
}

var (
	indexPattern     = regexp.MustCompile(`\[[^]]*\]`)
	containerPattern = regexp.MustCompile(`\.(init|ephemeral)Container`)
	templatePattern  = regexp.MustCompile(`^(replicationControllers|replicaSets|statefulSets)\[\]\.spec\.template\.`)
	claimPattern     = regexp.MustCompile(`^statefulSets\[\]\.spec\.volumeClaimTemplates`)
)

// drop remembers a field that another release has, and says whether it is one.
func (f *fieldSearch) drop(field, message string) bool {
	if !strings.HasPrefix(message, "unknown field") {
		return false
	}
	field = indexPattern.ReplaceAllString(field, "[]")
	if strings.HasPrefix(field, "pod.") {
		field = "pods[]" + strings.TrimPrefix(field, "pod")
	}
	field = claimPattern.ReplaceAllString(templatePattern.ReplaceAllString(field, "pods[]."), "pvcs")
	for _, name := range []string{field, containerPattern.ReplaceAllString(field, ".container")} {
		if strings.Contains("\n"+otherFields, "\n"+name+"\n") {
			f.dropped[name] = true
			return true
		}
	}
	return false
}

func (f *fieldSearch) notes() []string {
	var notes []string
	for field := range f.dropped {
		notes = append(notes, fmt.Sprintf("%s has no field %s: dropped", release, field))
	}
	sort.Strings(notes)
	return notes
}

// nameOf returns the name of an object as the beginning of a message, or nothing.
func nameOf(raw json.RawMessage) string {
	var object struct {
		Metadata struct{ Namespace, Name string }
	}
	if json.Unmarshal(raw, &object) != nil || object.Metadata.Name == "" {
		return ""
	}
	return fmt.Sprintf("%s: ", strings.TrimPrefix(object.Metadata.Namespace+"/"+object.Metadata.Name, "/"))
}

// quoted returns what stands in quotes in a message, which in those of the decoder is the field's path.
func quoted(message string) string {
	parts := strings.Split(message, `"`)
	if len(parts) < 3 {
		return ""
	}
	return parts[1]
}

// seqOf returns the seq of a line that may be malformed otherwise, or nil.
func seqOf(line []byte) *int64 {
	var numbered struct {
		Seq *int64 `json:"seq"`
	}
	if json.Unmarshal(line, &numbered) != nil {
		return nil
	}
	return numbered.Seq
}
