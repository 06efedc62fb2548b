// Package touchstone judges a scheduler by the conformance suites of Touchstone, from go test:
//
//	func TestConforms(t *testing.T) {
//		touchstone.Conform(t, touchstone.SchedulerFunc(decide), touchstone.Release("v1.34"), touchstone.Levels("core"))
//	}
//
// Each case is a subtest. It needs the touchstone binary: the option Binary, $TOUCHSTONE, or touchstone in $PATH.
// docs/test-your-scheduler.md of Touchstone shows an example.
package touchstone

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Scheduler is a scheduler to judge. Decide gets one question at a time. If it does not return before the timeout, its
// context is done, and the next call may begin before it returns.
type Scheduler interface {
	Decide(ctx context.Context, question Question) (Answer, error)
}

// SchedulerFunc is a function that is a Scheduler.
type SchedulerFunc func(ctx context.Context, question Question) (Answer, error)

// Decide calls the function.
func (f SchedulerFunc) Decide(ctx context.Context, question Question) (Answer, error) {
	return f(ctx, question)
}

// Question is a cluster and the pod to schedule, as in spec/protocol.md. Objects are the JSON of Kubernetes, for
// example of corev1.Node.
type Question struct {
	Command string            `json:"cmd"` // "run": does preemption help, and where; "schedule": a whole cycle
	Release string            `json:"release"`
	Nodes   []json.RawMessage `json:"nodes"`
	Pods    []json.RawMessage `json:"pods"`
	PDBs    []json.RawMessage `json:"pdbs"`
	Pod     json.RawMessage   `json:"pod"`

	Raw json.RawMessage `json:"-"` // the whole question, with volumes, configuration and the other keys
}

// Answer is a decision, as in spec/protocol.md.
type Answer struct {
	Outcome  string         // "fits", "ineligible", "none", "nominated" or "error"; of a cycle also "scheduled"
	Node     string         // with "nominated" and "scheduled"
	Victims  []string       // with "nominated": namespace/name
	Feasible []string       // nodes that pass the filters; not judged if nil
	More     map[string]any // other keys; those that are left out are not judged
}

// MarshalJSON writes the answer as in spec/protocol.md.
func (a Answer) MarshalJSON() ([]byte, error) {
	keys := map[string]any{"outcome": a.Outcome}
	for key, value := range a.More {
		keys[key] = value
	}
	if a.Node != "" {
		keys["node"] = a.Node
	}
	if a.Victims != nil || a.Outcome == "nominated" {
		keys["victims"] = append([]string{}, a.Victims...)
	}
	if a.Feasible != nil {
		keys["feasible"] = a.Feasible
	}
	return json.Marshal(keys)
}

// ErrUnsupported says that the scheduler does not support what a question needs. Decide may wrap it.
var ErrUnsupported = errors.New("unsupported")

// Option is an option of Conform.
type Option func(*options)

type options struct {
	release, known, vectors, binary, version, only string
	levels, features                               []string
	timeout                                        time.Duration
}

// Release sets the release to conform to, such as "v1.34". Default: the newest.
func Release(release string) Option { return func(o *options) { o.release = release } }

// Levels sets the levels to judge, such as "core". Default: all.
func Levels(levels ...string) Option { return func(o *options) { o.levels = levels } }

// Features sets what the scheduler supports, as in docs/conformance.md. Default: "core".
func Features(features ...string) Option { return func(o *options) { o.features = features } }

// Known sets a file of known failures. Their cases are skipped.
func Known(file string) Option { return func(o *options) { o.known = file } }

// Version sets the version of the scheduler, for `until` in the file of known failures.
func Version(version string) Option { return func(o *options) { o.version = version } }

// Case judges only the case with this name, for example while debugging.
func Case(name string) Option { return func(o *options) { o.only = name } }

// Timeout sets the time after which the scheduler counts as hung, in whole seconds. Default: 10 seconds.
func Timeout(timeout time.Duration) Option { return func(o *options) { o.timeout = timeout } }

// Vectors sets a file or directory of vectors, which are judged in place of the suites.
func Vectors(place string) Option { return func(o *options) { o.vectors = place } }

// Binary sets the touchstone binary. Default: $TOUCHSTONE, then touchstone in $PATH.
func Binary(path string) Option { return func(o *options) { o.binary = path } }

func (o *options) arguments() []string {
	arguments := []string{"conform", "--output", "json", "--shrink", "--timeout", fmt.Sprint(max(1, int(o.timeout.Seconds())))}
	for _, each := range []struct{ flag, value string }{
		{"--release", o.release}, {"--known", o.known}, {"--case", o.only}, {"--vectors", o.vectors},
	} {
		if each.value != "" {
			arguments = append(arguments, each.flag, each.value)
		}
	}
	for _, level := range o.levels {
		arguments = append(arguments, "--levels", level)
	}
	return arguments
}
