#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kubernetes/text/json.hpp"
#include "spec/releases/release.hpp"

/// The plug-ins of kube-scheduler, and which of them a profile runs at which extension point.
namespace touchstone::kubernetes {

/// A plug-in in the list `enabled` of a configuration.
struct EnabledPlugin {
  std::string name;
  Quantity weight = 0;  ///< 0: not given
};
using PluginList = std::vector<EnabledPlugin>;

/// The versions of the configuration's API, oldest first.
enum class ConfigVersion { v1beta1, v1beta2, v1beta3, v1 };

/// The plug-ins that a profile runs at an extension point, such as "filter", in their order.
/// Errors: throws InvalidInput (refused-configuration), for a plug-in that does not exist, that does not
/// implement the point, or that is enabled twice.
/// Clauses: CYC-PROFILE-1.
PluginList plugins_at(std::string_view point, const std::optional<Value>& plugins, ConfigVersion version,
                      const Release& release);

/// Whether a release runs a filter.
bool has_filter(const Release& release, Filter filter);

/// Whether a list has a plug-in.
bool has_plugin(const PluginList& list, std::string_view name);

/// Whether a plug-in implements an extension point in a release.
bool implements(std::string_view plugin, std::string_view point, int minor);

/// The plug-in's scorer; nothing if it has none, or if it is not modelled.
std::optional<Scorer> scorer_of_plugin(std::string_view plugin);

/// The plug-in's filter; nothing if it has none, or if it is not modelled.
std::optional<Filter> filter_of_plugin(std::string_view plugin);

/// Sets the filters, the scorers and what runs before them, and whether the profile preempts.
/// `profile`: an element of `profiles`; nothing: the default profile.
/// Errors: as plugins_at(); not-supported, for plug-ins that are not modelled.
/// Clauses: CYC-PROFILE-1.
void apply_plugins(const std::optional<Value>& profile, ConfigVersion version, Release& release);

}  // namespace touchstone::kubernetes
