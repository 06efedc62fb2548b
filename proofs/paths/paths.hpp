#pragma once

#include <atomic>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "proofs/engine/explorer.hpp"
#include "proofs/paths/scenes.hpp"

namespace touchstone::proofs {

/// A path of a scene, with one question that takes it.
struct Path {
  std::string name;  ///< "a-node-12-PRE-VICTIM-6": scene, number, deciding clause
  Question question;
  std::uint64_t behaviour;  ///< fuzz::Behaviour::signature, the same for all numbers of the path
};

/// All paths of a scene. A proof shows that they cover all cases.
struct ScenePaths {
  proving::Findings findings;
  std::vector<Path> paths;
  std::vector<std::string> red;  ///< why the paths are not complete, or where the product differs

  std::set<std::uint64_t> behaviours() const;
};

/// Explores the scene with this index in scenes(). Ensures: one question for each path, which
/// kubernetes::written() can write; the result is red if `stop` ended the exploration. Requires: one
/// exploration at a time on a thread.
ScenePaths paths_of(std::size_t scene, const std::atomic<bool>& stop);

}  // namespace touchstone::proofs
