#pragma once

#include "reference/preemption/cycle.hpp"

namespace touchstone::reference {

/// A scheduling attempt of one pod on at most one node without pods. Hints ask filters and their parts about
/// it.
class OnePodCycle {
 public:
  OnePodCycle(const Pod& pod, const Release& release) : OnePodCycle(pod, std::vector<Node>{}, release) {}
  OnePodCycle(const Pod& pod, const Node& node, const Release& release)
      : OnePodCycle(pod, std::vector<Node>{node}, release) {}

  const Cycle& operator*() const { return cycle_; }
  /// The state of the node. Requires: there is one.
  const NodeState& node() const { return cycle_.nodes.front(); }

 private:
  OnePodCycle(const Pod& pod, std::vector<Node> nodes, const Release& release)
      : trace_(Trace::none()), question_(asked(pod, std::move(nodes))), cycle_(question_, release, trace_) {}
  static Question asked(const Pod& pod, std::vector<Node> nodes) {
    Question question;
    question.cluster.nodes = std::move(nodes);
    question.pod = pod;
    return question;
  }

  Trace trace_;
  Question question_;
  Cycle cycle_;
};

}  // namespace touchstone::reference
