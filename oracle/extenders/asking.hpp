#pragma once

#include <functional>
#include <string>
#include <vector>

#include "oracle/extenders/calls.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/placement.hpp"

/// Decisions with extenders that have to be asked. The reference does not ask: it says which answer it needs.
/// The answer is added to the question, and the reference decides again.
namespace touchstone::oracle {

/// The body of an extender's answer to one call. Errors: what went wrong; the message is the text with which
/// the call ends.
using AskExtender = std::function<Result<std::string>(const Extender& extender, const std::string& verb,
                                                      const std::string& request)>;

/// Runs `decide` until it needs no answer that is not known. `decide` returns the call that it needs; nothing
/// if it needs none.
/// Ensures: the extenders of the question have the answers that the decision needed. A call that fails is one
/// of them (EXT-ERROR-1, EXT-SCORE-2). Returns a note for each failure, which names extender and verb.
/// Complexity: at most k_most_calls calls.
std::vector<std::string> ask_until_known(
    Question& question, const AskExtender& ask,
    const std::function<std::optional<ExtenderCall>(const Question&)>& decide);

/// The most calls for one decision: more than any decision needs.
inline constexpr std::size_t k_most_calls = 1000;

/// Puts the extenders of the configuration into the question, unless it has its own.
void take_extenders(const Release& release, Question& question);

}  // namespace touchstone::oracle
