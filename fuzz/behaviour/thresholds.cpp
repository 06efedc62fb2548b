#include "fuzz/behaviour/thresholds.hpp"

#include <algorithm>
#include <set>

namespace touchstone::fuzz {

namespace {

std::size_t nodes(const Question& question, const Placement&) { return question.cluster.nodes.size(); }

std::size_t pods(const Question& question, const Placement&) { return question.cluster.pods.size(); }

std::size_t pdbs(const Question& question, const Placement&) { return question.cluster.pdbs.size(); }

std::size_t best_nodes(const Question&, const Placement& placement) { return placement.best.size(); }

std::size_t bytes_of_resource(const Question& question, const Placement&) {
  std::size_t most = 0;
  for (const Node& node : question.cluster.nodes) {
    for (const auto& [name, amount] : node.allocatable) most = std::max(most, name.size());
  }
  return most;
}

std::size_t amount(const Question& question, const Placement&) {
  Quantity most = 0;
  for (const Node& node : question.cluster.nodes) {
    for (const auto& [name, amount] : node.allocatable) most = std::max(most, amount);
  }
  return static_cast<std::size_t>(most);
}

std::size_t image_lists(const Question& question, const Placement&) {
  std::set<std::vector<std::string>> lists;
  for (const Node& node : question.cluster.nodes) {
    std::vector<std::string> names;
    for (const auto& image : node.images) names.insert(names.end(), image.names.begin(), image.names.end());
    lists.insert(names);
  }
  return lists.size();
}

}  // namespace

constexpr std::array<Threshold, k_threshold_count> k_thresholds = {{
    {"nodes", 64, "the optimized engine's sets of nodes have several words", "", nodes},
    {"nodes", 100, "a search for a node may end early", "", nodes},
    {"nodes", 128, "the optimized engine shares dry runs among threads", "", nodes},
    {"nodes", 512, "the optimized engine shares filters among threads", "Workers.*", nodes},
    {"nodes with the highest score", 256, "the optimized engine finds the host in the heap", "KeptSearch.*",
     best_nodes},
    {"pods", 1024, "the optimized engine packs its columns of pods", "Rows.*", pods},
    {"PDBs", 64, "the optimized engine's sets of PDBs have several words", "", pdbs},
    {"bytes of a resource's name", 61, "it may be a limit of a CSI driver whose name is shortened", "",
     bytes_of_resource},
    {"bytes of a resource's name", 62, "it is no shortened limit", "", bytes_of_resource},
    {"as an amount of a resource", (std::size_t{1} << 45) - 1, "the optimized engine does not use floats", "",
     amount},
    {"lists of images", 256, "the optimized engine rates each node's list", "OptimizedNodes.*", image_lists},
}};

void count_sides(const Question& question, const Placement& placement,
                 std::array<Sides, k_threshold_count>& sides) {
  for (std::size_t i = 0; i < k_threshold_count; ++i) {
    const std::size_t size = k_thresholds[i].measure(question, placement);
    const std::size_t limit = k_thresholds[i].limit;
    ++(size < limit ? sides[i].below : size == limit ? sides[i].at : sides[i].beyond);
  }
}

}  // namespace touchstone::fuzz
