#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "spec/releases/release.hpp"
#include "spec/vocabulary/result.hpp"

/// The feature gates of kube-scheduler as data: which gates a release knows, their stages and defaults, and
/// what they change in a Release.
namespace touchstone {

/// Gates that a user sets, by name.
using FeatureGates = std::map<std::string, bool>;

/// The stage of a gate in one release.
struct GateStage {
  char stage = 'a';  ///< a: alpha, b: beta, g: generally available, d: deprecated
  bool is_on = false;
  bool is_locked = false;
};

/// The gates that a minor release knows. An alpha release counts as the one before it.
std::map<std::string, GateStage> feature_gates_of(int minor);

/// What a gate changes in a release, if it does not have its default value.
struct GateEffect {
  std::string_view gate;
  int first_minor;
  int last_minor;
  bool value;
  std::function<void(Release&)> apply;  ///< empty: the effect is not modelled
};

/// All effects. A gate without an effect changes nothing that is modelled.
const std::vector<GateEffect>& gate_effects();

/// The effects on a scheduler over time. There, any other gate is not modelled.
const std::vector<GateEffect>& gate_effects_over_time();

/// The known gates and their stages, as text: feature_gate_table.cpp says how to read it.
std::string_view feature_gate_text();

/// Reads "A=true,B=false" as the flag --feature-gates does. Errors: refused-feature-gate, in the words of the
/// release.
Result<FeatureGates> parse_feature_gates(std::string_view text);

/// The release with these gates, as a scheduler over time. Only GenericWorkload and GangScheduling of v1.35
/// and v1.36, and GenericWorkload of v1.37, are modelled. Ensures: otherwise release.unmodelled_gate names a gate. Errors: as of
/// with_feature_gates(). Clauses: QUE-GANG-1, QUE-GROUP-1.
Result<Release> with_gates_over_time(const Release& release, const FeatureGates& gates,
                                     const std::string& path);

/// The release with these gates. AllAlpha and AllBeta set the gates of their stage that are not named.
/// Requires: the release has its default configuration. Ensures: if a gate has an effect that is not
/// modelled, release.unmodelled_gate names it. Errors: refused-feature-gate, for a gate that the release does
/// not know, or that is locked to its default. `path`: of errors. Clauses: CYC-GATES-1.
Result<Release> with_feature_gates(const Release& release, const FeatureGates& gates,
                                   const std::string& path);

}  // namespace touchstone
