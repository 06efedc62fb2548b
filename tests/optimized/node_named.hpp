#pragma once

#include <string>

#include "tests/support/builder.hpp"

namespace touchstone::tests {

/// A node of QuestionBuilder, without a question.
inline Node node_named(const std::string& name, Quantity cpu) {
  return QuestionBuilder().node(name, cpu).asks({}).cluster.nodes[0];
}

}  // namespace touchstone::tests
