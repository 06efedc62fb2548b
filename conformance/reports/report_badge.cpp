#include "conformance/reports/report.hpp"

namespace touchstone::conformance {

namespace {

Json badge(const std::string& label, const std::string& message, const std::string& color) {
  return {{"schemaVersion", 1}, {"label", label}, {"message", message}, {"color", color}};
}

std::string label_of(const Report& report, std::string_view what) {
  return "kube-scheduler " + report.release + (what.empty() ? "" : " " + std::string(what));
}

}  // namespace

Json badge_of(const LevelResult& level, const Report& report) {
  const std::string label = label_of(report, level.suite->level->title);
  std::size_t good = 0;
  for (const CaseResult& each : level.results) good += is_good(each.verdict.kind) ? 1 : 0;
  const std::string share = std::to_string(good) + " of " + std::to_string(level.results.size());
  if (report.interrupted) return badge(label, "interrupted", "lightgrey");
  switch (outcome_of(level)) {
    case LevelOutcome::passes:
      return badge(label, "conforms (" + share + ")", "brightgreen");
    case LevelOutcome::known_failures:
      return badge(label, "known failures (" + share + ")", "yellow");
    case LevelOutcome::fails:
      return badge(label, share, "red");
    default:
      return badge(label, "not claimed", "lightgrey");
  }
}

Json badge_of_all(const Report& report) {
  std::size_t judged = 0;
  std::size_t passed = 0;
  for (const LevelResult& level : report.levels) {
    const LevelOutcome outcome = outcome_of(level);
    if (outcome != LevelOutcome::not_claimed) ++judged;
    if (outcome == LevelOutcome::passes) ++passed;
  }
  if (report.interrupted) return badge(label_of(report, ""), "interrupted", "lightgrey");
  const std::string message = std::to_string(passed) + " of " + std::to_string(judged) + " levels";
  const std::string color = !conforms(report) ? "red" : passed < judged ? "yellow" : "brightgreen";
  return badge(label_of(report, ""), message, color);
}

}  // namespace touchstone::conformance
