#include "cli/input/engine_option.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <string_view>

#include "oracle/explain/wording.hpp"
#include "oracle/work.hpp"

namespace touchstone::cli {

void add_engine_option(CLI::App& command, std::string& engine, bool by_work) {
  std::vector<std::string> choices(oracle::k_engine_names.begin(), oracle::k_engine_names.end());
  if (by_work) choices.push_back(k_engine_by_work);
  assert(std::find(choices.begin(), choices.end(), engine) != choices.end());
  command
      .add_option("--engine", engine,
                  std::string("Engine that decides: the simple reference, the optimized engine for large "
                              "clusters, or both (a difference is an error)") +
                      (by_work ? "; auto chooses by the expected work" : ""))
      ->check(CLI::IsMember(choices))
      ->capture_default_str();
}

oracle::Engine engine_of(const std::string& name) {
  const auto found = std::find(oracle::k_engine_names.begin(), oracle::k_engine_names.end(), name);
  assert(found != oracle::k_engine_names.end());
  return static_cast<oracle::Engine>(found - oracle::k_engine_names.begin());
}

oracle::Engine engine_for(const std::string& name, const Cluster& cluster,
                          const std::vector<const Pod*>& preemptors) {
  return name == k_engine_by_work ? oracle::engine_by_work(cluster, preemptors) : engine_of(name);
}

std::string deciding_by(oracle::Engine engine, const Cluster& cluster) {
  constexpr std::array<std::string_view, 3> k_deciders = {
      "the reference decides", "the optimized engine decides", "both engines decide"};
  return std::string(k_deciders[static_cast<std::size_t>(engine)]) + ": " +
         oracle::count_of(cluster.nodes.size(), "node") + ", " + oracle::count_of(cluster.pods.size(), "pod");
}

}  // namespace touchstone::cli
