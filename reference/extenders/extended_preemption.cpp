#include <algorithm>

#include "reference/extenders/extenders.hpp"

/// The victims that extenders choose.
namespace touchstone::reference {

namespace {

/// One answer to preemptVerb.
struct PreemptAnswer {
  std::vector<Candidate> candidates;
  std::vector<std::string> errors;  ///< of its entries; the release reports any one of them
  bool crashed = false;
  bool has_unknown_node = false;  ///< EXT-UNKNOWN-3: a candidate without victims on no node
};

constexpr std::string_view k_crash = "an extender names a node that does not exist: the scheduler crashes";

/// The pod that an extender means, if it is on the node. Extenders name pods by their UIDs.
std::optional<PodIndex> pod_on_node(const Cycle& cycle, const std::string& name, NodeIndex node) {
  const std::vector<Pod>& pods = cycle.cluster.pods;
  const auto named =
      std::find_if(pods.begin(), pods.end(), [&name](const Pod& pod) { return pod.full_name() == name; });
  if (named == pods.end()) return std::nullopt;
  for (const PodOnNode& other : cycle.nodes[node].pods) {
    if (named->uid.empty() ? &*named == other.object : named->uid == other.object->uid) return other.pod;
  }
  return std::nullopt;
}

/// The UID of a pod that is not on its node, as the error shows it.
std::string uid_of(const Cycle& cycle, const std::string& name) {
  for (const Pod& pod : cycle.cluster.pods) {
    if (pod.full_name() == name) return pod.uid;
  }
  return name;
}

/// EXT-PREEMPT-2: the candidate that an entry stands for.
void add_candidate(const Cycle& cycle, std::size_t index, const Candidate& asked, const VictimsEntry& entry,
                   PreemptAnswer& answer) {
  Candidate candidate = asked;
  if (!entry.kept) {
    candidate.victims.clear();
    candidate.pdb_violations = entry.pdb_violations;
    for (const std::string& name : entry.victims) {
      const std::optional<PodIndex> pod = pod_on_node(cycle, name, asked.node);
      if (!pod) {
        answer.errors.push_back("extender: " + name_of_extender(cycle, index) +
                                " claims to preempt pod (UID: &{" + uid_of(cycle, name) + "}) on node: " +
                                node_name_at(cycle, asked.node) + ", but the pod is not found on that node");
        return;
      }
      candidate.victims.push_back(*pod);
    }
  }
  if (!cycle.release.extender_violations_count) candidate.pdb_violations = 0;
  answer.candidates.push_back(std::move(candidate));
}

/// EXT-UNKNOWN-3: the effect of nodes that the extender names and the cluster does not have.
void check_nodes(const Cycle& cycle, const AnswerTable<VictimsEntry>& table, PreemptAnswer& answer) {
  for (const std::string& name : unknown_nodes(cycle)) {
    if (!table.nodes.contains(name)) continue;
    if (cycle.release.unknown_victim_node_crashes) {
      answer.has_unknown_node = true;
      if (!table.nodes.at(name).victims.empty()) answer.crashed = true;
    } else {
      answer.errors.push_back("nodeinfo not found for node name \"" + name + "\"");
    }
  }
  if (answer.crashed) answer.errors = {std::string(k_crash)};
}

/// The answer to a call about these candidates. Requires: the extender has a table.
PreemptAnswer victims_by(const Cycle& cycle, std::size_t index, const std::vector<Candidate>& asked) {
  const Extender& extender = cycle.extenders[index];
  const AnswerTable<VictimsEntry>& table = *extender.preempt;
  PreemptAnswer answer;
  if (table.error) {
    answer.errors.push_back(call_error(cycle, index, extender.preempt_verb, table.error));
    return answer;
  }
  check_nodes(cycle, table, answer);
  for (const Candidate& candidate : asked) {
    const auto entry = table.nodes.find(node_name_at(cycle, candidate.node));
    if (entry == table.nodes.end()) continue;
    add_candidate(cycle, index, candidate, entry->second, answer);
  }
  return answer;
}

/// EXT-PREEMPT-3: the effect of a candidate without victims.
void demand_victims(const Cycle& cycle, const Extender& extender, PreemptAnswer& answer) {
  if (!cycle.release.extender_needs_victims) return;
  const auto has_none = [](const Candidate& candidate) { return candidate.victims.empty(); };
  if (extender.ignorable) std::erase_if(answer.candidates, has_none);
  for (const Candidate& candidate : answer.candidates) {
    if (has_none(candidate))
      answer.errors.push_back("expected at least one victim pod on node \"" +
                              node_name_at(cycle, candidate.node) + "\"");
  }
}

/// EXT-PREEMPT-4: whether every extender lets the node pass its filter once the victims are gone. No value:
/// an answer is not known.
std::optional<bool> passes_all_filters(const Cycle& cycle, NodeIndex node, ExtendedPreemption& result) {
  for (std::size_t i = 0; i < cycle.extenders.size(); ++i) {
    const Extender& extender = cycle.extenders[i];
    if (extender.filter_verb.empty()) continue;
    if (!is_known(cycle, extender.filter, {node})) {
      result.unanswered = ExtenderCall{i, ExtenderVerb::filter, {node}, {}};
      return std::nullopt;
    }
    const auto entry = extender.filter->nodes.find(node_name_at(cycle, node));
    const bool passes = !extender.filter->error && entry != extender.filter->nodes.end() &&
                        entry->second.verdict == ExtenderVerdict::passes;
    if (!passes) return false;
  }
  return true;
}

ExtendedPreemption filtered_again(const Cycle& cycle, const std::vector<Candidate>& candidates) {
  ExtendedPreemption result;
  for (const Candidate& candidate : candidates) {
    const std::optional<bool> passes = passes_all_filters(cycle, candidate.node, result);
    if (!passes) return result;
    if (*passes) result.candidates.push_back(candidate);
  }
  return result;
}

std::vector<NodeIndex> nodes_of(const std::vector<Candidate>& candidates) {
  std::vector<NodeIndex> nodes;
  for (const Candidate& candidate : candidates) nodes.push_back(candidate.node);
  return nodes;
}

/// EXT-PREEMPT-1: the extenders that preemption asks.
std::vector<std::size_t> extenders_that_preempt(const Cycle& cycle) {
  std::vector<std::size_t> order;
  if (cycle.release.extender_preemption == ExtenderPreemption::asks_none) return order;
  if (cycle.release.extender_preemption == ExtenderPreemption::asks_if_interested) {
    order = extenders_to_ask(cycle);
  } else {
    for (std::size_t i = 0; i < cycle.extenders.size(); ++i) order.push_back(i);
  }
  std::erase_if(order, [&cycle](std::size_t i) { return cycle.extenders[i].preempt_verb.empty(); });
  return order;
}

}  // namespace

ExtendedPreemption preempt_by_extenders(const Cycle& cycle, const std::vector<Candidate>& candidates) {
  if (cycle.release.extender_preemption == ExtenderPreemption::filters_again)
    return filtered_again(cycle, candidates);
  ExtendedPreemption result;
  result.candidates = candidates;
  for (const std::size_t index : extenders_that_preempt(cycle)) {
    const Extender& extender = cycle.extenders[index];
    if (result.has_unknown_node) {  // EXT-UNKNOWN-3
      result.errors = {std::string(k_crash)};
      return result;
    }
    if (!is_known(cycle, extender.preempt, nodes_of(result.candidates))) {
      result.unanswered = ExtenderCall{index, ExtenderVerb::preempt, {}, result.candidates};
      return result;
    }
    PreemptAnswer answer = victims_by(cycle, index, result.candidates);
    if (!answer.errors.empty() && extender.ignorable && !answer.crashed) continue;  // EXT-ERROR-1
    if (answer.errors.empty()) demand_victims(cycle, extender, answer);
    result.errors = std::move(answer.errors);
    if (!result.errors.empty()) return result;
    result.has_unknown_node = answer.has_unknown_node;
    result.candidates = std::move(answer.candidates);
    if (result.candidates.empty() && !result.has_unknown_node) break;  // EXT-PREEMPT-2
  }
  return result;
}

}  // namespace touchstone::reference
