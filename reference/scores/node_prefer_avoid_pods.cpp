#include <algorithm>

#include "reference/scores/scores.hpp"

namespace touchstone::reference {

namespace {

/// SCORE-AVOID-1: whether a node asks to be avoided by the pods of a controller.
bool is_avoided(const Node& node, const Controller& controller) {
  return std::any_of(node.avoided.begin(), node.avoided.end(), [&controller](const Controller& avoided) {
    return avoided.kind == controller.kind && avoided.uid == controller.uid;
  });
}

/// SCORE-AVOID-1: whether a node can ask to be avoided by the pods of a controller.
bool may_be_avoided(const std::optional<Controller>& controller) {
  return controller && (controller->kind == "ReplicationController" || controller->kind == "ReplicaSet");
}

}  // namespace

/// SCORE-AVOID-1: 0 for a node that the preemptor's controller should avoid, the highest score for the
/// others.
Scores node_prefer_avoid_pods(const Cycle& cycle, const Nodes& nodes) {
  std::vector<Quantity> scores(nodes.size(), cycle.release.highest_score);
  const std::optional<Controller>& controller = cycle.pod.controller;
  if (!may_be_avoided(controller)) return scores;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!is_avoided(cycle.cluster.nodes[nodes[i]], *controller)) continue;
    scores[i] = 0;
    cycle.trace.add(
        {Stage::score_part, "SCORE-AVOID-1", false, controller->kind + " " + controller->name, nodes[i]});
  }
  return scores;
}

}  // namespace touchstone::reference
