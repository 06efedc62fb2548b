//go:build stepper && since1_34

package main

import (
	"context"

	fwk "k8s.io/kube-scheduler/framework"
)

func (*Permit) EventsToRegister(context.Context) ([]fwk.ClusterEventWithHint, error) {
	return nil, nil
}
