//go:build stepper && since1_32 && !since1_34

package main

import (
	"context"

	"k8s.io/kubernetes/pkg/scheduler/framework"
)

func (*Permit) EventsToRegister(context.Context) ([]framework.ClusterEventWithHint, error) {
	return nil, nil
}
