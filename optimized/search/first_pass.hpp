#pragma once

#include <optional>
#include <string>
#include <vector>

#include "optimized/search/bound.hpp"
#include "optimized/search/query.hpp"
#include "optimized/search/workers.hpp"

namespace touchstone::optimized {

/// What the first pass finds for a node.
enum class NodeCode : std::uint8_t {
  gone,  ///< the node was removed from the cluster
  fits,
  unschedulable,
  unresolvable,
  errs,            ///< a filter returns an error; PRE-CLAIM-2, PRE-BIND-2, PRE-BIND-4, PRE-ATTACH-6
  without_status,  ///< PRE-PREFILTER-3, PRE-PREFILTER-4, EXT-DROP-1
  dropped,         ///< EXT-DROP-1: without a status, and preemption does not try the node
};

struct FirstPass {
  std::string error;            ///< not empty: the attempt ends with this error
  /// The PreFilter that rejects the pod before any node is filtered. PRE-PREFILTER-2, PRE-CLAIM-2,
  /// PRE-CLAIM-3
  std::optional<Filter> rejected_by;
  std::string state_lost;       ///< PRE-PREFILTER-4, PRE-CLAIM-3: the error of removing a pod; empty: none
  std::vector<NodeCode> codes;  ///< by node
  std::vector<Bound> bounds;    ///< by node; set for potential nodes
  std::vector<NodeIndex> feasible;
  std::vector<bool> is_pinned;           ///< by node: whether PreFilter leaves it; empty: it leaves all
  bool excluded_nominated_errs = false;  ///< a filter errs on the nominated node, which PreFilter excludes
  bool nominated_has_reason = false;     ///< EXT-NOMINATED-1: an extender gave the nominated node a reason
};

/// Whether the node that the pod is nominated to is tried before all others, where the release does so.
enum class NominatedNode { first, like_others };

/// Filters every node with its pods unchanged. Clauses: PRE-CYCLE-1 to PRE-CYCLE-3, PRE-PREFILTER-1 to
/// PRE-PREFILTER-5, PRE-CLAIM-2, PRE-CLAIM-3.
FirstPass filter_nodes(const Query& query, Workers& workers, NominatedNode nominated = NominatedNode::first);

/// The nodes on which a filter errs, ascending.
std::vector<NodeIndex> erring_nodes(const FirstPass& first_pass);

/// The error of the attempt if filters err on these nodes: that of the first node. In releases where errors
/// add up: that of the last node, with the number of errors. Empty: there is no such node. Clauses:
/// PRE-MESSAGE-6.
std::string error_of_nodes(const Query& query, const std::vector<NodeIndex>& erring);

/// Whether the preemptor passes all filters on a node with its pods unchanged. Requires: the node is in the
/// cluster. Clauses: PRE-FILTER-1.
bool fits(const Query& query, NodeIndex node);

/// Whether preemption sees the node as excluded by PreFilter. Clauses: PRE-PREFILTER-3.
bool is_excluded(const Query& query, NodeIndex node, const FirstPass& first_pass);

/// Why the pod may not preempt, in the release's words; empty: it may. Clauses: PRE-ELIGIBLE-1 to
/// PRE-ELIGIBLE-4.
std::string why_not_eligible(const Query& query, const FirstPass& first_pass);

/// The nodes where preemption might help, ascending. Clauses: PRE-POTENTIAL-1.
std::vector<NodeIndex> potential_nodes(const FirstPass& first_pass);

}  // namespace touchstone::optimized
