#pragma once

#include <atomic>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "proofs/engine/explorer.hpp"
#include "proofs/paths/scenes.hpp"

namespace touchstone::proofs {

/// A question that leads down a path.
struct Path {
  std::string name;  ///< "a-node-12-PRE-VICTIM-6": the scene, a number and the deciding clause
  Question question;
  std::uint64_t behaviour;  ///< fuzz::Behaviour::signature, the same for all numbers that lead down the path
};

/// All paths that a scene has: that they leave nothing out is proved.
struct ScenePaths {
  proving::Findings findings;
  std::vector<Path> paths;
  std::vector<std::string> red;  ///< why the paths are not all, or the product goes another way on some

  std::set<std::uint64_t> behaviours() const;
};

/// Explores one of scenes(). Ensures: a question a path, which kubernetes::written() can write down; a scene
/// that `stop` ended is red. Requires: one exploration at a time on a thread.
ScenePaths paths_of(std::size_t scene, const std::atomic<bool>& stop);

}  // namespace touchstone::proofs
