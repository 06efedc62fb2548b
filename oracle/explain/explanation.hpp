#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/protocol/protocol.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/decision.hpp"
#include "spec/vocabulary/trace.hpp"

/// Explains a decision to a reader who knows Kubernetes. All facts come from the trace that the reference
/// recorded; nothing is decided here.
namespace touchstone::oracle {

enum class Tone { plain, good, bad };

/// One statement, and the clause that supports it. Consecutive lines with several cells form a table.
struct Line {
  std::vector<std::string> cells;
  std::string_view clause = {};  ///< empty only for the head of a table
  Tone tone = Tone::plain;
};

struct Section {
  std::string title;
  std::vector<Line> lines;
  std::string more = {};  ///< what the scope leaves out, and the option that shows it
};

/// How much of a decision is shown.
struct Scope {
  bool all = false;               ///< show every candidate and every line
  std::optional<NodeIndex> node;  ///< show this node only, in full
};

/// Explains one decision: whether the pod may preempt, where evictions might help, the victims on each node,
/// the choice, and what would change the outcome. Requires: `decision` and `trace` are of this question and
/// this release, and the outcome is not skipped.
std::vector<Section> explain(const Question& question, const Release& release, const Decision& decision,
                             const Trace& trace, const Scope& scope);

/// The sections as JSON: titles, and lines with their clauses.
Json explanation_of(const std::vector<Section>& sections);

}  // namespace touchstone::oracle
