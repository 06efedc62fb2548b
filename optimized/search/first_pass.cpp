#include "optimized/search/first_pass.hpp"

#include "optimized/filters/pins.hpp"
#include "optimized/filters/resource_fit.hpp"
#include "optimized/filters/volumes.hpp"
#include "optimized/search/dry_run.hpp"
#include "optimized/store/texts.hpp"

namespace touchstone::optimized {

namespace {

/// The error of removing a pod where VolumeRestrictions has its PreFilter state and PodTopologySpread does
/// not. Clauses: PRE-PREFILTER-4, PRE-CLAIM-3.
constexpr const char* k_no_spread_state =
    "running RemovePod on PreFilter plugin \"PodTopologySpread\": reading \"PreFilterPodTopologySpread\" "
    "from "
    "cycleState: not found";

/// What the filters decide before any node is filtered.
struct Before {
  std::optional<Filter> rejected_by;       ///< the PreFilter that rejects the pod
  NodeCode code = NodeCode::unresolvable;  ///< with a rejection: code of all nodes
  std::string state_lost;
  Pins nodes;  ///< without a rejection: the nodes that are left
};

/// Whether a PreFilter rejects the pod for its claims. Clauses: PRE-CLAIM-2.
bool claims_reject(Filter prefilter, const Volumes& volumes) {
  if (prefilter == Filter::volume_restrictions) return volumes.restrictions_reject();
  if (prefilter == Filter::volume_binding) return volumes.binding_rejects();
  return prefilter == Filter::volume_zone && volumes.zone_rejects();
}

/// The nodes that a PreFilter allows. Clauses: PRE-PREFILTER-1, PRE-NODENAME-2, PRE-CLAIM-3.
Pins allowed_nodes(Filter prefilter, const Query& query) {
  if (prefilter == Filter::node_name) return pins_of_node_name(query);
  if (prefilter == Filter::node_affinity) return pins_of_affinity(query);
  if (prefilter == Filter::volume_binding && query.volumes) return query.volumes->hosts();
  return {};
}

/// Runs the PreFilters in their order, up to the first that rejects the pod. Clauses: PRE-PREFILTER-1,
/// PRE-PREFILTER-2, PRE-PREFILTER-4, PRE-CLAIM-2, PRE-CLAIM-3.
Before ask_before_nodes(const Query& query) {
  const Release& release = query.release;
  Before before;
  std::string_view state_lost = release.text_state_lost;
  for (const Filter prefilter : release.prefilters) {
    const bool has_no_claims = query.volumes && claims_reject(prefilter, *query.volumes);
    const Pins allowed = has_no_claims ? Pins{} : allowed_nodes(prefilter, query);
    const bool rejects = has_no_claims || (prefilter == Filter::node_affinity && allowed.none());
    before.nodes.keep(allowed);
    if (rejects || before.nodes.none()) {
      before.rejected_by = prefilter;
      if (release.prefilter_failure_lost) before.state_lost = state_lost;
      if (rejects || release.no_common_node_unresolvable) return before;
      before.code = NodeCode::unschedulable;
      if (before.state_lost.empty()) before.state_lost = k_no_spread_state;
      return before;
    }
    if (prefilter == Filter::volume_restrictions && query.volumes &&
        !query.volumes->restrictions_are_skipped())
      state_lost = k_no_spread_state;
  }
  return before;
}

/// The code of a node with its pods unchanged, from all filters. Clauses: PRE-FILTER-1, PRE-NOMINATED-1.
Code code_of(const Query& query, const UnchangedNode& as_is) {
  Rejections rejections = as_is.reach;
  if (as_is.simple_filters_suffice) {
    rejections.unresolvable |= as_is.static_rejections;
    if (!as_is.full.fits()) {
      const bool is_beyond = wants_beyond_allocatable(query, as_is.node, as_is.full);
      rejections.add(Filter::node_resources_fit,
                     is_beyond ? Code::unschedulable_and_unresolvable : Code::unschedulable);
    }
  } else {
    rejections = FullFit(query, as_is.node, as_is.pods, as_is.nominated).rejections(as_is.static_rejections);
  }
  return query.code_of(rejections);
}

NodeCode node_code_of(Code code) {
  switch (code) {
    case Code::success:
      return NodeCode::fits;
    case Code::error:
      return NodeCode::errs;
    case Code::unschedulable:
      return NodeCode::unschedulable;
    case Code::unschedulable_and_unresolvable:
      break;
  }
  return NodeCode::unresolvable;
}

/// Computes the code of a node, and its bound while the node's columns are in the cache.
void look_at(const Query& query, NodeIndex node, FirstPass& first_pass) {
  NodeCode& code = first_pass.codes[node];
  if (query.tables.nodes.is_gone(node)) return;
  const bool excluded = is_excluded(query, node, first_pass);
  if (excluded && query.release.excluded_nodes != ExcludedNodes::have_no_status) {
    code = NodeCode::unresolvable;
    return;
  }
  const UnchangedNode as_is(query, node);
  code = excluded ? NodeCode::without_status : node_code_of(code_of(query, as_is));
  // PRE-PREFILTER-3: an error where the preemptor is nominated counts for nothing if the node is excluded.
  const bool is_left_out = !first_pass.is_pinned.empty() && !first_pass.is_pinned[node];
  if (code == NodeCode::errs && is_left_out) {
    first_pass.excluded_nominated_errs = true;
    const bool has_no_status = query.release.excluded_nodes == ExcludedNodes::have_no_status;
    code = has_no_status ? NodeCode::without_status : NodeCode::unresolvable;
  }
  if (code == NodeCode::without_status || code == NodeCode::unschedulable)
    first_pass.bounds[node] = bound_of(query, as_is);
}

/// Which nodes are pinned, by node. Empty: all are.
std::vector<bool> pinned_flags(const Pins& pinned, const Query& query) {
  if (pinned.all_nodes) return {};
  std::vector<bool> flags(query.tables.nodes.size(), false);
  for (std::size_t node = 0; node < flags.size(); ++node)
    flags[node] = pinned.names.contains(query.tables.symbols.text(query.tables.nodes.facts[node].name));
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
    if (crashes_by_nominated(query, node)) return true;
  }
  return false;
}

/// Whether the preemptor fits on its own nominated node, so that the scheduler filters no other. Clauses:
/// PRE-CYCLE-3.
bool fits_where_nominated(const Query& query) {
  return query.release.nominated_node_first && query.nominated_node &&
         code_of(query, UnchangedNode(query, *query.nominated_node)) == Code::success;
}

/// Ends the attempt, or gives all nodes one code, before any node is filtered. Returns false if neither
/// applies. Clauses: PRE-CYCLE-2, PRE-CYCLE-3, PRE-CLAIM-2, PRE-CLAIM-3, PRE-PREFILTER-2, PRE-PREFILTER-4,
/// PRE-PREFILTER-5, PRE-SPREAD-6.
bool is_over_before_nodes(const Query& query, const Before& before, bool nominated_fits,
                          FirstPass& first_pass) {
  first_pass.rejected_by = before.rejected_by;
  first_pass.state_lost = before.state_lost;
  if (query.release.prefilter_failure_lost && !before.state_lost.empty()) {
    give_all(query, NodeCode::without_status, first_pass);
    return true;
  }
  if (nominated_fits) return false;
  if (!before.rejected_by) first_pass.error = error_of_unknown(before.nodes, query);
  if (some_crash_by_nominated(query))
    first_pass.error = "a nominated pod is in no domain that is counted: the scheduler crashes";
  if (before.rejected_by) give_all(query, before.code, first_pass);
  return before.rejected_by.has_value() || !first_pass.error.empty();
}

/// The error that ends the attempt before any filter runs; empty: none. Clauses: PRE-CLAIM-2, PRE-CYCLE-2.
std::string error_at_once(const Query& query) {
  if (query.volumes && !query.volumes->error().empty()) return query.volumes->error();
  return query.tables.live_nodes == 0 ? "no nodes available to schedule pods" : "";
}

}  // namespace

