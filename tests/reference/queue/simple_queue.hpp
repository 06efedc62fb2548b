#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/support/play.hpp"

/// A scheduler of v1.13.0.
namespace touchstone::tests::simple_queue {

using Calls = std::vector<std::string>;

inline Pod labelled(Pod pod) {
  pod.labels["a"] = "b";
  return pod;
}

inline Pod nominated_to(Pod pod, const std::string& node) {
  pod.nominated_node_name = node;
  return pod;
}

/// n1 has 1 CPU, and v with this priority fills it. p (priority 10) waits.
inline Play full(Quantity priority_of_v) {
  Play play("v1.13.0");
  play.node("n1", 1000).creates(placed(pod("v", priority_of_v, 1000), "n1")).creates(pod("p", 10, 1000));
  return play;
}

}  // namespace touchstone::tests::simple_queue
