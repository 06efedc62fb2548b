#include "oracle/protocol/engines.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "oracle/protocol/on_snapshot.hpp"
#include "oracle/protocol/protocol.hpp"

namespace touchstone::oracle {

namespace {

bool is_nominated(const Decision& decision) { return decision.outcome == Outcome::nominated; }

const Candidate& chosen_of(const Decision& decision) { return decision.candidates[decision.chosen]; }

/// Calls `part` for each part that an Answer and a Decision share, with its name and the two values.
/// Requires: both have the same outcome, and it is not skipped.
template <typename F>
void for_each_part(const optimized::Answer& answer, const Decision& decision, const F& part) {
  if (decision.outcome == Outcome::fits) return part("feasible", answer.feasible, decision.feasible);
  part("reason", answer.reason, decision.reason);
  part("nomination", answer.nomination, decision.nomination);
  if (!is_nominated(decision)) return;
  std::vector<NodeIndex> admissible;
  for (const std::size_t i : decision.admissible) admissible.push_back(decision.candidates[i].node);
  part("admissible", answer.admissible, admissible);
  part("node", answer.node, chosen_of(decision).node);
  part("victims", answer.victims, chosen_of(decision).victims);
  part("numPDBViolations", answer.pdb_violations, chosen_of(decision).pdb_violations);
  part("clears", answer.clears, decision.clears);
}

/// Converts the value of a part to JSON. Nodes and pods appear by name.
struct Shown {
  const Cluster& cluster;

