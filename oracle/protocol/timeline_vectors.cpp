#include "oracle/protocol/timeline_vectors.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "kubernetes/text/bytes.hpp"
#include "kubernetes/text/json.hpp"
#include "oracle/protocol/protocol.hpp"
#include "oracle/protocol/timeline.hpp"

namespace touchstone::oracle {

namespace {

RecordedTimeline parse_timeline(const std::string& line) {
  const Json json = Json::parse(line);
  RecordedTimeline timeline;
  timeline.name = json.at("name");
  timeline.release = json.at("release");
  timeline.clauses = json.at("clauses");
  timeline.recorded = json.value("recorded", true);
  timeline.commands = json.at("commands");
  timeline.answers = json.at("answers");
  if (timeline.commands.size() != timeline.answers.size())
    throw std::invalid_argument("expected as many answers as commands");
  return timeline;
}

Result<std::vector<RecordedTimeline>> read_file(const std::filesystem::path& path) {
  const Result<std::string> text = kubernetes::read_bytes(path.string(), kubernetes::Progress());
  if (!text) return text.error();
  std::vector<RecordedTimeline> timelines;
  std::istringstream lines(text.value());
  for (std::string line; std::getline(lines, line);) {
    try {
      timelines.push_back(parse_timeline(line));
    } catch (const std::exception& broken) {
      const std::string place = path.string() + ":" + std::to_string(timelines.size() + 1);
      return Error{"vector-malformed", place, complaint_of(broken)};
    }
  }
  return timelines;
}

/// The calls of an answer, by pod. Patches that change only a message are left out.
std::map<std::string, std::vector<Json>> calls_by_pod(const Json& answer) {
  std::map<std::string, std::vector<Json>> calls;
  if (!answer.contains("calls")) return calls;
  for (const Json& call : answer["calls"]) {
    const bool says_nothing =
        call.value("call", "") == "patch" && !call.contains("nominatedNodeName") && !call.contains("reason");
    if (says_nothing) continue;
    Json compared = Json::object();
    for (const char* key : {"call", "nominatedNodeName", "reason", "held"}) {
      if (call.contains(key)) compared[key] = call[key];
    }
    calls[call.value("pod", "")].push_back(std::move(compared));
  }
  return calls;
}

/// The first key of `expected` whose value differs. The order of members does not matter.
std::optional<Difference> value_difference(const std::string& where, const Json& expected,
                                           const Json& found) {
  for (const auto& [key, value] : expected.items()) {
    const Json other = found.contains(key) ? found[key] : Json();
    const nlohmann::json wanted = value;
    const nlohmann::json given = other;
    if (wanted != given) return Difference{where + key, other.dump(), value.dump()};
  }
  return std::nullopt;
}

/// The answer to one command.
Json answer_to(const Json& command, Timeline& world) {
  try {
    const Result<kubernetes::Document> document = kubernetes::Document::parse(command.dump(), "command");
    const kubernetes::Value line = document.value().root();
    return world.answer(line, line.require("cmd").string());
  } catch (const kubernetes::InvalidInput& invalid) {
    return Json{{"error", invalid.error.message}};
  }
}

/// Two answers of a controller beside the scheduler, compared whole.
std::optional<Difference> part_difference(const Json& expected, const Json& found) {
  if (expected.contains("error") && found.contains("error")) return std::nullopt;
  if (std::optional<Difference> difference = value_difference("", expected, found)) return difference;
  return value_difference("", found, expected);
}

}  // namespace

std::optional<Difference> timeline_difference(const RecordedTimeline& timeline, MakeModel make) {
  Timeline world(make);
  const bool is_part = !timeline.commands.empty() && timeline.commands.front().contains("part");
  Json state = Json::object();
  for (std::size_t i = 0; i < timeline.commands.size(); ++i) {
    const Json found = answer_to(timeline.commands[i], world);
    Json expected = timeline.answers[i];
    if (!is_part && expected.contains("state")) {
      state.update(expected["state"]);
      expected["state"] = state;
    }
    std::optional<Difference> difference =
        is_part ? part_difference(expected, found) : answer_difference(expected, found);
    if (!difference) continue;
    difference->key = "commands[" + std::to_string(i) + "]." + difference->key;
    return difference;
  }
  return std::nullopt;
}

std::set<std::string> clauses_cited(const RecordedTimeline& timeline) {
  Timeline world;
  std::set<std::string> cited;
  for (Json command : timeline.commands) {
    if (command["cmd"] == "init") command["trace"] = true;
    const Json answer = answer_to(command, world);
    for (const Json& clause : answer.value("clauses", Json::array())) cited.insert(clause.get<std::string>());
  }
  return cited;
}

Result<std::vector<RecordedTimeline>> read_timelines(const std::filesystem::path& place) {
  std::vector<std::filesystem::path> paths;
  if (std::filesystem::is_directory(place)) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(place)) {
      if (entry.path().extension() == ".jsonl") paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
  } else if (place.extension() == ".jsonl") {
    paths.push_back(place);
  }
  std::vector<RecordedTimeline> all;
  for (const std::filesystem::path& path : paths) {
    const Result<std::vector<RecordedTimeline>> timelines = read_file(path);
    if (!timelines) return timelines.error();
    for (const RecordedTimeline& each : timelines.value()) all.push_back(each);
  }
  return all;
}

std::optional<Difference> answer_difference(const Json& expected, const Json& found) {
  const bool errs = found.contains("error");
  if (expected.contains("error") != errs)
    return Difference{"error", errs ? found["error"].dump() : "none", expected.dump()};
  if (errs) return std::nullopt;
  // Another pod has other calls, another outcome and another state: the pod is the cause.
  if (expected.contains("pod") && expected["pod"] != found.value("pod", Json()))
    return Difference{"pod", found.value("pod", Json()).dump(), expected["pod"].dump()};
  if (calls_by_pod(expected) != calls_by_pod(found))
    return Difference{"calls", found.value("calls", Json()).dump(), expected.value("calls", Json()).dump()};
  Json rest = expected;
  for (const char* key : {"calls", "state"}) rest.erase(key);
  if (auto difference = value_difference("", rest, found)) return difference;
  return value_difference("state.", expected.value("state", Json::object()),
                          found.value("state", Json::object()));
}

VectorReport check_timelines(const std::vector<RecordedTimeline>& timelines, const VectorCheck& check,
                             const std::function<void()>& progress) {
  VectorReport report;
  for (const RecordedTimeline& timeline : timelines) {
    progress();
    if (!check.release.empty() && check.release != timeline.release) continue;
    if (!check.name.empty() && check.name != timeline.name) continue;
    const std::optional<Difference> difference = timeline_difference(timeline);
    if (!difference) {
      ++report.agreed[timeline.release];
    } else {
      report.disagreements.push_back(
          {timeline.name, timeline.release, difference->key, difference->ours, difference->given});
    }
  }
  return report;
}

}  // namespace touchstone::oracle
