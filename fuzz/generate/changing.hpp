#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "optimized/search/decide.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/choices.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/decision.hpp"

namespace touchstone::fuzz {

/// A question that changes step by step, and a snapshot of its cluster with the same changes. The law: the
/// snapshot gives the same answers as a new snapshot of the changed cluster. Campaigns rely on this law.
/// Generating a scenario and building its snapshot take longer than deciding it. Therefore a campaign
/// decides each scenario several times, one small change apart. Small changes also find what a decision
/// depends on, such as one request or one priority.
class MutableCluster {
 public:
  /// Requires: the release outlives this object.
  MutableCluster(Question question, const Release& release);

  const Question& question() const { return question_; }

  /// The snapshot's numbers of nodes and pods are not always their indices in the lists of the question.
  const optimized::Snapshot& snapshot() const { return snapshot_; }

  /// Converts the snapshot's numbers in an answer to indices of the lists.
  optimized::Answer in_list_order(optimized::Answer answer) const;
  Candidate in_list_order(Candidate candidate) const;

  /// Makes one change that `choices` pick: of the preemptor, a pod, a node, a PDB, a namespace, or the
  /// storage. Returns the name of the change. Total: any choices are valid.
  std::string change(Choices& choices);

 private:
  std::string change_preemptor(Choices& choices);
  std::string change_pod(Choices& choices);
  std::string replace_pod(Choices& choices);
  std::string change_node(Choices& choices);
  std::string replace_node(Choices& choices);
  std::string change_pdb(Choices& choices);
  std::string replace_pdb(Choices& choices);
  std::string change_namespace(Choices& choices);
  std::string change_storage(Choices& choices);

  Question question_;
  optimized::Snapshot snapshot_;
  // The snapshot's number of each object in the lists of the question.
  std::vector<NodeIndex> nodes_;
  std::vector<PodIndex> pods_;
  std::vector<std::uint32_t> pdbs_;
};

}  // namespace touchstone::fuzz
