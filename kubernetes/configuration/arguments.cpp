#include "kubernetes/configuration/arguments.hpp"

#include <array>
#include <set>
#include <string>
#include <utility>

#include "kubernetes/admission/selector_rules.hpp"
#include "kubernetes/configuration/refusal.hpp"
#include "kubernetes/objects/fields.hpp"
#include "kubernetes/objects/known_fields.hpp"
#include "kubernetes/objects/names.hpp"
#include "kubernetes/objects/pod_parts.hpp"
#include "kubernetes/objects/selectors.hpp"

namespace touchstone::kubernetes {

namespace {

constexpr Quantity k_most_int32 = INT32_MAX;

/// Whether the release names a shape by its whole path, and compares the type of a strategy with its
/// arguments.
bool has_stricter_strategies(const Release& release) { return release.version.minor >= 36; }

void check_resource_name(const Value& value, const std::string& name) {
  if (!is_qualified_name(name))
    refuse_configured_value(value, '"' + name + '"', "name part must be a qualified name");
}

/// The resources that a scorer looks at. A weight that is missing or 0 is 1.
std::vector<ScoredResource> read_resources(const Value& list, Quantity heaviest,
                                           const std::string& expected) {
  std::vector<ScoredResource> resources;
  for (const Value element : list.elements()) {
    ScoredResource resource{string_field(element, "name"), int32_field(element, "weight")};
    check_resource_name(element, resource.name);
    if (resource.weight == 0) resource.weight = 1;
    if (resource.weight < 1 || resource.weight > heaviest)
      refuse_configured_value(element, std::to_string(resource.weight),
                              "resource weight of " + resource.name + expected);
    resources.push_back(resource);
  }
  if (resources.empty()) return {{"cpu", 1}, {"memory", 1}};
  return resources;
}

/// A function from utilization to score. SCORE-STRATEGY-3, SCORE-CAPACITY-1.
std::vector<ShapePoint> read_shape(const Value& owner, const Release& release) {
  const std::string values = has_stricter_strategies(release) ? "values" : "utilization values";
  const auto list = owner.find("shape");
  std::vector<ShapePoint> shape;
  if (list) {
    for (const Value element : list->elements()) {
      const Quantity utilization = configured_number(element, "utilization", 0, 100, "[0-100]").value_or(0);
      const Quantity score = configured_number(element, "score", 0, 10, "[0-10]").value_or(0);
      if (!shape.empty() && utilization <= shape.back().utilization)
        refuse_configured_value(element, std::to_string(utilization),
                                values + " must be sorted in increasing order");
      shape.push_back({utilization, score});
    }
  }
  if (shape.empty())
    refuse_configuration(list ? *list : owner, "Required value: at least one point must be specified");
  return shape;
}

/// SCORE-STRATEGY-1 to SCORE-STRATEGY-3
void apply_strategy(const Value& strategy, Release& release) {
  const std::string type = string_field(strategy, "type");
  const auto parameters = strategy.find("requestedToCapacityRatio");
  const bool by_ratio = type == "RequestedToCapacityRatio";
  if (!by_ratio && type != "LeastAllocated" && type != "MostAllocated")
    refuse_configuration(strategy, "Unsupported value: \"" + type +
                                       "\": supported values: \"LeastAllocated\", \"MostAllocated\", "
                                       "\"RequestedToCapacityRatio\"");
  if (!by_ratio && parameters && has_stricter_strategies(release))
    refuse_configuration(*parameters, "Forbidden: expected only with the type RequestedToCapacityRatio");
  if (by_ratio && !parameters)
    refuse_configuration(strategy,
                         "Required value: requestedToCapacityRatio, with the type RequestedToCapacityRatio");
  release.fit_strategy = by_ratio                  ? FitStrategy::requested_to_capacity
                         : type == "MostAllocated" ? FitStrategy::most_allocated
                                                   : FitStrategy::least_allocated;
  if (by_ratio) release.fit_shape = read_shape(*parameters, release);
  if (const auto resources = strategy.find("resources"))
    release.fit_resources = read_resources(*resources, 100, " not in valid range [1, 100]");
}

void apply_fit(const Value& args, Release& release) {
  release.ignored_resources = strings_field(args, "ignoredResources");
  if (const auto list = args.find("ignoredResources")) {
    for (const Value name : list->elements()) check_resource_name(name, std::string(name.string()));
  }
  release.ignored_resource_groups = strings_field(args, "ignoredResourceGroups");
  if (const auto list = args.find("ignoredResourceGroups")) {
    for (const Value group : list->elements()) {
      const std::string name(group.string());
      if (name.find('/') != std::string::npos)
        refuse_configured_value(group, '"' + name + '"', "resource group name can't contain '/'");
      check_resource_name(group, name + "/name");
    }
  }
  if (const auto strategy = args.find("scoringStrategy")) apply_strategy(*strategy, release);
}

void apply_balanced(const Value& args, Release& release) {
  if (const auto resources = args.find("resources"))
    release.balanced_resources = read_resources(*resources, 1, " must be 1");
}

void apply_interpod(const Value& args, Release& release) {
  release.hard_pod_affinity_weight =
      configured_number(args, "hardPodAffinityWeight", 0, 100, "[0-100]").value_or(1);
  release.ignores_preferred_terms_of_others = bool_field(args, "ignorePreferredTermsOfExistingPods");
}

void apply_added_affinity(const Value& args, Release& release) {
  const auto affinity = args.find("addedAffinity");
  if (!affinity) return;
  refuse_invalid_node_affinity(*affinity);
  if (const auto required = affinity->find(k_required))
    release.added_required_terms = node_selector_terms_field(*required);
  release.added_preferred_terms = preferred_node_terms_field(*affinity);
}

TopologySpreadConstraint read_default_constraint(const Value& value) {
  TopologySpreadConstraint constraint = read_topology_spread(value);
  if (constraint.max_skew < 1)
    refuse_configured_value(value, std::to_string(constraint.max_skew),
                            "maxSkew not in valid range (0, inf)");
  if (constraint.topology_key.empty())
    refuse_configuration(value, "Required value: topologyKey can not be empty");
  const std::string& action = constraint.when_unsatisfiable;
  if (action != "DoNotSchedule" && action != "ScheduleAnyway")
    refuse_configuration(
        value, "Unsupported value: \"" + action +
                   "\": supported values of whenUnsatisfiable: \"DoNotSchedule\", \"ScheduleAnyway\"");
  if (constraint.label_selector)
    refuse_configuration(value,
                         "Forbidden: constraint must not define a selector, as they deduced for each pod");
  return constraint;
}

/// SCORE-SPREAD-2
void apply_spread(const Value& args, Release& release) {
  std::vector<TopologySpreadConstraint> constraints;
  std::set<std::pair<std::string, std::string>> seen;
  const auto list = args.find("defaultConstraints");
  if (list) {
    for (const Value element : list->elements()) {
      const TopologySpreadConstraint constraint = read_default_constraint(element);
      if (!seen.emplace(constraint.topology_key, constraint.when_unsatisfiable).second)
        refuse_configuration(element, "Duplicate value: a topologyKey and a whenUnsatisfiable once");
      constraints.push_back(constraint);
    }
  }
  std::string type = string_field(args, "defaultingType");
  if (type.empty()) type = release.system_constraints ? "System" : "List";
  if (type != "System" && type != "List")
    refuse_configuration(args, "Unsupported value: \"" + type +
                                   "\": supported values of defaultingType: \"System\", \"List\"");
  if (type == "System") {
    if (!constraints.empty()) refuse_configuration(*list, "Invalid value: when .defaultingType is System");
    return;
  }
  release.system_constraints = false;
  release.default_constraints = constraints;
}

/// CYC-PROFILE-3
void apply_preemption(const Value& args, Release& release) {
  release.candidate_percentage =
      configured_number(args, "minCandidateNodesPercentage", 0, 100, "[0, 100]").value_or(10);
  release.candidates_least =
      configured_number(args, "minCandidateNodesAbsolute", 0, k_most_int32, "[0, inf)").value_or(100);
  if (release.candidate_percentage == 0 && release.candidates_least == 0)
    refuse_configuration(
        args, "Invalid value: cannot have both minCandidateNodesPercentage and minCandidateNodesAbsolute 0");
}

void apply_volume_binding(const Value& args, Release& release) {
  configured_number(args, "bindTimeoutSeconds", 0, k_most_int32, "[0, inf)");
  const auto shape = args.find("shape");
  if (!shape) return;
  if (!release.storage_is_scored)
    refuse_configuration(*shape,
                         "Invalid value: unexpected field `shape`, storage is not scored in this release");
  release.storage_shape = read_shape(args, release);
}

void apply_nothing(const Value&, Release&) {}

/// A plug-in whose arguments have a type.
struct Arguments {
  std::string_view plugin;
  std::string_view type;
  void (*apply)(const Value& args, Release& release);
  int first_minor = 0;
};

constexpr std::array k_arguments = {
    Arguments{"DefaultPreemption", "DefaultPreemptionArgs", apply_preemption, 20},
    Arguments{"InterPodAffinity", "InterPodAffinityArgs", apply_interpod},
    Arguments{"NodeAffinity", "NodeAffinityArgs", apply_added_affinity, 20},
    Arguments{"NodeResourcesBalancedAllocation", "NodeResourcesBalancedAllocationArgs", apply_balanced, 22},
    Arguments{"NodeResourcesFit", "NodeResourcesFitArgs", apply_fit},
    Arguments{"PodTopologySpread", "PodTopologySpreadArgs", apply_spread},
    Arguments{"VolumeBinding", "VolumeBindingArgs", apply_volume_binding},
    Arguments{"DynamicResources", "DynamicResourcesArgs", apply_nothing, 34}};

/// Checks the type of arguments, and applies them.
void apply_entry(const Value& args, const Arguments& arguments, std::string_view api_version,
                 Release& release) {
  const std::string kind = string_field(args, "kind");
  if (!kind.empty() && kind != arguments.type)
    refuse_configuration(args, "args for plugin " + std::string(arguments.plugin) + " were not of type " +
                                   std::string(arguments.type) + ", got " + kind);
  const std::string version = string_field(args, "apiVersion");
  if (!version.empty() && version != api_version)
    refuse_configuration(args, "args for plugin " + std::string(arguments.plugin) + " were not of version " +
                                   std::string(api_version) + ", got " + version);
  refuse_unknown_fields(args, arguments.type, release.version);
  arguments.apply(args, release);
}

}  // namespace

void apply_arguments(const Value& profile, std::string_view api_version, Release& release) {
  const auto list = profile.find("pluginConfig");
  if (!list) return;
  std::set<std::string> seen;
  for (const Value entry : list->elements()) {
    const std::string name = string_field(entry, "name");
    if (!seen.insert(name).second) refuse_configuration(entry, "Duplicate value: \"" + name + "\"");
    const auto args = entry.find("args");
    if (!args) continue;
    for (const Arguments& arguments : k_arguments) {
      if (arguments.plugin == name && arguments.first_minor <= release.version.minor)
        apply_entry(*args, arguments, api_version, release);
    }
  }
}

}  // namespace touchstone::kubernetes
