#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "fuzz/campaign/tally.hpp"
#include "fuzz/campaign/verdict.hpp"
#include "oracle/compare/attribution.hpp"

/// A difference between two sides: asked again, shrunk, attributed, written down.
namespace touchstone::fuzz {

/// Two sides that answer the same questions.
struct Participants {
  Participant& left;
  Participant& right;
  Release release;  ///< of the left side
};

/// What two replies to one question come to; see judge().
Verdict judged(const Participants& sides, const Reply& left, const Reply& right);

/// Both sides' replies to one question, and the verdict. Where a running scheduler never chose some member of
/// a tie, it is asked for many more runs before that is believed. Nothing where the campaign was stopped.
struct Heard {
  Reply left;
  Reply right;
  Verdict verdict;
};
std::optional<Heard> hear(Participants& sides, const Json& question);

/// What comes of a difference.
struct Difference {
  Json question;  ///< shrunk
  Heard heard;    ///< for it
  Found found;
  std::map<std::string, std::uint64_t> failures = {};  ///< of the subject at smaller questions, by their code
  std::shared_ptr<Difference> failed = {};             ///< the last one of these
};

/// Shrinks a question while the verdict's signature and the rule stay, with at most `asks` questions; fewer
/// of a subject that hangs or fails. Requires: what was heard differs, and `broken` is its rule.
Difference follow_up(Participants& sides, const Json& question, const Heard& heard, oracle::Broken broken,
                     std::size_t asks, const std::atomic<bool>& stop);

/// The clause by which the right side's answer differs; the verdict's kind where there is no answer to hold
/// against the clauses.
oracle::Broken rule_of(const Participants& sides, const Json& question, const Heard& heard);

/// Whether all that differs is a member of a tie that was never chosen, which few runs may do.
bool misses_a_member(const Verdict& verdict);

/// A verdict that did not come again when it was asked once more.
Verdict passing(const Verdict& verdict);

/// A difference as it is, not shrunk.
Difference described(const Participants& sides, const Json& question, const Heard& heard,
                     const oracle::Broken& broken);

/// The question of a file with one vector. Errors: file-unreadable, json-malformed, vector-malformed.
Result<Json> read_question_of_vector(const std::filesystem::path& file);

/// What a vector may say of an answer.
Json vector_answer(const Json& answer);

/// FNV-1a, of 64 bits, in 16 hexadecimal digits: a name, no protection.
std::string hash_of(const std::string& text);

/// Writes a vector file, and the directories it is in. Errors: file-unwritable.
std::optional<Error> write_vector(const std::filesystem::path& file, const Json& vector);

/// Both sides' answers, the rule, the left side's explained, and the commands that explain and replay the
/// vector.
std::string told(const Participants& sides, const Difference& difference, const std::filesystem::path& vector);

/// Writes DIR/differences/HASH.json, a vector (spec/schema/vector.schema.json) with the answer of the right
/// side where that is a running kube-scheduler, else of the left; and HASH.txt, YAML that has what is told as
/// comments and the cluster as a List. Errors: file-unwritable.
std::optional<Error> write_difference(const std::filesystem::path& dir, const Participants& sides,
                                      const Difference& difference);

}  // namespace touchstone::fuzz
