#include "oracle/bench_in_turn.hpp"

#include <algorithm>
#include <functional>

#include "optimized/decide.hpp"
#include "oracle/bench_cluster.hpp"
#include "oracle/engines.hpp"

namespace touchstone::oracle {

namespace {

/// Decides by `preempt`, which changes the cluster and says what it decided; empty: it nominated no node.
InTurn repeated(const Runs& runs, const std::function<std::string(Pod)>& preempt) {
  InTurn result;
  std::vector<Quantity> times;
  Quantity total = 0;
  while (times.size() < runs.most && (times.size() < runs.least || total < runs.time.count())) {
    const Pod pod = bench_preemptor(Asks::nothing, times.size());
    StopWatch watch;
    watch.begin();
    std::string decided = preempt(pod);
    watch.end();
    if (decided.empty()) break;
    result.decisions.push_back(std::move(decided));
    times.push_back(watch.total_ns());
    total += times.back();
  }
  result.wall = times_of(std::move(times));
  return result;
}

}  // namespace

InTurn in_turn(optimized::Snapshot& snapshot, optimized::Workers& workers, const Runs& runs) {
  return repeated(runs, [&](Pod pod) -> std::string {
    CanonicalChoices choices;
    const optimized::Answer answer = optimized::decide(snapshot, pod, {}, workers, choices);
    if (answer.outcome != Outcome::nominated) return "";
    const optimized::Tables& tables = snapshot.tables();
    pod.node_name = tables.words.text(tables.nodes.facts[answer.node].name);
    std::string decided = pod.node_name;
    for (const PodIndex victim : answer.victims) {
      decided.append(" ").append(tables.names.name(static_cast<std::uint32_t>(victim)));
      snapshot.remove_pod(victim);
    }
    snapshot.add_pod(pod);
    return decided;
  });
}

InTurn in_turn(Cluster cluster, const Release& release, const Runs& runs) {
  Question question{std::move(cluster), {}, {}, {}};
  return repeated(runs, [&](Pod pod) -> std::string {
    question.pod = pod;
    const Decision decision = reference_decision(question, release);
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

}  // namespace touchstone::oracle
