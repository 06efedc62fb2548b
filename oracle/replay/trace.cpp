#include "oracle/replay/trace.hpp"

#include <nlohmann/json.hpp>
#include <sstream>

#include "kubernetes/text/bytes.hpp"

namespace touchstone::oracle {

namespace {

struct Line {
  std::string place;
  Json json;
};

/// The lines of a file that are not empty, or the elements of a list that is the whole file: objects.
Result<std::vector<Line>> read_lines(const std::string& path) {
  const Result<std::string> text = kubernetes::read_bytes(path, kubernetes::Progress());
  if (!text) return text.error();
  std::vector<Line> all;
  const Json list = text.value().starts_with('[') ? Json::parse(text.value(), nullptr, false) : Json();
  if (list.is_array()) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string place = kubernetes::name_of_file(path) + ": [" + std::to_string(i) + "]";
      if (!list[i].is_object()) return Error{"trace-malformed", place, "expected a JSON object"};
      all.push_back({place, list[i]});
    }
    return all;
  }
  std::istringstream lines(text.value());
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.empty()) continue;
    const std::string place = kubernetes::name_of_file(path) + ":" + std::to_string(number);
    Json json = Json::parse(line, nullptr, false);
    if (!json.is_object()) return Error{"trace-malformed", place, "expected a JSON object"};
    all.push_back({place, std::move(json)});
  }
  return all;
}

bool is_text(const Json& json, const char* key) { return json.contains(key) && json[key].is_string(); }

/// An answer that shows the whole state has all calls as well: without the key, there was none.
void complete(Json& answer) {
  if (!answer.contains("state") || answer.contains("calls")) return;
  const Json& state = answer["state"];
  const bool is_whole = state.is_object() && state.contains("active") && state.contains("inFlight") &&
                        state.contains("pods") && state.contains("held");
  if (is_whole) answer["calls"] = Json::array();
}

/// The steps of a timeline of spec/vectors/time. The state of an answer has the keys that changed.
Result<std::vector<TraceStep>> steps_of_timeline(const Line& line) {
  const Json& commands = line.json["commands"];
  const Json answers = line.json.value("answers", Json());
  if (!commands.is_array() || !answers.is_array() || commands.size() != answers.size())
    return Error{"trace-malformed", line.place, "expected as many answers as commands"};
  std::vector<TraceStep> steps;
  Json state = Json::object();
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const std::string place = line.place + ": commands[" + std::to_string(i) + "]";
    TraceStep step{place, commands[i], answers[i]};
    if (!is_text(step.command, "cmd") || !step.answer.is_object())
      return Error{"trace-malformed", place, "expected a command, an object with \"cmd\", and its answer"};
    if (step.answer.contains("state") && step.answer["state"].is_object()) {
      state.update(step.answer["state"]);
      step.answer["state"] = state;
    }
    complete(step.answer);
    steps.push_back(std::move(step));
  }
  return steps;
}

Result<TraceStep> step_of(const Line& line) {
  TraceStep step{line.place, Json(), Json()};
  if (is_text(line.json, "cmd")) {
    step.command = line.json;
  } else if (line.json.contains("command") || line.json.contains("answer")) {
    step.command = line.json.value("command", Json());
    step.answer = line.json.value("answer", Json());
  } else {
    step.answer = line.json;
  }
  const bool is_command = step.command.is_null() || is_text(step.command, "cmd");
  const bool is_answer = step.answer.is_null() || step.answer.is_object();
  if (!is_command || !is_answer)
    return Error{"trace-malformed", line.place,
                 "expected a command, an object with \"cmd\", or an answer, an object"};
  if (!step.answer.is_null()) complete(step.answer);
  return step;
}

/// Gives the steps the commands of another file.
Result<std::vector<TraceStep>> with_commands(std::vector<TraceStep> steps, const std::string& path) {
  const Result<std::vector<Line>> lines = read_lines(path);
  if (!lines) return lines.error();
  if (lines.value().size() != steps.size())
    return Error{"trace-malformed", path,
                 "expected as many commands as the trace has answers, " + std::to_string(steps.size()) +
                     ", found " + std::to_string(lines.value().size())};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    steps[i].command = lines.value()[i].json;
    if (!is_text(steps[i].command, "cmd"))
      return Error{"trace-malformed", lines.value()[i].place, "expected a command, an object with \"cmd\""};
  }
  return steps;
}

}  // namespace

Result<std::vector<TraceStep>> read_trace(const std::string& path, const std::string& commands,
                                          const std::string& name) {
  const Result<std::vector<Line>> lines = read_lines(path);
  if (!lines) return lines.error();
  std::vector<TraceStep> steps;
  for (const Line& line : lines.value()) {
    if (line.json.contains("commands")) {
      if (name.empty() || line.json.value("name", Json()) == name) return steps_of_timeline(line);
      continue;
    }
    Result<TraceStep> step = step_of(line);
    if (!step) return step.error();
    steps.push_back(std::move(step).value());
  }
  if (steps.empty())
    return Error{"unknown-timeline", path,
                 name.empty() ? "expected a line" : "expected a timeline with the name " + name};
  return commands.empty() ? Result<std::vector<TraceStep>>(steps) : with_commands(std::move(steps), commands);
}

}  // namespace touchstone::oracle
