#include "conformance/timelines.hpp"

#include <algorithm>
#include <sstream>

#include "kubernetes/text/bytes.hpp"
#include "reference/queue/play.hpp"

namespace touchstone::conformance {

namespace {

/// Takes the first alternative, and notes whether there was another that is left to chance.
class FirstAlternative final : public Choices {
 public:
  std::size_t pick(std::size_t n, std::string_view where) override {
    is_chance |= n > 1 && where != "QUE-SETTLE-1";  // the order of the scheduler's own steps is fixed
    return 0;
  }
  bool is_chance = false;
};

/// The features that the pods of a timeline, its nodes and its PDBs need.
std::set<std::string_view> features_of(const TimelineScript& script) {
  std::set<std::string_view> needed = {"timeline"};
  const auto add = [&needed](Question question) {
    question.pod.node_name.clear();
    needed.merge(features_needed(question, oracle::Command::run, Json::object()));
  };
  Question at_first;
  at_first.cluster.nodes = script.objects.nodes;
  at_first.cluster.pdbs = script.objects.pdbs;
  add(at_first);
  const auto add_pod = [&add](const Pod& pod) {
    Question question;
    question.pod = pod;
    add(question);
  };
  for (const PodObject& each : script.objects.pods) add_pod(each.pod);
  for (const TimelineCommand& command : script.commands) {
    const auto* write = std::get_if<WriteCommand>(&command);
    if (write == nullptr) continue;
    if (const auto* pod = std::get_if<PodObject>(&write->object)) add_pod(pod->pod);
    Question question;
    if (const auto* node = std::get_if<Node>(&write->object)) question.cluster.nodes = {*node};
    if (const auto* pdb = std::get_if<PodDisruptionBudget>(&write->object)) question.cluster.pdbs = {*pdb};
    add(question);
  }
  needed.erase("selectors");
  return needed;
}

/// The end of a text: "command 3 (cycle)".
std::string place_of(const Case& one, std::size_t line) {
  const Json& command = one.question.at("commands").at(line);
  return "command " + std::to_string(line) + " (" + command.at("cmd").get<std::string>() + ")";
}

/// Turns the verdict on an answer that is an error, or that skips its command, into one without a clause.
void judge_refusal(const Json& answer, CaseVerdict& verdict) {
  for (const char* key : {"skipped", "error"}) {
    if (!answer.contains(key)) continue;
    const Json& why = answer.at(key);
    const bool is_unsupported = key == std::string_view("skipped") ||
                                (why.is_object() && why.value("code", Json()) == "not-supported");
    verdict.kind = is_unsupported ? VerdictKind::unsupported : VerdictKind::malformed;
    verdict.clause.clear();
    verdict.differences.clear();
    verdict.detail += oracle::escaped(std::string(": ") + key + " " + why.dump());
  }
}

}  // namespace

Result<std::vector<oracle::RecordedTimeline>> read_mistaken_timelines(const std::string& file) {
  const Result<std::string> text = kubernetes::read_bytes(file, kubernetes::Progress());
  if (!text) return text.error();
  std::vector<oracle::RecordedTimeline> timelines;
  std::istringstream lines(text.value());
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    try {
      const Json json = Json::parse(line);
      oracle::RecordedTimeline& one = timelines.emplace_back();
      one.name = std::string(k_mistakes) + json.at("fault").get<std::string>();
      one.release = json.at("release");
      one.clauses = {json.at("clause")};
      one.commands = json.at("commands");
    } catch (const Json::exception& broken) {
      return Error{"vector-malformed", file + ":" + std::to_string(number), oracle::complaint_of(broken)};
    }
  }
  return timelines;
}

std::optional<Error> write_mistaken_timelines(const std::string& file,
                                              const std::vector<oracle::RecordedTimeline>& timelines) {
  std::string text;
  for (const oracle::RecordedTimeline& each : timelines) {
    const Json line{{"fault", each.name.substr(k_mistakes.size())},
                    {"clause", each.clauses.front()},
                    {"release", each.release},
                    {"commands", each.commands}};
    text += line.dump() + "\n";
  }
  return kubernetes::write_bytes(file, text);
}

std::optional<Case> timeline_case(const std::string& name, const std::string& source,
                                  std::vector<Json> lines, const Release& release) {
  if (!queue_is_modelled(release.version) || lines.empty()) return std::nullopt;
  for (Json& line : lines) line.erase("seq");
  lines.front()["release"] = release.version.text();
  const Result<TimelineScript> script = fuzz::script_of(lines);
  if (!script) return std::nullopt;
  FirstAlternative choices;
  const std::vector<Json> answers = fuzz::model_answers(script.value(), reference::timeline_model, choices);
  const auto is_error = [](const Json& answer) { return answer.contains("error"); };
  if (std::any_of(answers.begin(), answers.end(), is_error)) return std::nullopt;
  lines.front().erase("release");
  Case one{.name = name,
           .source = source,
           .question = {{"commands", std::move(lines)}},
           .needed = features_of(script.value()),
           .ours = {{"answers", answers}}};
  if (choices.is_chance) one.answers = 2;
  return one;
}

TimelineScript script_of(const Case& one, const Release& release) {
  std::vector<Json> lines = one.question.at("commands");
  lines.front()["release"] = release.version.text();
  return fuzz::script_of(lines).value();
}

CaseVerdict judge_timeline(const Case& one, const Release& release, const Json& given) {
  CaseVerdict verdict{.kind = one.answers > 1 ? VerdictKind::conforms_as_one_of : VerdictKind::conforms};
  verdict.given = given;
  const std::vector<Json> answers = given.at("answers");
  try {
    const auto difference = fuzz::difference_of(script_of(one, release), {answers});
    if (!difference) return verdict;
    if (!difference->skipped.empty()) {
      verdict.kind = VerdictKind::skipped;
      verdict.detail = "in the answer to " + place_of(one, difference->line) + ": " + difference->skipped;
      return verdict;
    }
    verdict.kind = VerdictKind::violates;
    verdict.clause = fuzz::clause_of(*difference);
    verdict.differences = {{"answers[" + std::to_string(difference->line) + "]." + difference->key,
                            difference->given, difference->ours}};
    verdict.detail = "in the answer to " + place_of(one, difference->line);
    judge_refusal(answers[difference->line], verdict);
  } catch (const Json::exception& broken) {
    verdict.kind = VerdictKind::malformed;
    verdict.detail = oracle::escaped(oracle::complaint_of(broken));
  }
  return verdict;
}

}  // namespace touchstone::conformance
