#include "cli/json/simulation_json.hpp"

#include <nlohmann/json.hpp>

#include "kubernetes/write/written.hpp"
#include "oracle/protocol/timeline_state.hpp"

namespace touchstone::cli {

namespace {

using oracle::Json;
using oracle::SimulatedStep;

Json seconds_of(Quantity ns) { return static_cast<double>(ns) / 1e9; }

Json json_of_pods(const std::map<std::string, oracle::Whereabouts>& pods, const std::string& only) {
  Json json = Json::object();
  for (const auto& [name, pod] : pods) {
    if (only.empty() || only == name) json[name] = oracle::json_of(pod);
  }
  return json;
}

Json json_of_step(const SimulatedStep& step, const std::string& pod) {
  Json json{{"time", seconds_of(step.time_ns)}, {"actor", name_of(step.actor)}, {"what", step.what}};
  if (step.answer.cycle) json["cycle"] = oracle::result_of(*step.answer.cycle);
  if (!step.answer.calls.empty()) json["calls"] = oracle::calls_of(step.answer.calls);
  for (const Wake& wake : step.answer.wakes) json["wakes"].push_back({{"pod", wake.pod}, {"by", wake.by}});
  json["pods"] = json_of_pods(step.changed, pod);
  json["clauses"] = step.answer.clauses;
  return json;
}

}  // namespace

Json json_of(const oracle::Simulation& simulation, const std::string& pod) {
  Json json{{"release", simulation.script.release.version.text()},
            {"start", kubernetes::written_time(simulation.script.now_ns)},
            {"end", {{"time", seconds_of(simulation.end_ns)}, {"why", name_of(simulation.end)}}},
            {"notHappened", simulation.not_happened},
            {"steps", Json::array()}};
  for (const SimulatedStep& step : simulation.steps) {
    if (pod.empty() || step.changed.contains(pod)) json["steps"].push_back(json_of_step(step, pod));
  }
  json["pods"] = json_of_pods(simulation.pods, pod);
  return json;
}

}  // namespace touchstone::cli
