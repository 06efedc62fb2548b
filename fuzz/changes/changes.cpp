#include "fuzz/changes/changes.hpp"

#include <algorithm>

#include "fuzz/campaign/questions.hpp"
#include "fuzz/generate/scenario.hpp"
#include "fuzz/shrink/shrink.hpp"
#include "kubernetes/objects/question.hpp"
#include "oracle/protocol/placement_answer.hpp"
#include "oracle/protocol/vectors.hpp"

namespace touchstone::fuzz {

namespace {

/// A question that may be a witness.
struct Candidate {
  oracle::Command command = oracle::Command::run;
  const Json* question = nullptr;
  std::string source;
  std::size_t size = 0;
};

std::vector<Candidate> candidates_in(const std::vector<oracle::VectorFile>& vectors) {
  std::vector<Candidate> candidates;
  for (const oracle::VectorFile& file : vectors) {
    for (const oracle::VectorCase& each : file.cases)
      candidates.push_back({file.command, &each.question, each.name, each.question.dump().size()});
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.size < b.size; });
  return candidates;
}

/// The search for witnesses of several behaviours.
class Finder {
 public:
  Finder(const ChangeSearch& search, ChangesFound& found, const std::atomic<bool>& stop)
      : search_(search), found_(found), stop_(stop) {}

  bool is_done() const {
    const std::vector<ChangedBehaviour>& all = found_.behaviours;
    return stop_ || std::all_of(all.begin(), all.end(),
                                [](const ChangedBehaviour& each) { return each.witness.has_value(); });
  }

  /// Whether a behaviour that has no witness is shown by questions of this command.
  bool needs(oracle::Command command) const {
    const std::vector<ChangedBehaviour>& all = found_.behaviours;
    return std::any_of(all.begin(), all.end(), [command](const ChangedBehaviour& each) {
      return !each.witness && command_of(*each.change) == command;
    });
  }

  /// Uses a question as the witness of each behaviour that it shows and that has none.
  void look_at(const Json& question, oracle::Command command, const std::string& source) {
    const Json from = answer_to(question, command, search_.from);
    if (from.is_null() || from == answer_to(question, command, search_.to)) return;
    for (ChangedBehaviour& each : found_.behaviours) {
      if (each.witness || stop_ || command_of(*each.change) != command) continue;
      if (shows(question, search_.from, search_.to, *each.change))
        each.witness = shrunk(question, command, source, each);
    }
  }

 private:
  ChangeWitness shrunk(const Json& question, oracle::Command command, const std::string& source,
                       const ChangedBehaviour& behaviour) const {
    const auto still_shows = [&](const Json& smaller) {
      return shows(smaller, search_.from, search_.to, *behaviour.change);
    };
    const Shrunk small = shrink(question, still_shows, search_.shrink_asks, [this] { return stop_.load(); });
    return {command,
            small.question,
            source,
            answer_to(small.question, command, search_.from),
            answer_to(small.question, command, search_.to),
            small.minimal};
  }

  const ChangeSearch& search_;
  ChangesFound& found_;
  const std::atomic<bool>& stop_;
};

}  // namespace

oracle::Command command_of(const Change& change) {
  return change.clause.starts_with("PRE-") ? oracle::Command::run : oracle::Command::schedule;
}

bool shows(const Json& question, const Release& from, const Release& to, const Change& change) {
  const oracle::Command command = command_of(change);
  const Json of_from = answer_to(question, command, from);
  const Json of_to = answer_to(question, command, to);
  if (of_from.is_null() || of_to.is_null() || of_from == of_to) return false;
  const auto matters = [&](const Release& release, const Json& answer) {
    const Json other = answer_to(question, command, with_toggled(release, change));
    return !other.is_null() && other != answer;
  };
  return matters(to, of_to) || matters(from, of_from);
}

std::vector<ChangedBehaviour> changed_behaviours(const Release& from, const Release& to) {
  std::vector<ChangedBehaviour> behaviours;
  for (const Change& change : release_table()) {
    const bool has = has_change(change, to.version);
    if (has != has_change(change, from.version)) behaviours.push_back({&change, has, std::nullopt});
  }
  return behaviours;
}

Json answer_to(const Json& question, oracle::Command command, const Release& release) {
  const Result<Question> read = kubernetes::read_question_text(question.dump(), "question");
  if (!read) return nullptr;
  // The configuration changes the release after a row of it was toggled.
  const Result<NamedRelease> configured =
      oracle::configured_for(question, "question", read.value().pod, {release, "", {}});
  if (!configured) return nullptr;
  const NamedRelease& named = configured.value();
  const oracle::Decider& decider = oracle::reference_decider();
  Json answer = command == oracle::Command::run
                    ? oracle::answer_of(read.value(), named, {}, oracle::Engine::reference, decider)
                    : oracle::placement_answer(read.value(), named, oracle::Engine::reference, decider);
  return answer.contains("outcome") ? answer : Json(nullptr);
}

ChangesFound find_changes(const ChangeSearch& search, const std::vector<oracle::VectorFile>& vectors,
                          const std::function<void(const std::string&)>& progress,
                          const std::atomic<bool>& stop) {
  ChangesFound found{changed_behaviours(search.from, search.to), 0, 0};
  if (!search.only.empty())
    std::erase_if(found.behaviours, [&search](const ChangedBehaviour& each) {
      return std::find(search.only.begin(), search.only.end(), each.change) == search.only.end();
    });
  Finder finder(search, found, stop);
  for (const Candidate& each : candidates_in(vectors)) {
    if (finder.is_done()) break;
    progress("vector " + std::to_string(++found.vectors));
    if (finder.needs(each.command)) finder.look_at(*each.question, each.command, each.source);
  }
  // The API of the older release has no field that the other one lacks. Every other cluster is for schedule,
  // and every fourth has a configuration.
  const Release& older = search.from.version < search.to.version ? search.from : search.to;
  const Scenarios of_run = all_scenarios(older);
  const Scenarios of_schedule = whole_cycle_scenarios(older);
  while (!finder.is_done() && found.generated < search.generated) {
    const std::uint64_t number = found.generated++;
    progress("generated cluster " + std::to_string(number));
    const bool is_run =
        finder.needs(oracle::Command::run) && (number % 2 == 0 || !finder.needs(oracle::Command::schedule));
    QuestionPlan plan;
    plan.command = is_run ? oracle::Command::run : oracle::Command::schedule;
    plan.configurations.are_random = !is_run && number % 4 == 1;
    const SentQuestion sent = numbered_question(plan, is_run ? of_run : of_schedule, search.seed, number);
    finder.look_at(sent.line, sent.command,
                   "generated, seed " + std::to_string(search.seed) + ", number " + std::to_string(number));
  }
  return found;
}

}  // namespace touchstone::fuzz
