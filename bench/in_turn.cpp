#include "bench/in_turn.hpp"

#include <algorithm>
#include <functional>

#include "bench/cluster.hpp"
#include "optimized/search/decide.hpp"
#include "oracle/protocol/engines.hpp"
#include "reference/preemption/preempt.hpp"

namespace touchstone::bench {

namespace {

/// Runs the series. `preempt` decides for one preemptor, changes the cluster, and returns the decision as
/// text. Empty: it nominated no node.
DecisionSeries repeated(const Runs& runs, const std::function<std::string(Pod)>& preempt) {
  DecisionSeries result;
  std::vector<Quantity> times;
  std::vector<Quantity> cpu;
  Quantity total = 0;
  while (times.size() < runs.most && (times.size() < runs.least || total < runs.time.count())) {
    const Pod pod = bench_preemptor(Asks::nothing, times.size());
    StopWatch watch;
    watch.begin();
    std::string decided = preempt(pod);
    watch.end();
    result.ended = decided.empty();
    if (result.ended) break;
    result.decisions.push_back(std::move(decided));
    times.push_back(watch.total_ns());
    cpu.push_back(watch.cpu_ns());
    total += times.back();
  }
  result.wall = times_of(std::move(times));
  result.cpu_ns = times_of(std::move(cpu)).median;
  return result;
}

}  // namespace

DecisionSeries in_turn(optimized::Snapshot& snapshot, optimized::Workers& workers, const Runs& runs) {
  return repeated(runs, [&](Pod pod) -> std::string {
    const optimized::Answer answer = optimized::decide(snapshot, pod, {}, workers);
    if (answer.outcome != Outcome::nominated) return "";
    const optimized::Tables& tables = snapshot.tables();
    pod.node_name = tables.symbols.text(tables.nodes.facts[answer.node].name);
    std::string decided = pod.node_name;
    for (const PodIndex victim : answer.victims) {
      decided.append(" ").append(tables.names.name(static_cast<std::uint32_t>(victim)));
      snapshot.remove_pod(victim);
    }
    snapshot.add_pod(pod);
    return decided;
  });
}

DecisionSeries in_turn(Cluster cluster, const Release& release, const Runs& runs) {
  Question question{std::move(cluster), {}, {}, {}};
  return repeated(runs, [&](Pod pod) -> std::string {
    question.pod = pod;
    const Decision decision = reference::preempt(question, release);
    if (decision.outcome != Outcome::nominated) return "";
    const Candidate& chosen = decision.candidates[decision.chosen];
    std::vector<Pod>& pods = question.cluster.pods;
    pod.node_name = question.cluster.nodes[chosen.node].name;
    std::string decided = pod.node_name;
    for (const PodIndex victim : chosen.victims) decided += " " + pods[victim].name;
    std::vector<PodIndex> gone = chosen.victims;
    std::sort(gone.rbegin(), gone.rend());
    for (const PodIndex victim : gone) pods.erase(pods.begin() + static_cast<std::ptrdiff_t>(victim));
    pods.push_back(std::move(pod));
    return decided;
  });
}

std::string difference_in_turn(const DecisionSeries& given, const DecisionSeries& expected) {
  const std::size_t both = std::min(given.decisions.size(), expected.decisions.size());
  const auto of = [](const DecisionSeries& side, std::size_t i) {
    return i < side.decisions.size() ? side.decisions[i] : std::string("not nominated");
  };
  const auto told = [&](std::size_t i) {
    return "preemptor " + std::to_string(i) + ": " + of(given, i) + " instead of " + of(expected, i);
  };
  for (std::size_t i = 0; i < both; ++i)
    if (given.decisions[i] != expected.decisions[i]) return told(i);
  const bool given_ended_first = given.ended && expected.decisions.size() > both;
  const bool expected_ended_first = expected.ended && given.decisions.size() > both;
  if (given_ended_first || expected_ended_first) return told(both);
  return both == 0 ? "no preemptor is nominated" : "";
}

}  // namespace touchstone::bench
