#pragma once

#include <set>
#include <string>
#include <vector>

#include "fuzz/campaign/participant.hpp"
#include "oracle/compare/comparison.hpp"
#include "oracle/compare/node_verdicts.hpp"

/// The verdict on two sides' replies to one question.
namespace touchstone::fuzz {

enum class Judgement { agree, skipped, differ };

/// How two replies to one question compare.
struct Verdict {
  Judgement judgement = Judgement::agree;
  /// With differ: "answers" if both sides decided; "error" if a side could not decide; "malformed answer";
  /// "unknown key"; or the code of a failure (crashed, hung, ...). "left " precedes the code of a failure of
  /// the left side. "not repeated: " precedes the kind of a difference that did not recur. With skipped:
  /// what is not modelled.
  std::string kind = {};
  std::vector<oracle::Difference> differences = {};  ///< `given` is the right side's answer
  std::size_t unseen = 0;                            ///< tie members that too few runs have not shown
  oracle::NodeVerdicts nodes = {};                   ///< if the right side gave a verdict for each node

  /// The kind, and the key of the first difference without its node. For a verdict on a node it is the
  /// subject's reason instead. Verdicts with equal signatures count as the same problem.
  std::string signature() const;
};

/// Whether the left side's answer is complete, as the reference's is, or may leave keys out.
enum class LeftAnswers { wholly, in_part };

/// Compares the right side's reply with the left side's. `release`: of the left side. `features`: those that
/// the right side announced; leaving out a part that they promise is a difference. Ensures: every answer is
/// judged, whatever its form. An error, a failure or a malformed answer is never skipped.
Verdict judge(const Reply& left, const Reply& right, const Release& release, LeftAnswers left_answers,
              const std::set<std::string>& features);

/// Whether the parts of an answer that judge() reads have the expected types. A subject may send anything.
bool is_well_formed(const oracle::Json& answer);

}  // namespace touchstone::fuzz
