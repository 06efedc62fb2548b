#include "optimized/first_pass.hpp"

#include <algorithm>
#include <set>

#include "optimized/dry_run.hpp"
#include "optimized/room.hpp"
#include "optimized/volumes.hpp"

namespace touchstone::optimized {

namespace {

/// The nodes that the preemptor's affinity pins it to. Clauses: PRE-PREFILTER-1, PRE-PREFILTER-2.
struct Pinned {
  bool all_nodes = true;
  std::set<std::string> names;  ///< with all_nodes false: those that are left
};

/// What the pins of one term leave; all nodes where it has none.
Pinned pinned_by(const NodeSelectorTerm& term) {
  Pinned pinned;
  for (const Requirement& field : term.match_fields) {
    if (field.key != "metadata.name" || field.op != "In") continue;
    const std::set<std::string> names(field.values.begin(), field.values.end());
    if (pinned.all_nodes) {
      pinned = {false, names};
    } else {
      std::erase_if(pinned.names, [&names](const std::string& name) { return !names.contains(name); });
    }
  }
  return pinned;
}

Pinned pinned_nodes(const Query& query) {
  if (!query.release.prefilter_node_set || !query.pod.node_affinity) return {};
  Pinned all{query.pod.node_affinity->empty(), {}};
  for (const NodeSelectorTerm& term : *query.pod.node_affinity) {
    const Pinned pinned = pinned_by(term);
    if (pinned.all_nodes) return {};
    if (pinned.names.empty() && query.release.one_contradiction_rejects) return {false, {}};
    all.names.insert(pinned.names.begin(), pinned.names.end());
  }
  return all;
}

/// PRE-PREFILTER-5: what comes of names that no node has; empty: nothing.
std::string error_of_unknown(const Pinned& pinned, const Query& query) {
  const UnknownPinnedNode rule = query.release.unknown_pinned_node;
  std::set<std::string> unknown;
  for (const std::string& name : pinned.names) {
    if (!query.tables.node_by_name.contains(query.tables.words.find(name))) unknown.insert(name);
  }
  if (unknown.empty() || rule == UnknownPinnedNode::is_skipped) return "";
  if (rule == UnknownPinnedNode::errs) return "nodeinfo not found for node name \"" + *unknown.begin() + "\"";
  return unknown == pinned.names ? "no pinned node is known: the scheduler crashes" : "";
}

/// What all filters say of a node as it is. Clauses: PRE-FILTER-1, PRE-NOMINATED-1.
Code code_of(const Query& query, const NodeAsIs& as_is) {
  Rejections rejections = as_is.reach;
  if (!as_is.is_plain) {
    rejections = WholeRoom(query, as_is.node, as_is.pods, as_is.nominated).rejections();
  } else if (!as_is.full.fits()) {
    const bool is_beyond = wants_beyond_allocatable(query, as_is.node, as_is.full);
    rejections.add(Filter::node_resources_fit,
                   is_beyond ? Code::unschedulable_and_unresolvable : Code::unschedulable);
  }
  rejections.unresolvable |= as_is.static_rejections;
  return query.code_of(rejections);
}

/// Whether PreFilter leaves a node out. PRE-PREFILTER-3.
bool is_excluded(const Query& query, NodeIndex node, const std::vector<bool>& is_pinned) {
  return !is_pinned.empty() && !is_pinned[node] && query.nominated_node != node;
}

/// Finds the code of a node, and its bound while its columns are at hand.
void look_at(const Query& query, NodeIndex node, const std::vector<bool>& is_pinned, FirstPass& first_pass) {
  NodeCode& code = first_pass.codes[node];
  code = NodeCode::gone;
  if (query.tables.nodes.is_gone(node)) return;
  const bool excluded = is_excluded(query, node, is_pinned);
  if (excluded && query.release.excluded_nodes != ExcludedNodes::have_no_status) {
    code = NodeCode::unresolvable;
    return;
  }
  const NodeAsIs as_is(query, node);
  const Code filtered = excluded ? Code::unschedulable : code_of(query, as_is);
  code = excluded                          ? NodeCode::without_status
         : filtered == Code::success       ? NodeCode::fits
         : filtered == Code::unschedulable ? NodeCode::unschedulable
                                           : NodeCode::unresolvable;
  if (filtered == Code::unschedulable) first_pass.bounds[node] = bound_of(query, as_is);
}

/// Which nodes are pinned; empty: all.
std::vector<bool> pinned_flags(const Pinned& pinned, const Query& query) {
  if (pinned.all_nodes) return {};
  std::vector<bool> flags(query.tables.nodes.size(), false);
  for (std::size_t node = 0; node < flags.size(); ++node)
    flags[node] = pinned.names.contains(query.tables.words.text(query.tables.nodes.facts[node].name));
  return flags;
}

void give_all(const Query& query, NodeCode code, FirstPass& first_pass) {
  for (std::size_t node = 0; node < first_pass.codes.size(); ++node)
    first_pass.codes[node] = query.tables.nodes.is_gone(node) ? NodeCode::gone : code;
}

/// PRE-SPREAD-6
bool crashes_by_nominated(const Query& query, NodeIndex node) {
  if (!query.spread || !query.has_nominated(node)) return false;
  std::vector<std::uint32_t> classes;
  for (const PodRow& row : query.counted_nominated(node)) classes.push_back(row.pod_class);
  return query.spread->crashes(node, classes);
}

bool some_crash_by_nominated(const Query& query) {
  if (!query.spread) return false;
  for (NodeIndex node = 0; node < query.tables.nodes.size(); ++node) {
    if (!query.tables.nodes.is_gone(node) && crashes_by_nominated(query, node)) return true;
  }
  return false;
}

/// PRE-CYCLE-3: whether the preemptor's own nominated node takes it, so that no other is asked.
bool fits_where_nominated(const Query& query) {
  return query.release.nominated_node_first && query.nominated_node &&
         !crashes_by_nominated(query, *query.nominated_node) &&
         code_of(query, NodeAsIs(query, *query.nominated_node)) == Code::success;
}

/// What ends the attempt, or stands for all nodes, before any node is filtered; false: nothing does. Clauses:
/// PRE-CYCLE-2, PRE-CYCLE-3, PRE-CLAIM-2, PRE-PREFILTER-2, PRE-PREFILTER-4, PRE-PREFILTER-5, PRE-SPREAD-6.
bool is_over_before_nodes(const Query& query, const Pinned& pinned, FirstPass& first_pass) {
  if (query.volumes && !query.volumes->error().empty()) {
    first_pass.error = query.volumes->error();
    return true;
  }
  if (query.tables.live_nodes == 0) {
    first_pass.error = "no nodes available to schedule pods";
    return true;
  }
  const bool contradicts = !pinned.all_nodes && pinned.names.empty();
  first_pass.is_rejected = contradicts || (query.volumes && query.volumes->is_rejected());
  if (first_pass.is_rejected && query.release.prefilter_failure_lost) {
    first_pass.state_lost = query.release.text_state_lost;
    give_all(query, NodeCode::without_status, first_pass);
    return true;
  }
  if (!first_pass.is_rejected) {
    if (fits_where_nominated(query)) return false;
    first_pass.error = error_of_unknown(pinned, query);
    if (!first_pass.error.empty()) return true;
  }
  if (some_crash_by_nominated(query)) {
    first_pass.error = "a nominated pod is in no domain that is counted: the scheduler crashes";
    return true;
  }
  if (first_pass.is_rejected) give_all(query, NodeCode::unresolvable, first_pass);
  return first_pass.is_rejected;
}

}  // namespace

FirstPass filter_nodes(const Query& query, Workers& workers) {
  FirstPass first_pass;
  first_pass.codes.resize(query.tables.nodes.size());
  const Pinned pinned = pinned_nodes(query);
  if (is_over_before_nodes(query, pinned, first_pass)) return first_pass;

  const std::vector<bool> is_pinned = pinned_flags(pinned, query);
  first_pass.bounds.resize(first_pass.codes.size());
  workers.run([&](std::size_t part) {
    const Span span = part_of(first_pass.codes.size(), part, workers.count());
    for (NodeIndex node = span.begin; node < span.end; ++node) look_at(query, node, is_pinned, first_pass);
  });
  for (NodeIndex node = 0; node < first_pass.codes.size(); ++node) {
    if (first_pass.codes[node] == NodeCode::fits) first_pass.feasible.push_back(node);
  }
  return first_pass;
}

std::string why_not_eligible(const Query& query, const FirstPass& first_pass) {
  const Release& release = query.release;
  const auto said = [&query](std::string_view text) {
    std::string reason(text);
    const std::size_t at = reason.find("$pod");
    if (at != std::string::npos) reason.replace(at, 4, query.pod.full_name());
    return reason;
  };
  // PRE-ELIGIBLE-1
  if (release.preemption_policy && query.pod.preemption_policy == "Never") return said(release.text_never);
  if (!query.nominated_node) return "";
  // PRE-ELIGIBLE-2
  if (release.unresolvable_nomination_eligible &&
      first_pass.codes[*query.nominated_node] == NodeCode::unresolvable)
    return "";
  // PRE-ELIGIBLE-3
  const PodsOfNode pods = query.pods_of(*query.nominated_node);
  for (std::size_t i = pods.first_below(query.priority); i < pods.count; ++i) {
    if ((pods.flags[i] & k_being_preempted) != 0) return said(release.text_waiting);
  }
  return "";
}

std::vector<NodeIndex> potential_nodes(const FirstPass& first_pass) {
  std::vector<NodeIndex> potential;
  for (NodeIndex node = 0; node < first_pass.codes.size(); ++node) {
    const NodeCode code = first_pass.codes[node];
    if (code == NodeCode::unschedulable || code == NodeCode::without_status) potential.push_back(node);
  }
  return potential;
}

}  // namespace touchstone::optimized
