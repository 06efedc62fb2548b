#include "kubernetes/objects/label_keys.hpp"

#include <optional>

namespace touchstone::kubernetes {

namespace {

constexpr int k_affinity_minor = 31;
constexpr int k_spread_minor = 34;

void merge_keys(const std::vector<std::string>& keys, const std::string& op, const std::string& field,
                const Pod& pod, std::optional<LabelSelector>& selector, std::vector<std::string>& notes) {
  if (!selector) return;
  for (const std::string& key : keys) {
    const auto label = pod.labels.find(key);
    if (label == pod.labels.end()) continue;
    selector->match_expressions.push_back({.key = key, .op = op, .values = {label->second}});
    notes.push_back("label selector " + key + " " + op + " (" + label->second + ") from " + field);
  }
}

void merge_term(const Pod& pod, PodAffinityTerm& term, std::vector<std::string>& notes) {
  merge_keys(term.match_label_keys, "In", "matchLabelKeys", pod, term.label_selector, notes);
  merge_keys(term.mismatch_label_keys, "NotIn", "mismatchLabelKeys", pod, term.label_selector, notes);
}

}  // namespace

void merge_label_keys(const Version& release, Pod& pod, std::vector<std::string>& notes) {
  if (release.minor >= k_affinity_minor) {
    for (std::vector<PodAffinityTerm>* terms : {&pod.pod_affinity, &pod.pod_anti_affinity}) {
      for (PodAffinityTerm& term : *terms) merge_term(pod, term, notes);
    }
    for (std::vector<WeightedPodAffinityTerm>* terms :
         {&pod.preferred_pod_affinity, &pod.preferred_pod_anti_affinity}) {
      for (WeightedPodAffinityTerm& weighted : *terms) merge_term(pod, weighted.term, notes);
    }
  }
  if (release.minor < k_spread_minor) return;
  for (TopologySpreadConstraint& constraint : pod.topology_spread)
    merge_keys(constraint.match_label_keys, "In", "matchLabelKeys", pod, constraint.label_selector, notes);
}

}  // namespace touchstone::kubernetes
