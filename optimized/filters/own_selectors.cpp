#include "optimized/filters/own_selectors.hpp"

#include <algorithm>

namespace touchstone::optimized {

namespace {

bool is_valid(const LabelSelector& selector) {
  return Selector::of_labels(selector, [](const std::string&) { return Symbol{0}; }).is_valid();
}

bool is_without_requirements(const LabelSelector& selector) {
  return selector.match_labels.empty() && selector.match_expressions.empty();
}

/// Whether a selector matches the preemptor. Compares the texts of labels first, because most objects of a
/// namespace select other pods.
bool matches_preemptor(const LabelSelector& selector, const Query& query) {
  const Labels& own = query.pod.labels;
  if (!std::includes(own.begin(), own.end(), selector.match_labels.begin(), selector.match_labels.end()))
    return false;
  return Selector::of_labels(selector, query.numbering).matches(query.labels, query.tables.symbols);
}

bool is_controlled_by(const Pod& pod, const SelectingObject& object) {
  if (!pod.controller || pod.controller.value().name != object.name) return false;
  const Controller& owner = pod.controller.value();
  switch (object.kind) {
    case SelectingKind::service:
      return false;
    case SelectingKind::replication_controller:
      return owner.api_version == "v1" && owner.kind == "ReplicationController";
    case SelectingKind::replica_set:
      return owner.api_version == "apps/v1" && owner.kind == "ReplicaSet";
    case SelectingKind::stateful_set:
      break;
  }
  return owner.api_version == "apps/v1" && owner.kind == "StatefulSet";
}

bool counts(const SelectingObject& object, const Query& query) {
  if (!object.selector) return false;
  if (object.kind == SelectingKind::service) return matches_preemptor(*object.selector, query);
  if (query.release.selectors_of_controller_alone)  // SCORE-SELECTOR-2
    return is_controlled_by(query.pod, object);
  return !is_without_requirements(*object.selector) && !query.pod.labels.empty() &&
         matches_preemptor(*object.selector, query);
}

/// SCORE-SELECTOR-1: of Services and ReplicationControllers the labels count, and the last value of a key; of
/// the others the requirements, unless one of them is invalid.
void merge(const SelectingObject& object, LabelSelector& merged) {
  const LabelSelector& selector = *object.selector;
  if (object.kind == SelectingKind::service || object.kind == SelectingKind::replication_controller) {
    for (const auto& [key, value] : selector.match_labels) merged.match_labels.insert_or_assign(key, value);
    return;
  }
  if (!is_valid(selector)) return;
  for (const auto& [key, value] : selector.match_labels)
    merged.match_expressions.push_back({key, "In", {value}});
  std::copy(selector.match_expressions.begin(), selector.match_expressions.end(),
            std::back_inserter(merged.match_expressions));
}

}  // namespace

std::vector<LabelSelector> own_selectors(const Query& query) {
  if (!query.tables.selecting.contains(query.pod.ns)) return {};
  const bool are_merged = query.release.several_selectors == SeveralSelectors::merged;
  std::vector<LabelSelector> selectors;
  LabelSelector merged;
  for (const SelectingObject& object : query.tables.selecting.at(query.pod.ns)) {
    if (!counts(object, query)) continue;
    if (are_merged) {
      merge(object, merged);
    } else {
      selectors.push_back(*object.selector);
    }
  }
  if (!is_without_requirements(merged)) selectors.push_back(std::move(merged));
  return selectors;
}

}  // namespace touchstone::optimized
