#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "proofs/scene.hpp"
#include "proofs/theorems/theorems.hpp"

/// What theorems need that hold a filter's answer against what a clause says.
namespace touchstone::proofs::TOUCHSTONE_BUILD {

/// Whether what was found is what is said.
inline Truth exactly(bool found, Truth said) { return found ? said : negation(said); }

inline bool chosen(Proof& proof, const std::string& name) { return proof.choose<Quantity>(name, 2) == 1; }

inline bool has_labels(const Labels& labels, const Labels& wanted) {
  return std::includes(labels.begin(), labels.end(), wanted.begin(), wanted.end());
}

/// "Releases: v1.26 and later", as clauses say it.
inline bool is_from(const Release& release, int minor, int patch = 0) {
  return release.version >= Version{minor, patch};
}

inline Node& add_node(Question& question, const std::string& name, const Labels& labels = {}) {
  Node& node = question.cluster.nodes.emplace_back();
  node.name = name;
  node.labels = labels;
  return node;
}

/// A pod that requests nothing.
inline Pod& add_pod(Question& question, const std::string& name, const std::string& node) {
  Pod& pod = question.cluster.pods.emplace_back();
  pod.ns = "default";
  pod.name = name;
  pod.uid = name;
  pod.node_name = node;
  return pod;
}

/// How the dry run has a pod of the first node.
enum class Stay { bound, taken_away, put_back, nominated };

/// Adds a pod of the first node, n0, which the dry run has in any way.
inline Pod& add_any_stay(Proof& proof, Question& question, const std::string& name,
                         std::vector<Stay>& stays) {
  Pod& pod = add_pod(question, name, "n0");
  stays.push_back(static_cast<Stay>(proof.choose<Quantity>(name + " stays, goes, is back, nominated", 4)));
  if (stays.back() == Stay::nominated) std::swap(pod.node_name, pod.nominated_node_name);
  return pod;
}

/// The first node as the dry run has it. The pods of `stays` come first in the cluster.
inline scheduler::NodeState first_node(const scheduler::Cycle& cycle, const std::vector<Stay>& stays) {
  scheduler::NodeState state = cycle.nodes[0];
  for (PodIndex i = 0; i < stays.size(); ++i) {
    const scheduler::PodOnNode pod{i, &cycle.cluster.pods[i]};
    if (stays[i] == Stay::taken_away || stays[i] == Stay::put_back) state.remove(pod, cycle.release);
    if (stays[i] == Stay::put_back) state.put_back(pod, cycle.release);
    if (stays[i] == Stay::nominated) state.add(pod, cycle.release);
  }
  return state;
}

inline std::string told(const Status& status) {
  std::string text = status.ok() ? "fits" : status.plugin;
  if (status.code == Code::unschedulable_and_unresolvable) text += ", beyond help";
  for (const std::string& reason : status.reasons) text += ": " + reason;
  return text;
}

}  // namespace touchstone::proofs::TOUCHSTONE_BUILD
