#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/campaign/questions.hpp"
#include "fuzz/campaign/tally.hpp"
#include "fuzz/campaign/verdict.hpp"
#include "oracle/compare/attribution.hpp"

/// Differences between two sides: repeated, shrunk, attributed to a rule, and written to files.
namespace touchstone::fuzz {

/// The two sides that answer the same questions.
struct Participants {
  Participant& left;
  Participant& right;
  Release release;  ///< of the left side, without a configuration
};

/// The verdict on both sides' replies to one question; see judge().
Verdict judged(const Participants& sides, const Reply& left, const Reply& right);

/// Both sides' replies to one question, and the verdict.
struct Exchange {
  Reply left;
  Reply right;
  Verdict verdict;
};
/// Runs a question on both sides. If a running scheduler never chose some member of a tie, the question is
/// run again with many more decisions before the missing member counts as a difference. Returns nothing if
/// the campaign was stopped.
std::optional<Exchange> run_both(Participants& sides, const Json& question);

/// A difference, shrunk and attributed to a rule.
struct Difference {
  SentQuestion sent;  ///< shrunk
  Exchange exchange;  ///< the replies to it
  Found found;
  std::vector<oracle::BrokenRule> other_rules = {};    ///< that may be broken instead; oracle::other_rules()
  std::map<std::string, std::uint64_t> failures = {};  ///< of the subject on smaller questions, by code
  std::shared_ptr<Difference> failed = {};             ///< the last of these failures, as a difference
};

/// How a difference is shrunk.
struct Shrinking {
  std::size_t asks = 0;       ///< most questions to run; fewer are run if the subject hangs or fails
  bool keeps_labels = false;  ///< fuzz/shrink/served.hpp; several differences may have one smallest cluster
};

/// Shrinks a question as long as the verdict's signature and the broken rule stay the same. Requires:
/// `exchange` differs, and `broken` is its rule.
Difference follow_up(Participants& sides, const SentQuestion& sent, const Exchange& exchange,
                     oracle::BrokenRule broken, const Shrinking& shrinking, const std::atomic<bool>& stop);

/// The rule that a difference breaks: the clause by which the right side's answer differs. If only the left
/// side's answer is wrong for its release, the clause of that answer. If not both sides decided, the
/// verdict's kind.
oracle::BrokenRule rule_of(const Participants& sides, const SentQuestion& sent, const Exchange& exchange);

/// True if the only difference is a tie member that was never chosen. With few runs, this happens by chance.
bool misses_a_member(const Verdict& verdict);

/// The verdict for a difference that did not recur when the question was repeated.
Verdict passing(const Verdict& verdict);

/// The difference of a question as given, without shrinking.
Difference described(const Participants& sides, const SentQuestion& sent, const Exchange& exchange,
                     const oracle::BrokenRule& broken);

/// Reads the question of a vector file that has exactly one case. Errors: file-unreadable, json-malformed,
/// vector-malformed, and those of kubernetes::read_question_text().
Result<SentQuestion> read_question_of_vector(const std::filesystem::path& file);

/// The parts of an answer that a vector may contain.
Json vector_answer(const Json& answer);

/// Writes a vector file and creates its directories. Errors: file-unwritable.
std::optional<Error> write_vector(const std::filesystem::path& file, const Json& vector);

/// The text that describes a difference: both sides' answers, the rule, the reference's explanation for the
/// left side's release, and the commands that explain and replay the vector.
std::string difference_report(const Participants& sides, const Difference& difference,
                              const std::filesystem::path& vector);

/// Writes DIR/differences/HASH.json and HASH.txt. HASH.json is a vector (spec/schema/vector.schema.json).
/// Its answer is that of the right side if this is a running kube-scheduler, else that of the left side.
/// HASH.txt is YAML: the text of difference_report() as comments, and the cluster as a List. Errors:
/// file-unwritable.
std::optional<Error> write_difference(const std::filesystem::path& dir, const Participants& sides,
                                      const Difference& difference);

}  // namespace touchstone::fuzz
