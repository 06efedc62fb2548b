#include "cli/engine_option.hpp"

#include <algorithm>
#include <cassert>

namespace touchstone::cli {

namespace {

/// The reference takes some 10 us a pod.
constexpr std::size_t k_pods_many = 50000;

}  // namespace

void add_engine_option(CLI::App& command, std::string& engine, bool by_size) {
  std::vector<std::string> choices(oracle::k_engine_names.begin(), oracle::k_engine_names.end());
  if (by_size) choices.push_back(k_engine_by_size);
  assert(std::find(choices.begin(), choices.end(), engine) != choices.end());
  command
      .add_option(
          "--engine", engine,
          std::string("Who answers: the simple reference, the optimized engine for large clusters, or both, "
                      "which is an error where they differ") +
              (by_size ? "; auto goes by the number of pods" : ""))
      ->check(CLI::IsMember(choices))
      ->capture_default_str();
}

oracle::Engine engine_of(const std::string& name) {
  const auto found = std::find(oracle::k_engine_names.begin(), oracle::k_engine_names.end(), name);
  assert(found != oracle::k_engine_names.end());
  return static_cast<oracle::Engine>(found - oracle::k_engine_names.begin());
}

oracle::Engine engine_for(const std::string& name, const Cluster& cluster) {
  if (name != k_engine_by_size) return engine_of(name);
  return cluster.pods.size() < k_pods_many ? oracle::Engine::reference : oracle::Engine::optimized;
}

}  // namespace touchstone::cli
