#include "cli/input/config_option.hpp"

#include <set>

#include "cli/input/data.hpp"
#include "cli/terminal/options.hpp"
#include "kubernetes/configuration/configuration.hpp"
#include "spec/releases/feature_gates.hpp"

namespace touchstone::cli {

void add_scheduler_options(CLI::App& command, SchedulerOptions& options) {
  command
      .add_option(
          "--config", options.config,
          "Configuration of the scheduler: a KubeSchedulerConfiguration as YAML or JSON; the profile that "
          "the pod names with schedulerName counts (default: the default configuration)")
      ->type_name("FILE");
  command
      .add_option("--policy", options.policy,
                  "Policy file of the scheduler as YAML or JSON, for v1.8 to v1.22, instead of --config "
                  "(default: the default configuration)")
      ->type_name("FILE")
      ->excludes("--config");
  command
      .add_option("--feature-gates", options.feature_gates,
                  "Feature gates of the scheduler, such as SidecarContainers=false,AllAlpha=true (default: "
                  "those of the release)")
      ->type_name("GATES");
}

void add_start_option(CLI::App& command, SchedulerOptions& options) {
  command
      .add_option("--start", options.start,
                  "Search for feasible nodes as the release does, from index N of its list of nodes on "
                  "(default: visit every node)")
      ->type_name("N")
      ->check(whole_number(0));
}

std::optional<Error> set_start(const SchedulerOptions& options, Question& question) {
  if (options.start) question.start = options.start;
  const std::size_t nodes = question.cluster.nodes.size();
  if (!question.start || *question.start < static_cast<Quantity>(nodes)) return std::nullopt;
  return Error{"out-of-range", "--start",
               "expected an index below the number of nodes, " + std::to_string(nodes) + "; found " +
                   std::to_string(*question.start)};
}

Result<Release> configured_release(const SchedulerOptions& options, const std::string& members,
                                   const Release& release, const std::string& scheduler_name) {
  const Result<kubernetes::Document> document =
      kubernetes::Document::parse(members.empty() ? "{}" : members, "vector");
  if (!document) return document.error();
  const kubernetes::Value root = document.value().root();
  const Result<FeatureGates> gates = parse_feature_gates(options.feature_gates);
  if (!gates) return gates.error();
  const Result<Release> gated = options.feature_gates.empty()
                                    ? kubernetes::gated_by_member(root, release)
                                    : with_feature_gates(release, gates.value(), "--feature-gates");
  if (!gated) return gated.error();
  if (options.file().empty()) return kubernetes::configured_by_member(root, gated.value(), scheduler_name);
  return kubernetes::configured_by_file(data_path(options.file()), gated.value(), scheduler_name);
}

Result<oracle::Profiles> read_profiles(const SchedulerOptions& options, const Cluster& cluster,
                                       const Release& release) {
  if (options.file().empty()) {
    const Result<Release> gated = configured_release(options, "", release, "");
    if (!gated) return gated.error();
    return oracle::default_profile(gated.value());
  }
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
