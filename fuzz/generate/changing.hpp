#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "optimized/search/decide.hpp"
#include "spec/vocabulary/choices.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/decision.hpp"
#include "spec/releases/release.hpp"

namespace touchstone::fuzz {

/// A question that changes step by step, and the snapshot of its cluster that follows. The law is that the
/// snapshot answers as one that is built of the changed cluster. Campaigns rest on it: drawing a scenario and
/// building its snapshot take longer than deciding it, so each is asked several times, one small change
/// apart, which is also how what a decision rests on, as one request or one priority, is found.
class Changing {
 public:
  /// Requires: the release outlives it.
  Changing(Question question, const Release& release);

  const Question& question() const { return question_; }

  /// Its numbers of nodes and pods are not always their indices in the lists.
  const optimized::Snapshot& snapshot() const { return snapshot_; }

  /// What the snapshot says, in indices of the lists.
  optimized::Answer in_list_order(optimized::Answer answer) const;
  Candidate in_list_order(Candidate candidate) const;

  /// One change, picked and drawn: of the preemptor, a pod, a node, a PDB, a namespace, or the storage.
  /// Returns its name. Total, as drawing is.
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
  // The snapshot's numbers of the objects in the lists.
  std::vector<NodeIndex> nodes_;
  std::vector<PodIndex> pods_;
  std::vector<std::uint32_t> pdbs_;
};

}  // namespace touchstone::fuzz
