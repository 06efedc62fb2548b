#pragma once

#include <initializer_list>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "fuzz/generate/facts.hpp"
#include "fuzz/generate/scenario.hpp"

/// Generates the parts of a scenario; for fuzz/generate/scenario*.cpp only.
namespace touchstone::fuzz {

/// The state while one scenario is generated: its choices, its families, and the release of the API.
struct Draw {
  Choices& choices;
  std::set<Family> families = {};
  int minor = 0;       ///< of the release whose API is used
  bool tight = false;  ///< most pods are covered by budgets that are used up
  bool small = false;  ///< few nodes and pods and little else, as in proofs/paths

  bool has(Family family) const { return families.contains(family); }

  /// True once in n; the first alternative is false.
  bool once_in(std::size_t n) { return choices.pick(n, "once in") == n - 1; }

  std::size_t below(std::size_t n) { return choices.pick(n, "below"); }

  template <typename T>
  T one_of(std::initializer_list<T> values) {
    return *std::next(values.begin(), static_cast<std::ptrdiff_t>(choices.pick(values.size(), "one of")));
  }
};

/// The preemptor's priority, and priorities around it for the other pods.
struct Priorities {
  Quantity preemptor;
  std::vector<Quantity> others;
};

// Labels, selectors and what they match: scenario_labels.cpp.
Labels draw_labels(Draw& draw);
/// `valid`: leave out selectors that cannot be converted. Requires: `valid` for the terms of a pod, because
/// an API server does not admit such a term, and a scheduler rejects its pod.
LabelSelector draw_label_selector(Draw& draw, bool valid);
void draw_namespaces(Draw& draw, Cluster& cluster);
void draw_node_labels(Draw& draw, Node& node);
void draw_taints(Draw& draw, Node& node);
void draw_tolerations(Draw& draw, Pod& preemptor);
void draw_node_affinity(Draw& draw, Pod& preemptor, std::size_t nodes);
PodAffinityTerm draw_affinity_term(Draw& draw);
TopologySpreadConstraint draw_spread(Draw& draw);

// Pods: scenario_pods.cpp.
std::string node_name(std::size_t number);
Pod draw_pod(Draw& draw, const std::string& name, const Priorities& priorities, bool alike);
void draw_declared_features(Draw& draw, Node& node);
Pod draw_preemptor(Draw& draw, const Priorities& priorities, std::size_t nodes);

PodDisruptionBudget draw_pdb(Draw& draw, std::size_t number, const std::vector<Pod>& pods);

// Volumes of pods that exist already: scenario_volumes.cpp.
void draw_volumes(Draw& draw, Question& question);
VolumeSource volume_source(const std::string& kind, const std::string& id);
void mount(Pod& pod, VolumeSource source);
void mount_claim(Pod& pod, const std::string& claim);
/// Adds a claim, and the volume of a CSI driver that the claim is bound to. Returns the volume.
PersistentVolume& bound(Storage& storage, const std::string& ns, const std::string& name,
                        const std::string& volume_name);

// Extenders of the question: scenario_extenders.cpp.
void draw_extenders(Draw& draw, Question& question);

// Properties that few clusters have, added to an existing cluster: scenario_unusual.cpp.
void draw_unusual(Draw& draw, Question& question);

// What scores look at, added to an existing cluster: scored.cpp. It is generated after everything else, so
// the cluster of a seed does not depend on it.
void draw_scored(Draw& draw, const Scenarios& scenarios, Question& question);

// Labels, images and taints of nodes that scores look at: scored_nodes.cpp.
void draw_images(Draw& draw, Question& question);
void draw_soft_taints(Draw& draw, Question& question);
void draw_zone_labels(Draw& draw, Question& question);
void draw_avoided(Draw& draw, Question& question);

// Preferences of pods, and the objects that select pods: scored_pods.cpp.
void draw_preferred_nodes(Draw& draw, Question& question);
void draw_preferred_pods(Draw& draw, Question& question);
void draw_soft_spread(Draw& draw, Question& question);
void draw_selecting(Draw& draw, Question& question);

// Amounts: scored_amounts.cpp.
void draw_odd_requests(Draw& draw, Question& question);
void make_room(Draw& draw, const Release& release, Question& question);
void draw_borders(Draw& draw, const Release& release, Question& question);
void draw_storage_scores(Draw& draw, Question& question);

}  // namespace touchstone::fuzz
