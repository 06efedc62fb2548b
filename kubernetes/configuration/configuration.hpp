#pragma once

#include <string>
#include <string_view>

#include "kubernetes/text/json.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/result.hpp"

/// Reads the configuration of kube-scheduler, and applies it to a release.
namespace touchstone::kubernetes {

/// The longest backoff that is modelled, in seconds (12 days). That of a large group, in nanoseconds, is then
/// a number of 63 bits. Clauses: QUE-BACKOFF-1, QUE-ENTITY-6.
inline constexpr Quantity k_longest_backoff_s = 1'000'000;

/// The release as a KubeSchedulerConfiguration, or up to v1.22 a Policy, changes it, for pods that name this
/// scheduler. A Policy counts for every pod.
///  - The profile with that name counts. An empty name is "default-scheduler".
///  - All profiles are checked, as the release checks them when it starts.
///  - Fields that change no decision are checked for their names alone, such as leaderElection.
/// Requires: `release` has its default configuration.
/// Errors: refused-configuration, if the release refuses the configuration: unknown versions, fields and
/// plug-ins, values out of range, and others; unknown-profile, if no profile has the name; not-supported, for
/// plug-ins, predicates and backoffs that are not modelled.
/// Clauses: CYC-PROFILE-1, CYC-PROFILE-2, CYC-PROFILE-3, POL-SET-1 to POL-SET-3.
Result<Release> configured(const Value& config, const Release& release, const std::string& scheduler_name);

/// The same for JSON text. `name` begins the paths of errors. Errors: also those of Document::parse.
Result<Release> configured_by_text(std::string_view json, std::string name, const Release& release,
                                   const std::string& scheduler_name);

/// The same for a file of JSON or YAML. Errors: also those of read_configuration().
Result<Release> configured_by_file(const std::string& path, const Release& release,
                                   const std::string& scheduler_name);

/// The member `config` or `policy` of a question applied to its release; the release itself if there is none.
/// Errors: those of configured(); refused-configuration, if there are both, or if `policy` is no Policy.
Result<Release> configured_by_member(const Value& question, const Release& release,
                                     const std::string& scheduler_name);

/// The member `featureGates` of a question applied to its release: an object of booleans. The release itself
/// if there is none. Requires: `release` has its default configuration. Errors: those of with_feature_gates()
/// and of readers.
Result<Release> gated_by_member(const Value& question, const Release& release);

/// Reads a file of JSON or YAML that has a configuration. Errors: those of read_bytes and documents_of;
/// refused-configuration, if the file has several documents.
Result<Document> read_configuration(const std::string& path);

}  // namespace touchstone::kubernetes
