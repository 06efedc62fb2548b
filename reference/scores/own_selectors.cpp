#include "reference/scores/own_selectors.hpp"

#include <string_view>
#include <utility>

#include "reference/filters/labels.hpp"

namespace touchstone::reference {

namespace {

/// Whether the selector of an object consists of labels alone.
bool selects_by_labels(const SelectingObject& object) {
  return object.kind == SelectingKind::service || object.kind == SelectingKind::replication_controller;
}

/// SCORE-SELECTOR-1: whether an object selects the preemptor. A controller selects no pod with an empty
/// selector, and no pod that has no labels. Requires: the object has a selector.
bool selects_preemptor(const SelectingObject& object, const Pod& preemptor) {
  const bool is_controller = object.kind != SelectingKind::service;
  if (is_controller && (is_empty(*object.selector) || preemptor.labels.empty())) return false;
  return matches(*object.selector, preemptor.labels);
}

/// The apiVersion and the kind of a controller.
std::pair<std::string_view, std::string_view> type_of(SelectingKind controller) {
  if (controller == SelectingKind::replication_controller) return {"v1", "ReplicationController"};
  return {"apps/v1", controller == SelectingKind::replica_set ? "ReplicaSet" : "StatefulSet"};
}

/// SCORE-SELECTOR-2: whether an object controls the preemptor. The release finds it by name, without regard
/// to the UID, and does not ask whether its selector matches.
bool controls_preemptor(const SelectingObject& object, const Pod& preemptor) {
  if (!preemptor.controller) return false;
  const auto [api_version, kind] = type_of(object.kind);
  const Controller& owner = *preemptor.controller;
  return owner.api_version == api_version && owner.kind == kind && owner.name == object.name;
}

/// Whether the selector of an object counts for the preemptor.
bool counts_for(const SelectingObject& object, const Cycle& cycle) {
  if (object.ns != cycle.pod.ns || !object.selector) return false;
  const bool by_owner = cycle.release.selectors_of_controller_alone && object.kind != SelectingKind::service;
  return by_owner ? controls_preemptor(object, cycle.pod) : selects_preemptor(object, cycle.pod);
}

/// SCORE-SELECTOR-1: adds a selector to the merged one. The labels of Services and ReplicationControllers
/// become one set, in which the last value of a key counts. An invalid selector adds no requirement.
void merge_into(LabelSelector& merged, const SelectingObject& object) {
  if (selects_by_labels(object)) {
    for (const auto& [key, value] : object.selector->match_labels) merged.match_labels[key] = value;
    return;
  }
  if (!is_valid(*object.selector)) return;
  std::vector<Requirement>& requirements = merged.match_expressions;
  for (const auto& [key, value] : object.selector->match_labels) requirements.push_back({key, "In", {value}});
  const std::vector<Requirement>& expressions = object.selector->match_expressions;
  requirements.insert(requirements.end(), expressions.begin(), expressions.end());
}

}  // namespace

std::vector<LabelSelector> own_selectors(const Cycle& cycle) {
  std::vector<LabelSelector> selectors;
  LabelSelector merged;
  for (const SelectingObject& object : cycle.cluster.selecting) {
    if (!counts_for(object, cycle)) continue;
    if (cycle.release.several_selectors == SeveralSelectors::merged)
      merge_into(merged, object);
    else
      selectors.push_back(*object.selector);
  }
  if (!is_empty(merged)) selectors.push_back(merged);
  return selectors;
}

}  // namespace touchstone::reference
