#include "cli/text/timeline_text.hpp"

#include <array>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/terminal/output.hpp"
#include "cli/terminal/text.hpp"

namespace touchstone::cli {

namespace {

using oracle::Json;

std::string member(const Json& json, const char* key) {
  return json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : "";
}

/// A member of a command. Commands may be of any shape; null: no such member.
const Json& child(const Json& json, const char* key) {
  static const Json k_none;
  return json.is_object() && json.contains(key) ? json[key] : k_none;
}

std::string joined_names(const Json& list) {
  std::string all;
  for (const Json& each : list) all += (all.empty() ? "" : ", ") + each.get<std::string>();
  return all;
}

/// "write create Pod default/p"
std::string command_text(const Json& command) {
  const std::string cmd = member(command, "cmd");
  if (cmd == "init") return "the scheduler starts: " + member(command, "release");
  std::string all = cmd;
  for (const char* key : {"verb", "kind", "call", "pod", "watch", "queue", "take", "result"}) {
    if (const std::string value = member(command, key); !value.empty()) all += " " + value;
  }
  const Json& metadata = child(child(command, "object"), "metadata");
  if (const std::string name = member(metadata, "name"); !name.empty()) {
    const std::string ns = member(metadata, "namespace");
    all += " " + (ns.empty() ? "" : ns + "/") + name;
  }
  if (command.contains("seconds")) all += " " + command["seconds"].dump() + " s";
  if (command.contains("count")) all += " " + command["count"].dump();
  return all;
}

bool has(const Json& list, const std::string& pod) {
  return std::find(list.begin(), list.end(), Json(pod)) != list.end();
}

/// Where a pod is in the scheduler. Empty: nowhere.
std::string queue_place(const Json& state, const std::string& pod) {
  for (const char* part : {"active", "backoff", "unschedulable"}) {
    if (!has(state[part], pod)) continue;
    std::string all = part;
    if (state["gated"].contains(pod)) all += ", gated by " + member(state["gated"], pod.c_str());
    const int attempts = state["attempts"].value(pod, 0);  // v1.13.0 counts none
    if (attempts != 0) all += ", attempts " + std::to_string(attempts);
    const Json rejectors = state["rejectors"].value(pod, Json::array());
    if (!rejectors.empty()) all += ", rejected by " + joined_names(rejectors);
    return all;
  }
  if (has(state["inFlight"], pod)) return "in flight";
  return state["assumed"].contains(pod) ? "assumed on " + member(state["assumed"], pod.c_str()) : "";
}

std::string join_parts(const std::vector<std::string>& parts) {
  std::string all;
  for (const std::string& part : parts) {
    if (!part.empty()) all += (all.empty() ? "" : "; ") + part;
  }
  return all;
}

/// A pod in the scheduler and in the API.
std::string pod_text(const Json& state, const std::string& pod) {
  if (!state["pods"].contains(pod)) {
    const std::string place = queue_place(state, pod);
    return place.empty() ? "gone" : join_parts({place, "gone from the API"});
  }
  const Json& stored = state["pods"][pod];
  std::string memory;
  for (const auto& [node, pods] : state["nominated"].items()) {
    if (has(pods, pod)) memory = "nominated to " + node;
  }
  if (const std::string node = member(stored, "nominatedNodeName");
      !node.empty() && memory != "nominated to " + node)
    memory = join_parts({memory, "nominatedNodeName " + node});
  const std::string node = member(stored, "nodeName");
  return join_parts({queue_place(state, pod), node.empty() ? "" : "on " + node, memory,
                     stored.value("terminating", false) ? "terminating" : ""});
}

std::map<std::string, std::string> pods_of(const Json& state) {
  std::map<std::string, std::string> pods;
  for (const auto& [name, stored] : state["pods"].items()) pods[name] = pod_text(state, name);
  for (const char* part : {"active", "backoff", "unschedulable", "inFlight"}) {
    for (const Json& name : state[part])
      pods[name.get<std::string>()] = pod_text(state, name.get<std::string>());
  }
  return pods;
}

std::string time_text(double seconds) {
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.3g s", seconds);
  return buffer.data();
}

/// The rows of one step: the command, then one row for each change.
class Steps {
 public:
  Steps(const TimelineShown& shown, const Terminal& terminal) : shown_(shown) {
    rows_.push_back(heading(terminal, {"STEP", "TIME", "COMMAND", "WHAT CHANGES"}));
  }

