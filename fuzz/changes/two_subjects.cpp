#include "fuzz/changes/two_subjects.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <tuple>

namespace touchstone::fuzz {

namespace {

/// The share of the time that goes to whole cycles. Preemption has more clauses than scores.
constexpr double k_share_of_cycles = 0.4;

CampaignSetup campaign_of(const TwoSubjects& subjects, oracle::Command command) {
  const auto side = [command](const std::string& line, const std::string& release) {
    ParticipantSetup setup{{"/bin/sh", "-c", "exec " + line}, release, k_repeat_usual};
    setup.asks = command;
    return setup;
  };
  CampaignSetup setup;
  setup.questions.command = command;
  setup.left = side(subjects.before, subjects.before_release);
  setup.right = side(subjects.after, subjects.after_release);
  setup.examples_each = 2;
  setup.seed = subjects.seed;
  setup.jobs = subjects.jobs;
  setup.cases_most = subjects.cases_most;
  setup.families = command == oracle::Command::run ? preemption_families() : whole_cycle_families();
  setup.out = subjects.out / (command == oracle::Command::run ? "decisions" : "cycles");
  return setup;
}

/// Whether both sides answer `schedule`. Errors: those of Participant::begin().
Result<bool> answer_schedule(const CampaignSetup& setup, const std::atomic<bool>& stop) {
  bool both = true;
  for (const ParticipantSetup* side : {&setup.left, &setup.right}) {
    Participant participant(*side, stop);
    if (std::optional<Error> error = participant.begin()) return *error;
    both = both && participant.features().contains("schedule");
  }
  return both;
}

/// Reads what write_difference() wrote: a sentence, more comments, and the objects.
SmallestCluster read_cluster(const Found& found, const std::filesystem::path& file) {
  SmallestCluster cluster{found.nodes, found.pods, found.minimal, {}, {}, file};
  std::ifstream text(file);
  std::string line;
  if (std::getline(text, line) && line.starts_with("# ")) cluster.sentence = line.substr(2);
  while (std::getline(text, line)) {
    if (!line.starts_with("#")) cluster.objects += line + "\n";
  }
  return cluster;
}

/// Adds the differences of a campaign to those of its clauses.
void add(std::map<std::string, ChangedClause>& changed, const Tally& tally,
         std::uint64_t ChangedClause::* count, const std::filesystem::path& out) {
  for (const auto& [clause, cases] : tally.by_clause) {
    changed[clause].clause = clause;
    changed[clause].*count = cases;
  }
  const auto size = [](const Found& found) { return std::tuple(!found.minimal, found.nodes + found.pods); };
  std::map<std::string, const Found*> smallest;
  for (const Found& found : tally.found) {
    const Found*& best = smallest[found.clause];
    if (best == nullptr || size(found) < size(*best)) best = &found;
  }
  for (const auto& [clause, found] : smallest) {
    const auto known = changed.find(clause);
    if (known == changed.end() || known->second.smallest) continue;
    known->second.smallest = read_cluster(*found, out / "differences" / (found->hash + ".txt"));
  }
}

}  // namespace

Result<SubjectsCompared> compare_subjects(
    const TwoSubjects& subjects, const std::atomic<bool>& stop,
    const std::function<void(const CampaignSetup&, const Progress&)>& show) {
  CampaignSetup decisions = campaign_of(subjects, oracle::Command::run);
  CampaignSetup cycles = campaign_of(subjects, oracle::Command::schedule);
  const Result<bool> both = answer_schedule(decisions, stop);
  if (!both) return both.error();
  const auto time_of_cycles = std::chrono::duration_cast<std::chrono::milliseconds>(
      subjects.time * (both.value() ? k_share_of_cycles : 0));
  decisions.time_most = subjects.time - time_of_cycles;
  cycles.time_most = time_of_cycles;

  Result<Tally> first = run_campaign(decisions, stop, [&](const Progress& now) { show(decisions, now); });
  if (!first) return first.error();
  SubjectsCompared compared{std::move(first).value(), {}};
  std::map<std::string, ChangedClause> changed;
  add(changed, compared.decisions, &ChangedClause::decisions, decisions.out);
  if (both.value() && !stop) {
    Result<Tally> second = run_campaign(cycles, stop, [&](const Progress& now) { show(cycles, now); });
    if (!second) return second.error();
    compared.cycles = std::move(second).value();
    add(changed, *compared.cycles, &ChangedClause::cycles, cycles.out);
  }
  for (auto& [clause, each] : changed) compared.changed.push_back(std::move(each));
  std::stable_sort(compared.changed.begin(), compared.changed.end(),
                   [](const ChangedClause& a, const ChangedClause& b) {
                     return a.decisions + a.cycles > b.decisions + b.cycles;
                   });
  return compared;
}

}  // namespace touchstone::fuzz
