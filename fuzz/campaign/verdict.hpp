#pragma once

#include <set>
#include <string>
#include <vector>

#include "fuzz/campaign/participant.hpp"
#include "oracle/compare/comparison.hpp"

/// What two sides' replies to one question come to.
namespace touchstone::fuzz {

enum class Judgement { agree, skipped, differ };

struct Verdict {
  Judgement judgement = Judgement::agree;
  /// With differ: "answers" where both decided, "error" where one could not, or the code of a failure
  /// (crashed, hung, ...), with "not repeated: " before it where it did not come again. With skipped: what is
  /// not modelled.
  std::string kind = {};
  std::vector<oracle::Difference> differences = {};  ///< `given` is the right side's
  std::size_t unseen = 0;                            ///< see oracle::Compared

  /// Verdicts with the same are taken for the same trouble: kind, and the first key without its node.
  std::string signature() const;
};

/// Whether the left side says all that there is to say, as the reference does, or may leave keys out.
enum class LeftAnswers { wholly, in_part };

/// Judges the right side's reply by the left side's, whose release is named. `features`: what the right side
/// said that it answers; what it leaves out of that is a difference. Ensures: any answer is judged, however
/// it is formed; an error, a failure or a malformed answer is never skipped.
Verdict judge(const Reply& left, const Reply& right, const Release& release, LeftAnswers left_answers,
              const std::set<std::string>& features);

/// Whether the parts of an answer that are looked at have their types; a subject may send anything.
bool is_well_formed(const oracle::Json& answer);

}  // namespace touchstone::fuzz
