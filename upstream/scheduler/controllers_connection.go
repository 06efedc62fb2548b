//go:build stepper

package main

import (
	"io"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clientrest "k8s.io/client-go/rest"
)

// PartCall is a call that a part has made.
type PartCall struct {
	By     string `json:"by,omitempty"` // the elector
	Call   string `json:"call"`
	Name   string `json:"name,omitempty"`
	Result string `json:"result,omitempty"`
	Held   bool   `json:"held,omitempty"`

	reply chan reply // of one that waits
	body  []byte
}

// Connection is that of a part, or of one elector, to the API server. A call is carried out at once, unless the next one of
// its kind shall wait.
type Connection struct {
	by      string
	name    func(request *http.Request) (call, object string)
	perform func(call *PartCall) reply
	armed   map[string]int
	waiting []*PartCall
	made    *[]*PartCall
	isOver  bool
}

// asJSON has clients send JSON. Those of later releases would send protocol buffers.
var asJSON = clientrest.ContentConfig{ContentType: "application/json", AcceptContentTypes: "application/json"}

// clientFor returns a client of the release on this connection.
func clientFor[C any](connection *Connection, make func(*clientrest.Config) (C, error)) C {
	client, err := make(&clientrest.Config{Host: "http://api", QPS: -1, ContentConfig: asJSON, Transport: connection})
	must(err)
	return client
}

// RoundTrip carries out a call, or has it wait.
func (c *Connection) RoundTrip(request *http.Request) (*http.Response, error) {
	if err := request.Context().Err(); err != nil {
		return nil, err
	}
	if c.isOver {
		return response(request, failures["error"]), nil
	}
	kind, name := c.name(request)
	call := &PartCall{By: c.by, Call: kind, Name: name}
	if request.Body != nil {
		call.body, _ = io.ReadAll(request.Body)
	}
	*c.made = append(*c.made, call)
	if c.armed[kind] == 0 {
		return response(request, c.carriedOut(call)), nil
	}
	c.armed[kind]--
	call.Held = true
	call.reply = make(chan reply, 1)
	c.waiting = append(c.waiting, call)
	select {
	case answer := <-call.reply:
		return response(request, answer), nil
	case <-request.Context().Done():
		c.remove(call)
		return nil, request.Context().Err()
	}
}

func (c *Connection) carriedOut(call *PartCall) reply {
	answer := c.perform(call)
	call.Result = "ok"
	if status, fails := answer.object.(*metav1.Status); fails {
		call.Result = string(status.Reason)
	}
	return answer
}

func (c *Connection) remove(call *PartCall) {
	for i, each := range c.waiting {
		if each == call {
			c.waiting = append(c.waiting[:i:i], c.waiting[i+1:]...)
			return
		}
	}
}

// answer lets the oldest call that waits end. "lost" carries it out, and has the caller see a failure.
func (c *Connection) answer(result string) *Problem {
	if len(c.waiting) == 0 {
		return &Problem{"not-waiting", "call", "no call waits"}
	}
	call := c.waiting[0]
	c.remove(call)
	answer, fails := failures[result]
	if !fails {
		answer = c.perform(call)
	}
	if result == "lost" {
		answer = failures["error"]
	}
	call.reply <- answer
	return nil
}

// end has every call fail from now on.
func (c *Connection) end() {
	c.isOver = true
	for len(c.waiting) > 0 {
		_ = c.answer("error")
	}
}

// shownCalls returns the calls of a command and forgets them.
func shownCalls(made *[]*PartCall) any {
	shown := append([]*PartCall{}, *made...)
	*made = nil
	return shown
}
