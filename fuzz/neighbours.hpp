#pragma once

#include "optimized/snapshot.hpp"
#include "spec/choices.hpp"
#include "spec/cluster.hpp"

/// Scenarios one small change away from each other.
namespace touchstone::fuzz {

/// A question that changes step by step, and a snapshot of its cluster that follows. Drawing a scenario and
/// building its snapshot take longer than deciding it, so a campaign asks each of them several times; and
/// what a decision rests on, as one request or one priority, is found by changing that alone. Lists keep
/// their order and length, so that the snapshot's numbers are their indices.
class Neighbours {
 public:
  Neighbours(Question question, const Release& release);

  const Question& question() const { return question_; }
  const optimized::Snapshot& snapshot() const { return snapshot_; }

  /// Changes one thing: of the preemptor, a pod, a node or a PDB. Total, as drawing is.
  void step(Choices& choices);

 private:
  void change_preemptor(Choices& choices);
  void change_pod(Choices& choices);
  void change_node(Choices& choices);
  void change_pdb(Choices& choices);

  Question question_;
  optimized::Snapshot snapshot_;
};

}  // namespace touchstone::fuzz