  Json operator()(std::string_view, const std::string& text) const { return text; }
  Json operator()(std::string_view, Nomination nomination) const { return static_cast<int>(nomination); }
  Json operator()(std::string_view, Quantity number) const { return number; }
  Json operator()(std::string_view, NodeIndex node) const { return cluster.nodes[node].name; }
  Json operator()(std::string_view, const std::optional<NodeIndex>& node) const {
    return node ? Json(cluster.nodes[*node].name) : Json(nullptr);
  }
  Json operator()(std::string_view, const std::optional<Quantity>& number) const {
    return number ? Json(*number) : Json(nullptr);
  }
  Json operator()(std::string_view, const std::vector<Quantity>& numbers) const { return numbers; }
  Json operator()(std::string_view, const std::vector<ScoreColumn>& columns) const {
    Json json = Json::object();
    for (const ScoreColumn& column : columns) json[std::string(column.scorer.name)] = column.scores;
    return json;
  }
  Json operator()(std::string_view part, const std::vector<std::size_t>& numbers) const {
    const bool are_pods = part == "victims" || part == "clears";
    Json names = Json::array();
    for (const std::size_t number : numbers)
      names.push_back(are_pods ? cluster.pods[number].full_name() : cluster.nodes[number].name);
    return names;
  }
};

/// The number of threads; 0 means all cores. On few nodes, starting a thread takes longer than the decision.
std::size_t threads_for(const Cluster& cluster) {
  constexpr std::size_t k_many_nodes = 1000;
  return cluster.nodes.size() < k_many_nodes ? 1 : 0;
}

Decided decided_by_optimized(const Question& question, const Release& release) {
  optimized::Workers workers(threads_for(question.cluster));
  const optimized::Snapshot snapshot(question.cluster, release);
  optimized::Answer answer = optimized_answer(snapshot, question, workers);
  return {decision_of(std::move(answer), snapshot, question.pod), false, {}};
}

Scheduled scheduled_by_optimized(const Question& question, const Release& release) {
  optimized::Workers workers(threads_for(question.cluster));
  const optimized::Snapshot snapshot(question.cluster, release);
  return {placement_of(optimized_placed(snapshot, question, workers), snapshot, question.pod), false, {}};
}

/// Whether both engines have scheduled the pod. If not, their decisions are compared.
bool are_scheduled(const optimized::Placed& placed, const Placement& placement) {
  return placed.answer.outcome == Outcome::fits && placement.decision.outcome == Outcome::fits;
}

/// Whether the next search begins at the same node. A cycle that is skipped has none.
bool begin_alike_next(const optimized::Placed& placed, const Placement& placement) {
  return placed.answer.outcome == Outcome::skipped || placed.next_start == placement.next_start;
}

/// Calls `part` for each part that a Placed and a Placement share, with its name and the two values.
/// Requires: are_scheduled().
template <typename F>
void for_each_part(const optimized::Placed& placed, const Placement& placement, const F& part) {
  part("feasible", placed.feasible, placement.feasible);
  part("scores", placed.scores, placement.scores);
  part("extenders", placed.extender_scores, placement.extender_scores);
  part("totals", placed.totals, placement.totals);
  part("best", placed.best, placement.best);
  part("host", placed.host, placement.host);
}

Json outcome_of(Outcome outcome, const std::string& reason) {
  return std::string(name_of(outcome)) + (outcome == Outcome::skipped ? ": " + reason : "");
}

}  // namespace

optimized::Options options_of(const Question& question) {
  optimized::Options options;
  options.offset = question.offset;
  options.quota = question.quota;
  options.start = question.start;
  options.extenders = &question.extenders;
  return options;
}

Decision decision_of(optimized::Answer answer, const optimized::Snapshot& snapshot, const Pod& pod) {
  Decision decision;
  decision.outcome = answer.outcome;
  decision.reason = std::move(answer.reason);
  decision.feasible = std::move(answer.feasible);
  decision.nomination = answer.nomination;
  decision.clears = std::move(answer.clears);
  decision.candidates = optimized::best_candidates(snapshot, pod, answer);
  for (std::size_t i = 0; i < answer.admissible.size(); ++i) {
    decision.admissible.push_back(i);
    if (answer.admissible[i] == answer.node) decision.chosen = i;
  }
  return decision;
}

Placement placement_of(optimized::Placed placed, const optimized::Snapshot& snapshot, const Pod& pod) {
  Placement placement;
  placement.decision = decision_of(std::move(placed.answer), snapshot, pod);
  placement.feasible = std::move(placed.feasible);
  placement.scores = std::move(placed.scores);
  placement.extender_scores = std::move(placed.extender_scores);
  placement.totals = std::move(placed.totals);
  placement.best = std::move(placed.best);
  placement.host = placed.host;
  placement.next_start = placed.next_start;
  return placement;
}

bool is_left_to_reference(const optimized::Answer& answer) {
  return answer.outcome == Outcome::skipped && answer.reason.starts_with(optimized::k_left_to_reference);
}

Decided decide(const Question& question, const Release& release, Engine engine, const Decider& decider,
               Trace& trace) {
  if (engine == Engine::optimized) return decided_by_optimized(question, release);
  Decided decided{decider.preempt(question, release, trace), true, {}};
  if (engine == Engine::both) {
    optimized::Workers workers(threads_for(question.cluster));
    const optimized::Answer answer = optimized_answer(question, release, workers);
    decided.differences = differences_of(answer, decided.decision, question.cluster);
  }
  return decided;
}

Scheduled schedule(const Question& question, const Release& release, Engine engine, const Decider& decider,
                   Trace& trace) {
  if (engine == Engine::optimized) return scheduled_by_optimized(question, release);
  Scheduled scheduled{decider.schedule(question, release, trace), true, {}};
  if (engine == Engine::both) {
    optimized::Workers workers(threads_for(question.cluster));
    const optimized::Snapshot snapshot(question.cluster, release);
    const optimized::Placed placed = optimized_placed(snapshot, question, workers);
    scheduled.differences = differences_of(placed, scheduled.placement, question.cluster);
  }
  return scheduled;
}

optimized::Answer optimized_answer(const Question& question, const Release& release,
                                   optimized::Workers& workers) {
  return optimized_answer(optimized::Snapshot(question.cluster, release), question, workers);
}

optimized::Answer optimized_answer(const optimized::Snapshot& snapshot, const Question& question,
                                   optimized::Workers& workers) {
  return optimized::decide(snapshot, question.pod, options_of(question), workers);
}

optimized::Placed optimized_placed(const optimized::Snapshot& snapshot, const Question& question,
                                   optimized::Workers& workers) {
  return optimized::schedule(snapshot, question.pod, options_of(question), workers);
}

bool agree(const optimized::Answer& answer, const Decision& decision) {
  if (is_left_to_reference(answer)) return true;
  if (answer.outcome != decision.outcome) return false;
  if (decision.outcome == Outcome::skipped) return true;
  bool all = true;
  for_each_part(answer, decision, [&all](std::string_view, const auto& given, const auto& ours) {
    all = all && given == ours;
  });
  return all;
}

std::vector<Difference> differences_of(const optimized::Answer& answer, const Decision& decision,
                                       const Cluster& cluster) {
  if (is_left_to_reference(answer)) return {};
  if (answer.outcome != decision.outcome)
    return {{"outcome", outcome_of(answer.outcome, answer.reason).dump(),
             outcome_of(decision.outcome, decision.reason).dump()}};
  std::vector<Difference> differences;
  if (decision.outcome == Outcome::skipped) return differences;
  const Shown shown{cluster};
  for_each_part(answer, decision, [&](std::string_view part, const auto& given, const auto& ours) {
    if (given != ours)
      differences.push_back({std::string(part), shown(part, given).dump(), shown(part, ours).dump()});
  });
  return differences;
}

bool agree(const optimized::Placed& placed, const Placement& placement) {
  bool all = begin_alike_next(placed, placement);
  if (!are_scheduled(placed, placement)) return all && agree(placed.answer, placement.decision);
  for_each_part(placed, placement, [&all](std::string_view, const auto& given, const auto& ours) {
    all = all && given == ours;
  });
  return all;
}

std::vector<Difference> differences_of(const optimized::Placed& placed, const Placement& placement,
                                       const Cluster& cluster) {
  std::vector<Difference> differences;
  const Shown shown{cluster};
  if (!are_scheduled(placed, placement))
    differences = differences_of(placed.answer, placement.decision, cluster);
  if (differences.empty() && !begin_alike_next(placed, placement))
    differences.push_back({"nextStart", shown("nextStart", placed.next_start).dump(),
                           shown("nextStart", placement.next_start).dump()});
  if (!are_scheduled(placed, placement)) return differences;
  for_each_part(placed, placement, [&](std::string_view part, const auto& given, const auto& ours) {
    if (given != ours)
      differences.push_back({std::string(part), shown(part, given).dump(), shown(part, ours).dump()});
  });
  return differences;
}

Json engines_differ(const std::vector<Difference>& differences) {
  std::string text;
  for (const Difference& each : differences)
    text += (text.empty() ? "" : "; ") + each.key + ": the optimized engine says " + each.given +
            ", the reference " + each.ours;
  return Json{{"error", error_of({"engines-differ", differences.front().key, text})}};
}

}  // namespace touchstone::oracle
