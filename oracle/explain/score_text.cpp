#include "oracle/explain/score_text.hpp"

#include <algorithm>
#include <array>

#include "oracle/explain/wording.hpp"

namespace touchstone::oracle {

namespace {

constexpr std::size_t k_scorers = static_cast<std::size_t>(Scorer::end);

/// What a scorer finds on a node if no value enters its score, in the order of enum Scorer.
constexpr std::array<std::string_view, k_scorers> k_without_parts = {
    "no pod counts",
    "no term matches a pod of its topology domains",
    "no resource counts",
    "no resource counts",
    "the node asks no pod to avoid it",
    "no preferred term holds",
    "no taint PreferNoSchedule that the pod does not tolerate",
    "none of the pod's images is on the node",
    "no constraint ScheduleAnyway counts on the node",
    "no claim of the pod counts",
    "the pod has no resource claims",
    "no pod counts",
    "every node gets the same score",
    "by the requests of cpu and memory",
    "by the requests of cpu and memory",
    "by a label of the node",
    "by the pods of the Service with the same label"};

/// Why a scorer may be skipped, in the order of enum Scorer. The others never are.
constexpr std::array<SkippedScorer, k_scorers> k_skipped = {{
    {},
    {"no preferred or required term of a pod matches", "SCORE-AFFINITY-4"},
    {},
    {"the pod requests none of the resources", "SCORE-BALANCED-4"},
    {},
    {"the pod has no preferred node affinity", "SCORE-NODEAFFINITY-2"},
    {},
    {},
    {"the pod has no constraint ScheduleAnyway", "SCORE-SPREAD-7"},
    {"the release scores no storage", "SCORE-CAPACITY-1"},
    {},
}};

std::string number_text(const Step& part, Measure measure) {
  return std::to_string(value_of(part.values, measure));
}

std::string pods_text(const Step& part) {
  return count_of(static_cast<std::size_t>(value_of(part.values, Measure::counted)), "matching pod");
}

/// A resource of a node, or the capacity of a storage class.
std::string load_text(const std::string& resource, const Step& part, bool has_points) {
  const auto amount = [&](Measure measure) { return amount_of(resource, value_of(part.values, measure)); };
  const std::string text = amount(Measure::requested) + " of " + amount(Measure::allocatable) + " requested";
  return text + (has_points ? ", " + number_text(part, Measure::score) + " points" : "");
}

std::string part_text(Scorer scorer, const Step& part) {
  switch (scorer) {
    case Scorer::selector_spread:
    case Scorer::service_spread:
      return pods_text(part) + " of its Services and controllers " +
             (part.what == "zone" ? "in the zone" : "on the node");
    case Scorer::inter_pod_affinity:
      return part.what + ": weight " + number_text(part, Measure::weight);
    case Scorer::node_resources:
      return part.what + ": " + load_text(part.what, part, true);
    case Scorer::balanced_allocation:
      return part.what + ": " + load_text(part.what, part, false);
    case Scorer::node_prefer_avoid_pods:
      return "the node asks pods of " + part.what + " to avoid it";
    case Scorer::node_affinity:
      return part.what + " holds: weight " + number_text(part, Measure::weight);
    case Scorer::taint_toleration:
      return "taint " + part.what + " is not tolerated";
    case Scorer::image_locality:
      return "image " + part.what + " counts as " + amount_of("memory", value_of(part.values, Measure::size));
    case Scorer::pod_topology_spread:
      return part.what + ": " + pods_text(part) + ", maxSkew " + number_text(part, Measure::max_skew);
    case Scorer::volume_capacity:
      return "class " + part.what + ": " + load_text("memory", part, true);
    default:
      break;
  }
  return part.what;
}

}  // namespace

std::string_view clause_of(Scorer scorer, const Release& release) {
  switch (scorer) {
    case Scorer::selector_spread:
      return "SCORE-SELECTOR-3";
    case Scorer::inter_pod_affinity:
      return "SCORE-AFFINITY-3";
    case Scorer::node_resources:
      return release.fit_strategy == FitStrategy::least_allocated  ? "SCORE-LEAST-1"
             : release.fit_strategy == FitStrategy::most_allocated ? "SCORE-STRATEGY-2"
                                                                   : "SCORE-STRATEGY-3";
    case Scorer::balanced_allocation:
      return release.balance == Balance::distance    ? "SCORE-BALANCED-1"
             : release.balance == Balance::deviation ? "SCORE-BALANCED-2"
                                                     : "SCORE-BALANCED-5";
    case Scorer::node_prefer_avoid_pods:
      return "SCORE-AVOID-1";
    case Scorer::node_affinity:
      return "SCORE-NODEAFFINITY-1";
    case Scorer::taint_toleration:
      return "SCORE-TAINT-1";
    case Scorer::image_locality:
      return "SCORE-IMAGE-1";
    case Scorer::pod_topology_spread:
      return release.spread_score_by_domains ? "SCORE-SPREAD-6" : "SCORE-SPREAD-5";
    case Scorer::volume_capacity:
      return "SCORE-CAPACITY-1";
    case Scorer::service_spread:
      return "POL-SPREAD-1";
    case Scorer::equal:
      return "POL-EQUAL-1";
    case Scorer::most_requested:
      return "POL-MOST-1";
    case Scorer::requested_to_capacity_ratio:
      return "POL-RATIO-1";
    case Scorer::label_preference:
      return "POL-PREFER-1";
    case Scorer::service_anti_affinity:
      return "POL-APART-1";
    case Scorer::dynamic_resources:
    case Scorer::end:
      break;
  }
  return "SCORE-SET-1";
}

std::string parts_text(Scorer scorer, const std::vector<const Step*>& parts) {
  std::string text;
  for (const Step* part : parts) text += (text.empty() ? "" : "; ") + part_text(scorer, *part);
  return text.empty() ? std::string(k_without_parts[static_cast<std::size_t>(scorer)]) : text;
}

SkippedScorer why_skipped(Scorer scorer) { return k_skipped[static_cast<std::size_t>(scorer)]; }

}  // namespace touchstone::oracle
