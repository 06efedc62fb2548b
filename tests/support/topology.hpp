#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/support/builder.hpp"

/// Terms of affinity between pods and spread constraints, and questions about nodes in zones.
namespace touchstone::tests {

inline LabelSelector app_is(const std::string& app) { return {{{"app", app}}, {}}; }

/// A term that means pods of this app, in one domain of the key.
inline PodAffinityTerm by(const std::string& key, const std::string& app) {
  PodAffinityTerm term;
  term.label_selector = app_is(app);
  term.topology_key = key;
  return term;
}

/// A constraint that rejects: pods of this app over the domains of the key, at most one too many.
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

/// Gives the nodes of a question, in their order, these zones; an empty one is no label.
inline Question in_zones(Question question, const std::vector<std::string>& zones) {
  for (std::size_t i = 0; i < zones.size(); ++i) {
    if (!zones[i].empty()) question.cluster.nodes[i].labels["zone"] = zones[i];
  }
  return question;
}

}  // namespace touchstone::tests
