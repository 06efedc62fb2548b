//go:build stepper && !since1_32

package main

import "k8s.io/kubernetes/pkg/scheduler/framework"

func (*Permit) EventsToRegister() []framework.ClusterEventWithHint { return nil }
