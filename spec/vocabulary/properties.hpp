#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/releases/release.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/decision.hpp"

/// Laws of a decision: predicates over a question and its decision. They hold for every release and every
/// implementation, and use no code of an implementation. The caller provides the filters (FitsOnNode).
namespace touchstone {

/// Whether the pod passes the filters on a node of this cluster. The filters are run from scratch, not on the
/// state of a dry run.
using FitsOnNode = std::function<bool(const Cluster&, const Pod&, NodeIndex)>;

/// A law that a decision breaks.
struct BrokenLaw {
  std::string_view clause;
  std::string text;
};

/// Checks a decision against every law. Ensures: empty if the decision breaks no law, or if its outcome is
/// skipped or error.
std::vector<BrokenLaw> broken_laws(const Question& question, const Release& release, const Decision& decision,
                                   const FitsOnNode& fits);

/// Whether two containers of the pods bound to a node hold the same host port, as the release compares ports.
/// On such a node the release's own set of used ports may be wrong (PRE-PORTS-2, spec/divergences.md). The
/// laws that the pod fits and that the victims are minimal need not hold there.
bool holds_port_twice(const Cluster& cluster, NodeIndex node, const Release& release);

/// A copy of the cluster without the pods in `gone`.
Cluster without_pods(const Cluster& cluster, const std::vector<PodIndex>& gone);

}  // namespace touchstone
