#pragma once

#include <limits>
#include <vector>

#include "optimized/filters/resource_fit.hpp"
#include "optimized/search/query.hpp"
#include "optimized/search/rank.hpp"

namespace touchstone::optimized {

/// Lower bound on the rank of the candidates on a node: no candidate there has a lesser rank. Found without
/// reading the node's pods one by one. Two special values that no candidate has compare before and after all
/// others.
using Bound = Rank;
inline constexpr Bound k_no_bound = {-1, 0, 0, 0, 0, 0};  ///< nothing is known of the node
inline constexpr Bound k_hopeless = {std::numeric_limits<Quantity>::max(), 0, 0, 0, 0, 0};  ///< no candidate

/// A node with its pods unchanged, read once. The first pass and the bound are both computed from it.
struct UnchangedNode {
  UnchangedNode(const Query& query, NodeIndex number);

  NodeIndex node;
  PodsOfNode pods;
  std::vector<PodRow> nominated;    ///< nominated pods that count against the preemptor
  std::uint32_t static_rejections;  ///< by filters that ignore the pods on the node
  bool is_plain;                    ///< see is_plain()
  bool simple_filters_suffice;  ///< only cpu, memory, number of pods, and affinity, spread and volumes reject
  Rejections reach;             ///< if simple_filters_suffice: by affinity, spread and volumes
  // Valid if no number is extreme (Query::is_extreme):
  Slack empty;  ///< without any bound pod
  Slack full;   ///< with all bound pods
};

/// The bound of a node; k_hopeless if the node cannot be a candidate.
///
/// Lemma (bound): let only the pods of priority q or higher stay. If the preemptor then lacks cpu, memory or
/// a pod slot, some pod of priority q or higher is a victim. Proof: the pods that stay in the end leave the
/// preemptor enough of each resource. No request is negative, so fewer pods never use more. Hence the
/// priority of the most important victim is at least the highest such q. If the pods of the preemptor's own
/// priority or higher already leave too little, the node is no candidate (PRE-VICTIM-3). The node is no
/// candidate either if a filter that ignores pods rejects the preemptor. Other filters can only reject more,
/// which keeps the bound valid.
///
/// Lemma (key): consider a candidate that violates no PDB. Its first victim is the most important one, so the
/// priority of that victim is at least q. If it is above q, the rank is above the bound. If it is q, all
/// victims have priority q or lower, and no criterion that counts is below that of the bound:
/// - Number of victims: with every pod in place, some amount is lacking. There are at least as many victims
///   as would free that amount if each freed as much as the largest of these pods.
/// - Sum of priorities: each victim adds at least the lowest priority of the node.
/// - Start: if no pod has a lower priority than q, all n victims have priority q. Pods of one priority are
///   ordered by start, so the earliest victim started no later than the n-th last pod. The bound uses the
///   least possible n. If some pod has a lower priority, the start does not count: one victim has priority q,
///   so the sum of priorities is above that of the bound.
/// The bound has no violation, so a candidate with a violation ranks above it.
///
/// Complexity: linear in the priority levels of the node, plus the cost of the filters that ignore pods.
Bound bound_of(const Query& query, const UnchangedNode& as_is);

}  // namespace touchstone::optimized
