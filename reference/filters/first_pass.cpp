#include <algorithm>

#include "reference/filters/filters.hpp"
#include "reference/preemption/preempt.hpp"
#include "reference/volumes/volumes.hpp"

/// The first pass: the PreFilters, then the filters on each node before any eviction.
namespace touchstone::reference {

namespace {

/// Result of the PreFilters, before any node is filtered.
struct PreFilterResult {
  std::string error;
  bool crashes = false;
  MissingFilterState state_lost;
  Status rejection;                      ///< if not success: the status of all nodes
  Filter rejected_by = Filter::end;      ///< with a rejection: the PreFilter that ran last
  NodeNames pinned;                      ///< nodes allowed by the pod's node name and node affinity
  std::set<std::string_view> pinned_by;  ///< the plugins that limit `pinned`
  NodeNames nodes;                       ///< nodes of `pinned` that the pod's volumes allow
};

/// PRE-PREFILTER-5: sets the error for pinned names that no node has, if the release has one.
void look_up(const NodeNames& names, const Cycle& cycle, PreFilterResult& before) {
  std::set<std::string> unknown = names.names;
  for (const Node& node : cycle.cluster.nodes) unknown.erase(node.name);
  const UnknownPinnedNode rule = cycle.release.unknown_pinned_node;
  if (unknown.empty() || rule == UnknownPinnedNode::is_skipped) return;
  if (rule == UnknownPinnedNode::errs) {
    before.error = "nodeinfo not found for node name \"" + *unknown.begin() + "\"";
  } else if (unknown == names.names) {
    before.error = "no pinned node is known: the scheduler crashes";
    before.crashes = true;
  }
}

constexpr const char* k_no_spread_state =
    "running RemovePod on PreFilter plugin \"PodTopologySpread\": reading "
    "\"PreFilterPodTopologySpread\" from cycleState: not found";

/// Rejects all nodes. PRE-PREFILTER-4: if the release loses the rejection, the filters whose PreFilter did
/// not run have no state; `state_lost` is their error.
void reject(Status rejection, std::string_view state_lost, const Cycle& cycle, PreFilterResult& before) {
  before.rejection = std::move(rejection);
  if (cycle.release.prefilter_failure_lost) before.state_lost = {std::string(state_lost), "PRE-PREFILTER-4"};
}

/// Why a PreFilter rejects the pod for its claims.
ClaimRejection rejection_of_claims(Filter prefilter, const Cycle& cycle) {
  if (prefilter == Filter::volume_restrictions) return restrictions_rejection(cycle);
  if (prefilter == Filter::volume_binding) return binding_rejection(cycle);
  if (prefilter == Filter::volume_zone) return zone_rejection(cycle);
  return {};
}

/// The nodes that a PreFilter allows.
NodeNames allowed_nodes(Filter prefilter, const Cycle& cycle) {
  if (prefilter == Filter::node_name) return named_node(cycle);
  if (prefilter == Filter::node_affinity) return pinned_nodes(cycle);
  if (prefilter == Filter::volume_binding) return host_names(cycle);
  return {};
}

bool none_left(const NodeNames& nodes) { return !nodes.all_nodes && nodes.names.empty(); }

/// The names of plugins as upstream lists them: "[NodeAffinity NodeName]".
std::string listed(const std::set<std::string_view>& plugins) {
  std::string text = "[";
  for (const std::string_view plugin : plugins) {
    if (text.size() > 1) text += " ";
    text += plugin;
  }
  return text + "]";
}

/// PRE-NODENAME-2, PRE-CLAIM-3: the status of all nodes if these plugins allow no common node.
Status no_common_node(const std::set<std::string_view>& plugins) {
  const std::string which = plugins.size() == 1 ? "plugin " + std::string(*plugins.begin())
                                                : "plugin(s) " + listed(plugins) + " simultaneously";
  const std::string reason = "node(s) didn't satisfy " + which;
  if (plugins.contains(plugin_of(Filter::volume_binding)))
    return unresolvable("PRE-CLAIM-3", "", reason, "no node has the host names of all volumes");
  return unresolvable("PRE-NODENAME-2", "", reason,
                      "node affinity does not pin the pod to the node that it names");
}

/// Runs the PreFilters in their order, up to the first that rejects the pod.
PreFilterResult run_prefilters(const Cycle& cycle) {
  PreFilterResult before;
  std::set<std::string_view> limiting;
  std::string_view state_lost = cycle.release.text_state_lost;
  for (const Filter prefilter : cycle.release.prefilters) {
    before.rejected_by = prefilter;
    if (const auto [plugin, reason, what] = rejection_of_claims(prefilter, cycle); !reason.empty()) {
      reject(unresolvable("PRE-CLAIM-2", plugin, reason, what), state_lost, cycle, before);
      return before;
    }
    const NodeNames allowed = allowed_nodes(prefilter, cycle);
    if (prefilter == Filter::node_affinity && none_left(allowed)) {  // PRE-PREFILTER-2
      reject(unresolvable("PRE-PREFILTER-2", plugin_of(prefilter), "pod affinity terms conflict",
                          "the names that the pod is pinned to contradict each other"),
             state_lost, cycle, before);
      return before;
    }
    before.nodes = common(before.nodes, allowed);
    if (!allowed.all_nodes) limiting.insert(plugin_of(prefilter));
    if (none_left(before.nodes)) {  // PRE-NODENAME-2, PRE-CLAIM-3
      reject(no_common_node(limiting), state_lost, cycle, before);
      if (cycle.release.no_common_node_unresolvable) return before;
      before.rejection.code = Code::unschedulable;
      if (before.state_lost.error.empty()) before.state_lost = {k_no_spread_state, "PRE-CLAIM-3"};
      return before;
    }
    if (prefilter != Filter::volume_binding) {
      before.pinned = common(before.pinned, allowed);
      before.pinned_by = limiting;
    }
    // PRE-PREFILTER-4: the first filter that lacks its state is another one, once VolumeRestrictions has run
    if (prefilter == Filter::volume_restrictions && !restrictions_are_skipped(cycle))
      state_lost = k_no_spread_state;
  }
  look_up(before.nodes, cycle, before);
  return before;
}

void add_error(const Cycle& cycle, FirstPass& first_pass, std::string_view clause, std::string error,
               std::optional<NodeIndex> node = {}) {
  cycle.trace.add({Stage::attempt, clause, false, error, node});
  first_pass.error = std::move(error);
}

/// PRE-PREFILTER-3, PRE-MESSAGE-2: the status of a node that a PreFilter excludes.
Status excluded(const Cycle& cycle, std::string_view clause, std::string reason, std::string what) {
  Status status = unresolvable(clause, "", std::move(reason), std::move(what));
  status.is_implied = !cycle.release.message_counts_excluded_nodes;
  return status;
}

/// The status of one node in the first pass. No value if the node is excluded and the release gives it no
/// status.
std::optional<Status> status_of(const Cycle& cycle, const NodeState& node, const PreFilterResult& before,
                                FirstPass& first_pass) {
  if (!before.rejection.ok()) return before.rejection;
  const auto leaves_out = [&node](const NodeNames& nodes) {
    return !nodes.all_nodes && !nodes.names.contains(node.node->name);
  };
  if (!leaves_out(before.nodes)) return run_filters_with_nominated_pods(cycle, node);
  // PRE-PREFILTER-3
  const bool own_reason = cycle.release.excluded_nodes == ExcludedNodes::have_own_reason;
  if (cycle.nominated_node == node.index && !own_reason) {
    const Status status = run_filters_with_nominated_pods(cycle, node);
    if (status.code != Code::error) return status;
  }
  if (cycle.release.excluded_nodes == ExcludedNodes::have_no_status) return std::nullopt;
  first_pass.excluded.insert(node.index);
  if (own_reason)
    return excluded(cycle, leaves_out(before.pinned) ? "PRE-PREFILTER-3" : "PRE-CLAIM-3",
                    "node is filtered out by the prefilter result", "the pod names other nodes");
  if (!leaves_out(before.pinned))  // PRE-CLAIM-3
    return excluded(cycle, "PRE-CLAIM-3", "node(s) didn't satisfy plugin(s) [VolumeBinding]",
                    "a volume of the pod names other hosts");
  return excluded(cycle, before.pinned_by.contains("NodeName") ? "PRE-NODENAME-2" : "PRE-PREFILTER-3",
                  "node(s) didn't satisfy plugin(s) " + listed(before.pinned_by),
                  "the pod is pinned to other nodes");
}

/// PRE-CYCLE-3: whether the preemptor fits on the node that it is nominated to. The release then filters no
/// other node.
bool fits_where_nominated(const Cycle& cycle, const PreFilterResult& before, NominatedNode nominated) {
  if (nominated == NominatedNode::like_others || !cycle.release.nominated_node_first || !cycle.nominated_node)
    return false;
  const NodeState& node = cycle.nodes[*cycle.nominated_node];
  if (!before.rejection.ok() ||
      spread_account_crashes(cycle, node, counted_nominated_pods(cycle, node.index)))
    return false;
  return run_filters_with_nominated_pods(cycle, node).ok();
}

}  // namespace

FirstPass filter_nodes(const Cycle& cycle, NominatedNode nominated) {
  std::vector<NodeIndex> order;
  for (const NodeState& node : cycle.nodes) order.push_back(node.index);
  return filter_nodes(cycle, order, nominated);
}

FirstPass filter_nodes(const Cycle& cycle, const std::vector<NodeIndex>& order, NominatedNode nominated) {
  FirstPass first_pass;
  if (const std::string missing = missing_claim(cycle); !missing.empty()) {  // PRE-CLAIM-2
    add_error(cycle, first_pass, "PRE-CLAIM-2", missing);
    return first_pass;
  }
  if (cycle.nodes.empty()) {  // PRE-CYCLE-2
    add_error(cycle, first_pass, "PRE-CYCLE-2", "no nodes available to schedule pods");
    return first_pass;
  }
  const PreFilterResult before = run_prefilters(cycle);
  if (!before.rejection.ok()) {
    first_pass.rejection = before.rejection.reasons[0];
    first_pass.rejected_by = before.rejected_by;
  }
  first_pass.state_lost = before.state_lost;
  first_pass.names_nodes = !before.nodes.all_nodes;
  if (cycle.release.prefilter_failure_lost && !before.state_lost.error.empty()) {  // PRE-PREFILTER-4
    cycle.trace.add({Stage::attempt, "PRE-PREFILTER-4", false, first_pass.rejection + ", and that is lost"});
    return first_pass;
  }
  const bool nominated_fits = fits_where_nominated(cycle, before, nominated);  // PRE-CYCLE-3
  if (!before.error.empty() && !nominated_fits) {                   // PRE-PREFILTER-5
    first_pass.crashed = before.crashes;
    add_error(cycle, first_pass, "PRE-PREFILTER-5", before.error);
    return first_pass;
  }
  for (const NodeState& node : cycle.nodes) {
    if (nominated_fits || !spread_account_crashes(cycle, node, counted_nominated_pods(cycle, node.index)))
      continue;
    first_pass.crashed = true;
    add_error(cycle, first_pass, "PRE-SPREAD-6",
              "a nominated pod is in no domain that is counted: the scheduler crashes", node.index);
    return first_pass;
  }

  std::size_t errors = 0;
  for (const NodeIndex index : order) {
    const NodeState& node = cycle.nodes[index];
    const std::optional<Status> status = status_of(cycle, node, before, first_pass);
    if (!status) {
      cycle.trace.add({Stage::attempt, "PRE-PREFILTER-3", false, "excluded, without a status", node.index});
    } else if (status->ok()) {
      cycle.trace.add({Stage::attempt, "PRE-CYCLE-1", true, "fits", node.index});
      first_pass.feasible.push_back(node.index);
    } else if (status->code == Code::error) {
      if (nominated_fits) continue;  // PRE-CYCLE-3
      add_error(cycle, first_pass, status->findings.front().clause, status->reasons[0], node.index);
      if (!cycle.release.filter_errors_add_up) return first_pass;
      ++errors;
    } else {
      cycle.trace.add({Stage::attempt,
                       status->findings.front().clause,
                       false,
                       status->reasons[0],
                       node.index,
                       {},
                       {},
                       status->findings});
      first_pass.status[node.index] = *status;
    }
  }
  std::sort(first_pass.feasible.begin(), first_pass.feasible.end());
  // PRE-MESSAGE-6
  if (errors > 1) first_pass.error += " (repeated " + std::to_string(errors) + " times)";
  return first_pass;
}

}  // namespace touchstone::reference
