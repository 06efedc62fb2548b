#include "fuzz/campaign/difference.hpp"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <sstream>

#include "fuzz/campaign/difference_text.hpp"
#include "fuzz/campaign/wrong_side.hpp"
#include "fuzz/hash.hpp"
#include "fuzz/shrink/served.hpp"
#include "fuzz/shrink/shrink.hpp"
#include "kubernetes/objects/question.hpp"
#include "kubernetes/text/bytes.hpp"
#include "oracle/explain/explanation.hpp"
#include "oracle/explain/wording.hpp"
#include "oracle/protocol/vectors.hpp"
#include "reference/preemption/preempt.hpp"
#include "spec/rules/rules.hpp"

namespace touchstone::fuzz {

namespace {

/// Runs of a tie, for each node of the cluster, before a member that was never chosen counts as missing. In
/// a Go map of many nodes, each node is rarely the first.
constexpr std::size_t k_runs_a_member = 400;

/// The most questions to shrink with if the subject hangs. Each of them costs a whole timeout.
constexpr std::size_t k_asks_of_the_hung = 40;

/// The most failures of the subject on smaller clusters while another difference is shrunk. After each
/// failure, the subject is started again.
constexpr std::size_t k_failures_in_between = 40;

/// Time limit for shrinking one difference. A slow subject must not delay the result without end.
constexpr std::chrono::seconds k_shrink_time{30};

/// A word of a command line, quoted if a shell would change or split it.
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

/// Whether a rule of spec/clauses is named, rather than a kind of verdict.
bool is_rule(const std::string& clause) { return !statement_of(clause).empty(); }

Json vector_of(const Participants& sides, const Difference& difference) {
  const bool right_is_real =
      sides.right.identity().contains("module") && has_decided(difference.exchange.right);
  const Participant& side = right_is_real ? sides.right : sides.left;
  const Reply& reply = right_is_real ? difference.exchange.right : difference.exchange.left;
  Json entry{{"name", "difference/" + difference.found.hash},
             {"title", difference.found.signature},
             {"clauses", Json::array()},
             {"question", difference.sent.line},
             {"answers", Json::array()}};
  if (is_rule(difference.found.clause)) entry["clauses"].push_back(difference.found.clause);
  if (has_decided(reply))
    entry["answers"].push_back(
        {{"releases", Json::array({side.release()})}, {"answer", vector_answer(reply.answer)}});
  Json file{{"origin", "A difference found by touchstone fuzz; the answer is that of " + side.name()}};
  if (difference.sent.command != oracle::Command::run) file["command"] = name_of(difference.sent.command);
  file["recorded"] = right_is_real;
  file["statuses"] = has_decided(reply) && reply.answer.contains("filter") && reply.answer.contains("dryRun");
  file["releases"] = Json::array({side.release()});
  file["cases"] = Json::array({entry});
  return file;
}

/// The command as a user gives it to --against.
std::string shell_command(const std::vector<std::string>& command) {
  const bool is_shell = command.size() == 3 && command[0] == "/bin/sh" && command[2].starts_with("exec ");
  return is_shell ? command[2].substr(5) : command_line(command);
}

std::string indented(std::string_view paragraph) {
  std::string text;
  std::istringstream lines{std::string(paragraph)};
  for (std::string line; std::getline(lines, line);) text += "  " + line + "\n";
  return text;
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

/// The answer whose broken rule is to be found, and how it differs. It is the right side's answer. If only
/// the left side's answer is not allowed by its release, it is the left side's.
struct Suspect {
  Json answer;
  Release release;
  std::vector<oracle::Difference> differences;
};

Suspect suspect_of(const Participants& sides, const SentQuestion& sent, const Exchange& exchange) {
  Suspect suspect{exchange.right.answer, find_release(sides.right.release()).value().release,
                  exchange.verdict.differences};
  if (sides.left.is_reference()) return suspect;
  if (oracle::may_give(sent.asked(), suspect.release, exchange.right.answer) != true ||
      oracle::may_give(sent.asked(), sides.release, exchange.left.answer) != false)
    return suspect;
  suspect = {exchange.left.answer, sides.release, std::move(suspect.differences)};
  for (oracle::Difference& each : suspect.differences) std::swap(each.given, each.ours);
  return suspect;
}

bool breaks(const oracle::BrokenRule& broken, const Participants& sides, const SentQuestion& sent,
            const Exchange& exchange) {
  const Suspect suspect = suspect_of(sides, sent, exchange);
  return oracle::breaks(broken, sent.asked(), sides.release, suspect.release, suspect.answer,
                        suspect.differences);
}

std::string explained(const Participants& sides, const Difference& difference) {
  const Question& question = difference.sent.question;
  const std::optional<Release> release = oracle::release_for(difference.sent.asked(), sides.release);
  if (!release) return "The reference refuses the configuration of this question.\n";
  Trace trace = Trace::full();
  const Decision decision = reference::preempt(question, *release, trace);
  if (decision.outcome == Outcome::skipped)
    return "The reference does not model this question: " + decision.reason + "\n";
  std::string text = "Explanation by the clauses of spec/clauses, for " + sides.left.release() + ":\n";
  if (is_rule(difference.found.clause))
    text += "  Where do the two sides differ?\n    " + sides.right.name() + ": " +
            parting(sides, difference) + "  [" + difference.found.clause + "]\n";
  for (const oracle::Section& section : oracle::explain(question, *release, decision, trace, {true, {}}))
    text += text_of(section);
  return text;
}

}  // namespace

Verdict judged(const Participants& sides, const Reply& left, const Reply& right) {
  const LeftAnswers answers = sides.left.is_reference() ? LeftAnswers::wholly : LeftAnswers::in_part;
  return judge(left, right, sides.release, answers, sides.right.features());
}

bool misses_a_member(const Verdict& verdict) {
  return verdict.judgement == Judgement::differ && verdict.differences.size() == 1 &&
         verdict.differences[0].key == "admissible";
}

std::optional<Exchange> run_both(Participants& sides, const Json& question) {
  Exchange exchange;
  const std::string text = question.dump();
  const auto ask = [&](std::size_t repeat) {
    for (const auto& [side, reply] :
         {std::pair{&sides.left, &exchange.left}, {&sides.right, &exchange.right}}) {
      std::vector<Reply> replies;
      if (repeat > 0) {
        *reply = side->ask_often(text, repeat);
        if (reply->answer.is_null() && !reply->failure) return false;
      } else {
        replies = side->ask({&text, 1});
        if (replies.empty()) return false;
        *reply = std::move(replies[0]);
      }
    }
    exchange.verdict = judged(sides, exchange.left, exchange.right);
    return true;
  };
  if (!ask(0)) return std::nullopt;
  if (misses_a_member(exchange.verdict) || exchange.verdict.unseen > 0) {
    const std::size_t nodes = question.contains("nodes") ? question["nodes"].size() : 1;
    if (!ask(k_runs_a_member * std::max<std::size_t>(1, nodes))) return std::nullopt;
  }
  return exchange;
}

Verdict passing(const Verdict& verdict) {
  Verdict once = verdict;
  once.judgement = Judgement::differ;
  once.kind = "not repeated: " + (verdict.kind.empty() ? "answers" : verdict.kind);
  return once;
}

oracle::BrokenRule rule_of(const Participants& sides, const SentQuestion& sent, const Exchange& exchange) {
  if (exchange.verdict.kind != "answers") return {exchange.verdict.kind};
  const Suspect suspect = suspect_of(sides, sent, exchange);
  return oracle::broken_rule(sent.asked(), sides.release, suspect.release, suspect.answer,
                             suspect.differences);
}

Difference follow_up(Participants& sides, const SentQuestion& sent, const Exchange& exchange,
                     oracle::BrokenRule broken, const Shrinking& shrinking, const std::atomic<bool>& stop) {
  const Verdict& verdict = exchange.verdict;
  const std::string signature = verdict.signature();
  const auto start = std::chrono::steady_clock::now();
  // True for the same problem with the same cause. A smaller cluster must not show another rule instead.
  const auto is_same = [&](const SentQuestion& smaller, const Exchange& now) {
    if (now.verdict.judgement != Judgement::differ || now.verdict.signature() != signature) return false;
    if (now.verdict.kind != "answers") return true;
    if (!broken.clause.starts_with("not modelled")) return breaks(broken, sides, smaller, now);
    // In a smaller question, the part that is not modelled may be gone.
    broken = rule_of(sides, smaller, now);
    return true;
  };
  std::map<std::string, std::uint64_t> failures;
  std::optional<std::pair<SentQuestion, Exchange>> failed;  // the last failure, if no failure is being shrunk
  std::size_t failures_sum = 0;
  bool cut_short = false;
  SentQuestion smallest = sent;
  Exchange last = exchange;  // the replies to it
  const auto gives_up = [&] {
    cut_short |= stop || failures_sum > k_failures_in_between ||
                 std::chrono::steady_clock::now() - start > k_shrink_time;
    return cut_short;
  };
  const auto still_shows = [&](const Json& smaller) {
    Result<SentQuestion> read = sent_question(smaller, sent.command, "question");
    if (!read) return false;  // not a valid question, such as one without a pod
    if (shrinking.keeps_labels && !keeps_labels(smallest.line, smaller)) return false;
    const std::optional<Exchange> now = run_both(sides, smaller);
    if (now && now->right.failure && !exchange.right.failure) {
      ++failures_sum;
      ++failures[std::string(oracle::code_of(now->right.failure->kind))];
      failed = {read.value(), *now};
    }
    if (!now || !is_same(read.value(), *now)) return false;
    smallest = std::move(read).value();
    last = *now;
    return true;
  };
  const bool repeats = !verdict.kind.starts_with("not repeated");
  const bool hangs = verdict.kind.ends_with("hung");
  if (repeats && shrinking.keeps_labels) still_shows(labelled_part(sent.line));
  const bool is_minimal =
      repeats &&
      shrink(smallest.line, still_shows, hangs ? k_asks_of_the_hung : shrinking.asks, gives_up).minimal;

  Difference difference = described(sides, smallest, last, broken);
  difference.found.minimal = is_minimal && !cut_short;
  difference.failures = std::move(failures);
  if (failed)
    difference.failed = std::make_shared<Difference>(
        described(sides, failed->first, failed->second, rule_of(sides, failed->first, failed->second)));
  return difference;
}

Difference described(const Participants& sides, const SentQuestion& sent, const Exchange& exchange,
                     const oracle::BrokenRule& broken) {
  Difference difference{sent, exchange, {}};
  const Json& question = sent.line;
  Found& found = difference.found;
  found.signature = exchange.verdict.signature();
  found.hash = hash_of(found.signature + question.dump());
  found.nodes = question.value("nodes", Json::array()).size();
  found.pods = question.value("pods", Json::array()).size() + 1;
  found.clause = broken.clause;
  found.explained_by = oracle::explanation_of(broken, sides.release);
  if (exchange.verdict.kind == "answers") {
    const Suspect suspect = suspect_of(sides, sent, exchange);
    difference.other_rules =
        oracle::other_rules(broken, sent.asked(), sides.release, suspect.release, suspect.answer);
  }
  for (const Reply* reply : {&exchange.left, &exchange.right}) {
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
  if (answer["outcome"] == "scheduled") {
    for (const char* key : {"node", "feasible", "scores", "totals", "best", "filter"}) {
      if (answer.contains(key)) kept[key] = answer[key];
    }
    if (answer.contains("observed")) kept["chosen"] = answer["observed"];
    return kept;
  }
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

Result<SentQuestion> read_question_of_vector(const std::filesystem::path& file) {
  const Result<std::vector<oracle::VectorFile>> files = oracle::read_vectors(file);
  if (!files) return files.error();
  if (files.value().size() != 1 || files.value()[0].cases.size() != 1)
    return Error{"vector-malformed", file.string(), "expected a file with one case"};
  const oracle::VectorFile& vectors = files.value()[0];
  return sent_question(vectors.cases[0].question, vectors.command, file.string() + ": question");
}

std::string difference_report(const Participants& sides, const Difference& difference,
                              const std::filesystem::path& vector) {
  const Found& found = difference.found;
  std::string text = sentence_of(sides, difference) + "\n\n";
  for (const oracle::Difference& each : difference.exchange.verdict.differences) {
    text += each.key + "\n  " + sides.right.name() + ": " + each.given + "\n  " + sides.left.name() + ": " +
            each.ours + "\n";
  }
  text += "\nRule: " + titled(found.clause) + "\n";
  text += indented(statement_of(found.clause));
  if (found.explained_by.starts_with("with "))
    text += "kube-scheduler " + sides.left.release() + " does not have this rule. " + sides.right.name() +
            " answers as if it did.\n";
  if (!found.explained_by.empty())
    text += "The reference " + found.explained_by + " gives the same answer as " + sides.right.name() + ".\n";
  for (const oracle::BrokenRule& each : difference.other_rules)
    text += "Another rule may be the cause: " + titled(each.clause) + ". The reference " +
            oracle::explanation_of(each, sides.release) + " gives the same answer, too.\n";
  text += "Cluster: " + oracle::count_of(found.nodes, "node") + ", " + oracle::count_of(found.pods, "pod") +
          " with the preemptor, " + oracle::name_and_priority(difference.sent.question.pod) +
          (found.minimal ? "; no smaller cluster shows this difference by this rule" : "") + "\n";
  text += "\n" + explained(sides, difference);
  text += "\n" + told_of(sides.right.name(), difference.exchange.right);
  text += "\n" + told_of(sides.left.name(), difference.exchange.left);
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
  std::error_code failure;  // write_bytes() reports it
  std::filesystem::create_directories(file.parent_path(), failure);
  return kubernetes::write_bytes(file, vector.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

std::optional<Error> write_difference(const std::filesystem::path& dir, const Participants& sides,
                                      const Difference& difference) {
  const std::filesystem::path place = dir / "differences";
  const std::filesystem::path vector = place / (difference.found.hash + ".json");
  if (std::optional<Error> error = write_vector(vector, vector_of(sides, difference))) return error;
  const std::filesystem::path words = place / (difference.found.hash + ".txt");
  return kubernetes::write_bytes(words, as_comment(difference_report(sides, difference, portable(vector))) +
                                            cluster_as_yaml(difference.sent.question));
}

}  // namespace touchstone::fuzz
