#pragma once

#include <utility>

#include "tests/support/builder.hpp"

/// Builds the preemptor p and another pod on one node, for tests of filters on volumes.
namespace touchstone::tests {

inline Pod preemptor() { return pod("p", 10, 1000); }

/// Pod a, whose priority is too high for p to evict it.
inline Pod other() { return pod("a", 20, 1000); }

/// A cluster in which n1 has the pod `there`, and room for `asking`.
inline Question both(Pod there, Pod asking) {
  return QuestionBuilder().node("n1", 2000).has(std::move(there)).asks(std::move(asking));
}

}  // namespace touchstone::tests
