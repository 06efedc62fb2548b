#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "oracle/explain/aftermath.hpp"
#include "oracle/protocol/protocol.hpp"

/// The ways in which evictions do not help that somebody has described, and what an aftermath shows of them.
namespace touchstone::oracle {

enum class IneffectiveEviction { futile, needless };

/// One way: a section of spec/divergences.md, "Evictions that do not help".
struct Divergence {
  std::string_view name;  ///< its heading
  IneffectiveEviction kind;
  std::string_view clause;  ///< of what rejects: afresh where futile, in the dry run where needless
  /// Whether the question has what it takes. A case of another cause that has it as well is taken for this
  /// one.
  bool (*has_cause)(const Question&, const Release&, const Candidate&);
};

const std::vector<Divergence>& divergences();

/// One thing that an aftermath shows.
struct Trouble {
  IneffectiveEviction kind;
  std::vector<PodIndex> victims;  ///< that died for nothing: all, or the needless one
  std::string_view clause;
  std::string_view plugin;  ///< the filter, by the name that recent releases give it
  std::string because;      ///< what afresh rejects, or what the dry run held against the needless one
  const Divergence* known;  ///< null: nobody has described it

  /// What it is counted by: "futile PRE-PORTS-1: A host port held twice".
  std::string class_name() const;
};

/// What is wrong with a candidate's evictions, what makes them futile first. Requires: as aftermath_of().
std::vector<Trouble> troubles_of(const Question& question, const Release& release,
                                 const Candidate& candidate);

/// As the value of `aftermath`.
Json aftermath_json(const Question& question, const std::vector<Trouble>& troubles);

/// A sentence for each.
std::string text_of(const Question& question, const Candidate& candidate, const Trouble& trouble);

}  // namespace touchstone::oracle
