#include "oracle/protocol/protocol.hpp"

#include <algorithm>
#include <array>
#include <istream>
#include <nlohmann/json.hpp>
#include <ostream>

#include "kubernetes/objects/question.hpp"
#include "kubernetes/text/json.hpp"
#include "oracle/protocol/engines.hpp"
#include "spec/releases/known_releases.hpp"

namespace touchstone::oracle {

namespace {

using kubernetes::Document;
using kubernetes::InvalidInput;
using kubernetes::Value;

std::string_view text_of(Code code) {
  switch (code) {
    case Code::success:
      return "Success";
    case Code::unschedulable:
      return "Unschedulable";
    case Code::unschedulable_and_unresolvable:
      return "UnschedulableAndUnresolvable";
    case Code::error:
      break;
  }
  return "Error";
}

Json names_of(const Cluster& cluster, const std::vector<PodIndex>& pods) {
  Json names = Json::array();
  for (const PodIndex pod : pods) names.push_back(cluster.pods[pod].full_name());
  return names;
}

/// Adds the members node, victims and numPDBViolations. `admissible`, `anyOrder` and the decision itself have
/// these members.
void put_candidate(Json& json, const Cluster& cluster, const Candidate& candidate) {
  json["node"] = cluster.nodes[candidate.node].name;
  json["victims"] = names_of(cluster, candidate.victims);
  json["numPDBViolations"] = candidate.pdb_violations;
}

std::string_view text_of(Stage stage) {
  constexpr std::array<std::string_view, 10> k_texts = {
      "attempt", "eligibility", "potential", "search", "withoutVictims",
      "budget",  "reprieve",    "candidate", "choice", "outcome"};
  static_assert(static_cast<std::size_t>(Stage::outcome) + 1 == k_texts.size());
  return k_texts[static_cast<std::size_t>(stage)];
}

void put_found(Json& json, const Cluster& cluster, const std::optional<PodIndex>& pod,
               const std::string& what, const Values& values) {
  if (pod) json["pod"] = cluster.pods[*pod].full_name();
  json["what"] = what;
  for (const auto& [measure, value] : values) json["values"][std::string(name_of(measure))] = value;
}

Json statuses_of(const Cluster& cluster, const std::map<NodeIndex, Status>& statuses) {
  Json json = Json::object();
  for (const auto& [node, status] : statuses) {
    Json& entry = json[cluster.nodes[node].name];
    entry["code"] = text_of(status.code);
    if (!status.plugin.empty()) entry["plugin"] = status.plugin;
    entry["reasons"] = status.reasons;
    if (!status.any_reason_of.empty()) entry["anyReasonOf"] = status.any_reason_of;
  }
  return json;
}

Json hello(Engine engine) {
  Json json;
  json["name"] = engine == Engine::optimized ? "touchstone-optimized" : "touchstone-reference";
  json["version"] = TOUCHSTONE_VERSION;
  json["protocol"] = k_protocol;
  json["releases"] = Json::array();
  for (const Version& release : answered_releases()) json["releases"].push_back(release.text());
  json["features"] = {"core", "offset", "quota", "nomination"};
  if (engine != Engine::optimized) {
    for (const char* whole : {"filter", "dryRun", "anyOrder", "message", "trace"})
      json["features"].push_back(whole);
  }
  return json;
}

bool flag(const Value& line, std::string_view key) {
  const auto value = line.find(key);
  return value && value->boolean();
}

/// The error that replaces the answer when the two engines differ.
Json engines_differ(const std::vector<Difference>& differences) {
  std::string text;
  for (const Difference& each : differences)
    text += (text.empty() ? "" : "; ") + each.key + ": the optimized engine says " + each.given +
            ", the reference " + each.ours;
  return Json{{"error", error_of({"engines-differ", differences.front().key, text})}};
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

namespace {

Json run(const Value& line, Engine engine, const Decider& decider) {
  refuse_unknown_keys(line, {"cmd",
                             "seq",
                             "release",
                             "nodes",
                             "pods",
                             "pdbs",
                             "pod",
                             "offset",
                             "quota",
                             "anyOrder",
                             "trace",
                             "repeat",
                             "timings",
                             "namespaces",
                             "priorityClasses",
                             "pvcs",
                             "pvs",
                             "storageClasses",
                             "csiNodes",
                             "csiDrivers",
                             "volumeAttachments",
                             "csiStorageCapacities"});
  const auto name = line.find("release");
  if (!name)
    return Json{
        {"error", error_of({"missing-field", "release", "a run needs a release, such as \"v1.34.4\""})}};
  const Result<NamedRelease> named = find_release(name->string());
  if (!named) return Json{{"error", error_of(named.error())}};
  const Result<Question> question = kubernetes::read_question(line);
  if (!question) return Json{{"error", error_of(question.error())}};
  const Wanted wanted{flag(line, "anyOrder"), flag(line, "trace")};
  return answer_of(question.value(), named.value(), wanted, engine, decider);
}

/// Cuts a text to 500 bytes. An error may quote its input, and the input may be huge.
std::string shortened(const std::string& text) {
  constexpr std::size_t k_most = 500;
  return text.size() <= k_most ? text : text.substr(0, k_most) + "...";
}

/// A JSON value as one line. A character that was cut in the middle becomes a replacement character.
std::string line_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

void refuse_unknown_keys(const Value& object, std::initializer_list<std::string_view> known) {
  for (const Value member : object.members()) {
    if (std::find(known.begin(), known.end(), member.key()) != known.end()) continue;
    member.fail("unknown-field", "expected a key of the protocol, found " + std::string(member.key()));
  }
}

bool is_answer_key(std::string_view key) {
  static constexpr std::array<std::string_view, 21> k_known = {
      "seq",     "outcome",          "feasible",   "ineligible", "reason",   "node",
      "victims", "numPDBViolations", "candidates", "admissible", "anyOrder", "filter",
      "dryRun",  "clears",           "nomination", "message",    "observed", "notes",
      "trace",   "skipped",          "timings"};
  return std::find(k_known.begin(), k_known.end(), key) != k_known.end();
}

std::string_view name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::fits:
      return "fits";
    case Outcome::ineligible:
      return "ineligible";
    case Outcome::none:
      return "none";
    case Outcome::nominated:
      return "nominated";
    case Outcome::error:
      return "error";
    case Outcome::skipped:
      break;
  }
  return "skipped";
}

std::string complaint_of(const std::exception& broken) {
  const std::string text = broken.what();
  const std::size_t id = text.find("] ");
  return text.starts_with("[json.exception.") && id != std::string::npos ? text.substr(id + 2) : text;
}

Json error_of(const Error& error) {
  return Json{{"code", error.code}, {"path", shortened(error.path)}, {"message", shortened(error.message)}};
}

Json answer_of(const Cluster& cluster, const Decision& decision) {
  Json json;
  if (decision.outcome == Outcome::skipped) {
    json["skipped"] = decision.reason;
    return json;
  }
  json["outcome"] = name_of(decision.outcome);
  if (decision.outcome == Outcome::fits) {
    json["feasible"] = Json::array();
    for (const NodeIndex node : decision.feasible) json["feasible"].push_back(cluster.nodes[node].name);
  }
  if (decision.outcome == Outcome::ineligible) json["ineligible"] = decision.reason;
  if (decision.outcome == Outcome::error) json["reason"] = decision.reason;
  if (decision.outcome == Outcome::nominated)
    put_candidate(json, cluster, decision.candidates[decision.chosen]);

  json["candidates"] = Json::object();
  for (const Candidate& candidate : decision.candidates) {
    Json& entry = json["candidates"][cluster.nodes[candidate.node].name];
    entry["victims"] = names_of(cluster, candidate.victims);
    entry["numPDBViolations"] = candidate.pdb_violations;
  }
  json["admissible"] = Json::array();
  for (const std::size_t i : decision.admissible)
    put_candidate(json["admissible"].emplace_back(), cluster, decision.candidates[i]);
  json["filter"] = statuses_of(cluster, decision.filter);
  json["dryRun"] = statuses_of(cluster, decision.dry_run);
  if (decision.outcome == Outcome::nominated) json["clears"] = names_of(cluster, decision.clears);
  switch (decision.nomination) {
    case Nomination::absent:
      break;
    case Nomination::set:
      json["nomination"] = "set";
      break;
    case Nomination::kept:
      json["nomination"] = "kept";
      break;
    case Nomination::cleared:
      json["nomination"] = "cleared";
      break;
  }
  if (!decision.message.empty()) json["message"] = decision.message;
  return json;
}

Json answer_in_part(const Cluster& cluster, const Decision& decision) {
  Json json = answer_of(cluster, decision);
  for (const char* key : {"candidates", "filter", "dryRun"}) json.erase(key);
  return json;
}

Json any_order_of(const Cluster& cluster, const AnyOrder& any_order) {
  if (!any_order.unknown.empty()) return Json{{"skipped", any_order.unknown}};
  Json json = Json::array();
  for (const Candidate& answer : any_order.answers) put_candidate(json.emplace_back(), cluster, answer);
  return json;
}

Json trace_of(const Cluster& cluster, const Trace& trace) {
  Json json = Json::array();
  for (const Step& step : trace.steps()) {
    Json& entry = json.emplace_back();
    entry["stage"] = text_of(step.stage);
    entry["clause"] = step.clause;
    entry["passed"] = step.passed;
    if (step.node) entry["node"] = cluster.nodes[*step.node].name;
    put_found(entry, cluster, step.pod, step.what, step.values);
    for (const Finding& finding : step.findings) {
      Json& found = entry["findings"].emplace_back(Json{{"clause", finding.clause}});
      put_found(found, cluster, finding.pod, finding.what, finding.values);
      if (finding.least_domain) found["leastDomain"] = *finding.least_domain;
    }
  }
  return json;
}

std::string Subject::answer(std::string_view line) {
  Json seq = nullptr;
  Json reply;
  try {
    const Result<Document> document = Document::parse(line, "line");
    if (!document) return line_of(Json{{"seq", seq}, {"error", error_of(document.error())}});
    const Value root = document.value().root();
    if (const auto number = root.find("seq")) seq = number->integer(INT64_MIN, INT64_MAX);
    const auto command = root.find("cmd");
    const std::string_view cmd = command ? command->string() : "";
    if (cmd == "bye") {
      done_ = true;
      return "";
    }
    if (cmd == "hello") {
      refuse_unknown_keys(root, {"cmd", "seq"});
      return hello(engine_).dump();
    }
    if (cmd == "run") {
      reply = run(root, engine_, decider_);
    } else {
      reply["error"] = error_of({"unknown-command", "cmd", "expected \"hello\", \"run\" or \"bye\""});
    }
  } catch (const InvalidInput& invalid) {
    reply = Json{{"error", error_of(invalid.error)}};
  }
  Json answer{{"seq", seq}};
  answer.update(reply);
  return line_of(answer);
}

void serve(std::istream& in, std::ostream& out, Engine engine) {
  Subject subject(engine);
  std::string line;
  while (!subject.done() && std::getline(in, line)) {
    const std::string answer = subject.answer(line);
    if (!answer.empty()) out << answer << "\n" << std::flush;
  }
}

}  // namespace touchstone::oracle
