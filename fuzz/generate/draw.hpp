#pragma once

#include <initializer_list>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "fuzz/generate/facts.hpp"
#include "fuzz/generate/scenario.hpp"

/// How the parts of a scenario are drawn; for fuzz/generate/scenario*.cpp only.
namespace touchstone::fuzz {

/// Choices, the families of this scenario, and what the API has.
struct Draw {
  Choices& choices;
  std::set<Family> families = {};
  int minor = 0;       ///< of the release whose API is used
  bool tight = false;  ///< most pods are held by budgets that are used up
  bool small = false;  ///< few nodes with few pods and little else, as the scenes of proofs/paths have them

  bool has(Family family) const { return families.contains(family); }

  /// Yes once in n; the first alternative is no.
  bool once_in(std::size_t n) { return choices.pick(n, "once in") == n - 1; }

  std::size_t below(std::size_t n) { return choices.pick(n, "below"); }

  template <typename T>
  T one_of(std::initializer_list<T> values) {
    return *std::next(values.begin(), static_cast<std::ptrdiff_t>(choices.pick(values.size(), "one of")));
  }
};

/// The preemptor's priority and the others' around it.
struct Priorities {
  Quantity preemptor;
  std::vector<Quantity> others;
};

// Labels, selectors and what is matched by them: scenario_labels.cpp.
Labels draw_labels(Draw& draw);
/// Requires: `valid` for what an API server would not take otherwise and a scheduler rejects the pod for.
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

// Volumes of pods drawn before: scenario_volumes.cpp.
void draw_volumes(Draw& draw, Question& question);
VolumeSource volume_source(const std::string& kind, const std::string& id);
void mount(Pod& pod, VolumeSource source);
void mount_claim(Pod& pod, const std::string& claim);
/// A claim and the volume that it is bound to, of a CSI driver.
PersistentVolume& bound(Storage& storage, const std::string& ns, const std::string& name,
                        const std::string& volume_name);

// What few clusters have, added to one drawn before: scenario_unusual.cpp.
void draw_unusual(Draw& draw, Question& question);

}  // namespace touchstone::fuzz
