#include "kubernetes/configuration/configuration.hpp"

#include <array>
#include <optional>
#include <set>

#include "kubernetes/configuration/arguments.hpp"
#include "kubernetes/configuration/early_configuration.hpp"
#include "kubernetes/configuration/extenders.hpp"
#include "kubernetes/configuration/plugins.hpp"
#include "kubernetes/configuration/policy.hpp"
#include "kubernetes/configuration/refusal.hpp"
#include "kubernetes/objects/fields.hpp"
#include "kubernetes/objects/known_fields.hpp"
#include "kubernetes/text/bytes.hpp"
#include "kubernetes/text/documents.hpp"
#include "spec/releases/feature_gates.hpp"

namespace touchstone::kubernetes {

namespace {

constexpr std::string_view k_default_scheduler = "default-scheduler";

/// A version of the configuration's API, and the releases that read it.
struct KnownVersion {
  std::string_view api_version;
  ConfigVersion version;
  int first_minor;
  int last_minor;
};

constexpr std::array k_versions = {
    KnownVersion{"kubescheduler.config.k8s.io/v1beta1", ConfigVersion::v1beta1, 19, 22},
    KnownVersion{"kubescheduler.config.k8s.io/v1beta2", ConfigVersion::v1beta2, 22, 27},
    KnownVersion{"kubescheduler.config.k8s.io/v1beta3", ConfigVersion::v1beta3, 23, 28},
    KnownVersion{"kubescheduler.config.k8s.io/v1", ConfigVersion::v1, 25, 1000}};

/// The versions that a release reads, for a user who has given another one.
std::string versions_of(int minor) {
  std::string names;
  for (const KnownVersion& known : k_versions) {
    if (known.first_minor > minor || minor > known.last_minor) continue;
    names += (names.empty() ? "" : " or ") + std::string(known.api_version);
  }
  return names;
}

const KnownVersion& version_of(const Value& config, const Release& release) {
  const std::string api_version = string_field(config, "apiVersion");
  const std::string kind = string_field(config, "kind");
  const int minor = release.version.minor;
  if (versions_of(minor).empty())
    config.fail("not-supported", "a configuration of " + release.version.text() + " is not supported");
  for (const KnownVersion& known : k_versions) {
    const bool is_read = known.first_minor <= minor && minor <= known.last_minor;
    if (is_read && kind == "KubeSchedulerConfiguration" && api_version == known.api_version) return known;
  }
  refuse_configuration(config, "no kind \"" + kind + "\" is registered for version \"" + api_version +
                                   "\" in " + release.version.text() +
                                   "; expected a KubeSchedulerConfiguration of " + versions_of(minor));
}

/// Checks the numbers of a configuration that change no decision, and sets those that change how long a pod
/// backs off (QUE-BACKOFF-1).
void apply_other_numbers(const Value& config, Release& release) {
  if (const auto parallelism = config.find("parallelism")) {
    const Quantity number = parallelism->integer(INT32_MIN, INT32_MAX);
    if (number < 1)
      refuse_configured_value(*parallelism, std::to_string(number),
                              "should be an integer value greater than zero");
  }
  const auto first = config.find("podInitialBackoffSeconds");
  const auto last = config.find("podMaxBackoffSeconds");
  const Quantity shortest = first ? first->integer(INT64_MIN, INT64_MAX) : Quantity(1);
  const Quantity longest = last ? last->integer(INT64_MIN, INT64_MAX) : Quantity(10);
  // A backoff of 0 is defaulted if the key is missing only.
  if (shortest <= 0) refuse_configured_value(*first, std::to_string(shortest), "must be greater than 0");
  if (longest < shortest)
    refuse_configured_value(last ? *last : *first, std::to_string(longest),
                            "must be greater than or equal to PodInitialBackoffSeconds");
  if (longest > k_longest_backoff_s)
    last->fail("not-supported",
               "a backoff of more than " + std::to_string(k_longest_backoff_s) + " seconds is not modelled");
  constexpr Quantity k_second_ns = 1'000'000'000;
  release.initial_backoff_ns = shortest * k_second_ns;
  release.longest_backoff_ns = longest * k_second_ns;
}

/// The name of a profile. Only a profile that is alone may leave it out.
std::string name_of_profile(const Value& profile, bool is_alone) {
  const std::string name = string_field(profile, "schedulerName");
  if (name.empty() && !is_alone) refuse_configuration(profile, "Required value: schedulerName");
  return name.empty() ? std::string(k_default_scheduler) : name;
}

/// CYC-SEARCH-1: the share of nodes to find: that of the profile, or else that of all profiles.
void apply_percentage(const Value& owner, Release& release) {
  const auto percentage = configured_number(owner, "percentageOfNodesToScore", 0, 100, "[0-100]");
  if (percentage) release.percentage_of_nodes = percentage;
}

/// The release as a Policy changes it. POL-SET-1.
Release applied_policy(const Value& policy, const Release& release) {
  const std::string api_version = string_field(policy, "apiVersion");
  if (api_version != "v1")
    refuse_configuration(policy, "no kind \"Policy\" is registered for version \"" + api_version + "\"");
  if (release.version.minor > k_last_with_policy)
    refuse_configuration(policy, release.version.text() + " reads no Policy; v1." +
                                     std::to_string(k_last_with_policy) + " is the last release that does");
  return with_policy(policy, release);
}

[[noreturn]] void fail_without_profile(const Value& config, const std::string& wanted) {
  config.fail("unknown-profile", "expected a profile with the schedulerName of the pod, " + wanted);
}

Release applied(const Value& config, const Release& release, const std::string& wanted) {
  if (string_field(config, "kind") == "Policy") return applied_policy(config, release);
  if (reads_early_configuration(release)) {
    std::optional<Release> early = early_configured(config, release, wanted);
    if (!early) fail_without_profile(config, wanted);
    return *std::move(early);
  }
  const KnownVersion& version = version_of(config, release);
  const bool is_beta = version.version < ConfigVersion::v1beta3;
  refuse_unknown_fields(config, is_beta ? "KubeSchedulerConfigurationBeta" : "KubeSchedulerConfiguration",
                        release.version);
  Release of_all = release;
  apply_other_numbers(config, of_all);
  of_all.extenders = configured_extenders(config);
  apply_percentage(config, of_all);

  std::optional<Release> chosen;
  std::set<std::string> names;
  const auto profiles = config.find("profiles");
  const std::size_t count = profiles ? profiles->elements().size() : 0;
  if (count > 0) {
    for (const Value profile : profiles->elements()) {
      const std::string name = name_of_profile(profile, count == 1);
      if (!names.insert(name).second) refuse_configuration(profile, "Duplicate value: \"" + name + "\"");
      Release of_profile = of_all;
      apply_percentage(profile, of_profile);
      apply_plugins(profile, version.version, of_profile);
      apply_arguments(profile, version.api_version, of_profile);
      if (name == wanted) chosen = of_profile;
    }
  } else {
    apply_plugins(std::nullopt, version.version, of_all);
    if (wanted == k_default_scheduler) chosen = of_all;
  }
  if (!chosen) fail_without_profile(config, wanted);
  return *chosen;
}

/// The error of a configuration that is not read. Everything but what is not modelled is a refusal.
Error as_refusal(Error error) {
  if (error.code == "unknown-field") error.message = "strict decoding error: unknown field; " + error.message;
  if (error.code != "not-supported" && error.code != "unknown-profile") error.code = k_refused;
  return error;
}

}  // namespace

Result<Release> configured(const Value& config, const Release& release, const std::string& scheduler_name) {
  try {
    return applied(config, release,
                   scheduler_name.empty() ? std::string(k_default_scheduler) : scheduler_name);
  } catch (const InvalidInput& invalid) {
    return as_refusal(invalid.error);
  }
}

Result<Release> configured_by_text(std::string_view json, std::string name, const Release& release,
                                   const std::string& scheduler_name) {
  const Result<Document> document = Document::parse(json, std::move(name));
  if (!document) return document.error();
  const Value root = document.value().root();
  return configured(root, release, scheduler_name);
}

Result<Release> gated_by_member(const Value& question, const Release& release) {
  const auto member = question.find("featureGates");
  if (!member) return release;
  try {
    FeatureGates gates;
    for (const Value gate : member->members()) gates[std::string(gate.key())] = gate.boolean();
    return with_feature_gates(release, gates, "featureGates");
  } catch (const InvalidInput& invalid) {
    return invalid.error;
  }
}

Result<Document> read_configuration(const std::string& path) {
  Result<std::string> bytes = read_bytes(path, {});
  if (!bytes) return bytes.error();
  const std::string name = name_of_file(path);
  Result<std::vector<Document>> documents = documents_of(std::move(bytes).value(), name);
  if (!documents) return documents.error();
  if (documents.value().size() != 1) return Error{std::string(k_refused), name, "expected one document"};
  return std::move(std::move(documents).value().front());
}

Result<Release> configured_by_file(const std::string& path, const Release& release,
                                   const std::string& scheduler_name) {
  const Result<Document> document = read_configuration(path);
  if (!document) return document.error();
  const Value root = document.value().root();
  return configured(root, release, scheduler_name);
}

Result<Release> configured_by_member(const Value& question, const Release& release,
                                     const std::string& scheduler_name) {
  const auto config = question.find("config");
  const auto policy = question.find("policy");
  if (config && policy)
    return Error{std::string(k_refused), policy->path(), "expected either config or policy, found both"};
  if (policy && string_field(*policy, "kind") != "Policy")
    return Error{std::string(k_refused), policy->path(), "expected the kind Policy"};
  const auto& configuration = policy ? policy : config;
  return configuration ? configured(*configuration, release, scheduler_name) : release;
}

}  // namespace touchstone::kubernetes
