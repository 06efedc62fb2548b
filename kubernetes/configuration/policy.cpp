#include "kubernetes/configuration/policy.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "kubernetes/configuration/extenders.hpp"
#include "kubernetes/configuration/plugins.hpp"
#include "kubernetes/configuration/policy_entries.hpp"
#include "kubernetes/configuration/policy_names.hpp"
#include "kubernetes/configuration/policy_plugins.hpp"
#include "kubernetes/configuration/refusal.hpp"
#include "kubernetes/objects/fields.hpp"

namespace touchstone::kubernetes {

namespace {

/// POL-SET-2: the release up to which every predicate runs, whatever its name, and all reasons add up.
constexpr int k_last_without_order = 9;

/// POL-REFUSED-1: ends the process of the release if a name is not well-formed.
void check_name(const Value& entry, const std::string& name) {
  const auto is_inner = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
  };
  const bool is_valid = name.size() > 1 && std::all_of(name.begin(), name.end(), is_inner) &&
                        name.front() != '-' && name.back() != '-';
  if (!is_valid)
    refuse_configuration(entry, "Algorithm name " + name +
                                    " does not match the name validation regexp "
                                    "\"^[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])$\".");
}

/// The predicates of a Policy, by name. A name that is given again is the last one.
struct Predicates {
  std::set<std::string> names;
  std::map<std::string, RequiredLabels> required_labels;
  std::map<std::string, std::vector<std::string>> service_affinities;
};

/// The predicates of v1.8 to v1.16.
Predicates read_predicates(const Value& list, const Release& release) {
  Predicates predicates;
  for (const Value entry : list.elements()) {
    const std::string name = string_field(entry, "name");
    const auto argument = only_argument(entry, "predicate", {"serviceAffinity", "labelsPresence"}, release);
    if (!argument) {
      if (!is_predicate(name, release)) refuse_unknown_entry(entry, "predicate", release);
      predicates.names.insert(name);
      continue;
    }
    check_name(entry, name);
    predicates.names.insert(name);
    predicates.required_labels.erase(name);
    predicates.service_affinities.erase(name);
    if (const auto labels = argument->find("labelsPresence")) {
      predicates.required_labels[name] = {strings_field(*labels, "labels"), bool_field(*labels, "presence")};
    } else {
      const auto affinity = argument->find("serviceAffinity");
      predicates.service_affinities[name] = strings_field(*affinity, "labels");
    }
  }
  return predicates;
}

/// POL-SET-1: the filters of a predicate of this name.
std::vector<Filter> filters_named(const Value& policy, const std::string& name, const Predicates& predicates,
                                  Release& release) {
  if (const auto labels = predicates.required_labels.find(name); labels != predicates.required_labels.end()) {
    release.required_labels.push_back(labels->second);
    return {Filter::node_label};
  }
  if (const auto affinity = predicates.service_affinities.find(name);
      affinity != predicates.service_affinities.end()) {
    release.service_affinities.push_back(affinity->second);
    return {Filter::service_affinity};
  }
  const std::optional<std::vector<Filter>> filters = filters_of_predicate(name);
  if (!filters) policy.fail("not-supported", "the predicate " + name + " is not modelled");
  return *filters;
}

/// POL-SET-2: the order in which predicates run. Up to v1.9 there is none, and every predicate runs.
void set_filters(const Value& policy, Predicates predicates, Release& release) {
  for (const std::string_view name : mandatory_predicates(release)) predicates.names.emplace(name);
  release.filter_groups.clear();
  if (release.version.minor <= k_last_without_order) {
    std::vector<Filter>& all = release.filter_groups.emplace_back();
    for (const std::string& name : predicates.names) {
      for (const Filter filter : filters_named(policy, name, predicates, release)) {
        const bool is_there = std::find(all.begin(), all.end(), filter) != all.end();
        if (!is_there) all.push_back(filter);
      }
    }
    return;
  }
  for (const std::string_view ordered : k_predicate_order) {
    const std::string name(ordered);
    if (!predicates.names.contains(name)) continue;
    const std::vector<Filter> filters = filters_named(policy, name, predicates, release);
    const bool is_custom =
        filters == std::vector{Filter::node_label} || filters == std::vector{Filter::service_affinity};
    if (is_custom && has_filter(release, filters.front())) continue;  // one filter checks all such entries
    if (!filters.empty()) release.filter_groups.push_back(filters);
  }
}

WeightedScorer read_priority(const Value& entry, Quantity weight, const Release& release) {
  const std::string name = string_field(entry, "name");
  const auto argument =
      only_argument(entry, "priority",
                    {"serviceAntiAffinity", "labelPreference", "requestedToCapacityRatioArguments"}, release);
  if (!argument) {
    const std::optional<Scorer> scorer = scorer_of_priority(name, release);
    if (!scorer) refuse_unknown_entry(entry, "priority", release);
    WeightedScorer known{*scorer, name, weight};
    if (*scorer == Scorer::requested_to_capacity_ratio) known.shape = {{0, 10}, {100, 0}};
    return known;
  }
  check_name(entry, name);
  if (const auto apart = argument->find("serviceAntiAffinity"))
    return {Scorer::service_anti_affinity, name, weight, {string_field(*apart, "label")}};
  if (const auto preference = argument->find("labelPreference")) {
    WeightedScorer preferring{Scorer::label_preference, name, weight};
    const bool presence = bool_field(*preference, "presence");
    (presence ? preferring.labels : preferring.absent_labels).push_back(string_field(*preference, "label"));
    return preferring;
  }
  WeightedScorer ratio{Scorer::requested_to_capacity_ratio, name, weight};
  read_ratio(entry, *argument->find("requestedToCapacityRatioArguments"), release, ratio);
  return ratio;
}

/// POL-SET-3: the priorities, by name. A name that is given again has the last weight.
void set_scorers(const Value& list, Release& release) {
  std::map<std::string, WeightedScorer> scorers;
  for (const Value entry : list.elements()) weight_of_priority(entry, release);
  for (const Value entry : list.elements()) {
    const WeightedScorer scorer = read_priority(entry, weight_of_priority(entry, release), release);
    scorers.insert_or_assign(scorer.name, scorer);
  }
  release.scorers.clear();
  for (const auto& [name, scorer] : scorers) release.scorers.push_back(scorer);
}

/// POL-SET-3, POL-REFUSED-1, POL-REFUSED-2: the weight of required affinity in the scores.
Quantity hard_pod_affinity_weight(const Value& policy, const Release& release) {
  const auto weight = policy.find("hardPodAffinitySymmetricWeight");
  const Quantity number = weight ? weight->integer(INT32_MIN, INT32_MAX) : 0;
  if (number < 0 || number > 100) {
    if (release.known_names_lose_arguments)
      refuse_configured_value(*weight, std::to_string(number), "not in valid range [0-100]");
    refuse_configuration(*weight, "invalid hardPodAffinitySymmetricWeight: " + std::to_string(number) +
                                      ", must be in the range 1-100");
  }
  return number == 0 ? release.hard_pod_affinity_weight : number;
}

}  // namespace

Release with_policy(const Value& policy, const Release& release) {
  Release applied = release;
  applied.extenders = configured_extenders(policy);
  applied.checks_all_filters =
      bool_field(policy, "alwaysCheckAllPredicates") && release.all_predicates_can_run;
  applied.hard_pod_affinity_weight = hard_pod_affinity_weight(policy, release);
  if (release.policy_runs_plugins) return with_plugins_of_policy(policy, release, applied);
  if (const auto predicates = policy.find("predicates"))
    set_filters(policy, read_predicates(*predicates, release), applied);
  if (const auto priorities = policy.find("priorities")) set_scorers(*priorities, applied);
  return applied;
}

}  // namespace touchstone::kubernetes
