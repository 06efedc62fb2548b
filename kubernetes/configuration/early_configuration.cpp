#include "kubernetes/configuration/early_configuration.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "kubernetes/configuration/refusal.hpp"
#include "kubernetes/objects/fields.hpp"
#include "kubernetes/objects/known_fields.hpp"

namespace touchstone::kubernetes {

namespace {

constexpr int k_first_minor = 9;
constexpr int k_last_minor = 18;
constexpr std::string_view k_first_group = "componentconfig/v1alpha1";  ///< up to v1.11
constexpr std::string_view k_alpha_1 = "kubescheduler.config.k8s.io/v1alpha1";
constexpr std::string_view k_alpha_2 = "kubescheduler.config.k8s.io/v1alpha2";  ///< v1.18
constexpr std::string_view k_own_name = "default-scheduler";

/// CYC-PROFILE-4: whether the release reads a version.
bool is_read(std::string_view api_version, int minor) {
  if (minor < 12) return api_version == k_first_group;
  return api_version == k_alpha_1 || (minor == k_last_minor && api_version == k_alpha_2);
}

void check_version(const Value& config, const Release& release) {
  const std::string kind = string_field(config, "kind");
  const std::string api_version = string_field(config, "apiVersion");
  if (kind == "KubeSchedulerConfiguration" && is_read(api_version, release.version.minor)) return;
  const std::string expected(release.version.minor < 12 ? k_first_group : k_alpha_1);
  refuse_configuration(config, "no kind \"" + kind + "\" is registered for version \"" + api_version +
                                   "\" in " + release.version.text() +
                                   "; expected a KubeSchedulerConfiguration of " + expected);
}

void refuse_what_is_not_modelled(const Value& owner) {
  for (const char* key : {"plugins", "pluginConfig", "extenders"}) {
    if (const auto field = owner.find(key))
      field->fail("not-supported", "plug-ins and extenders of v1alpha1 and v1alpha2 are not supported");
  }
}

/// CYC-PROFILE-4: nodes that are more allocated score higher.
void score_most_allocated(Release& release) {
  release.fit_strategy = FitStrategy::most_allocated;
  for (WeightedScorer& scorer : release.scorers) {
    if (scorer.scorer != Scorer::node_resources) continue;
    scorer.name =
        release.version.minor < k_last_minor ? "MostRequestedPriority" : "NodeResourcesMostAllocated";
  }
}

/// CYC-PROFILE-4: the source of the algorithm: a provider.
void apply_source(const Value& config, Release& release) {
  const auto source = config.find("algorithmSource");
  if (!source) return;
  if (source->find("policy")) source->fail("not-supported", "a Policy is not supported");
  const std::string provider = string_field(*source, "provider");
  if (provider.empty() || provider == "DefaultProvider") return;
  if (provider == "ClusterAutoscalerProvider") return score_most_allocated(release);
  refuse_configuration(*source, release.version.minor < k_last_minor
                                    ? "plugin \"" + provider + "\" has not been registered"
                                    : "algorithm provider \"" + provider + "\" is not registered");
}

/// The numbers that change decisions. Up to v1.16 a weight of 0 counts as absent.
void apply_numbers(const Value& config, Release& release) {
  const std::string range = release.version.minor < 14 ? "0-100" : "[0-100]";
  const auto weight = configured_number(config, "hardPodAffinitySymmetricWeight", 0, 100, range);
  if (weight && (*weight > 0 || release.version.minor >= 17)) release.hard_pod_affinity_weight = *weight;
  if (release.version.minor < 12) return;
  const auto percentage = configured_number(config, "percentageOfNodesToScore", 0, 100, range);
  if (percentage) release.percentage_of_nodes = percentage;
}

/// The names of the profiles of v1alpha2.
std::set<std::string> profile_names(const Value& config) {
  const auto profiles = config.find("profiles");
  const std::size_t count = profiles ? profiles->elements().size() : 0;
  if (count == 0) return {std::string(k_own_name)};
  std::set<std::string> names;
  for (const Value profile : profiles->elements()) {
    refuse_what_is_not_modelled(profile);
    std::string name = string_field(profile, "schedulerName");
    if (name.empty() && count > 1) refuse_configuration(profile, "Required value: schedulerName");
    if (name.empty()) name = k_own_name;
    if (!names.insert(name).second) refuse_configuration(profile, "Duplicate value: \"" + name + "\"");
  }
  return names;
}

/// The names of the pods' schedulers for which the configuration counts.
std::set<std::string> scheduler_names(const Value& config) {
  if (string_field(config, "apiVersion") == k_alpha_2) return profile_names(config);
  const std::string name = string_field(config, "schedulerName");
  return {name.empty() ? std::string(k_own_name) : name};
}

}  // namespace

bool reads_early_configuration(const Release& release) {
  return k_first_minor <= release.version.minor && release.version.minor <= k_last_minor;
}

std::optional<Release> early_configured(const Value& config, const Release& release,
                                        const std::string& scheduler_name) {
  check_version(config, release);
  if (string_field(config, "apiVersion") == k_alpha_2)
    refuse_unknown_fields(config, "KubeSchedulerConfigurationAlpha2", release.version);
  refuse_what_is_not_modelled(config);
  Release changed = release;
  apply_source(config, changed);
  apply_numbers(config, changed);
  const auto disabled = config.find("disablePreemption");
  if (disabled && release.version.minor >= 11) changed.preempts = !disabled->boolean();
  const std::set<std::string> names = scheduler_names(config);
  return names.contains(scheduler_name) ? std::optional(changed) : std::nullopt;
}

}  // namespace touchstone::kubernetes
