//go:build stepper

package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// timeline serves an init with one node of one cpu and these pods, then other lines, and returns all answers.
func timeline(t *testing.T, pods string, lines ...string) []map[string]any {
	t.Helper()
	begin := fmt.Sprintf(`{"cmd":"init","seq":0,"release":%q,"now":"2026-01-01T00:00:00Z","nodes":[%s],"pods":[%s]}`,
		release, fullNode, pods)
	found := answers(t, &Scheduler{}, append([]string{begin}, lines...)...)
	for i, answer := range found {
		if answer["error"] != nil && !strings.Contains(t.Name(), "Refused") {
			t.Fatalf("line %d: %v", i, answer["error"])
		}
	}
	return found
}

// stateOf returns a part of the state of an answer as JSON.
func stateOf(answer map[string]any, key string) string {
	state, _ := answer["state"].(map[string]any)
	text, _ := json.Marshal(state[key])
	return string(text)
}

func expectSeen(t *testing.T, answer map[string]any, wanted map[string]string) {
	t.Helper()
	for key, want := range wanted {
		if got := stateOf(answer, key); got != want {
			t.Errorf("%s is %s, not %s", key, got, want)
		}
	}
}

func TestAPodIsBoundAndSeen(t *testing.T) {
	found := timeline(t, highPod, `{"cmd":"cycle","seq":1}`, `{"cmd":"cycle","seq":2}`)
	expectSeen(t, found[0], map[string]string{"active": `["d/high"]`, "attempts": `{"d/high":0}`})
	if found[1]["outcome"] != "scheduled" || found[1]["node"] != "n1" || found[1]["seq"] != 1.0 {
		t.Errorf("the cycle is %v", found[1])
	}
	expectSeen(t, found[1], map[string]string{"active": "[]", "assumed": "{}", "inFlight": "[]", "pods": `{"d/high":{"nodeName":"n1"}}`})
	if found[2]["outcome"] != "idle" || !reflect.DeepEqual(found[2]["calls"], []any{}) {
		t.Errorf("the second cycle is %v", found[2])
	}
}

func TestABindingThatWaitsIsAssumedAndThenFails(t *testing.T) {
	found := timeline(t, highPod,
		`{"cmd":"hold","seq":1,"call":"bind","pod":"d/high"}`, `{"cmd":"cycle","seq":2}`,
		`{"cmd":"answer","seq":3,"call":"bind","pod":"d/high","result":"error"}`)
	expectSeen(t, found[2], map[string]string{"assumed": `{"d/high":"n1"}`,
		"held": `{"calls":[{"call":"bind","pod":"d/high"}],"watch":{}}`})
	expectSeen(t, found[3], map[string]string{"assumed": "{}", "held": `{"calls":[],"watch":{}}`, "backoff": `["d/high"]`})
}

func TestPreemptionEvictsAndNominates(t *testing.T) {
	found := timeline(t, lowPod+","+highPod, `{"cmd":"cycle","seq":1}`)
	if found[1]["outcome"] != "nominated" || !reflect.DeepEqual(found[1]["victims"], []any{"d/low"}) {
		t.Errorf("the cycle is %v", found[1])
	}
	expectSeen(t, found[1], map[string]string{"nominated": `{"n1":["d/high"]}`, "rejectors": `{"d/high":["NodeResourcesFit"]}`})
}

func TestEventsThatWaitAreDeliveredInOrder(t *testing.T) {
	write := func(seq int, name string) string {
		return fmt.Sprintf(`{"cmd":"write","seq":%d,"verb":"create","kind":"Pod","object":%s}`, seq,
			strings.Replace(highPod, `"high"`, `"`+name+`"`, 1))
	}
	found := timeline(t, "", `{"cmd":"hold","seq":1,"watch":"Pod"}`, write(2, "a"), write(3, "b"),
		`{"cmd":"deliver","seq":4,"watch":"Pod","count":1}`, `{"cmd":"deliver","seq":5,"watch":"Pod"}`)
	expectSeen(t, found[3], map[string]string{"active": "[]", "held": `{"calls":[],"watch":{"Pod":2}}`})
	expectSeen(t, found[4], map[string]string{"active": `["d/a"]`})
	expectSeen(t, found[5], map[string]string{"active": `["d/a","d/b"]`, "held": `{"calls":[],"watch":{}}`})
}

func TestTheClockEndsABackoff(t *testing.T) {
	found := timeline(t, lowPod+","+strings.Replace(highPod, `"priority":10`, `"priority":0`, 1),
		`{"cmd":"cycle","seq":1}`, `{"cmd":"write","seq":2,"verb":"remove","kind":"Pod","object":`+lowPod+`}`,
		`{"cmd":"flush","seq":3,"queue":"backoff"}`, `{"cmd":"advance","seq":4,"seconds":2.5}`,
		`{"cmd":"flush","seq":5,"queue":"backoff"}`)
	expectSeen(t, found[1], map[string]string{"unschedulable": `["d/high"]`})
	expectSeen(t, found[3], map[string]string{"backoff": `["d/high"]`})
	expectSeen(t, found[5], map[string]string{"backoff": `[]`, "active": `["d/high"]`})
}

func TestNothingChangesAfterARefusedCommand(t *testing.T) {
	found := timeline(t, highPod, `{"cmd":"cycle","seq":1,"take":"n2"}`, `{"cmd":"state","seq":2}`,
		`{"cmd":"answer","seq":3,"call":"bind","pod":"d/high","result":"ok"}`, `{"cmd":"write","seq":4,"verb":"update","kind":"Pod","object":`+lowPod+`}`,
		`{"cmd":"deliver","seq":5,"watch":"Node"}`, `{"cmd":"advance","seq":6,"seconds":-1}`, `{"cmd":"flush","seq":7}`)
	for i, want := range map[int]string{1: "not-admissible", 3: "not-waiting", 4: "not-found", 5: "not-held", 6: "out-of-range", 7: "unknown-value"} {
		if code(found[i]) != want {
			t.Errorf("line %d is %v, not %s", i, found[i], want)
		}
	}
	if !reflect.DeepEqual(found[0]["state"], found[2]["state"]) {
		t.Errorf("the state is %v, not %v", found[2]["state"], found[0]["state"])
	}
}

func TestACommandWithoutAWorldIsRefused(t *testing.T) {
	if found := answers(t, &Scheduler{}, `{"cmd":"cycle","seq":1}`); code(found[0]) != "no-world" {
		t.Errorf("it is %v", found[0])
	}
}

func TestGoroutinesThatWaitForAnotherCannotGoOn(t *testing.T) {
	for text, want := range map[string]bool{
		"goroutine 7 [running]:\nmain.f()":                                true,
		"goroutine 7 [sleep]:\ntime.Sleep()":                              true,
		"goroutine 7 [select, 3 minutes]:\nmain.f()":                      false,
		"goroutine 7 gp=0xc0 m=nil [chan receive]:\nmain.f()":             false,
		"goroutine 7 [semacquire]:\nsync.(*WaitGroup).Wait(0xc0)":         false,
		"goroutine 7 [semacquire]:\nruntime.gcStart()":                    true,
		"goroutine 7 [sync.Cond.Wait, locked to thread]:\nsync.f()":       false,
		"goroutine 7 [GC assist wait]:\nruntime.gcParkAssist()\nmain.f()": true,
	} {
		g := parseGoroutine(text)
		if g.id != 7 || g.canGoOn() != want {
			t.Errorf("%q: %+v", text, g)
		}
	}
}
