#include "fuzz/behaviour/coverage_selection.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "fuzz/behaviour/behaviour.hpp"
#include "fuzz/behaviour/placement_behaviour.hpp"
#include "reference/cycle/schedule.hpp"
#include "reference/preemption/preempt.hpp"

namespace touchstone::fuzz {

namespace {

using oracle::Json;

/// What the reference does with a question: a decision or, for `schedule`, a placement with its decision.
struct Done {
  Placement placement;
  const Decision& decision() const { return placement.decision; }
  bool operator==(const Done&) const = default;
};

Done decide(const oracle::Asked& asked, const Release& release, Trace& trace) {
  CanonicalChoices choices;
  if (asked.command == oracle::Command::schedule)
    return {reference::schedule(asked.question, release, choices, trace)};
  Done done;
  done.placement.decision = reference::preempt(asked.question, release, trace);
  return done;
}

/// Rows that some of the releases have and others lack.
std::vector<const Change*> changes_between(const std::vector<Release>& releases) {
  std::vector<const Change*> changes;
  for (const Change& change : release_table()) {
    const auto has = [&change](const Release& release) { return has_change(change, release.version); };
    if (std::any_of(releases.begin(), releases.end(), has) &&
        !std::all_of(releases.begin(), releases.end(), has))
      changes.push_back(&change);
  }
  return changes;
}

/// The parts of two answers that differ, without node names.
std::set<std::string> changed_parts(const Json& before, const Json& after) {
  std::set<std::string> parts;
  for (const char* key : {"outcome", "candidates", "filter", "dryRun", "ineligible", "observed", "message"}) {
    if (before.value(key, Json()) != after.value(key, Json())) parts.insert(key);
  }
  return parts;
}

}  // namespace

std::set<std::string> shown_by(const oracle::Asked& asked, const std::vector<Release>& releases) {
  std::set<std::string> shown;
  const Question& question = asked.question;
  const std::vector<const Change*> changes = changes_between(releases);
  for (const Release& base : releases) {
    const std::optional<Release> configured = oracle::release_for(asked, base);
    if (!configured) continue;
    const Release& release = *configured;
    Trace trace = Trace::full();
    const Done done = decide(asked, release, trace);
    if (done.decision().outcome == Outcome::skipped) continue;
    const Behaviour behaviour = behaviour_of(question, release, done.decision(), trace);
    const std::string version = release.version.text();
    for (const std::string_view clause : behaviour.clauses) shown.insert(version + " " + std::string(clause));
    for (std::size_t i = 0; i < k_classes; ++i) {
      if (behaviour.classes[i]) shown.insert(version + " class " + std::to_string(i));
    }
    for (const std::string& name : classes_of_placement(question, release, done.placement))
      shown.insert(version + " " + name);
    for (const Change* change : changes) {
      Trace none = Trace::none();
      const std::optional<Release> toggled = oracle::release_for(asked, with_toggled(base, *change));
      if (!toggled || decide(asked, *toggled, none) == done) continue;
      shown.insert((has_change(*change, release.version) ? "with " : "without ") + std::string(change->name) +
                   " " + std::string(change->value));
    }
  }
  return shown;
}

std::set<std::string> shown_by_answers(const oracle::VectorCase& vector_case) {
  std::set<std::string> shown;
  const std::string family = vector_case.name.substr(0, vector_case.name.find('-'));
  for (std::size_t i = 0; i < vector_case.answers.size(); ++i) {
    const auto& [release, answer] = vector_case.answers[i];
    shown.insert(family + " " + release + " " + answer.at("outcome").dump());
    for (const char* key : {"filter", "dryRun"}) {
      const std::map<std::string, Json> statuses = answer.value(key, Json::object());
      for (const auto& [node, status] : statuses)
        shown.insert(release + " " + key + " " + status.value("plugin", Json()).dump() +
                     status.at("code").dump());
    }
    if (i == 0) continue;
    for (const std::string& part : changed_parts(vector_case.answers[i - 1].second, answer))
      shown.insert(family + " from " + vector_case.answers[i - 1].first + " " + part);
  }
  return shown;
}

std::vector<std::size_t> chosen(const std::vector<Choosable>& all, std::size_t each) {
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&all](std::size_t a, std::size_t b) { return all[a].size < all[b].size; });
  std::map<std::string, std::size_t> seen;
  std::vector<std::size_t> taken;
  for (const std::size_t i : order) {
    const bool shows_more = std::any_of(all[i].shown.begin(), all[i].shown.end(),
                                        [&](const std::string& what) { return seen[what] < each; });
    if (!shows_more) continue;
    for (const std::string& what : all[i].shown) ++seen[what];
    taken.push_back(i);
  }
  return taken;
}

}  // namespace touchstone::fuzz
