#include "oracle/protocol/protocol.hpp"

#include <algorithm>
#include <array>
#include <istream>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>

#include "kubernetes/configuration/configuration.hpp"
#include "kubernetes/objects/lists.hpp"
#include "kubernetes/objects/question.hpp"
#include "kubernetes/text/json.hpp"
#include "oracle/protocol/engines.hpp"
#include "oracle/protocol/line.hpp"
#include "oracle/protocol/placement_answer.hpp"
#include "spec/releases/known_releases.hpp"

namespace touchstone::oracle {

namespace {

using kubernetes::Document;
using kubernetes::InvalidInput;
using kubernetes::Value;

Json hello(Engine engine) {
  Json json;
  json["name"] = engine == Engine::optimized ? "touchstone-optimized" : "touchstone-reference";
  json["version"] = TOUCHSTONE_VERSION;
  json["protocol"] = k_protocol;
  json["releases"] = Json::array();
  for (const Version& release : answered_releases()) json["releases"].push_back(release.text());
  // What questions may contain, then what answers contain.
  json["features"] = {"core",  "requests", "pdbs",   "nominated",    "taints",       "selectors",
                      "ports", "affinity", "spread", "nodeFeatures", "volumes",      "offset",
                      "quota", "schedule", "start",  "config",       "featureGates", "nomination"};
  if (engine != Engine::optimized) {
    for (const char* whole : {"filter", "dryRun", "anyOrder", "message", "trace", "extenders", "policy",
                              "timeline", "disruption", "leaderElection"})
      json["features"].push_back(whole);
  }
  return json;
}

bool flag(const Value& line, std::string_view key) {
  const auto value = line.find(key);
  return value && value->boolean();
}

}  // namespace

Json answer_of(const Question& question, const NamedRelease& named, const Wanted& wanted, Engine engine,
               const Decider& decider) {
  const Release& release = named.release;
  Trace trace = wanted.trace ? Trace::full() : Trace::none();
  const Decided decided = decide(question, release, engine, decider, trace);
  if (!decided.differences.empty()) return engines_differ(decided.differences);
  const Decision& decision = decided.decision;
  Json answer =
      decided.is_whole ? answer_of(question.cluster, decision) : answer_in_part(question.cluster, decision);
  if (!named.notes.empty()) answer["notes"] = named.notes;
  if (!decided.is_whole) return answer;
  if (wanted.any_order && decision.outcome == Outcome::nominated) {
    answer["anyOrder"] =
        any_order_of(question.cluster, decider.any_order(question, release, k_any_order_limit));
  }
  if (trace.enabled()) answer["trace"] = trace_of(question.cluster, trace);
  return answer;
}

Result<NamedRelease> read_release(const Value& line) {
  const auto name = line.find("release");
  if (!name) return Error{"missing-field", "release", "a question needs a release, such as \"v1.34.4\""};
  return find_release(name->string());
}

namespace {

/// Applies the feature gates and the configuration of a question to its release, or else the defaults.
std::optional<Error> configure(const Value& line, const SchedulerDefaults& defaults, const Pod& pod,
                               NamedRelease& named) {
  Result<Release> gated = line.find("featureGates")
                              ? kubernetes::gated_by_member(line, named.release)
                              : with_feature_gates(named.release, defaults.gates, "--feature-gates");
  if (!gated) return gated.error();
  Result<Release> release =
      line.find("config") || line.find("policy") || !defaults.config
          ? kubernetes::configured_by_member(line, gated.value(), pod.scheduler_name)
          : kubernetes::configured(defaults.config->root(), gated.value(), pod.scheduler_name);
  if (!release) return release.error();
  named.release = std::move(release).value();
  return std::nullopt;
}

Json ask(const Value& line, Command command, const SchedulerDefaults& defaults, Engine engine,
         const Decider& decider) {
  refuse_unknown_keys(
      line,
      {"cmd", "seq", "release", "pod", "offset", "quota", "config", "policy", "extenders", "featureGates",
       "anyOrder", "trace", "repeat", "timings", command == Command::schedule ? "start" : "cmd"},
      kubernetes::k_lists);
  Result<NamedRelease> read = read_release(line);
  if (!read) return Json{{"error", error_of(read.error())}};
  NamedRelease named = std::move(read).value();
  const Result<Question> question = kubernetes::read_question(line);
  if (!question) return Json{{"error", error_of(question.error())}};
  if (const auto error = configure(line, defaults, question.value().pod, named))
    return Json{{"error", error_of(*error)}};
  return answer_of(line, command, question.value(), named, engine, decider);
}

/// Cuts a text to 500 bytes. An error may quote its input, and the input may be huge.
std::string shortened(const std::string& text) {
  constexpr std::size_t k_most = 500;
  return text.size() <= k_most ? text : text.substr(0, k_most) + "...";
}

/// A JSON value as one line. A character that was cut in the middle becomes a replacement character.
std::string line_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

Json answer_of(const Value& line, Command command, const Question& question, const NamedRelease& named,
               Engine engine, const Decider& decider) {
  if (command == Command::schedule && flag(line, "anyOrder"))
    line.find("anyOrder")->fail("not-supported", "schedule does not support this key");
  if (command == Command::schedule)
    return placement_answer(question, named, engine, decider, flag(line, "trace"));
  return answer_of(question, named, {flag(line, "anyOrder"), flag(line, "trace")}, engine, decider);
}

std::optional<Command> command_of(const Value& line) {
  const auto name = line.find("cmd");
  for (const Command command : {Command::run, Command::schedule}) {
    if (name && name->string() == name_of(command)) return command;
  }
  return std::nullopt;
}

Json unknown_command() {
  return Json{{"error", error_of({"unknown-command", "cmd", "expected a command of spec/protocol.md"})}};
}

void refuse_unknown_keys(const Value& object, std::initializer_list<std::string_view> known,
                         std::span<const std::string_view> more) {
  for (const Value member : object.members()) {
    if (std::find(known.begin(), known.end(), member.key()) != known.end()) continue;
    if (std::find(more.begin(), more.end(), member.key()) != more.end()) continue;
    member.fail("unknown-field", "expected a known key, found " + std::string(member.key()));
  }
}

bool is_answer_key(std::string_view key) {
  static constexpr std::array<std::string_view, 27> k_known = {
      "seq",       "outcome",          "feasible",   "ineligible", "reason",   "node",
      "victims",   "numPDBViolations", "candidates", "admissible", "anyOrder", "filter",
      "dryRun",    "clears",           "nomination", "message",    "observed", "notes",
      "trace",     "skipped",          "timings",    "scores",     "totals",   "best",
      "nextStart", "otherReasons",     "fits"};
  return std::find(k_known.begin(), k_known.end(), key) != k_known.end();
}

std::string complaint_of(const std::exception& broken) {
  const std::string text = broken.what();
  const std::size_t id = text.find("] ");
  if (!text.starts_with("[json.exception.") || id == std::string::npos) return text;
  const std::string complaint = text.substr(id + 2);
  const std::string_view no_object = "cannot use at() with ";
  if (complaint.starts_with(no_object))
    return "expected an object, found " + complaint.substr(no_object.size());
  return complaint;
}

Json error_of(const Error& error) {
  return Json{{"code", error.code}, {"path", shortened(error.path)}, {"message", shortened(error.message)}};
}

std::string answer_line(std::string_view line, const std::function<Reply(const Value&)>& reply_to) {
  Json seq = nullptr;
  Reply reply;
  try {
    const Result<Document> document = Document::parse(line, "line");
    if (!document) return line_of(Json{{"seq", seq}, {"error", error_of(document.error())}});
    const Value root = document.value().root();
    if (const auto number = root.find("seq")) seq = number->integer(INT64_MIN, INT64_MAX);
    reply = reply_to(root);
  } catch (const InvalidInput& invalid) {
    reply = {Json{{"error", error_of(invalid.error)}}};
  }
  if (reply.json.is_null()) return "";
  if (!reply.has_seq) return reply.json.dump();
  Json answer{{"seq", seq}};
  answer.update(reply.json);
  return line_of(answer);
}

std::string Subject::answer(std::string_view line) {
  return answer_line(line, [this](const Value& root) -> Reply {
    const auto command = root.find("cmd");
    const std::string_view cmd = command ? command->string() : "";
    if (cmd == "bye") {
      done_ = true;
      return {};
    }
    if (cmd == "hello") {
      refuse_unknown_keys(root, {"cmd", "seq"});
      return {hello(engine_), false};
    }
    if (const auto asked = command_of(root)) return {ask(root, *asked, defaults_, engine_, decider_)};
    if (is_timeline_command(cmd) && engine_ != Engine::optimized) return {timeline_.answer(root, cmd)};
    return {unknown_command()};
  });
}

void serve(std::istream& in, std::ostream& out, Subject& subject) {
  std::string line;
  while (!subject.done() && std::getline(in, line)) {
    const std::string answer = subject.answer(line);
    if (!answer.empty()) out << answer << "\n" << std::flush;
  }
}

}  // namespace touchstone::oracle
