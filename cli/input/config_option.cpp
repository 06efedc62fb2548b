#include "cli/input/config_option.hpp"

#include <set>

#include "cli/input/data.hpp"
#include "kubernetes/configuration/configuration.hpp"

namespace touchstone::cli {

void add_scheduler_options(CLI::App& command, SchedulerOptions& options) {
  command
      .add_option(
          "--config", options.config,
          "Configuration of the scheduler: a KubeSchedulerConfiguration as YAML or JSON; the profile that "
          "the pod names with schedulerName counts (default: the default configuration)")
      ->type_name("FILE");
}

Result<Release> configured_release(const SchedulerOptions& options, const std::string& config,
                                   const Release& release, const std::string& scheduler_name) {
  if (!options.config.empty())
    return kubernetes::configured_by_file(data_path(options.config), release, scheduler_name);
  if (config.empty()) return release;
  return kubernetes::configured_by_text(config, "config", release, scheduler_name);
}

Result<oracle::Profiles> read_profiles(const SchedulerOptions& options, const Cluster& cluster,
                                       const Release& release) {
  if (options.config.empty()) return oracle::default_profile(release);
  // The default name comes first, so that a wrong file is an error even without pending pods.
  std::set<std::string> names = {oracle::scheduler_of(Pod())};
  for (const Pod& pod : cluster.pods) {
    if (pod.node_name.empty()) names.insert(oracle::scheduler_of(pod));
  }
  oracle::Profiles profiles;
  for (const std::string& name : names) {
    Result<Release> profile = configured_release(options, "", release, name);
    if (!profile && profile.error().code == "unknown-profile") continue;
    if (!profile) return profile.error();
    profiles.emplace(name, std::move(profile).value());
  }
  return profiles;
}

}  // namespace touchstone::cli
