#include "optimized/search/extenders.hpp"
#include "optimized/search/rank.hpp"

/// The victims that extenders choose.
namespace touchstone::optimized {

namespace {

/// The row of a pod on its node. Requires: the pod is there.
std::size_t row_of(const PodsOfNode& pods, PodIndex pod) {
  return static_cast<std::size_t>(std::find(pods.pod, pods.pod + pods.count, pod) - pods.pod);
}

/// The pod of a node with this full name. None: no pod there has it.
std::optional<PodIndex> pod_on_node(const Query& query, NodeIndex node, const std::string& full_name) {
  const PodsOfNode pods = query.pods_of(node);
  const PodNames& names = query.tables.names;
  for (std::size_t i = 0; i < pods.count; ++i) {
    const std::uint32_t pod = pods.pod[i];
    if (query.tables.symbols.text(names.ns(pod)) + "/" + names.name(pod) == full_name) return pod;
  }
  return std::nullopt;
}

/// EXT-PREEMPT-2: changes a candidate to what an entry says. Returns false if a victim is not on the node.
bool change(const Query& query, const VictimsEntry& entry, Candidate& candidate) {
  if (!entry.kept) {
    candidate.victims.clear();
    candidate.pdb_violations = entry.pdb_violations;
    for (const std::string& name : entry.victims) {
      const std::optional<PodIndex> pod = pod_on_node(query, candidate.node, name);
      if (!pod) return false;
      candidate.victims.push_back(*pod);
    }
  }
  if (!query.release.extender_violations_count) candidate.pdb_violations = 0;
  return true;
}

bool names_unknown_node(const AnswerTable<VictimsEntry>& table, const Query& query) {
  return std::any_of(table.nodes.begin(), table.nodes.end(), [&query](const auto& entry) {
    return !query.tables.node_by_name.contains(query.tables.symbols.find(entry.first));
  });
}

bool has_no_victims(const Candidate& candidate) { return candidate.victims.empty(); }

/// EXT-PREEMPT-3: the effect of candidates without victims.
void demand_victims(const Query& query, const Extender& extender, ExtendedCandidates& left) {
  if (!query.release.extender_needs_victims) return;
  if (extender.ignorable) {
    std::erase_if(left.candidates, has_no_victims);
    return;
  }
  const auto first = std::find_if(left.candidates.begin(), left.candidates.end(), has_no_victims);
  if (first != left.candidates.end())
    left.error = "expected at least one victim pod on node \"" + node_name(query, first->node) + "\"";
}

std::vector<NodeIndex> nodes_of(const std::vector<Candidate>& candidates) {
  std::vector<NodeIndex> nodes;
  for (const Candidate& candidate : candidates) nodes.push_back(candidate.node);
  return nodes;
}

/// Applies one answer to preemptVerb. Returns false if the rest of preemption does not ask any more.
bool ask(const Query& query, const Extender& extender, ExtendedCandidates& left) {
  if (!knows(extender.preempt, query, nodes_of(left.candidates))) {
    left.not_handled = left_of_extenders("an answer is not known");
    return false;
  }
  const AnswerTable<VictimsEntry>& table = *extender.preempt;
  if (table.error) {
    if (extender.ignorable) return true;  // EXT-ERROR-1
    left.error = error_of_call(query, extender, extender.preempt_verb, *table.error);
    return false;
  }
  if (names_unknown_node(table, query)) {
    left.not_handled = left_of_extenders("they name a node that does not exist");
    return false;
  }
  std::vector<Candidate> named;
  for (Candidate& candidate : left.candidates) {
    const auto entry = table.nodes.find(node_name(query, candidate.node));
    if (entry == table.nodes.end()) continue;
    if (!change(query, entry->second, candidate)) {
      left.not_handled = left_of_extenders("they name a victim that is not on its node");
      return false;
    }
    named.push_back(std::move(candidate));
  }
  left.candidates = std::move(named);
  demand_victims(query, extender, left);
  return left.error.empty() && !left.candidates.empty();  // EXT-PREEMPT-2
}

/// EXT-PREEMPT-4: leaves the candidates whose node passes the filters of all extenders.
void filter_again(const Query& query, ExtendedCandidates& left) {
  std::erase_if(left.candidates, [&](const Candidate& candidate) {
    for (const Extender& extender : query.extenders) {
      if (extender.filter_verb.empty()) continue;
      if (!knows(extender.filter, query, std::vector<NodeIndex>{candidate.node})) {
        left.not_handled = left_of_extenders("an answer is not known");
        return false;
      }
      const auto entry = extender.filter->nodes.find(node_name(query, candidate.node));
      const bool passes = !extender.filter->error && entry != extender.filter->nodes.end() &&
                          entry->second.verdict == ExtenderVerdict::passes;
      if (!passes) return true;
    }
    return false;
  });
}

/// EXT-PREEMPT-1: the extenders that preemption asks.
std::vector<const Extender*> extenders_that_preempt(const Query& query) {
  std::vector<const Extender*> asked;
  if (query.release.extender_preemption == ExtenderPreemption::asks_if_interested) asked = asked_extenders(query);
  if (query.release.extender_preemption == ExtenderPreemption::asks) {
    for (const Extender& extender : query.extenders) asked.push_back(&extender);
  }
  std::erase_if(asked, [](const Extender* extender) { return extender->preempt_verb.empty(); });
  return asked;
}

/// PRE-NODE-1 to PRE-NODE-5: the rank of a candidate with any victims of its node.
Rank rank_of(const Query& query, const Candidate& candidate) {
  Rank rank;
  rank.pdb_violations = candidate.pdb_violations;
  rank.victims = static_cast<Quantity>(candidate.victims.size());
  if (candidate.victims.empty()) return rank;
  const PodsOfNode pods = query.pods_of(candidate.node);
  rank.first_priority = pods.priority[row_of(pods, candidate.victims.front())];
  Quantity highest = rank.first_priority;
  for (const PodIndex victim : candidate.victims) {
    const Quantity priority = pods.priority[row_of(pods, victim)];
    rank.priority_sum += priority + k_priority_offset;
    if (priority > highest) highest = priority;
  }
  if (!query.release.choice_by_start_time) return rank;
  for (const PodIndex victim : candidate.victims) {
    const std::size_t row = row_of(pods, victim);
    if (pods.priority[row] != highest || (pods.flags[row] & k_has_not_started) != 0) continue;
    if (rank.has_started == 0 || ~pods.start[row] > rank.earliest_start) rank.earliest_start = ~pods.start[row];
    rank.has_started = 1;
  }
  return rank;
}

}  // namespace

ExtendedCandidates ask_about_victims(const Query& query, std::vector<Candidate> candidates) {
  ExtendedCandidates left{std::move(candidates), {}, {}};
  if (query.release.extender_preemption == ExtenderPreemption::filters_again) {
    filter_again(query, left);
    return left;
  }
  for (const Extender* extender : extenders_that_preempt(query)) {
    if (!ask(query, *extender, left)) break;
  }
  return left;
}

std::vector<Candidate> best_of(const Query& query, const std::vector<Candidate>& candidates) {
  if (candidates.size() == 1) return candidates;
  const bool some_empty = std::any_of(candidates.begin(), candidates.end(), has_no_victims);
  if (some_empty && query.release.no_victims_left != NoVictimsLeft::wins) return {};  // PRE-VICTIM-8
  std::vector<Candidate> best;
  Rank best_rank;
  for (const Candidate& candidate : candidates) {
    if (some_empty && !has_no_victims(candidate)) continue;
    const Rank rank = rank_of(query, candidate);
    if (!best.empty() && best_rank < rank) continue;
    if (best.empty() || rank < best_rank) {
      best.clear();
      best_rank = rank;
    }
    best.push_back(candidate);
  }
  std::sort(best.begin(), best.end(),
            [](const Candidate& a, const Candidate& b) { return a.node < b.node; });
  return best;
}

}  // namespace touchstone::optimized
