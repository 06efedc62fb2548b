#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/support/builder.hpp"

/// Builds terms of inter-pod affinity, topology spread constraints, and questions with nodes in zones.
namespace touchstone::tests {

inline LabelSelector app_is(const std::string& app) { return {{{"app", app}}, {}}; }

/// A term that selects pods with the label app=`app`, with `key` as its topology key.
inline PodAffinityTerm by(const std::string& key, const std::string& app) {
  PodAffinityTerm term;
  term.label_selector = app_is(app);
  term.topology_key = key;
  return term;
}

/// A constraint with DoNotSchedule and maxSkew 1. It spreads pods with the label app=`app` over the domains
/// of `key`.
inline TopologySpreadConstraint over(const std::string& key, const std::string& app) {
  TopologySpreadConstraint constraint;
  constraint.label_selector = app_is(app);
  constraint.topology_key = key;
  constraint.when_unsatisfiable = "DoNotSchedule";
  constraint.max_skew = 1;
  return constraint;
}

inline Pod near(Pod pod, std::vector<PodAffinityTerm> terms) {
  pod.pod_affinity = std::move(terms);
  return pod;
}

inline Pod away(Pod pod, std::vector<PodAffinityTerm> terms) {
  pod.pod_anti_affinity = std::move(terms);
  return pod;
}

inline Pod spread(Pod pod, std::vector<TopologySpreadConstraint> constraints) {
  pod.topology_spread = std::move(constraints);
  return pod;
}

inline Pod in_namespace(Pod pod, const std::string& ns) {
  pod.ns = ns;
  return pod;
}

/// Sets the label "zone" of each node of a question, in the order of the nodes. An empty zone sets no label.
inline Question in_zones(Question question, const std::vector<std::string>& zones) {
  for (std::size_t i = 0; i < zones.size(); ++i) {
    if (!zones[i].empty()) question.cluster.nodes[i].labels["zone"] = zones[i];
  }
  return question;
}

}  // namespace touchstone::tests
