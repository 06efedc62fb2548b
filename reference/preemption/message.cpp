#include <algorithm>

#include "reference/preemption/preempt.hpp"

/// The message of a failed attempt. Upstream this is FitError.Error(): the message of a PreFilter plugin, the
/// reasons of the nodes, and the message of a PostFilter plugin.
namespace touchstone::reference {

namespace {

/// The number of nodes that gave each reason.
using Counts = std::map<std::string, std::size_t>;

/// PRE-MESSAGE-1: the sentence "0/3 nodes are available: …" with the counted reasons of `nodes` nodes.
std::string none_available(const Cycle& cycle, std::size_t nodes, const Counts& counts) {
  const bool counts_nodes = cycle.release.message_counts_nodes;
  std::vector<std::string> parts;
  for (const auto& [reason, number] : counts) {
    const std::string count = std::to_string(number);
    parts.push_back(counts_nodes ? count + " " + reason : reason + " (" + count + ")");
  }
  std::sort(parts.begin(), parts.end());  // as text: "10 …" before "2 …"
  std::string text = counts_nodes ? "0/" + std::to_string(nodes) + " nodes are available:"
                                  : "No nodes are available that match all of the predicates:";
  if (parts.empty() && cycle.release.full_stop_needs_reasons) return text;
  std::string_view between;
  text += " ";
  for (const std::string& part : parts) {
    text.append(between).append(part);
    between = ", ";
  }
  return text + ".";
}

/// PRE-MESSAGE-2: the number of nodes that gave each reason in the first pass.
Counts reasons_of_nodes(const FirstPass& first_pass) {
  Counts counts;
  for (const auto& [node, status] : first_pass.status) {
    if (status.is_implied) continue;
    for (const std::string& reason : status.reasons) ++counts[reason];
  }
  for (const auto& [name, status] : first_pass.unknown_status) {  // EXT-FILTER-3
    for (const std::string& reason : status.reasons) ++counts[reason];
  }
  return counts;
}

/// PRE-MESSAGE-3: why the first pass failed: a rejection of the PreFilters, or the reasons of the nodes.
std::string why_not_scheduled(const Cycle& cycle, const FirstPass& first_pass) {
  if (first_pass.rejection.empty() || !cycle.release.message_has_rejection)
    return none_available(cycle, cycle.nodes.size(), reasons_of_nodes(first_pass));
  return none_available(cycle, cycle.nodes.size(), {}) + " " + first_pass.rejection + ".";
}

/// PRE-MESSAGE-4: every node counts, with the reasons of its dry run or, without a dry run, with a fixed
/// text.
std::string no_candidate(const Cycle& cycle, const FirstPass& first_pass, const Decision& decision) {
  // Without candidates, the search visits every potential node. One without a status was a candidate and is
  // lost.
  std::set<NodeIndex> lost;
  for (const NodeIndex node : potential_nodes(cycle, first_pass)) {
    if (!decision.dry_run.contains(node)) lost.insert(node);
  }
  std::size_t nodes = cycle.nodes.size();
  Counts counts;
  for (const NodeState& node : cycle.nodes) {
    const auto found = decision.dry_run.find(node.index);
    if (found != decision.dry_run.end()) {
      for (const std::string& reason : found->second.reasons) ++counts[reason];
    } else if (lost.contains(node.index) && !cycle.release.message_counts_lost_candidates) {
      --nodes;
    } else {
      ++counts["Preemption is not helpful for scheduling"];
    }
  }
  return none_available(cycle, nodes, counts);
}

/// PRE-MESSAGE-5: the text for a nominated pod. Empty in releases without such a text.
std::string nominated(const Cycle& cycle, const Candidate& chosen) {
  const std::string text =
      filled_in(cycle.release.text_nominated, "$node", cycle.nodes[chosen.node].node->name);
  return filled_in(text, "$victims", std::to_string(chosen.victims.size()));
}

/// The message of the PostFilter plugins, which run after a failure. DefaultPreemption is the last of them.
std::string after_failure(const Cycle& cycle, const FirstPass& first_pass, const Decision& decision) {
  const Release& release = cycle.release;
  const auto preemption = [](const std::string& text) { return text.empty() ? "" : "preemption: " + text; };
  if (claims_plugin_errs(first_pass, release)) return "not found";             // PRE-PREFILTER-6
  if (!release.preempts) return std::string(release.text_claims);              // CYC-PROFILE-1
  if (decision.outcome == Outcome::error) return preemption(decision.reason);  // PRE-MESSAGE-6
  if (decision.outcome == Outcome::nominated)                                  // PRE-MESSAGE-5
    return preemption(nominated(cycle, decision.candidates[decision.chosen]));
  // PRE-MESSAGE-4, PRE-MESSAGE-5: why the pod may not preempt, or how extenders left no candidate
  const std::string why =
      decision.reason.empty() ? no_candidate(cycle, first_pass, decision) : decision.reason;
  // PRE-MESSAGE-8
  const std::string claims(release.text_claims);
  if (claims.empty()) return preemption(why);
  return release.claims_after_preemption ? preemption(why) + ", " + claims : claims + ", " + preemption(why);
}

/// The message before it is cut.
std::string whole_message(const Cycle& cycle, const FirstPass& first_pass, const Decision& decision) {
  const Release& release = cycle.release;
  if (decision.outcome == Outcome::fits) return "";
  if (!first_pass.error.empty()) return first_pass.crashed ? "" : first_pass.error;  // PRE-MESSAGE-6
  const std::string why = why_not_scheduled(cycle, first_pass);
  // PRE-MESSAGE-4, PRE-MESSAGE-6
  if (!release.message_has_preemption) return why;
  if (decision.outcome == Outcome::error && !release.message_has_errors) return why;
  const std::string more = after_failure(cycle, first_pass, decision);
  if (more.empty()) return why;
  return why + " " + more + (release.message_gets_full_stop ? "." : "");  // PRE-MESSAGE-7
}

}  // namespace

std::string message_of(const Cycle& cycle, const FirstPass& first_pass, const Decision& decision) {
  const std::string message = whole_message(cycle, first_pass, decision);
  // PRE-MESSAGE-9
  constexpr std::size_t k_bytes_most = 1024;
  constexpr std::string_view k_cut = " ...";
  if (!cycle.release.message_is_cut || message.size() <= k_bytes_most) return message;
  return message.substr(0, k_bytes_most - k_cut.size()) + std::string(k_cut);
}

}  // namespace touchstone::reference
