#include "bench/check.hpp"

#include <algorithm>
#include <random>
#include <set>

#include "oracle/protocol/engines.hpp"
#include "reference/preemption/preempt.hpp"

namespace touchstone::bench {

namespace {

std::string full_name(const optimized::Tables& tables, PodIndex pod) {
  const auto number = static_cast<std::uint32_t>(pod);
  return tables.symbols.text(tables.names.ns(number)) + "/" + tables.names.name(number);
}

std::vector<std::string> victims_of(const optimized::Snapshot& snapshot, const optimized::Answer& answer) {
  std::vector<std::string> victims;
  for (const PodIndex victim : answer.victims) victims.push_back(full_name(snapshot.tables(), victim));
  return victims;
}

bool contains(const std::vector<NodeIndex>& nodes, NodeIndex node) {
  return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

/// The node and k_bench_others random other nodes, or all nodes of a smaller cluster, in the order of the
/// cluster. The random nodes depend only on the size of the cluster.
std::vector<std::size_t> with_others(NodeIndex node, std::size_t nodes) {
  std::mt19937_64 random(nodes);
  std::set<std::size_t> numbers = {node};
  while (numbers.size() < std::min(nodes, k_bench_others + 1)) numbers.insert(random() % nodes);
  return {numbers.begin(), numbers.end()};
}

/// Whether a complete or sampled search may end with the given answer. Returns what is wrong. Empty: nothing.
std::string objection_on(const optimized::Snapshot& snapshot, const SchedulerAnswer& given, Asks asks,
                         const optimized::Options& options, optimized::Workers& workers) {
  const std::optional<NodeIndex> node = snapshot.find_node(given.node);
  if (!node) return "node " + given.node + ", which is not a candidate";
  const Pod pod = bench_preemptor(asks);
  const std::vector<NodeIndex> admissible = optimized::decide(snapshot, pod, options, workers).admissible;
  const auto place = std::find(admissible.begin(), admissible.end(), *node);
  if (place == admissible.end()) return "node " + given.node + " is not admissible";
  ScriptedChoices choices({static_cast<std::size_t>(place - admissible.begin())});
  const optimized::Answer ours = optimized::decide(snapshot, pod, options, workers, choices);
  if (victims_of(snapshot, ours) != given.victims) return "victims on " + given.node;
  return ours.pdb_violations == given.pdb_violations ? "" : "PDB violations on " + given.node;
}

}  // namespace

std::string objection_of_reference(const optimized::Answer& answer, const BenchAsked& asked) {
  const std::vector<std::size_t> numbers =
      with_others(answer.node, asked.snapshot.tables().nodes.facts.size());
  const Question question{bench_cluster(numbers, asked.shape), bench_preemptor(asked.asks), {}, {}};
  const Decision decision = reference::preempt(question, asked.release);
  if (decision.outcome != Outcome::nominated) return "the reference, on some of the nodes, nominates no node";
  std::set<NodeIndex> winners;
  for (const std::size_t i : decision.admissible) winners.insert(decision.candidates[i].node);
  for (NodeIndex i = 0; i < numbers.size(); ++i) {
    if (winners.contains(i) != contains(answer.admissible, numbers[i]))
      return "the reference, on some of the nodes, makes " + question.cluster.nodes[i].name +
             (winners.contains(i) ? " win" : " lose");
  }
  const auto chosen =
      std::find_if(decision.candidates.begin(), decision.candidates.end(),
                   [&](const Candidate& candidate) { return numbers[candidate.node] == answer.node; });
  std::vector<std::string> victims;
  for (const PodIndex victim : chosen->victims) victims.push_back(question.cluster.pods[victim].full_name());
  if (victims != victims_of(asked.snapshot, answer) || chosen->pdb_violations != answer.pdb_violations)
    return "the reference evicts other pods on " + question.cluster.nodes[chosen->node].name;
  return "";
}

std::string objection_to(const SchedulerAnswer& given, const BenchAsked& asked,
                         const optimized::Options& options, bool is_parallel) {
  if (given.outcome != "nominated") return "outcome " + given.outcome;
  if (!asked.snapshot.find_node(given.node)) return "node " + given.node + ", which does not exist";
  if (!options.offset || !is_parallel)
    return objection_on(asked.snapshot, given, asked.asks, options, asked.workers);
  const auto nodes = static_cast<Quantity>(asked.snapshot.tables().nodes.facts.size());
  if (static_cast<Quantity>(given.candidates.size()) < reference::candidate_quota(nodes))
    return "fewer candidates than the quota";
  std::set<std::size_t> numbers;
  for (const std::string& name : given.candidates) {
    const std::optional<NodeIndex> node = asked.snapshot.find_node(name);
    if (!node) return "candidate " + name + ", which does not exist";
    numbers.insert(*node);
  }
  const Cluster candidates = bench_cluster({numbers.begin(), numbers.end()}, asked.shape);
  return objection_on(optimized::Snapshot(candidates, asked.release), given, asked.asks, {}, asked.workers);
}

void settle(std::vector<BenchRow>& rows) {
  std::string disagreement;
  std::set<std::string> parties;
  for (const BenchRow& row : rows) {
    if (!row.left_out.empty()) continue;
    const std::string engine(k_timed_names[static_cast<std::size_t>(row.engine)]);
    if (disagreement.empty() && !row.disagreement.empty()) disagreement = engine + ": " + row.disagreement;
    parties.insert(engine);
    parties.insert(row.checked_by.begin(), row.checked_by.end());
  }
  for (BenchRow& row : rows) {
    row.checked_by.clear();
    if (!row.left_out.empty()) continue;
    row.disagreement = disagreement;
    if (!disagreement.empty()) continue;
    row.checked_by.assign(parties.begin(), parties.end());
    std::erase(row.checked_by, k_timed_names[static_cast<std::size_t>(row.engine)]);
  }
}

}  // namespace touchstone::bench
