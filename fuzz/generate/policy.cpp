#include "fuzz/generate/policy.hpp"

#include <array>
#include <string>
#include <string_view>

#include "kubernetes/configuration/configuration.hpp"
#include "kubernetes/configuration/policy_names.hpp"

namespace touchstone::fuzz {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 19> k_predicates = {
    "GeneralPredicates",       "PodFitsResources",       "HostName",
    "PodFitsHostPorts",        "PodFitsPorts",           "MatchNodeSelector",
    "NoDiskConflict",          "PodToleratesNodeTaints", "CheckNodeCondition",
    "CheckNodeUnschedulable",  "MaxEBSVolumeCount",      "MaxGCEPDVolumeCount",
    "MaxAzureDiskVolumeCount", "MaxCSIVolumeCountPred",  "CheckVolumeBinding",
    "NoVolumeZoneConflict",    "MatchInterPodAffinity",  "CheckNodeMemoryPressure",
    "CheckNodePIDPressure"};

constexpr std::string_view k_ratio = "RequestedToCapacityRatioPriority";

constexpr std::array<std::string_view, 12> k_priorities_of_policies = {
    "SelectorSpreadPriority",      "InterPodAffinityPriority",
    "LeastRequestedPriority",      "BalancedResourceAllocation",
    "NodePreferAvoidPodsPriority", "NodeAffinityPriority",
    "TaintTolerationPriority",     "ImageLocalityPriority",
    "ServiceSpreadingPriority",    "EqualPriority",
    "MostRequestedPriority",       k_ratio};

std::string draw_label(Draw& draw) { return draw.one_of({"zone", "disk", "gen", "app", k_hostname}); }

Json draw_labels_of_predicate(Draw& draw) {
  Json labels = Json::array();
  for (std::size_t i = 1 + draw.below(2); i > 0; --i) labels.push_back(draw_label(draw));
  return labels;
}

/// POL-LABELS-1, POL-SERVICE-1: a predicate with an argument. One with another name than these two never
/// runs from v1.10 on.
Json draw_predicate_with_argument(Draw& draw) {
  const bool of_services = draw.once_in(2);
  const char* own = of_services ? "CheckServiceAffinity" : "CheckNodeLabelPresence";
  const char* other = of_services ? "CheckNodeLabelPresence" : "CheckServiceAffinity";
  Json predicate{{"name", draw.one_of({own, own, own, own, other, "Custom"})}};
  Json& argument = predicate["argument"];
  if (of_services) {
    argument["serviceAffinity"]["labels"] = draw_labels_of_predicate(draw);
  } else {
    argument["labelsPresence"]["labels"] = draw_labels_of_predicate(draw);
    argument["labelsPresence"]["presence"] = draw.once_in(2);
  }
  return predicate;
}

Json draw_predicates(Draw& draw, const Release& release) {
  Json predicates = Json::array();
  const std::size_t share = draw.one_of<std::size_t>({2, 4});
  for (const std::string_view name : k_predicates) {
    if (kubernetes::is_predicate(name, release) && !draw.once_in(share))
      predicates.push_back(Json::object({{"name", name}}));
  }
  for (std::size_t i = draw.one_of<std::size_t>({0, 1, 1, 2}); i > 0; --i)
    predicates.push_back(draw_predicate_with_argument(draw));
  return predicates;
}

Quantity draw_weight_of_priority(Draw& draw) { return draw.one_of<Quantity>({1, 2, 3, 10, 100, 10000}); }

/// POL-PREFER-1, POL-APART-1, POL-RATIO-1: a priority with an argument. `number` makes its name unique.
Json draw_priority_with_argument(Draw& draw, std::size_t number, bool has_ratio) {
  Json priority{{"name", "custom-" + std::to_string(number)}, {"weight", draw_weight_of_priority(draw)}};
  Json& argument = priority["argument"];
  switch (draw.below(has_ratio ? 3 : 2)) {
    case 0:
      argument["labelPreference"]["label"] = draw_label(draw);
      argument["labelPreference"]["presence"] = draw.once_in(2);
      break;
    case 1:
      argument["serviceAntiAffinity"]["label"] = draw_label(draw);
      break;
    default:
      argument["requestedToCapacityRatioArguments"]["shape"] = draw_shape(draw);
  }
  return priority;
}

Json draw_priorities(Draw& draw, const Release& release) {
  Json priorities = Json::array();
  const std::size_t share = draw.one_of<std::size_t>({2, 4});
  for (const std::string_view name : k_priorities_of_policies) {
    const bool needs_argument = release.known_names_lose_arguments && name == k_ratio;  // POL-PLUGIN-2
    if (!needs_argument && kubernetes::scorer_of_priority(name, release) && draw.once_in(share))
      priorities.push_back({{"name", name}, {"weight", draw_weight_of_priority(draw)}});
  }
  const std::size_t custom = draw.one_of<std::size_t>({0, 1, 1, 2});
  const bool has_ratio =
      kubernetes::scorer_of_priority(k_ratio, release).has_value();  // POL-RATIO-1
  for (std::size_t i = 0; i < custom; ++i)
    priorities.push_back(draw_priority_with_argument(draw, i, has_ratio));
  return priorities;
}

/// POL-REFUSED-2: from v1.17 on a release refuses predicates and priorities that do not go together.
bool is_refused(const Json& policy, const Release& release) {
  return release.policy_runs_plugins && !kubernetes::configured_by_text(policy.dump(), "policy", release, "");
}

/// Leaves out the predicates or priorities that have an argument.
void leave_out_arguments(Json& policy) {
  for (const char* list : {"predicates", "priorities"}) {
    if (!policy.contains(list)) continue;
    Json without = Json::array();
    for (const Json& entry : policy[list]) {
      if (!entry.contains("argument")) without.push_back(entry);
    }
    policy[list] = without;
  }
}

}  // namespace

Json draw_policy(Draw& draw, const Release& release) {
  Json policy{{"apiVersion", "v1"}, {"kind", "Policy"}};
  if (draw.once_in(2)) policy["predicates"] = draw_predicates(draw, release);
  if (draw.below(3) > 0) policy["priorities"] = draw_priorities(draw, release);
  if (draw.once_in(3)) policy["alwaysCheckAllPredicates"] = true;
  if (draw.once_in(4)) policy["hardPodAffinitySymmetricWeight"] = draw.one_of<Quantity>({1, 100, 5, 50, 0});
  if (is_refused(policy, release)) leave_out_arguments(policy);
  if (is_refused(policy, release)) policy.erase("predicates");
  return policy;
}

Json draw_shape(Draw& draw) {
  Json shape = Json::array();
  for (Quantity utilization = draw.one_of<Quantity>({0, 10, 0, 30}); utilization <= 100;
       utilization += draw.one_of<Quantity>({100, 50, 33, 20})) {
    shape.push_back({{"utilization", utilization}, {"score", draw.below(11)}});
    if (shape.size() == 4) break;
  }
  return shape;
}

}  // namespace touchstone::fuzz
