#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "optimized/decide.hpp"
#include "spec/choices.hpp"
#include "spec/cluster.hpp"
#include "spec/release.hpp"

namespace touchstone::fuzz {

/// A cluster that changes step by step, and the snapshot that follows its changes: the law is that it answers
/// as one that is built of the changed cluster.
class Followed {
 public:
  /// Requires: the release outlives it.
  Followed(Cluster cluster, const Release& release);

  /// One change, picked and drawn: of a pod, a node, a PDB, a namespace, or the storage. Returns its name;
  /// "nothing" where there is no such object.
  std::string change(Choices& choices);

  /// What the changed snapshot answers, and what one built anew does, in the numbers of the former.
  std::pair<optimized::Answer, optimized::Answer> ask(const Pod& pod, optimized::Workers& workers) const;

  const Cluster& cluster() const { return cluster_; }

 private:
  std::string change_pod(std::size_t kind, std::size_t at, Choices& choices);
  std::string change_node(std::size_t kind, std::size_t at, Choices& choices);
  std::string change_storage(Choices& choices);
  std::string change_pdb(std::size_t kind, std::size_t at, Choices& choices);

  Cluster cluster_;
  const Release& release_;
  optimized::Snapshot snapshot_;
  // The snapshot's numbers of the cluster's objects.
  std::vector<std::size_t> nodes_;
  std::vector<std::size_t> pods_;
  std::vector<std::uint32_t> pdbs_;
};

}  // namespace touchstone::fuzz
