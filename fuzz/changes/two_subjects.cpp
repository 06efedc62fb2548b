#include "fuzz/changes/two_subjects.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "fuzz/campaign/difference.hpp"

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

/// The kind of a difference that did not recur.
constexpr const char* k_unrepeated = "not repeated: answers";

/// The end of the sentence that write_difference() writes if the reference allows both answers.
constexpr std::string_view k_both_right = "; each is right for its release";

/// A difference as write_difference() wrote it.
struct Shown {
  SmallestCluster cluster;
  std::set<std::string> other_clauses;  ///< that explain the difference as well
};

/// Reads a sentence, more comments, and the objects.
Shown read_shown(const Found& found, const std::filesystem::path& file) {
  constexpr std::string_view k_other = "# Another rule may be the cause: ";
  Shown shown{{found.nodes, found.pods, found.minimal, {}, {}, file}, {}};
  std::ifstream text(file);
  std::string line;
  if (std::getline(text, line) && line.starts_with("# ")) shown.cluster.sentence = line.substr(2);
  while (std::getline(text, line)) {
    if (line.starts_with(k_other)) {
      const std::string titled = line.substr(k_other.size());
      shown.other_clauses.insert(titled.substr(0, titled.find_first_of(",.")));
    }
    if (!line.starts_with("#")) shown.cluster.objects += line + "\n";
  }
  return shown;
}

/// A clause by which two schedulers differ, and the clauses that explain all its examples as well.
struct Explained {
  ChangedClause changed;
  std::optional<std::set<std::string>> others = {};
  bool are_both_right = false;  ///< in each example, the reference allows both answers

  std::uint64_t cases() const { return changed.decisions + changed.cycles; }
};

bool is_smaller(const SmallestCluster& a, const SmallestCluster& b) {
  return std::tuple(!a.minimal, a.nodes + a.pods) < std::tuple(!b.minimal, b.nodes + b.pods);
}

/// Adds the differences of a campaign to those of its clauses.
void add(std::map<std::string, Explained>& all, const Tally& tally, std::uint64_t ChangedClause::* count,
         const std::filesystem::path& out) {
  for (const auto& [clause, cases] : tally.by_clause) {
    all[clause].changed.clause = clause;
    all[clause].changed.*count = cases;
  }
  for (const Found& found : tally.found) {
    const auto known = all.find(found.clause);
    if (known == all.end()) continue;
    Shown shown = read_shown(found, out / "differences" / (found.hash + ".txt"));
    Explained& each = known->second;
    const bool both_right = shown.cluster.sentence.ends_with(k_both_right);
    each.are_both_right = both_right && (!each.others || each.are_both_right);
    if (!each.others) each.others = shown.other_clauses;
    std::erase_if(*each.others,
                  [&](const std::string& other) { return !shown.other_clauses.contains(other); });
    std::optional<SmallestCluster>& smallest = each.changed.smallest;
    if (!smallest || is_smaller(shown.cluster, *smallest)) smallest = std::move(shown.cluster);
  }
}

/// Adds the differences of whole cycles by a clause to those of decisions by the same clause.
void join(Explained& decisions, Explained cycles) {
  decisions.changed.clause = cycles.changed.clause;
  decisions.changed.cycles = cycles.changed.cycles;
  std::optional<SmallestCluster>& smallest = decisions.changed.smallest;
  if (cycles.changed.smallest && (!smallest || is_smaller(*cycles.changed.smallest, *smallest)))
    smallest = std::move(cycles.changed.smallest);
  if (!decisions.others) {
    decisions.others = std::move(cycles.others);
  } else if (cycles.others) {
    std::erase_if(*decisions.others,
                  [&](const std::string& other) { return !cycles.others->contains(other); });
  }
}

/// Runs the smallest cluster of a clause several times. Returns whether both sides differ each time. A
/// scheduler may choose at random among texts, or among answers that the reference does not model.
bool recurs(const CampaignSetup& setup, const SmallestCluster& cluster, const std::atomic<bool>& stop) {
  constexpr int k_times = 6;
  std::filesystem::path vector = cluster.file;
  const Result<SentQuestion> sent = read_question_of_vector(vector.replace_extension(".json"));
  Participant left(setup.left, stop);
  Participant right(setup.right, stop);
  if (!sent || left.begin() || right.begin()) return true;
  Participants sides{left, right, find_release(left.release()).value().release};
  for (int i = 0; i < k_times; ++i) {
    const std::optional<Exchange> exchange = run_both(sides, sent.value().line);
    if (exchange && exchange->verdict.judgement == Judgement::agree) return false;
  }
  return true;
}

/// Removes the clauses that are no change, and returns the number of their cases: one of their examples did
/// not recur, or the one release of both sides may give either answer.
std::uint64_t without_random(std::map<std::string, Explained>& all, const CampaignSetup& setup,
                             bool one_release, const std::atomic<bool>& stop) {
  std::uint64_t cases = 0;
  std::erase_if(all, [&](const auto& item) {
    const auto& [clause, each] = item;
    const bool is_random = clause == k_unrepeated || (one_release && each.are_both_right) ||
                           (each.changed.smallest && !recurs(setup, *each.changed.smallest, stop));
    if (is_random) cases += each.cases();
    return is_random;
  });
  return cases;
}

/// Gives the cases of a clause to a more frequent one that explains each of its examples. One change to a
/// scheduler shows at several steps of a decision.
std::vector<ChangedClause> fewest_clauses(std::map<std::string, Explained> all) {
  std::vector<Explained> sorted;
  for (auto& [clause, each] : all) sorted.push_back(std::move(each));
  std::sort(sorted.begin(), sorted.end(), [](const Explained& a, const Explained& b) {
    return std::tuple(b.cases(), a.changed.clause) < std::tuple(a.cases(), b.changed.clause);
  });
  std::vector<ChangedClause> changed;
  for (Explained& each : sorted) {
    const auto cause = std::find_if(changed.begin(), changed.end(), [&each](const ChangedClause& more) {
      return each.others && each.others->contains(more.clause);
    });
    if (cause == changed.end()) {
      changed.push_back(std::move(each.changed));
      continue;
    }
    cause->decisions += each.changed.decisions;
    cause->cycles += each.changed.cycles;
    cause->first_seen_as.push_back(each.changed.clause);
  }
  return changed;
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
  const bool one_release =
      compared.decisions.setup.at("leftRelease") == compared.decisions.setup.at("rightRelease");
  std::map<std::string, Explained> all;
  add(all, compared.decisions, &ChangedClause::decisions, decisions.out);
  compared.random = without_random(all, decisions, one_release, stop);
  if (both.value() && !stop) {
    Result<Tally> second = run_campaign(cycles, stop, [&](const Progress& now) { show(cycles, now); });
    if (!second) return second.error();
    compared.cycles = std::move(second).value();
    std::map<std::string, Explained> of_cycles;
    add(of_cycles, *compared.cycles, &ChangedClause::cycles, cycles.out);
    compared.random += without_random(of_cycles, cycles, one_release, stop);
    for (auto& [clause, each] : of_cycles) join(all[clause], std::move(each));
  }
  compared.changed = fewest_clauses(std::move(all));
  return compared;
}

}  // namespace touchstone::fuzz