  void add(const PlayedCommand& step) {
    ++number_;
    if (const Json& seconds = child(step.command, "seconds"); seconds.is_number())
      seconds_ += seconds.get<double>();
    std::vector<std::string> changes = results_of(step.answer);
    const bool has_state = step.answer.contains("state");
    std::map<std::string, std::string> now = has_state ? pods_of(step.answer["state"]) : before_;
    const bool concerns = add_pod_changes(now, changes);
    before_ = std::move(now);
    if (!shown_.pod.empty() && !concerns) return;
    if (shown_.with_clauses && step.answer.contains("clauses"))
      changes.push_back("by " + joined_names(step.answer["clauses"]));
    if (changes.empty()) changes.emplace_back("nothing");
    for (std::size_t i = 0; i < changes.size(); ++i) {
      if (i == 0) {
        rows_.push_back({std::to_string(number_), time_text(seconds_), printable(command_text(step.command)),
                         printable(changes[i])});
      } else {
        rows_.push_back({"", "", "", printable(changes[i])});
      }
    }
  }

  std::string text(const Terminal& terminal) const { return table(terminal, rows_); }

 private:
  static std::vector<std::string> results_of(const Json& answer) {
    std::vector<std::string> results;
    if (answer.contains("error")) results.push_back("error: " + answer["error"].value("message", ""));
    if (answer.contains("skipped"))
      results.push_back("not modelled: " + answer["skipped"].get<std::string>());
    if (answer.contains("outcome")) results.push_back(result_text(answer));
    if (answer.contains("ended")) results.push_back("ended: " + result_text(answer["ended"]));
    if (answer.contains("calls")) {
      for (const Json& call : answer["calls"]) results.push_back("call: " + call_text(call));
    }
    return results;
  }

  /// Returns whether the pod that is asked for is among them.
  bool add_pod_changes(const std::map<std::string, std::string>& now,
                       std::vector<std::string>& changes) const {
    bool concerns = false;
    std::map<std::string, std::string> all = now;
    for (const auto& [pod, what] : before_) all.try_emplace(pod, "gone");
    for (const auto& [pod, what] : all) {
      const auto known = before_.find(pod);
      if (known != before_.end() && known->second == what) continue;
      changes.push_back(pod + ": " + (what.empty() ? "nowhere" : what));
      concerns = concerns || pod == shown_.pod;
    }
    return concerns;
  }

  const TimelineShown& shown_;
  std::vector<Row> rows_;
  std::map<std::string, std::string> before_;
  std::size_t number_ = 0;
  double seconds_ = 0;
};

}  // namespace

std::string result_text(const Json& result) {
  std::string all = member(result, "pod");
  all += (all.empty() ? "" : " ") + member(result, "outcome");
  if (const std::string node = member(result, "node"); !node.empty()) all += " on " + node;
  if (result.contains("victims")) all += ", evicts " + joined_names(result["victims"]);
  return all;
}

std::string call_text(const Json& call) {
  std::string detail;
  const auto add = [&detail](const std::string& part) { detail += (detail.empty() ? "" : ", ") + part; };
  if (call.contains("nominatedNodeName")) {
    const std::string node = member(call, "nominatedNodeName");
    add(node.empty() ? "no nominatedNodeName" : "nominatedNodeName " + node);
  }
  if (call.contains("reason")) add("reason " + member(call, "reason"));
  if (call.value("messageOnly", false)) add("message");
  if (call.value("held", false)) add("waits");
  return member(call, "call") + " " + member(call, "pod") + (detail.empty() ? "" : " (" + detail + ")");
}

std::string text_of(const std::vector<PlayedCommand>& timeline, const TimelineShown& shown,
                    const Terminal& terminal) {
  Steps steps(shown, terminal);
  for (const PlayedCommand& step : timeline) steps.add(step);
  return steps.text(terminal);
}

}  // namespace touchstone::cli
