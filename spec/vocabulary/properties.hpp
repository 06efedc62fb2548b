#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/decision.hpp"
#include "spec/releases/release.hpp"

/// Laws of a decision, as plain predicates over (question, decision): they hold for every release and every
/// implementation, and need none of its code. What only filters can tell is asked of the caller.
namespace touchstone {

/// Whether the pod passes the filters of a node of this cluster, asked afresh.
using FitsOnNode = std::function<bool(const Cluster&, const Pod&, NodeIndex)>;

/// A law that a decision breaks.
struct BrokenLaw {
  std::string_view clause;
  std::string text;
};

/// Holds a decision against every law below. Ensures: empty when it keeps them all. Outcomes skipped and
/// error break none.
std::vector<BrokenLaw> broken_laws(const Question& question, const Release& release, const Decision& decision,
                                   const FitsOnNode& fits);

/// Whether two bound pods of a node hold what the release takes for the same host port: there its own account
/// of ports is wrong (PRE-PORTS-2, spec/divergences.md), and the laws of fit and of minimality need not hold.
bool holds_port_twice(const Cluster& cluster, NodeIndex node, const Release& release);

/// A cluster without some of its pods.
Cluster without_pods(const Cluster& cluster, const std::vector<PodIndex>& gone);

}  // namespace touchstone
