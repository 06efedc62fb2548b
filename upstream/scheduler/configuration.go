package main

import (
	"encoding/json"
	"fmt"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/latest"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/scheme"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/validation"
)

// configure returns the configuration that the release makes of a KubeSchedulerConfiguration: decoded,
// defaulted and validated. Without one it returns the default.
func configure(given json.RawMessage) (*config.KubeSchedulerConfiguration, error) {
	if !isGiven(given) {
		return latest.Default()
	}
	object, kind, err := scheme.Codecs.UniversalDecoder().Decode(given, nil, nil)
	if err != nil {
		return nil, err
	}
	configuration, ok := object.(*config.KubeSchedulerConfiguration)
	if !ok {
		return nil, fmt.Errorf("%s is no KubeSchedulerConfiguration", kind)
	}
	configuration.TypeMeta.APIVersion = kind.GroupVersion().String()
	if err := validation.ValidateKubeSchedulerConfiguration(configuration); err != nil {
		return nil, err
	}
	return configuration, nil
}

// setGates gives the process feature gates with these values, and returns what gives it its own back.
func setGates(wanted map[string]bool) (undo func(), err error) {
	if len(wanted) == 0 {
		return func() {}, nil
	}
	own := utilfeature.DefaultMutableFeatureGate
	gates := own.DeepCopy()
	if err := gates.SetFromMap(wanted); err != nil {
		return nil, err
	}
	utilfeature.DefaultMutableFeatureGate, utilfeature.DefaultFeatureGate = gates, gates
	return func() { utilfeature.DefaultMutableFeatureGate, utilfeature.DefaultFeatureGate = own, own }, nil
}

// configurationOf completes a configuration that only has some fields, such as those about backoff.
func configurationOf(given json.RawMessage) json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(given, &members) != nil || members == nil || members["kind"] != nil {
		return given
	}
	members["apiVersion"] = json.RawMessage(`"kubescheduler.config.k8s.io/v1"`)
	members["kind"] = json.RawMessage(`"KubeSchedulerConfiguration"`)
	completed, err := json.Marshal(members)
	must(err)
	return completed
}