bool fits(const Query& query, NodeIndex node) {
  return code_of(query, UnchangedNode(query, node)) == Code::success;
}

/// The node that the preemptor is nominated to is filtered all the same, except where an excluded node has
/// its own reason. It is excluded if a filter errs there.
bool is_excluded(const Query& query, NodeIndex node, const FirstPass& first_pass) {
  if (first_pass.is_pinned.empty() || first_pass.is_pinned[node]) return false;
  return query.nominated_node != node || query.release.excluded_nodes == ExcludedNodes::have_own_reason ||
         first_pass.excluded_nominated_errs;
}

std::vector<NodeIndex> erring_nodes(const FirstPass& first_pass) {
  std::vector<NodeIndex> erring;
  for (NodeIndex node = 0; node < first_pass.codes.size(); ++node) {
    if (first_pass.codes[node] == NodeCode::errs) erring.push_back(node);
  }
  return erring;
}

std::string error_of_nodes(const Query& query, const std::vector<NodeIndex>& erring) {
  if (erring.empty()) return "";
  const NodeIndex node = query.release.filter_errors_add_up ? erring.back() : erring.front();
  const PodsOfNode pods = query.pods_of(node);
  const std::vector<PodRow> nominated = query.counted_nominated(node);
  const std::string error = FullFit(query, node, pods, nominated).error();
  const bool is_repeated = query.release.filter_errors_add_up && erring.size() > 1;
  return is_repeated ? error + " (repeated " + std::to_string(erring.size()) + " times)" : error;
}

FirstPass filter_nodes(const Query& query, Workers& workers, NominatedNode nominated) {
  FirstPass first_pass;
  first_pass.codes.resize(query.tables.nodes.size(), NodeCode::gone);
  first_pass.error = error_at_once(query);
  if (!first_pass.error.empty()) return first_pass;
  const Before before = ask_before_nodes(query);
  const bool nominated_fits =
      nominated == NominatedNode::first && !before.rejected_by && fits_where_nominated(query);
  if (is_over_before_nodes(query, before, nominated_fits, first_pass)) return first_pass;

  first_pass.is_pinned = pinned_flags(before.nodes, query);
  first_pass.bounds.resize(first_pass.codes.size());
  for_each_node(workers, first_pass.codes.size(), [&](NodeIndex node) { look_at(query, node, first_pass); });
  for (NodeIndex node = 0; node < first_pass.codes.size(); ++node) {
    if (first_pass.codes[node] == NodeCode::fits) first_pass.feasible.push_back(node);
  }
  if (query.volumes && query.volumes->may_err() && !nominated_fits)
    first_pass.error = error_of_nodes(query, erring_nodes(first_pass));
  return first_pass;
}

std::string why_not_eligible(const Query& query, const FirstPass& first_pass) {
  const Release& release = query.release;
  const auto said = [&query](std::string_view text) {
    return filled_in(std::string(text), "$pod", query.pod.full_name());
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
