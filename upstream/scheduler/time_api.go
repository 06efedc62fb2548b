//go:build stepper

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	clientrest "k8s.io/client-go/rest"
	"k8s.io/client-go/util/flowcontrol"
)

// Calls is the connection of a scheduler to the API server. Every call waits here until it is answered, so that calls
// happen one at a time, in an order that does not depend on that of goroutines.
type Calls struct {
	mutex   sync.Mutex
	waiting []*Call
}

// callGet is the kind of calls that read a pod. They are not shown, and do not wait. From v1.19 on there are none.
const callGet = "get"

// Call is one that the scheduler has made.
type Call struct {
	kind      string // delete, patch, bind or get
	namespace string
	name      string
	body      []byte
	by        int64 // the goroutine
	root      int64 // the goroutine of the preemption that made this one, or by
	held      bool
	issued    bool

	ofPreemption bool
	reply        chan reply
}

type reply struct {
	code   int
	object any
}

func (c *Call) pod() string { return c.namespace + "/" + c.name }

// newClient returns the release's own client on a connection of ours.
func newClient(calls *Calls) (kubernetes.Interface, error) {
	return kubernetes.NewForConfig(&clientrest.Config{
		Host: "http://api", Transport: calls, RateLimiter: flowcontrol.NewFakeAlwaysRateLimiter(),
	})
}

// RoundTrip has a call wait. If the scheduler gives it up, it ends without an answer.
func (c *Calls) RoundTrip(request *http.Request) (*http.Response, error) {
	if isGroupStatus(request) {
		return response(request, success(newGangs())), nil
	}
	call := callOf(request)
	if call == nil {
		return response(request, failure(http.StatusNotFound, "NotFound")), nil
	}
	c.mutex.Lock()
	c.waiting = append(c.waiting, call)
	c.mutex.Unlock()
	select {
	case reply := <-call.reply:
		return response(request, reply), nil
	case <-request.Context().Done():
		c.remove(call)
		return nil, context.Cause(request.Context())
	}
}

// callOf returns the call of a request, or nil where it is about something that is not there.
func callOf(request *http.Request) *Call {
	path := strings.Split(strings.TrimPrefix(request.URL.Path, "/api/v1/namespaces/"), "/")
	if len(path) < 3 || path[1] != "pods" {
		return nil
	}
	call := &Call{namespace: path[0], name: path[2], reply: make(chan reply, 1)}
	call.noteOrigin()
	switch request.Method + " " + strings.Join(path[3:], "/") {
	case "DELETE ":
		call.kind = "delete"
	case "PATCH status", "PUT status":
		call.kind = "patch"
	case "POST binding":
		call.kind = "bind"
	case "GET ":
		call.kind = callGet
	default:
		return nil
	}
	if request.Body != nil {
		call.body, _ = io.ReadAll(request.Body)
	}
	return call
}

// isGroupStatus says whether a request is about the status of a pod group. It ends at once and changes nothing: no part of the
// scheduler reads this status, but to find out whether it has changed.
func isGroupStatus(request *http.Request) bool {
	return hasGangs && request.Method == http.MethodPatch && strings.Contains(request.URL.Path, "/podgroups/")
}

// noteOrigin notes which goroutine makes a call, and whether it is one of preemption.
func (c *Call) noteOrigin() {
	text := make([]byte, 1<<16)
	stack := string(text[:runtime.Stack(text, false)])
	c.by = parseGoroutine(stack).id
	c.root = c.by
	c.ofPreemption = strings.Contains(stack, "/scheduler/framework/preemption.")
	if !strings.Contains(stack, "workqueue.ParallelizeUntil") {
		return
	}
	if _, creator, ok := strings.Cut(stack, " in goroutine "); ok {
		_, _ = fmt.Sscan(creator, &c.root)
	}
}

// list returns the calls that wait, oldest first.
func (c *Calls) list() []*Call {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return append([]*Call{}, c.waiting...)
}

func (c *Calls) remove(call *Call) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for i, each := range c.waiting {
		if each == call {
			c.waiting = append(c.waiting[:i], c.waiting[i+1:]...)
			return
		}
	}
}

// answer lets a call end.
func (c *Calls) answer(call *Call, answer reply) {
	c.remove(call)
	call.reply <- answer
}

// response is what the client reads.
func response(request *http.Request, answer reply) *http.Response {
	body, err := json.Marshal(answer.object)
	must(err)
	return &http.Response{
		StatusCode: answer.code,
		Header:     http.Header{"Content-Type": []string{"application/json"}},
		Body:       io.NopCloser(bytes.NewReader(body)),
		Request:    request,
	}
}

// failure is the answer of an API server that refuses.
func failure(code int, reason metav1.StatusReason) reply {
	return reply{code, &metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"},
		Status:   metav1.StatusFailure, Reason: reason, Code: int32(code), Message: string(reason),
		Details: &metav1.StatusDetails{Kind: "pods"},
	}}
}

func success(object any) reply { return reply{http.StatusOK, object} }

// The results of `answer`. An error is refused for good: the client repeats nothing.
var failures = map[string]reply{
	"notFound": failure(http.StatusNotFound, metav1.StatusReasonNotFound),
	"conflict": failure(http.StatusConflict, metav1.StatusReasonConflict),
	"error":    failure(http.StatusForbidden, metav1.StatusReasonForbidden),
}

// refusal is the answer to a call of a world that ends.
func refusal(call *Call) reply {
	if call.kind == callGet {
		return failures["notFound"] // after another failure it is read again
	}
	return failures["error"]
}

// ShownCall is a call in an answer.
type ShownCall struct {
	Call              string  `json:"call"`
	Pod               string  `json:"pod"`
	NominatedNodeName *string `json:"nominatedNodeName,omitempty"`
	Reason            string  `json:"reason,omitempty"`
	MessageOnly       bool    `json:"messageOnly,omitempty"`
	Held              bool    `json:"held,omitempty"`
}
