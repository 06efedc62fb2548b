#pragma once

#include <array>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/suite.hpp"
#include "oracle/compare/comparison.hpp"
#include "oracle/subject/subject_process.hpp"

/// The verdict on a subject's answer to one case.
namespace touchstone::conformance {

/// The verdicts. A level passes if every case has one of the first two.
enum class VerdictKind {
  conforms,            ///< the only answer that the release may give, in the parts that the answer has
  conforms_as_one_of,  ///< one of several answers that the release may give
  violates,            ///< an answer that the release may not give
  crashed,             ///< the subject ended, or did not start again
  hung,                ///< no answer in time
  malformed,           ///< no answer of the protocol, or an error for a valid question
  unsupported,         ///< the subject claims the features of the case, but skips it
  skipped,             ///< not asked, or nothing of the answer is claimed; `detail` says why
};
inline constexpr std::array<std::string_view, 8> k_verdict_names = {
    "conforms", "conformsAsOneOf", "violates", "crashed", "hung", "malformed", "unsupported", "skipped"};

inline std::string_view name_of(VerdictKind kind) { return k_verdict_names[static_cast<std::size_t>(kind)]; }
inline bool is_good(VerdictKind kind) { return kind <= VerdictKind::conforms_as_one_of; }

/// A verdict with its reasons.
struct CaseVerdict {
  VerdictKind kind = VerdictKind::conforms;
  std::string clause = {};       ///< with violates: the clause that the answer breaks
  std::string explanation = {};  ///< with violates: the change of behaviour that explains the answer
  std::vector<oracle::Difference> differences = {};  ///< with violates: `given` is the subject's answer
  std::string detail = {};                           ///< otherwise: what went wrong
  std::string standard_error = {};                   ///< the end of the subject's standard error
  Json given = nullptr;                              ///< the subject's answer; null if it has none
};

/// The verdict on an answer. Messages judges every part of the answer. The other levels do not judge the
/// statuses of nodes and the texts. `claimed`: the features that the subject claims; leaving out a part of
/// the answer that they promise is a violation. If the answer has a verdict for each node, these are judged,
/// and the verdict is skipped if none of them is claimed. Requires: `answer` is an object; for a timeline it
/// has the list `answers`.
CaseVerdict judge_answer(const Case& one, LevelId level, const Release& release, const Json& answer,
                         const std::set<std::string>& claimed);

/// The verdict on a failure of the subject.
CaseVerdict judge_failure(const oracle::Failure& failure);

}  // namespace touchstone::conformance
