#include "optimized/filters/topology_fit.hpp"

namespace touchstone::optimized {

TopologyFit::TopologyFit(const Query& query, NodeIndex node, const PodsOfNode& pods, TopologyChanges& changes)
    : query_(query), node_(node), pods_(pods), changes_(changes), empty_(empty_slack(query, node, {})) {}

void TopologyFit::take_all_from(std::size_t level) {
  slack_ = slack_before(pods_, level, empty_);
  if (query_.affinity) changes_.affinity = query_.affinity->unchanged();
  if (query_.spread) changes_.spread = query_.spread->unchanged();
  const std::size_t first = level == pods_.levels ? pods_.count : pods_.level_first[level];
  for (std::size_t i = first; i < pods_.count; ++i) {
    const std::uint32_t pod_class = pods_.pod_class[i];
    if (!query_.is_reached(pod_class)) continue;
    if (query_.affinity) query_.affinity->apply(pod_class, Affinity::Move::is_taken_away, changes_.affinity);
    if (query_.spread) query_.spread->apply(pod_class, Spread::Move::is_taken_away, changes_.spread);
  }
}

bool TopologyFit::lets_in() const {
  return (!query_.affinity || query_.affinity->code_of(node_, changes_.affinity) == Code::success) &&
         (!query_.spread || query_.spread->code_of(node_, changes_.spread) == Code::success);
}

/// Tries to reprieve a pod of this class. Returns false, with the counts unchanged, if affinity or spread
/// then rejects the preemptor.
///
/// Lemma (refused again): another pod of a refused class is refused too. A refused pod leaves the counts of
/// the node's domains as they were, and a reprieved pod never lowers them. So anti-affinity that rejects the
/// preemptor still rejects it, and no skew falls. The preemptor's affinity refuses a pod only where the node
/// lacks a topology key: with this pod, the preemptor is no longer the first pod of its group. With more pods
/// it is not the first one either.
bool TopologyFit::put_back_class(std::uint32_t pod_class) {
  if (pod_class == refused_) return false;
  if (query_.affinity) query_.affinity->apply(pod_class, Affinity::Move::is_put_back, changes_.affinity);
  if (query_.spread) query_.spread->apply(pod_class, Spread::Move::is_put_back, changes_.spread);
  if (lets_in()) return true;
  if (query_.affinity) query_.affinity->apply(pod_class, Affinity::Move::is_taken_again, changes_.affinity);
  if (query_.spread) query_.spread->apply(pod_class, Spread::Move::is_taken_away, changes_.spread);
  refused_ = pod_class;
  return false;
}

/// Reprieves pods as ResourceFit does.
///
/// Lemma (no concern): the preemptor fits with the pods that are on the node. A pod that concerns neither
/// affinity nor spread does not change their counts, so both filters pass with that pod too.
std::size_t TopologyFit::put_back_from(std::size_t at, Order order) {
  for (; at < order.size(); ++at) {
    const std::uint32_t pod = order[at];
    const Slack left{slack_.cpu - pods_.cpu[pod], slack_.memory - pods_.memory[pod], slack_.pods - 1};
    if (!left.fits()) break;
    if (query_.is_reached(pods_.pod_class[pod]) && !put_back_class(pods_.pod_class[pod])) break;
    slack_ = left;
  }
  return at;
}

}  // namespace touchstone::optimized
