#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "spec/releases/release.hpp"

/// The names of predicates and priorities in a Policy.
namespace touchstone::kubernetes {

/// The order in which predicates run from v1.10 on. A predicate of another name never runs. POL-SET-2.
inline constexpr std::array<std::string_view, 24> k_predicate_order = {
    "CheckNodeCondition",     "CheckNodeUnschedulable",
    "GeneralPredicates",      "HostName",
    "PodFitsHostPorts",       "MatchNodeSelector",
    "PodFitsResources",       "NoDiskConflict",
    "PodToleratesNodeTaints", "PodToleratesNodeNoExecuteTaints",
    "CheckNodeLabelPresence", "CheckServiceAffinity",
    "MaxEBSVolumeCount",      "MaxGCEPDVolumeCount",
    "MaxCSIVolumeCountPred",  "MaxAzureDiskVolumeCount",
    "MaxCinderVolumeCount",   "CheckVolumeBinding",
    "NoVolumeZoneConflict",   "CheckNodeMemoryPressure",
    "CheckNodePIDPressure",   "CheckNodeDiskPressure",
    "EvenPodsSpread",         "MatchInterPodAffinity"};

/// Whether a release knows a predicate of this name.
bool is_predicate(std::string_view name, const Release& release);

/// The filters of a predicate, without those that this project does not model because they reject on
/// conditions of nodes alone. Nothing: the predicate is not modelled.
std::optional<std::vector<Filter>> filters_of_predicate(std::string_view name);

/// The predicates of a Policy that names none, from v1.17 on. POL-SET-1.
std::set<std::string> default_predicates(const Release& release);

/// The predicates that run whatever the Policy says. POL-SET-1.
std::vector<std::string_view> mandatory_predicates(const Release& release);

/// The scorer of a priority; nothing if the release does not know the name.
std::optional<Scorer> scorer_of_priority(std::string_view name, const Release& release);

/// The plug-in that a priority becomes from v1.17 on; empty: none of its own. POL-PLUGIN-1.
std::string plugin_of_priority(std::string_view name, const Release& release);

/// The priorities of a Policy that names none, from v1.17 on, with their weights. POL-SET-3.
std::map<std::string, Quantity> default_priorities(const Release& release);

}  // namespace touchstone::kubernetes
