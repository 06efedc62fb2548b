#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "oracle/compare/trace_index.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/scorers.hpp"

/// Writes how the scores of nodes come about.
namespace touchstone::oracle {

/// The clause that best says what a scorer computes.
std::string_view clause_of(Scorer scorer, const Release& release);

/// The values that enter a score, with the pod on the node: "cpu: 500m of 4 requested, 87 points; memory:
/// ...".
std::string parts_text(Scorer scorer, const std::vector<const Step*>& parts);

/// Why the release skips a scorer for a pod, and the clause that says so.
struct SkippedScorer {
  std::string_view why;
  std::string_view clause;
};
SkippedScorer why_skipped(Scorer scorer);

}  // namespace touchstone::oracle
