#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "oracle/explain/aftermath.hpp"
#include "oracle/protocol/protocol.hpp"

/// Known kinds of evictions that do not help, and how the evictions of a decision are classified.
namespace touchstone::oracle {

/// futile: the preemptor does not fit without the victims. needless: it fits with this victim on the node.
enum class IneffectiveEviction { futile, needless };

/// A known kind: a section of spec/divergences.md, "Evictions that do not help".
struct Divergence {
  std::string_view name;  ///< the heading of the section
  IneffectiveEviction kind;
  std::string_view clause;  ///< of the rejection: afresh if futile, in the dry run if needless
  /// Whether the question meets the precondition of this kind. A case with another cause may also meet it,
  /// and is then classified as this kind.
  bool (*has_cause)(const Question&, const Release&, const Candidate&);
};

/// All known kinds.
const std::vector<Divergence>& divergences();

/// One finding about evictions that do not help.
struct EvictionFinding {
  IneffectiveEviction kind;
  std::vector<PodIndex> victims;  ///< evicted without effect: all victims, or the needless one
  std::string_view clause;
  std::string_view plugin;  ///< the filter, by its name in recent releases
  std::string because;      ///< the rejection: afresh if futile, in the dry run if needless
  const Divergence* known;  ///< null: spec/divergences.md does not describe it

  /// The key by which findings are counted: "futile PRE-PORTS-1: A host port held twice".
  std::string class_name() const;
};

/// The evictions of a candidate that do not help, the ineffective ones first. With extenders none: they may
/// have chosen the victims. Requires: as aftermath_of().
std::vector<EvictionFinding> eviction_findings(const Question& question, const Release& release,
                                               const Candidate& candidate);

/// The findings as the value of `aftermath`.
Json aftermath_json(const Question& question, const std::vector<EvictionFinding>& findings);

/// A sentence about one finding.
std::string text_of(const Question& question, const Candidate& candidate, const EvictionFinding& eviction);

}  // namespace touchstone::oracle
