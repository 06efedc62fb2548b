#include "oracle/protocol/placement_answer.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "oracle/protocol/engines.hpp"
#include "oracle/protocol/on_snapshot.hpp"

namespace touchstone::oracle {

namespace {

/// The positions of the feasible nodes in Placement::feasible, in the order of the cluster.
std::vector<std::size_t> in_cluster_order(const Placement& placement) {
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < placement.feasible.size(); ++i) positions.push_back(i);
  std::sort(positions.begin(), positions.end(), [&placement](std::size_t a, std::size_t b) {
    return placement.feasible[a] < placement.feasible[b];
  });
  return positions;
}

/// The scores of the feasible node at a position, by scorer.
Json scores_at(const Placement& placement, std::size_t position) {
  Json scores = Json::object();
  for (const ScoreColumn& column : placement.scores)
    scores[std::string(column.scorer.name)] = column.scores[position];
  if (!placement.extender_scores.empty()) scores["extenders"] = placement.extender_scores[position];
  return scores;
}

}  // namespace

Json placement_answer(const Cluster& cluster, const Placement& placement) {
  if (!placement.host) {
    Json json = answer_of(cluster, placement.decision);
    if (json.contains("filter")) json["filter"] = filter_of(cluster, placement.decision, Implied::left_out);
    return json;
  }
  const auto name = [&](NodeIndex node) {
    const std::size_t known = cluster.nodes.size();
    return node < known ? cluster.nodes[node].name : placement.unknown_nodes[node - known];
  };
  Json json{{"outcome", "scheduled"}, {"node", name(*placement.host)}, {"feasible", Json::array()}};
  const std::vector<std::size_t> positions = in_cluster_order(placement);
  for (const std::size_t i : positions) json["feasible"].push_back(name(placement.feasible[i]));
  if (!placement.totals.empty()) {
    for (const std::size_t i : positions)
      json["scores"][name(placement.feasible[i])] = scores_at(placement, i);
    for (const std::size_t i : positions) json["totals"][name(placement.feasible[i])] = placement.totals[i];
  }
  json["best"] = Json::array();
  for (const NodeIndex node : placement.best) json["best"].push_back(name(node));
  json["filter"] = filter_of(cluster, placement.decision, Implied::left_out);
  if (placement.next_start) json["nextStart"] = *placement.next_start;
  return json;
}

Json placement_answer_in_part(const Cluster& cluster, const Placement& placement) {
  Json json = placement_answer(cluster, placement);
  for (const char* key : {"candidates", "filter", "dryRun"}) json.erase(key);
  return json;
}

Json placement_answer(const Question& question, const NamedRelease& named, Engine engine,
                      const Decider& decider, bool with_trace) {
  Trace trace = with_trace ? Trace::full() : Trace::none();
  const Scheduled scheduled = schedule(question, named.release, engine, decider, trace);
  if (!scheduled.differences.empty()) return engines_differ(scheduled.differences);
  Json answer = scheduled.is_whole ? placement_answer(question.cluster, scheduled.placement)
                                   : placement_answer_in_part(question.cluster, scheduled.placement);
  if (!named.notes.empty()) answer["notes"] = named.notes;
  if (trace.enabled()) answer["trace"] = trace_of(question.cluster, trace);
  return answer;
}

}  // namespace touchstone::oracle
