#include "kubernetes/configuration/policy_plugins.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>

#include "kubernetes/configuration/plugins.hpp"
#include "kubernetes/configuration/policy_entries.hpp"
#include "kubernetes/configuration/policy_names.hpp"
#include "kubernetes/configuration/refusal.hpp"
#include "kubernetes/objects/fields.hpp"

/// Policy files from v1.17 on, whose predicates and priorities become plug-ins.
namespace touchstone::kubernetes {

namespace {

constexpr std::string_view k_labels_predicate = "CheckNodeLabelPresence";
constexpr std::string_view k_service_predicate = "CheckServiceAffinity";
constexpr std::string_view k_node_label = "NodeLabel";
constexpr std::string_view k_service_affinity = "ServiceAffinity";
constexpr std::string_view k_ratio = "RequestedToCapacityRatio";
constexpr std::string_view k_selector_spread = "SelectorSpreadPriority";
constexpr std::string_view k_service_spread = "ServiceSpreadingPriority";

/// POL-PLUGIN-2: the arguments of plug-ins, from all entries of a Policy.
struct PluginArguments {
  RequiredLabels present{{}, true};
  RequiredLabels absent{{}, false};
  std::vector<std::string> affinity;
  WeightedScorer preference{Scorer::label_preference, std::string(k_node_label)};
  WeightedScorer apart{Scorer::service_anti_affinity, std::string(k_service_affinity)};
  WeightedScorer ratio{Scorer::requested_to_capacity_ratio, std::string(k_ratio)};
  std::set<std::string_view> plugins;  ///< those that have arguments
};

void append_labels(std::vector<std::string>& list, const std::vector<std::string>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

/// POL-PLUGIN-2: the name under which a predicate is known. Adds its argument to `arguments`.
std::string predicate_key(const Value& entry, const Release& release, PluginArguments& arguments) {
  const auto argument = only_argument(entry, "predicate", {"serviceAffinity", "labelsPresence"}, release);
  std::string name = string_field(entry, "name");
  if (release.known_names_lose_arguments) {
    if (name == "PodFitsPorts") name = "PodFitsHostPorts";
    if (name == k_labels_predicate || name == k_service_predicate || is_predicate(name, release)) return name;
  }
  if (!argument) {
    if (!is_predicate(name, release)) refuse_unknown_entry(entry, "predicate", release);
    return name;
  }
  if (const auto labels = argument->find("labelsPresence")) {
    RequiredLabels& required = bool_field(*labels, "presence") ? arguments.present : arguments.absent;
    append_labels(required.labels, strings_field(*labels, "labels"));
    arguments.plugins.insert(k_node_label);
    return std::string(k_labels_predicate);
  }
  append_labels(arguments.affinity, strings_field(*argument->find("serviceAffinity"), "labels"));
  arguments.plugins.insert(k_service_affinity);
  return std::string(k_service_predicate);
}

/// Whether a priority without an argument is known under a name.
bool is_priority(const std::string& name, const Release& release) {
  if (!scorer_of_priority(name, release)) return false;
  return !release.known_names_lose_arguments || !plugin_of_priority(name, release).empty();
}

/// POL-PLUGIN-2: the name under which a priority is known. Adds its argument to `arguments`.
std::string priority_key(const Value& entry, const Release& release, PluginArguments& arguments) {
  const auto argument =
      only_argument(entry, "priority",
                    {"serviceAntiAffinity", "labelPreference", "requestedToCapacityRatioArguments"}, release);
  std::string name = string_field(entry, "name");
  if (release.known_names_lose_arguments) {
    if (name == k_service_spread) name = k_selector_spread;
    if (name == k_node_label || name == k_service_affinity || name == k_ratio)
      entry.fail("not-supported", "the priority " + name + " by the name of its plug-in is not modelled");
    if (is_priority(name, release)) return name;
  }
  if (!argument) {
    if (!is_priority(name, release)) refuse_unknown_entry(entry, "priority", release);
    return name;
  }
  if (const auto apart = argument->find("serviceAntiAffinity")) {
    arguments.apart.labels.push_back(string_field(*apart, "label"));
    arguments.plugins.insert(k_service_affinity);
    return std::string(k_service_affinity);
  }
  if (const auto preference = argument->find("labelPreference")) {
    WeightedScorer& preferring = arguments.preference;
    (bool_field(*preference, "presence") ? preferring.labels : preferring.absent_labels)
        .push_back(string_field(*preference, "label"));
    arguments.plugins.insert(k_node_label);
    return std::string(k_node_label);
  }
  read_ratio(entry, *argument->find("requestedToCapacityRatioArguments"), release, arguments.ratio);
  return std::string(k_ratio);
}

/// A kind of arguments of priorities.
struct ArgumentKind {
  const char* member;
  std::string_view name;
  bool only_once = false;
};

constexpr std::array k_argument_kinds = {
    ArgumentKind{"labelPreference", "LabelPreference"},
    ArgumentKind{"serviceAntiAffinity", "ServiceAntiAffinity"},
    ArgumentKind{"requestedToCapacityRatioArguments", "RequestedToCapacityRatio", true}};

/// POL-REFUSED-2: the weights of priorities, and what those with arguments must have in common.
void check_priorities(const Value& list, const Release& release) {
  const bool is_small = release.version.minor >= k_small_letters_of_priorities;
  std::map<std::string_view, Value> seen;
  for (const Value entry : list.elements()) {
    const Quantity weight = weight_of_priority(entry, release);
    const auto argument = entry.find("argument");
    if (!argument) continue;
    const std::string name = string_field(entry, "name");
    const auto kind = std::find_if(k_argument_kinds.begin(), k_argument_kinds.end(),
                                   [&](const ArgumentKind& each) { return argument->find(each.member); });
    if (kind == k_argument_kinds.end())
      refuse_configuration(
          entry, (is_small ? "no" : "No") + std::string(" priority arguments set for priority ") + name);
    const auto [first, is_first] = seen.emplace(kind->name, entry);
    if (is_first) continue;
    const std::string other = string_field(first->second, "name");
    if (kind->only_once)
      refuse_configuration(entry, (is_small ? "priority \"" : "Priority \"") + name +
                                      "\" redeclares custom priority \"" + std::string(kind->name) +
                                      "\", from: \"" + other + "\"");
    if (weight != weight_of_priority(first->second, release))
      refuse_configuration(entry, std::string(kind->name) + "  priority \"" + name +
                                      "\" has a different weight with \"" + other + "\"");
  }
}

/// POL-REFUSED-2: no label may be asked for and forbidden.
void refuse_conflict(const Value& policy, const std::vector<std::string>& present,
                     const std::vector<std::string>& absent) {
  for (const std::string& label : absent) {
    if (std::find(present.begin(), present.end(), label) != present.end())
      refuse_configuration(policy,
                           "the label \"" + label + "\" is in both the present and the absent labels");
  }
}

/// POL-REFUSED-2: a plug-in that is named, and has no arguments.
void refuse_without_arguments(const Value& policy, std::string_view plugin, const PluginArguments& arguments,
                              const Release& release) {
  if (release.plugins_have_default_arguments || arguments.plugins.contains(plugin)) return;
  const std::string name(plugin);
  refuse_configuration(
      policy, "initializing plugin \"" + name + "\": want args to be of type " + name + "Args, got <nil>");
}

/// POL-PLUGIN-1: the filters of a predicate.
std::vector<Filter> filters_of_key(const Value& policy, const std::string& name,
                                   const PluginArguments& arguments, Release& release) {
  if (name == k_labels_predicate) {
    refuse_without_arguments(policy, k_node_label, arguments, release);
    for (const RequiredLabels& required : {arguments.present, arguments.absent}) {
      if (!required.labels.empty()) release.required_labels.push_back(required);
    }
    return release.required_labels.empty() ? std::vector<Filter>() : std::vector{Filter::node_label};
  }
  if (name == k_service_predicate) {
    refuse_without_arguments(policy, k_service_affinity, arguments, release);
    if (arguments.affinity.empty()) return {};
    release.service_affinities.push_back(arguments.affinity);
    return {Filter::service_affinity};
  }
  const std::optional<std::vector<Filter>> filters = filters_of_predicate(name);
  if (!filters) policy.fail("not-supported", "the predicate " + name + " is not modelled");
  return *filters;
}

/// POL-SET-1, POL-SET-2, POL-PLUGIN-1: each filter reports by itself. A predicate of no place in the order
/// has no plug-in: PodFitsPorts of v1.17.
void run_filters_of(const Value& policy, std::set<std::string> names, const PluginArguments& arguments,
                    Release& release) {
  for (const std::string_view name : mandatory_predicates(release)) names.emplace(name);
  release.filter_groups.clear();
  for (const std::string_view ordered : k_predicate_order) {
    if (!names.contains(std::string(ordered))) continue;
    for (const Filter filter : filters_of_key(policy, std::string(ordered), arguments, release)) {
      if (!has_filter(release, filter)) {
        release.filter_groups.push_back({filter});
      } else if (release.doubled_plugins_are_refused) {
        refuse_configuration(policy, "plugin \"" + std::string(plugin_of(filter)) +
                                         "\" already registered as \"FilterPlugin\"");
      }
    }
  }
  // CYC-PROFILE-1: the PreFilter of a plug-in runs if its filter does.
  for (const FilterFacts& facts : k_filters) {
    const bool is_of_policy = facts.clause.starts_with("POL-");
    if (!is_of_policy && implements(facts.plugin, "preFilter", release.version.minor) &&
        !has_filter(release, facts.filter))
      release.prefilters_off.push_back(facts.filter);
  }
}

/// POL-PLUGIN-1, POL-PLUGIN-2: the scorer of a priority. `release`: with its default configuration.
WeightedScorer scorer_of_key(const std::string& name, Quantity weight, const PluginArguments& arguments,
                             const Release& release) {
  WeightedScorer scorer;
  Quantity times = 1;
  if (name == k_node_label) {
    scorer = arguments.preference;
    times = static_cast<Quantity>(scorer.labels.size() + scorer.absent_labels.size());
  } else if (name == k_service_affinity) {
    scorer = arguments.apart;
    times = static_cast<Quantity>(scorer.labels.size());
  } else if (name == k_ratio) {
    scorer = arguments.ratio;
  } else if (name == k_selector_spread && release.system_constraints) {
    scorer = {Scorer::pod_topology_spread, "PodTopologySpread"};
  } else {
    const std::string plugin = plugin_of_priority(name, release);
    scorer = {*scorer_of_priority(name, release), plugin.empty() ? name : plugin};
    if (scorer.scorer == Scorer::requested_to_capacity_ratio) scorer.shape = {{0, 10}, {100, 0}};
  }
  scorer.weight = weight > INT32_MAX ? weight : weight * times;
  return scorer;
}

/// POL-SET-3, POL-PLUGIN-1. `release`: with its default configuration.
void run_scorers_of(const Value& policy, const std::map<std::string, Quantity>& weights,
                    const PluginArguments& arguments, const Release& release, Release& applied) {
  applied.scorers.clear();
  for (const auto& [name, weight] : weights) {
    const WeightedScorer scorer = scorer_of_key(name, weight, arguments, release);
    if (scorer.weight > INT32_MAX)
      policy.fail("not-supported",
                  "the weight of " + scorer.name + " is over 2147483647, which is not modelled");
    const bool is_there =
        std::any_of(applied.scorers.begin(), applied.scorers.end(),
                    [&scorer](const WeightedScorer& each) { return each.name == scorer.name; });
    if (!is_there) applied.scorers.push_back(scorer);
  }
  applied.system_constraints = release.system_constraints && weights.contains(std::string(k_selector_spread));
}

/// POL-REFUSED-2: resources that NodeResourcesFit is to ignore.
void check_ignored_resources(const Value& policy, const Release& release) {
  if (release.plugins_have_default_arguments || has_filter(release, Filter::node_resources_fit)) return;
  for (const Extender& extender : release.extenders) {
    for (const ManagedResource& resource : extender.managed_resources) {
      if (resource.ignored_by_scheduler)
        refuse_configuration(policy, "can't find NodeResourcesFitArgs in plugin config");
    }
  }
}

}  // namespace

Release with_plugins_of_policy(const Value& policy, const Release& release, Release applied) {
  const auto priorities = policy.find("priorities");
  const auto predicates = policy.find("predicates");
  if (priorities) check_priorities(*priorities, release);

  PluginArguments arguments;
  std::set<std::string> names;
  if (predicates) {
    for (const Value entry : predicates->elements()) names.insert(predicate_key(entry, release, arguments));
  } else {
    names = default_predicates(release);
  }
  std::map<std::string, Quantity> weights;
  if (priorities) {
    for (const Value entry : priorities->elements()) {
      if (string_field(entry, "name") == "EqualPriority") continue;  // POL-EQUAL-1
      weights[priority_key(entry, release, arguments)] = weight_of_priority(entry, release);
    }
  } else {
    weights = default_priorities(release);
  }
  refuse_conflict(policy, arguments.present.labels, arguments.absent.labels);
  refuse_conflict(policy, arguments.preference.labels, arguments.preference.absent_labels);
  run_filters_of(policy, names, arguments, applied);
  run_scorers_of(policy, weights, arguments, release, applied);
  check_ignored_resources(policy, applied);
  applied.preempts = release.preempts && release.policy_preempts;
  return applied;
}

}  // namespace touchstone::kubernetes
