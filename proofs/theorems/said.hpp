#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "proofs/scene.hpp"
#include "proofs/theorems/theorems.hpp"

/// Helpers of theorems that compare a filter's answer with what a clause says.
namespace touchstone::proofs::TOUCHSTONE_BUILD {

/// True if the answer found equals what the clause says.
inline Truth exactly(bool found, Truth said) { return found ? said : negation(said); }

inline bool chosen(Proof& proof, const std::string& name) { return proof.choose<Quantity>(name, 2) == 1; }

inline bool has_labels(const Labels& labels, const Labels& wanted) {
  return std::includes(labels.begin(), labels.end(), wanted.begin(), wanted.end());
}

/// Whether the release is v1.`minor`.`patch` or later, as in "Releases: v1.26 and later" of the clauses.
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

/// The state of a pod of the first node in the dry run.
enum class Stay { bound, taken_away, put_back, nominated };

/// Adds a pod of the first node, n0, in any of these states. Appends the state to `stays`.
inline Pod& add_any_stay(Proof& proof, Question& question, const std::string& name,
                         std::vector<Stay>& stays) {
  Pod& pod = add_pod(question, name, "n0");
  stays.push_back(static_cast<Stay>(proof.choose<Quantity>(name + " stays, goes, is back, nominated", 4)));
  if (stays.back() == Stay::nominated) std::swap(pod.node_name, pod.nominated_node_name);
  return pod;
}

/// The first node after the changes of `stays`. Requires: the pods of `stays` come first in the cluster.
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
  std::string text = std::string(status.ok() ? "fits" : status.plugin);
  if (status.code == Code::unschedulable_and_unresolvable) text += ", beyond help";
  for (const std::string& reason : status.reasons) text += ": " + reason;
  return text;
}

}  // namespace touchstone::proofs::TOUCHSTONE_BUILD
