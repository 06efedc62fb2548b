#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/protocol/protocol.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/decision.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/trace.hpp"

/// A decision explained to a reader who knows Kubernetes. Everything is told from the trace that the
/// reference recorded; nothing is decided here.
namespace touchstone::oracle {

enum class Tone { plain, good, bad };

/// One statement, and the clause it rests on. Lines with several cells that follow each other are a table.
struct Line {
  std::vector<std::string> cells;
  std::string_view clause = {};  ///< empty only for the head of a table
  Tone tone = Tone::plain;
};

struct Section {
  std::string title;
  std::vector<Line> lines;
  std::string more = {};  ///< what the scope leaves out, and how to see it
};

/// How much is told.
struct Scope {
  bool all = false;               ///< every candidate, every line
  std::optional<NodeIndex> node;  ///< this node alone, in full
};

/// Explains one decision: who may preempt, where evictions might help, each node's victims, the choice, what
/// would have to change. Requires: `decision` and `trace` are of this question and this release, and the
/// outcome is not skipped.
std::vector<Section> explain(const Question& question, const Release& release, const Decision& decision,
                             const Trace& trace, const Scope& scope);

/// The sections as JSON: titles, and lines with their clause.
Json explanation_of(const std::vector<Section>& sections);

}  // namespace touchstone::oracle
