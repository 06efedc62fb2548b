package main

import (
	"fmt"
	"strings"
	"testing"
)

func TestErrorsNameTheObjectAndTheField(t *testing.T) {
	base := `{"cmd":"run","seq":3,"release":"v0.0.0","pod":` + highPod + `,"nodes":[` + fullNode + `,%s],"pods":[%s]}`
	for _, c := range []struct{ node, pod, code, path, says string }{
		{`{"metadata":{"name":"b"},"spec":{"colour":1}}`, ``, "unknown-field", "nodes[1].spec.colour", "b: "},
		{`{"metadata":{"name":"b"},"Spec":{}}`, ``, "unknown-field", "nodes[1].Spec", "b: "},
		{`{"metadata":{"name":"b","name":"c"}}`, ``, "unknown-field", "nodes[1].metadata.name", "duplicate"},
		{`{"metadata":{}}`, ``, "missing-field", "nodes[1].metadata.name", "no name"},
		{`{"metadata":{"name":"n1"}}`, ``, "repeated-node", "nodes[1].metadata.name", "n1"},
		{`null`, ``, "wrong-type", "nodes[1]", "null"},
		{`7`, ``, "wrong-type", "nodes[1]", "number"},
		{`{"metadata":{"name":"b"},"status":{"allocatable":{"cpu":"much"}}}`, ``, "wrong-type", "nodes[1]", "b: quantities"},
		{`{"metadata":{"name":"b"}}`, `{"metadata":{"namespace":"d","name":"x"},"spec":{"priority":"high"}}`,
			"wrong-type", "pods[0]", "d/x: "},
	} {
		_, problem := decodeQuestion([]byte(fmt.Sprintf(base, c.node, c.pod)))
		if problem == nil || problem.Code != c.code || problem.Path != c.path || !strings.Contains(problem.Message, c.says) {
			t.Errorf("%s %s: %+v, not %s at %s saying %s", c.node, c.pod, problem, c.code, c.path, c.says)
		}
	}
}

func TestEveryKeyOfTheProtocolIsKnown(t *testing.T) {
	const line = `{"cmd":"run","seq":1,"offset":0,"quota":1,"anyOrder":true,"trace":true,"repeat":2,"timings":true,` +
		`"pdbs":null,"priorityClasses":[{"metadata":{"name":"x"},"value":1}],` +
		`"namespaces":[{"metadata":{"name":"x"}}],"pvcs":[{"metadata":{"namespace":"d","name":"x"}}],` +
		`"pvs":[{"metadata":{"name":"x"}}],"storageClasses":[{"metadata":{"name":"x"},"provisioner":"p"}],` +
		`"csiNodes":[{"metadata":{"name":"x"}}],"csiDrivers":[{"metadata":{"name":"x"}}],` +
		`"volumeAttachments":[{"metadata":{"name":"x"}}],` +
		`"csiStorageCapacities":[{"metadata":{"namespace":"d","name":"x"},"storageClassName":"x"}],` +
		`"services":[{"metadata":{"name":"x"}}],"replicationControllers":[{"metadata":{"name":"x"}}],` +
		`"replicaSets":[{"metadata":{"name":"x"}}],"statefulSets":[{"metadata":{"name":"x"}}],`
	if _, problem := decodeQuestion([]byte(line + rest)); problem != nil {
		t.Errorf("%+v", problem)
	}
}

func TestSeqIsReadFromALineThatIsWrongOtherwise(t *testing.T) {
	for line, want := range map[string]int64{`{"seq":5,"pods":7}`: 5, `{"seq":-1}`: -1} {
		if seq := seqOf([]byte(line)); seq == nil || *seq != want {
			t.Errorf("%s: %v", line, seq)
		}
	}
	for _, line := range []string{`{"seq":"5"}`, `{"seq":5`, `{"seq":null}`} {
		if seq := seqOf([]byte(line)); seq != nil {
			t.Errorf("%s: %v", line, *seq)
		}
	}
}

func TestFieldsOfOtherReleasesAreDroppedAndNoted(t *testing.T) {
	search := fieldSearch{dropped: map[string]bool{}}
	for field, known := range map[string]bool{
		"pods[3].spec.resources": true, "pod.spec.resources": true, "pods[0].spec.initContainers[1].restartPolicyRules": true,
		"replicaSets[1].spec.template.spec.resources": true, "services[0].spec.ports[0].appProtocol": true,
		"statefulSets[0].spec.volumeClaimTemplates[0].metadata.managedFields": true,
		"nodes[0].spec.resources": false, "pods[0].spec": false, "pods[0].spec.resource": false,
	} {
		if search.drop(field, "unknown field") != known || search.drop(field, "duplicate field") {
			t.Errorf("%s: dropped is %v", field, !known)
		}
	}
	if notes := search.notes(); len(notes) != 4 || notes[1] != "v0.0.0 has no field pods[].spec.resources: dropped" {
		t.Errorf("notes are %v", notes)
	}
}
