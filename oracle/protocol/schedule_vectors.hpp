#pragma once

#include <vector>

#include "oracle/compare/comparison.hpp"
#include "oracle/protocol/answers.hpp"
#include "spec/releases/release.hpp"

/// Compares an answer to `schedule` with the answer in a vector file.
namespace touchstone::oracle {

/// The parts in which an answer of the reference differs from the expected answer. Keys that the expected
/// answer lacks are not compared. Lists of nodes are compared as sets. The expected node, and every node that
/// runs chose, must be one of our best. Complexity: linear in the answers.
std::vector<Difference> schedule_differences(const Json& expected, const Json& found, const Release& release,
                                             Scores scores);

}  // namespace touchstone::oracle
