package main

import (
	"encoding/json"
	_ "unsafe" // for go:linkname

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/scheduler/algorithm/predicates"
	schedulerapi "k8s.io/kubernetes/pkg/scheduler/api"
	latestschedulerapi "k8s.io/kubernetes/pkg/scheduler/api/latest"
	"k8s.io/kubernetes/pkg/scheduler/factory"
)

// What predicates and priorities of a Policy register, for the whole process: a scheduler reads one Policy.

//go:linkname metadataProducers k8s.io/kubernetes/pkg/scheduler/algorithm/predicates.predicateMetadataProducers
var metadataProducers map[string]predicates.PredicateMetadataProducer

//go:linkname fitPredicates k8s.io/kubernetes/pkg/scheduler/factory.fitPredicateMap
var fitPredicates map[string]factory.FitPredicateFactory

//go:linkname priorities k8s.io/kubernetes/pkg/scheduler/factory.priorityFunctionMap
var priorities map[string]factory.PriorityConfigFactory

// unregister undoes what earlier Policies have registered.
var unregister func()

// restorer returns a function that gives a map its present content again.
func restorer[V any](of map[string]V) func() {
	kept := map[string]V{}
	for name, value := range of {
		kept[name] = value
	}
	return func() {
		for name := range of {
			delete(of, name)
		}
		for name, value := range kept {
			of[name] = value
		}
	}
}

// create creates a scheduler as the release does: from a Policy or, without one, from the default provider.
func create(configurator factory.Configurator, text string) (*factory.Config, error) {
	if unregister == nil {
		producers, fits, scores := restorer(metadataProducers), restorer(fitPredicates), restorer(priorities)
		unregister = func() { producers(); fits(); scores() }
	}
	unregister()
	if text == "" {
		return configurator.CreateFromProvider(factory.DefaultProvider)
	}
	var policy schedulerapi.Policy
	if err := runtime.DecodeInto(latestschedulerapi.Codec, []byte(text), &policy); err != nil {
		return nil, err
	}
	return configurator.CreateFromConfig(policy)
}

// policyOf returns the Policy of a question, and why the question is not put to the release.
func policyOf(question *Question) (policy json.RawMessage, why string) {
	policy = question.Policy
	if !isGiven(policy) {
		policy = question.Config
	}
	if len(question.FeatureGates) > 0 {
		return nil, "feature gates are not set"
	}
	if !isGiven(policy) {
		return nil, ""
	}
	var members struct {
		Kind      string          `json:"kind"`
		Extenders json.RawMessage `json:"extenders"`
	}
	if err := json.Unmarshal(policy, &members); err != nil || members.Kind != "Policy" {
		return nil, "of the configurations only a Policy is read"
	}
	if isGiven(members.Extenders) && !isGiven(question.Extenders) {
		return nil, "extenders of a Policy are not asked, only those of a question"
	}
	return policy, ""
}

// settingsOf returns the Policy that a question leads to, empty for the default provider, and the answers of its extenders.
// In a Policy with extenders alone, the release takes predicates and priorities from the default provider.
func settingsOf(question *Question, policy json.RawMessage) (settings string, answers *Extenders, problem *Problem) {
	extenders, answers, err := extendersOf(question)
	if err != nil {
		return "", nil, &Problem{"wrong-type", "extenders", err.Error()}
	}
	for _, each := range extenders {
		delete(each, "httpTimeout") // a number in a Policy; tables answer at once
	}
	policy, err = withExtenders(policy, "v1", "Policy", extenders)
	if err != nil {
		return "", nil, &Problem{"refused-configuration", "config", err.Error()}
	}
	return string(policy), answers, nil
}
