#include "cli/text/simulation_text.hpp"

#include <nlohmann/json.hpp>

#include "cli/terminal/output.hpp"
#include "cli/terminal/text.hpp"
#include "cli/text/timeline_text.hpp"
#include "oracle/protocol/timeline_state.hpp"

namespace touchstone::cli {

namespace {

using oracle::SimulatedStep;
using oracle::Simulation;

std::string names_text(const std::set<std::string_view>& names) {
  std::string all;
  for (const std::string_view name : names) all += (all.empty() ? "" : ", ") + std::string(name);
  return all;
}

std::string what_of(const SimulatedStep& step) {
  if (!step.answer.cycle) return step.what;
  const CycleResult& result = *step.answer.cycle;
  switch (result.outcome) {
    case CycleOutcome::none:
      return result.pod + " fits on no node, and preemption cannot help";
    case CycleOutcome::ineligible:
      return result.pod + " fits on no node, and may not preempt";
    case CycleOutcome::error:
      return "the attempt for " + result.pod + " ends in an error";
    case CycleOutcome::dropped:
      return result.pod + " is left alone";
    case CycleOutcome::skipped:
      return result.pod + " is not modelled: " + result.skipped;
    default:
      return result_text(oracle::result_of(result));
  }
}

/// What a step did, and what it changed: one line each.
std::vector<std::string> lines_of(const SimulatedStep& step, const SimulationShown& shown) {
  std::vector<std::string> lines = {what_of(step)};
  if (!shown.is_brief) {
    for (const oracle::Json& call : oracle::calls_of(step.answer.calls))
      lines.push_back("call: " + call_text(call));
  }
  for (const auto& [name, pod] : step.changed) {
    if (shown.pod.empty() || shown.pod == name) lines.push_back(name + ": " + text_of(pod));
  }
  if (!shown.is_brief && !step.answer.clauses.empty())
    lines.push_back("by " + names_text(step.answer.clauses));
  return lines;
}

bool is_shown(const SimulatedStep& step, const SimulationShown& shown) {
  if (!shown.pod.empty()) return step.changed.contains(shown.pod);
  return !step.changed.empty() || step.actor != oracle::Actor::timer;
}

std::string end_text(const Simulation& simulation) {
  const std::string time = oracle::seconds_text(simulation.end_ns);
  switch (simulation.end) {
    case oracle::SimulationEnd::at_rest:
      return "At rest after " + time +
             ": nothing happens by itself before a timer for pods that waited too long";
    case oracle::SimulationEnd::at_time:
      return "Stopped at " + time;
    default:
      return "Stopped at " + time + ", after " + std::to_string(simulation.steps.size()) + " steps";
  }
}

}  // namespace

std::string text_of(const Simulation& simulation, const SimulationShown& shown, const Terminal& terminal) {
  std::vector<Row> rows = {heading(terminal, {"TIME", "ACTOR", "WHAT HAPPENS"})};
  for (const SimulatedStep& step : simulation.steps) {
    if (!is_shown(step, shown)) continue;
    const std::vector<std::string> lines = lines_of(step, shown);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (i == 0) {
        rows.push_back(
            {oracle::seconds_text(step.time_ns), std::string(name_of(step.actor)), printable(lines[i])});
      } else {
        rows.push_back({"", "", "  " + printable(lines[i])});
      }
    }
  }
  std::string text = table(terminal, rows) + "\n" + end_text(simulation) + "\n";
  for (const std::string& event : simulation.not_happened)
    text += "Did not happen: " + printable(event) + "\n";
  for (const auto& [name, pod] : simulation.pods) {
    const bool waits = pod.place != oracle::Place::on_node && pod.place != oracle::Place::gone;
    if (shown.pod.empty() ? waits : shown.pod == name) text += printable(name + ": " + text_of(pod)) + "\n";
    if (shown.pod == name && !pod.message.empty()) text += "  " + printable(pod.message) + "\n";
  }
  return text;
}

}  // namespace touchstone::cli
