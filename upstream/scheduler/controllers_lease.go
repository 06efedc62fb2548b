//go:build stepper

package main

import (
	"encoding/json"
	"net/http"
	"strconv"

	api "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordination "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// LeaseStore has the one lease of the API.
type LeaseStore struct {
	lease   *api.Lease
	version int
}

// lockFor returns the lock of an elector: the lease.
func lockFor(elector *Elector) resourcelock.Interface {
	return &resourcelock.LeaseLock{
		LeaseMeta:  metav1.ObjectMeta{Namespace: "kube-system", Name: "kube-scheduler"},
		Client:     clientFor(elector.connection, coordination.NewForConfig),
		LockConfig: resourcelock.ResourceLockConfig{Identity: elector.Name},
	}
}

// releaseOnCancel has a leader that is asked to stop release the lease.
func releaseOnCancel(config *leaderelection.LeaderElectionConfig, releases bool) {
	config.ReleaseOnCancel = releases
}

// set writes the lease for another client; without a record it deletes it.
func (s *LeaseStore) set(record *PartLease) {
	if record == nil {
		s.lease = nil
		return
	}
	seconds, transitions := int32(record.Seconds), int32(record.Transitions)
	s.put(&api.Lease{
		ObjectMeta: metav1.ObjectMeta{Namespace: "kube-system", Name: "kube-scheduler"},
		Spec: api.LeaseSpec{
			HolderIdentity: &record.Holder, LeaseDurationSeconds: &seconds, LeaseTransitions: &transitions,
			AcquireTime: &metav1.MicroTime{Time: record.Acquired.Time}, RenewTime: &metav1.MicroTime{Time: record.Renewed.Time},
		},
	})
}

func (s *LeaseStore) put(lease *api.Lease) {
	s.version++
	lease.ResourceVersion = strconv.Itoa(s.version)
	s.lease = lease
}

func (s *LeaseStore) perform(call *PartCall) reply {
	if call.Call != "get" {
		lease := &api.Lease{}
		must(json.Unmarshal(call.body, lease))
		switch {
		case call.Call == "create" && s.lease != nil:
			return failure(http.StatusConflict, metav1.StatusReasonAlreadyExists)
		case call.Call == "update" && s.lease == nil:
			return failures["notFound"]
		case call.Call == "update" && lease.ResourceVersion != s.lease.ResourceVersion:
			return failures["conflict"]
		}
		s.put(lease)
	}
	if s.lease == nil {
		return failures["notFound"]
	}
	return success(s.lease)
}

func (s *LeaseStore) shown() *PartLease {
	if s.lease == nil {
		return nil
	}
	spec := s.lease.Spec
	return &PartLease{*spec.HolderIdentity, int(*spec.LeaseDurationSeconds), Moment{spec.AcquireTime.Time}, Moment{spec.RenewTime.Time},
		int(*spec.LeaseTransitions)}
}
