//go:build stepper

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
)

// partsByName begins each part that is there in this release.
var partsByName = map[string]func(command *PartCommand) (Part, *Problem){}

// registerPart tells that there is a part.
func registerPart(name string, begin func(command *PartCommand) (Part, *Problem)) {
	features = append(features, name)
	partsByName[name] = begin
}

// Part is a controller beside the scheduler, in virtual time.
type Part interface {
	run(command *PartCommand) (any, *Problem)
	end()
}

// PartCommand is a line about a part.
type PartCommand struct {
	Cmd string `json:"cmd"`
	Seq *int64 `json:"seq"`

	Part    string `json:"part"` // init
	Release string `json:"release"`

	Now       *Moment         `json:"now"`
	Pods      json.RawMessage `json:"pods"`
	PDBs      json.RawMessage `json:"pdbs"`
	Workloads json.RawMessage `json:"workloads"`

	Electors []PartElector `json:"electors"`
	Lease    *PartLease    `json:"lease"`

	Verb    string          `json:"verb"` // write
	Kind    string          `json:"kind"`
	Object  json.RawMessage `json:"object"`
	Elector string          `json:"elector"`
	Nanos   int64           `json:"nanoseconds"` // advance
	Queue   string          `json:"queue"`       // work
	Call    string          `json:"call"`        // hold and answer
	Result  string          `json:"result"`
	Watch   string          `json:"watch"` // hold and deliver
	Count   int             `json:"count"`
	Pod     string          `json:"pod"` // evict
	PDB     string          `json:"pdb"`
}

// PartAnswer is the answer to a command.
type PartAnswer struct {
	Seq     *int64 `json:"seq"`
	Outcome string `json:"outcome,omitempty"`
	Calls   any    `json:"calls,omitempty"`
	State   any    `json:"state"`
}

// Moment is a time, in JSON the nanoseconds since 1970.
type Moment struct{ time.Time }

// MarshalJSON writes the nanoseconds; those of no time are 0.
func (m Moment) MarshalJSON() ([]byte, error) {
	if m.IsZero() {
		return []byte("0"), nil
	}
	return strconv.AppendInt(nil, m.UnixNano(), 10), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (m *Moment) UnmarshalJSON(text []byte) error {
	nanos, err := strconv.ParseInt(string(text), 10, 64)
	m.Time = time.Unix(0, nanos).UTC()
	return err
}

// Parts answers lines about a part. Its zero value is ready.
type Parts struct{ current Part }

// answerLine returns the answer to a line, or nil if it is not about a part.
func (p *Parts) answerLine(line []byte) (answer any) {
	var named struct {
		Cmd  string `json:"cmd"`
		Part string `json:"part"`
	}
	if json.Unmarshal(line, &named) != nil {
		return nil
	}
	if named.Cmd == "init" {
		p.end()
	}
	if p.current == nil && (named.Cmd != "init" || named.Part == "") || named.Cmd == "hello" || named.Cmd == "bye" || named.Cmd == "" {
		return nil
	}
	seq := seqOf(line)
	defer func() {
		if reason := recover(); reason != nil {
			recordCrash(reason)
		}
		if text := takeCrash(); text != "" {
			p.current = nil // its goroutines are lost
			answer = malformed(seq, &Problem{"panic", "", text})
		}
	}()
	containCrashes()
	command := &PartCommand{}
	if err := decodeStrictly(line, command); err != nil {
		return malformed(seq, &Problem{"wrong-type", "", err.Error()})
	}
	given, problem := p.carryOut(command)
	if problem != nil {
		return malformed(seq, problem)
	}
	return given
}

func (p *Parts) carryOut(command *PartCommand) (any, *Problem) {
	if command.Cmd != "init" {
		return p.current.run(command)
	}
	if command.Release != release {
		return nil, &Problem{"unknown-release", "release", fmt.Sprintf("this is %s; asked for %q", release, command.Release)}
	}
	useOneProcessor()
	utilruntime.ErrorHandlers = nil // one of them sleeps by a clock that all bubbles share
	begin := partsByName[command.Part]
	if begin == nil {
		return nil, &Problem{"unknown-value", "part", fmt.Sprintf("%s has no part %q here", release, command.Part)}
	}
	var problem *Problem
	p.current, problem = begin(command)
	if problem != nil {
		p.current = nil
		return nil, problem
	}
	return p.current.run(command)
}

// decodeStrictly decodes JSON that may have known fields only.
func decodeStrictly(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	return decoder.Decode(into)
}

// end ends the part.
func (p *Parts) end() {
	if p.current != nil {
		p.current.end()
	}
	p.current = nil
}
