#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "oracle/queue.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/result.hpp"

/// The options that say how the scheduler is configured, and where its search begins.
namespace touchstone::cli {

/// The configuration of the scheduler, as the command line gives it.
struct SchedulerOptions {
  std::string config;         ///< file of a KubeSchedulerConfiguration; empty: none
  std::string policy;         ///< file of a Policy; empty: none
  std::string feature_gates;  ///< "A=true,B=false"; empty: the defaults
  std::optional<Quantity> start;

  /// The file that configures the scheduler; empty: none.
  const std::string& file() const { return policy.empty() ? config : policy; }
};

/// Adds the options --config, --policy and --feature-gates.
void add_scheduler_options(CLI::App& command, SchedulerOptions& options);

/// Adds --start.
void add_start_option(CLI::App& command, SchedulerOptions& options);

/// Sets the start of the search, if the options have one. Returns the error of a start beyond the last node.
std::optional<Error> set_start(const SchedulerOptions& options, Question& question);

/// The release as the options configure it for pods that name this scheduler. `members`: JSON of a vector,
/// with `config`, `policy` and `featureGates`, which count where the option is not given; empty: none.
/// Errors: those of kubernetes::configured_by_file and of with_feature_gates().
Result<Release> configured_release(const SchedulerOptions& options, const std::string& members,
                                   const Release& release, const std::string& scheduler_name);

/// The profiles that the pending pods of a cluster name. Profiles that the configuration does not have are
/// left out. Errors: those of kubernetes::configured_by_file, but unknown-profile.
Result<oracle::Profiles> read_profiles(const SchedulerOptions& options, const Cluster& cluster,
                                       const Release& release);

}  // namespace touchstone::cli
