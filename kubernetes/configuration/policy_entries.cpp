#include "kubernetes/configuration/policy_entries.hpp"

#include <algorithm>
#include <limits>

#include "kubernetes/configuration/refusal.hpp"
#include "kubernetes/objects/fields.hpp"

namespace touchstone::kubernetes {

namespace {

/// The first release that begins its other messages about a Policy with a small letter.
constexpr int k_small_letters = 21;

std::string shown_name(const std::string& name, const Release& release) {
  return release.known_names_lose_arguments ? '"' + name + '"' : name;
}

/// POL-RATIO-1: the shape of a custom priority. It ends the process of the release if it is malformed.
std::vector<ShapePoint> read_ratio_shape(const Value& entry, const Value& arguments) {
  std::vector<ShapePoint> shape;
  const auto refuse = [&entry](const std::string& why) {
    refuse_configuration(entry, "invalid RequestedToCapacityRatioPriority arguments: " + why);
  };
  if (const auto list = arguments.find("shape")) {
    for (const Value point : list->elements())
      shape.push_back({int32_field(point, "utilization"), int32_field(point, "score")});
  }
  if (shape.empty()) refuse("at least one point must be specified");
  for (std::size_t i = 1; i < shape.size(); ++i) {
    if (shape[i - 1].utilization >= shape[i].utilization) refuse("utilization values must be sorted");
  }
  for (const ShapePoint& point : shape) {
    if (point.utilization < 0 || point.utilization > 100) refuse("utilization values must be from 0 to 100");
    if (point.score < 0 || point.score > 10) refuse("score values must be from 0 to 10");
  }
  return shape;
}

/// POL-RATIO-1: the resources and their weights. A resource that is named twice has the last weight.
std::vector<ScoredResource> read_ratio_resources(const Value& arguments, const Release& release) {
  std::vector<ScoredResource> resources;
  const auto list = arguments.find("resources");
  const bool has_list = list && list->elements().size() > 0;
  if (!has_list && release.ratio_has_default_resources) return {{"cpu", 1}, {"memory", 1}};
  if (!has_list) return {};
  for (const Value element : list->elements()) {
    ScoredResource resource{string_field(element, "name"), int32_field(element, "weight")};
    if (release.ratio_has_default_resources && resource.weight == 0) resource.weight = 1;
    if (resource.weight < 1) {
      if (release.ratio_has_default_resources)
        element.fail("not-supported", "a negative weight of a resource is not modelled");
      refuse_configuration(element, "resource " + resource.name + " weight " +
                                        std::to_string(resource.weight) + " must not be less than 1");
    }
    std::erase_if(resources, [&](const ScoredResource& each) { return each.name == resource.name; });
    resources.push_back(resource);
  }
  return resources;
}

}  // namespace

std::optional<Value> only_argument(const Value& entry, const std::string& what,
                                   std::initializer_list<std::string_view> kinds, const Release& release) {
  const auto argument = entry.find("argument");
  if (!argument) return std::nullopt;
  int count = 0;
  for (const std::string_view kind : kinds) count += argument->find(kind) ? 1 : 0;
  if (count == 1) return argument;
  const bool is_small = release.version.minor >= k_small_letters;
  const std::string capital = what == "predicate" ? "Predicate" : "Priority";
  refuse_configuration(entry, (is_small ? "exactly 1 " : "Exactly 1 ") + what +
                                  " argument is required, numArgs: " + std::to_string(count) + ", " +
                                  (is_small ? what + " " : capital + ": ") + string_field(entry, "name"));
}

Quantity weight_of_priority(const Value& entry, const Release& release) {
  constexpr Quantity k_heaviest = std::numeric_limits<Quantity>::max() / 10;
  const auto field = entry.find("weight");
  const Quantity weight =
      field ? field->integer(std::numeric_limits<Quantity>::min(), std::numeric_limits<Quantity>::max()) : 0;
  const bool is_small = release.version.minor >= k_small_letters_of_priorities;
  if (weight <= 0 || weight >= k_heaviest)
    refuse_configuration(entry, (is_small ? "priority " : "Priority ") + string_field(entry, "name") +
                                    " should have a positive weight applied to it or it has overflown");
  return weight;
}

void refuse_unknown_entry(const Value& entry, const std::string& what, const Release& release) {
  const std::string& gate = release.unmodelled_gate;
  if (!gate.empty())
    entry.fail("not-supported", "a Policy with the feature gate " + gate + " is not modelled");
  const std::string name = shown_name(string_field(entry, "name"), release);
  const std::string capital = what == "predicate" ? "Predicate" : "Priority";
  refuse_configuration(entry, release.version.minor >= k_small_letters
                                  ? what + " type not found for " + name
                                  : "Invalid configuration: " + capital + " type not found for " + name);
}

void read_ratio(const Value& entry, const Value& arguments, const Release& release, WeightedScorer& scorer) {
  scorer.shape = read_ratio_shape(entry, arguments);
  if (release.ratio_of_positive_scores) scorer.resources = read_ratio_resources(arguments, release);
}

}  // namespace touchstone::kubernetes
