//go:build stepper

package main

import (
	"encoding/json"
	"net/http"
	"strconv"

	"k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	core "k8s.io/client-go/kubernetes/typed/core/v1"
	clientrest "k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/record"
)

// LeaseStore has the one record of a lease, in an annotation of an Endpoints.
type LeaseStore struct {
	endpoints *v1.Endpoints
	version   int
}

// lockFor returns the lock of an elector: the Endpoints.
func lockFor(elector *Elector) resourcelock.Interface {
	return &resourcelock.EndpointsLock{
		EndpointsMeta: metav1.ObjectMeta{Namespace: "kube-system", Name: "kube-scheduler"},
		Client: clientFor(elector.connection, func(c *clientrest.Config) (core.CoreV1Interface, error) {
			return core.NewForConfig(c)
		}),
		LockConfig: resourcelock.ResourceLockConfig{Identity: elector.Name, EventRecorder: &record.FakeRecorder{}},
	}
}

// releaseOnCancel does nothing: a leader of this release never releases the lease.
func releaseOnCancel(*leaderelection.LeaderElectionConfig, bool) {}

// set writes the lease for another client; without a record it deletes it.
func (s *LeaseStore) set(lease *PartLease) {
	if lease == nil {
		s.endpoints = nil
		return
	}
	text, err := json.Marshal(resourcelock.LeaderElectionRecord{
		HolderIdentity: lease.Holder, LeaseDurationSeconds: lease.Seconds, AcquireTime: metav1.Time{Time: lease.Acquired.Time},
		RenewTime: metav1.Time{Time: lease.Renewed.Time}, LeaderTransitions: lease.Transitions,
	})
	must(err)
	s.put(&v1.Endpoints{ObjectMeta: metav1.ObjectMeta{
		Namespace: "kube-system", Name: "kube-scheduler",
		Annotations: map[string]string{resourcelock.LeaderElectionRecordAnnotationKey: string(text)},
	}})
}

func (s *LeaseStore) put(endpoints *v1.Endpoints) {
	s.version++
	endpoints.ResourceVersion = strconv.Itoa(s.version)
	s.endpoints = endpoints
}

func (s *LeaseStore) perform(call *PartCall) reply {
	if call.Call != "get" {
		endpoints := &v1.Endpoints{}
		must(json.Unmarshal(call.body, endpoints))
		switch {
		case call.Call == "create" && s.endpoints != nil:
			return failure(http.StatusConflict, metav1.StatusReasonAlreadyExists)
		case call.Call == "update" && s.endpoints == nil:
			return failures["notFound"]
		case call.Call == "update" && endpoints.ResourceVersion != s.endpoints.ResourceVersion:
			return failures["conflict"]
		}
		s.put(endpoints)
	}
	if s.endpoints == nil {
		return failures["notFound"]
	}
	return success(s.endpoints)
}

func (s *LeaseStore) shown() *PartLease {
	if s.endpoints == nil {
		return nil
	}
	var kept resourcelock.LeaderElectionRecord
	must(json.Unmarshal([]byte(s.endpoints.Annotations[resourcelock.LeaderElectionRecordAnnotationKey]), &kept))
	return &PartLease{kept.HolderIdentity, kept.LeaseDurationSeconds, Moment{kept.AcquireTime.Time}, Moment{kept.RenewTime.Time},
		kept.LeaderTransitions}
}
