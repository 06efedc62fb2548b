#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "optimized/filters/affinity.hpp"
#include "optimized/filters/spread.hpp"
#include "optimized/filters/volumes.hpp"
#include "optimized/search/kept_search.hpp"
#include "optimized/search/schedule.hpp"
#include "reference/cycle/schedule.hpp"
#include "tests/optimized/differential.hpp"
#include "tests/optimized/scores/placed.hpp"
#include "tests/support/builder.hpp"

/// Cycles with a memo, compared with those of the reference.
namespace touchstone::tests {

/// A question whose cluster changes, with a snapshot of it and a memo.
class CycleWithMemo {
 public:
  CycleWithMemo(Question question, Release asked)
      : question_(std::move(question)), asked_(std::move(asked)), snapshot_(question_.cluster, asked_) {}

  /// The placement with the memo. Expects that the reference's is equal.
  optimized::Placed place() {
    optimized::Options options;
    options.start = question_.start;
    CanonicalChoices choices;
    optimized::Placed placed =
        optimized::schedule(snapshot_, question_.pod, options, workers_, choices, memo_);
    EXPECT_EQ(difference(question_, asked_, placed, reference::schedule(question_, asked_)), "");
    return placed;
  }

  /// Adds a pod to a node.
  void add(std::size_t node, Pod made) {
    made.node_name = question_.cluster.nodes[node].name;
    snapshot_.add_pod(made);
    question_.cluster.pods.push_back(std::move(made));
  }
  /// Applies a change to a node.
  template <typename F>
  void change(std::size_t node, const F& by) {
    Node& changed = question_.cluster.nodes[node];
    by(changed);
    snapshot_.change_node(node, changed);
  }

  bool can_use_memo() {
    const optimized::Query query(snapshot_.tables(), question_.pod, workers_);
    return optimized::can_use_memo(query);
  }
  const optimized::Memo& memo() const { return memo_; }

 private:
  Question question_;
  Release asked_;
  optimized::Snapshot snapshot_;
  optimized::Memo memo_;
  optimized::Workers workers_{1};
};

/// Nodes n0, n1, ... Pods request all cpu and memory of them, except on the nodes `free`. The preemptor
/// requests nothing and prefers nodes with disk=ssd.
inline Question full_but_for(std::size_t nodes, const std::set<std::size_t>& free) {
  QuestionBuilder cluster;
  for (std::size_t i = 0; i < nodes; ++i) {
    cluster.node("n" + std::to_string(i), 4000);
    if (!free.contains(i)) cluster.has(sized("a" + std::to_string(i), 4000, k_gi));
  }
  Question question = cluster.asks(sized("p", 0, 0));
  question.pod.priority = 10;
  question.pod.preferred_node_affinity = {{1, {{{"disk", "In", {"ssd"}}}, {}}}};
  return question;
}

/// Nodes n1 to n3. n1 is in zone a and has a pod with the label app=x. n2 and n3 are in zone b.
inline Question app_in_two_zones() {
  Question question = QuestionBuilder()
                          .node("n1", 4000)
                          .has(with_app(pod("a", 0, 100), "x"))
                          .node("n2", 4000)
                          .node("n3", 4000)
                          .asks(with_app(pod("p", 10, 100), "x"));
  const std::vector<std::string> zones = {"a", "b", "b"};
  for (std::size_t i = 0; i < zones.size(); ++i) {
    Labels& labels = question.cluster.nodes[i].labels;
    labels["zone"] = labels["failure-domain.beta.kubernetes.io/zone"] = zones[i];
  }
  return question;
}

/// Places the pod twice with one memo. In between, a pod with the label app=x comes to the last node.
inline void expect_placed_twice(const Question& question, const Release& asked) {
  CycleWithMemo cycle(question, asked);
  cycle.place();
  cycle.add(question.cluster.nodes.size() - 1, with_app(pod("more", 0, 100), "x"));
  cycle.place();
}

}  // namespace touchstone::tests
