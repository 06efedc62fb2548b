#include "fuzz/campaign/difference.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <fstream>

#include "fuzz/campaign/difference_text.hpp"
#include "fuzz/shrink/shrink.hpp"
#include "fuzz/campaign/wrong_side.hpp"
#include "kubernetes/objects/question.hpp"
#include "oracle/explain/explanation.hpp"
#include "oracle/protocol/vectors.hpp"
#include "oracle/explain/wording.hpp"
#include "reference/preemption/preempt.hpp"

namespace touchstone::fuzz {

namespace {

/// So often is a tie asked before a member that never came is missing. A map of many nodes shows each of them
/// seldom.
constexpr std::size_t k_runs_a_member = 400;

/// Each question of a subject that hangs costs its whole timeout.
constexpr std::size_t k_asks_of_the_hung = 40;

/// So often may a subject fail at smaller clusters, each time to be started anew, while another trouble of
/// its is shrunk.
constexpr std::size_t k_failures_in_between = 40;

/// A subject may be slow; what is found so far must come out at last.
constexpr std::chrono::seconds k_shrink_time{30};

Result<Question> question_of(const Json& json) {
  return kubernetes::read_question_text(json.dump(), "question");
}

/// A word of a command line, quoted where a shell would take it apart.
std::string quoted(const std::string& word) {
  const bool is_plain = !word.empty() && word.find_first_not_of(
                                             "abcdefghijklmnopqrstuvwxyz"
                                             "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                             "-_./=:,+@%") == std::string::npos;
  if (is_plain) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string command_line(const std::vector<std::string>& command) {
  std::string line;
  for (const std::string& word : command) line += (line.empty() ? "" : " ") + quoted(word);
  return line;
}

bool has_decided(const Reply& reply) { return !reply.failure && reply.answer.contains("outcome"); }

Json vector_of(const Participants& sides, const Difference& difference) {
  const bool right_is_real = sides.right.identity().contains("module") && has_decided(difference.heard.right);
  const Participant& side = right_is_real ? sides.right : sides.left;
  const Reply& reply = right_is_real ? difference.heard.right : difference.heard.left;
  Json entry{{"name", "difference/" + difference.found.hash},
             {"title", difference.found.signature},
             {"clauses", Json::array()},
             {"question", difference.question},
             {"answers", Json::array()}};
  if (difference.found.clause.starts_with("PRE-")) entry["clauses"].push_back(difference.found.clause);
  if (has_decided(reply))
    entry["answers"].push_back(
        {{"releases", Json::array({side.release()})}, {"answer", vector_answer(reply.answer)}});
  return {
      {"origin", "A difference found by touchstone fuzz; the answer is that of " + side.name()},
      {"recorded", right_is_real},
      {"statuses", has_decided(reply) && reply.answer.contains("filter") && reply.answer.contains("dryRun")},
      {"releases", Json::array({side.release()})},
      {"cases", Json::array({entry})}};
}

/// As a user gives it to --against.
std::string shell_command(const std::vector<std::string>& command) {
  const bool is_shell = command.size() == 3 && command[0] == "/bin/sh" && command[2].starts_with("exec ");
  return is_shell ? command[2].substr(5) : command_line(command);
}

std::string standard_error_of(const oracle::Failure& failure) {
  constexpr std::size_t k_lines_most = 40;
  std::string text;
  for (const std::string& line : oracle::last_lines(failure.stderr_tail, k_lines_most))
    text += "    " + line + "\n";
  return text.empty() ? "" : "  its standard error ended with\n" + text;
}

std::string told_of(const std::string& name, const Reply& reply) {
  if (reply.failure) {
    const oracle::Failure& failure = *reply.failure;
    return name + " " + std::string(oracle::code_of(failure.kind)) + ": " + failure.detail + "\n" +
           standard_error_of(failure);
  }
  std::string text = name + " answers\n";
  for (const auto& [key, value] : reply.answer.items()) {
    if (key == "seq" || key == "timings") continue;
    text += "  " + key + ": " + value.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  }
  return text;
}

/// The answer that a rule is looked for in, and how it differs: the right side's, but the left side's where
/// that alone is not what its release may answer.
struct Suspect {
  Json answer;
  Release release;
  std::vector<oracle::Difference> differences;
};

Suspect suspect_of(const Participants& sides, const Question& question, const Heard& heard) {
  Suspect suspect{heard.right.answer, find_release(sides.right.release()).value().release,
                  heard.verdict.differences};
  if (sides.left.is_reference()) return suspect;
  if (oracle::may_give(question, suspect.release, heard.right.answer) != true ||
      oracle::may_give(question, sides.release, heard.left.answer) != false)
    return suspect;
  suspect = {heard.left.answer, sides.release, std::move(suspect.differences)};
  for (oracle::Difference& each : suspect.differences) std::swap(each.given, each.ours);
  return suspect;
}

/// The rule that an answer breaks. Requires: both sides decided.
oracle::Broken rule_of(const Participants& sides, const Question& question, const Heard& heard) {
  const Suspect suspect = suspect_of(sides, question, heard);
  return oracle::broken_rule(question, sides.release, suspect.release, suspect.answer, suspect.differences);
}

bool breaks(const oracle::Broken& broken, const Participants& sides, const Question& question, const Heard& heard) {
  const Suspect suspect = suspect_of(sides, question, heard);
  return oracle::breaks(broken, question, sides.release, suspect.release, suspect.answer,
                        suspect.differences);
}

std::string explained(const Participants& sides, const Difference& difference) {
  const Result<Question> question = question_of(difference.question);
  if (!question) return "";
  CanonicalChoices choices;
  Trace trace = Trace::full();
  const Decision decision = reference::preempt(question.value(), sides.release, choices, trace);
  if (decision.outcome == Outcome::skipped)
    return "The reference does not model it: " + decision.reason + "\n";
  std::string text = "Why, by the clauses of spec/clauses, for " + sides.left.release() + ":\n";
  if (difference.found.clause.starts_with("PRE-"))
    text += "  Where do the two part?\n    " + sides.right.name() + ": " + parting(sides, difference) +
            "  [" + difference.found.clause + "]\n";
  for (const oracle::Section& section :
       oracle::explain(question.value(), sides.release, decision, trace, {true, {}}))
    text += text_of(section);
  return text;
}

}  // namespace

std::string hash_of(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  std::array<char, 17> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(hash));
  return digits.data();
}

Verdict judged(const Participants& sides, const Reply& left, const Reply& right) {
  const LeftAnswers answers = sides.left.is_reference() ? LeftAnswers::wholly : LeftAnswers::in_part;
  return judge(left, right, sides.release, answers, sides.right.features());
}

bool misses_a_member(const Verdict& verdict) {
  return verdict.judgement == Judgement::differ && verdict.differences.size() == 1 &&
         verdict.differences[0].key == "admissible";
}

std::optional<Heard> hear(Participants& sides, const Json& question) {
  Heard heard;
  const auto ask = [&](std::size_t repeat) {
    for (const auto& [side, reply] : {std::pair{&sides.left, &heard.left}, {&sides.right, &heard.right}}) {
      std::vector<Reply> replies;
      if (repeat > 0) {
        *reply = side->ask_often(question, repeat);
        if (reply->answer.is_null() && !reply->failure) return false;
      } else {
        replies = side->ask({&question, 1});
        if (replies.empty()) return false;
        *reply = std::move(replies[0]);
      }
    }
    heard.verdict = judged(sides, heard.left, heard.right);
    return true;
  };
  if (!ask(0)) return std::nullopt;
  if (misses_a_member(heard.verdict) || heard.verdict.unseen > 0) {
    const std::size_t nodes = question.contains("nodes") ? question["nodes"].size() : 1;
    if (!ask(k_runs_a_member * std::max<std::size_t>(1, nodes))) return std::nullopt;
  }
  return heard;
}

Verdict passing(const Verdict& verdict) {
  Verdict once = verdict;
  once.judgement = Judgement::differ;
  once.kind = "not repeated: " + verdict.kind;
  return once;
}

oracle::Broken rule_of(const Participants& sides, const Json& question, const Heard& heard) {
  if (heard.verdict.kind != "answers") return {heard.verdict.kind};
  const Result<Question> read = question_of(question);
  return read ? rule_of(sides, read.value(), heard) : oracle::Broken{heard.verdict.signature()};
}

Difference follow_up(Participants& sides, const Json& question, const Heard& heard, oracle::Broken broken,
                     std::size_t asks, const std::atomic<bool>& stop) {
  const Verdict& verdict = heard.verdict;
  const std::string signature = verdict.signature();
  const auto start = std::chrono::steady_clock::now();
  // The same trouble by the same cause: a smaller cluster must not show another rule instead.
  const auto is_same = [&](const Question& smaller, const Heard& now) {
    if (now.verdict.judgement != Judgement::differ || now.verdict.signature() != signature) return false;
    if (now.verdict.kind != "answers") return true;
    if (!broken.clause.starts_with("not modelled")) return breaks(broken, sides, smaller, now);
    // What is not modelled may turn out to have no part in it.
    broken = rule_of(sides, smaller, now);
    return true;
  };
  std::map<std::string, std::uint64_t> failures;
  std::optional<std::pair<Json, Heard>> failed;  // the last failure that is not what is shrunk
  std::size_t failures_sum = 0;
  bool cut_short = false;
  Heard last = heard;  // what was heard of the smallest so far
  const auto still_shows = [&](const Json& smaller) {
    cut_short |= stop || failures_sum > k_failures_in_between ||
                 std::chrono::steady_clock::now() - start > k_shrink_time;
    if (cut_short) return false;
    const Result<Question> read = question_of(smaller);
    if (!read) return false;  // no sensible question, as one without a pod
    const std::optional<Heard> now = hear(sides, smaller);
    if (now && now->right.failure && !heard.right.failure) {
      ++failures_sum;
      ++failures[std::string(oracle::code_of(now->right.failure->kind))];
      failed = {smaller, *now};
    }
    if (!now || !is_same(read.value(), *now)) return false;
    last = *now;
    return true;
  };
  const bool repeats = !verdict.kind.starts_with("not repeated");
  const bool hangs = verdict.kind.ends_with("hung");
  Shrunk shrunk{question, 0, false};
  if (repeats) shrunk = shrink(question, still_shows, hangs ? k_asks_of_the_hung : asks);

  Difference difference = described(sides, shrunk.question, last, broken);
  difference.found.minimal = shrunk.minimal && !cut_short;
  difference.failures = std::move(failures);
  if (failed)
    difference.failed = std::make_shared<Difference>(
        described(sides, failed->first, failed->second, rule_of(sides, failed->first, failed->second)));
  return difference;
}

Difference described(const Participants& sides, const Json& question, const Heard& heard,
                     const oracle::Broken& broken) {
  Difference difference{question, heard, {}};
  Found& found = difference.found;
  found.signature = heard.verdict.signature();
  found.hash = hash_of(found.signature + question.dump());
  found.nodes = question.value("nodes", Json::array()).size();
  found.pods = question.value("pods", Json::array()).size() + 1;
  found.clause = broken.clause;
  found.explained_by = oracle::explanation_of(broken, sides.release);
  for (const Reply* reply : {&heard.left, &heard.right}) {
    for (const auto& failure : {reply->failure, reply->passing}) {
      if (!failure) continue;
      found.failure = failure->detail;
      found.standard_error = failure->stderr_tail;
    }
  }
  return difference;
}

Json vector_answer(const Json& answer) {
  Json kept{{"outcome", answer.at("outcome")}};
  for (const char* key :
       {"candidates", "filter", "dryRun", "ineligible", "nomination", "clears", "message"}) {
    if (answer.contains(key) && !answer[key].is_null()) kept[key] = answer[key];
  }
  if (answer.contains("observed")) {
    for (const auto& [node, count] : answer["observed"].items()) kept["observed"].push_back(node);
  } else if (answer.contains("node")) {
    kept["chosen"] = {{"node", answer["node"]}};
  }
  return kept;
}

bool has_decided(const Reply& reply) { return !reply.failure && reply.answer.contains("outcome"); }

Result<Json> read_question_of_vector(const std::filesystem::path& file) {
  const Result<std::vector<oracle::VectorFile>> files = oracle::read_vectors(file);
  if (!files) return files.error();
  if (files.value().size() != 1 || files.value()[0].cases.size() != 1)
    return Error{"vector-malformed", file.string(), "expected a file with one case"};
  return files.value()[0].cases[0].question;
}

std::string told(const Participants& sides, const Difference& difference, const std::filesystem::path& vector) {
  const Found& found = difference.found;
  std::string text = sentence_of(sides, difference) + "\n\n";
  for (const oracle::Difference& each : difference.heard.verdict.differences) {
    text += each.key + "\n  " + sides.right.name() + ": " + each.given + "\n  " + sides.left.name() + ": " +
            each.ours + "\n";
  }
  text += "\nRule: " + titled(found.clause) + "\n";
  if (!found.explained_by.empty())
    text += "The reference " + found.explained_by + " answers what " + sides.right.name() + " answers.\n";
  text += "Cluster: " + oracle::count_of(found.nodes, "node") + ", " + oracle::count_of(found.pods, "pod") +
          " with the preemptor" + (found.minimal ? "; nothing can be left out" : "") + "\n";
  text += "\n" + told_of(sides.right.name(), difference.heard.right);
  text += "\n" + told_of(sides.left.name(), difference.heard.left);
  text += "\n" + explained(sides, difference);
  text += "\nExplain:\n  touchstone explain -f " + quoted(vector.string()) + "\n";
  text += "\nReplay:\n  touchstone fuzz --replay " + quoted(vector.string());
  text += " --release " + sides.right.release();
  if (!sides.left.is_engine()) text += " --against " + quoted(shell_command(sides.left.command()));
  if (sides.left.release() != sides.right.release()) text += " --against-release " + sides.left.release();
  const ParticipantSetup standard;
  const ParticipantSetup& setup = sides.right.setup();
  if (setup.answer_timeout != standard.answer_timeout)
    text += " --timeout " +
            std::to_string(std::chrono::duration_cast<std::chrono::seconds>(setup.answer_timeout).count());
  if (setup.repeat != k_repeat_usual) text += " --repeat " + std::to_string(setup.repeat);
  if (!sides.right.is_engine()) text += " -- " + command_line(sides.right.command());
  return text + "\n";
}

std::optional<Error> write_vector(const std::filesystem::path& file, const Json& vector) {
  std::error_code failure;
  std::filesystem::create_directories(file.parent_path(), failure);
  std::ofstream out(file, std::ios::binary);
  out << vector.dump(1, ' ', false, Json::error_handler_t::replace) << "\n" << std::flush;
  if (!out) return Error{"file-unwritable", file.string(), "cannot be written"};
  return std::nullopt;
}

std::optional<Error> write_difference(const std::filesystem::path& dir, const Participants& sides,
                                      const Difference& difference) {
  const std::filesystem::path place = dir / "differences";
  const std::filesystem::path vector = place / (difference.found.hash + ".json");
  if (std::optional<Error> error = write_vector(vector, vector_of(sides, difference))) return error;
  const std::filesystem::path words = place / (difference.found.hash + ".txt");
  std::ofstream text(words, std::ios::binary);
  text << as_comment(told(sides, difference, portable(vector))) << cluster_as_yaml(difference.question)
       << std::flush;
  if (!text) return Error{"file-unwritable", words.string(), "cannot be written"};
  return std::nullopt;
}

}  // namespace touchstone::fuzz
