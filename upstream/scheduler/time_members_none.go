//go:build stepper && !since1_37

package main

// ordersBindings says that bindings go on in the order in which their pods were assumed.
const ordersBindings = false

// keepLastPopped returns what restores the entry that the queue remembers as popped last. Up to v1.36 it remembers none.
func (w *World) keepLastPopped() func() { return func() {} }

// showMembers shows the pods of groups that are in no part of the queue. Up to v1.36 there are none.
func (w *World) showMembers(*State) {}
