#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "faults/cluster.hpp"
#include "fuzz/behaviour/behaviour.hpp"
#include "fuzz/campaign/laws.hpp"
#include "kubernetes/objects/question.hpp"
#include "oracle/compare/comparison.hpp"
#include "oracle/protocol/placement_answer.hpp"
#include "oracle/protocol/schedule_vectors.hpp"
#include "tests/fuzz/behaviour/floors.hpp"
#include "tests/support/builder.hpp"

/// Judges with a defect of their own: the tests notice each defect. Runs from the root of the project.
namespace touchstone::faults {

namespace {

/// A smallest cluster, and the decisions of the faulty copy and of the reference.
struct Shown {
  const Fault* fault;
  Question question;
  Release release;
  Decision faulty;
  Decision right;
};

std::vector<Shown> all_shown() {
  std::vector<Shown> all;
  for (const Fault& fault : faults()) {
    if (fault.id == k_identity || fault.file == "any_order/any_order.cpp" || is_of_whole_cycle(fault))
      continue;  // no decision shows these
    const FaultCluster cluster = read_cluster(cluster_file("faults/clusters", fault)).value();
    Shown shown{&fault,
                kubernetes::read_question_text(cluster.question.dump(), "question").value(),
                find_release(cluster.release).value().release,
                {},
                {}};
    const FaultOn on(fault);
    shown.faulty = fuzz::decide(faulty_decider(), shown.question, shown.release);
    shown.right = fuzz::decide(oracle::reference_decider(), shown.question, shown.release);
    all.push_back(std::move(shown));
  }
  return all;
}

/// A comparison that ignores a part of decisions: it clears this part on both sides before it compares them.
/// The nodes of candidates are not such a part, because every fault that changes a candidate's node also
/// changes its victims.
struct Ignoring {
  std::string_view part;
  void (*forget)(Decision&);
};

const std::vector<Ignoring> k_ignoring = {
    {"the victims of candidates",
     [](Decision& decision) {
       for (Candidate& candidate : decision.candidates) candidate.victims.clear();
     }},
    {"the order of victims",
     [](Decision& decision) {
       for (Candidate& candidate : decision.candidates)
         std::sort(candidate.victims.begin(), candidate.victims.end());
     }},
    {"the violations of candidates",
     [](Decision& decision) {
       for (Candidate& candidate : decision.candidates) candidate.pdb_violations = 0;
     }},
    {"what is admissible",
     [](Decision& decision) {
       decision.admissible.clear();
       decision.chosen = 0;
     }},
    {"the statuses of both passes, and the message that repeats them",
     [](Decision& decision) {
       decision.filter.clear();
       decision.dry_run.clear();
       decision.message.clear();
     }},
    {"cleared nominations", [](Decision& decision) { decision.clears.clear(); }},
    {"the preemptor's nomination", [](Decision& decision) { decision.nomination = Nomination::absent; }},
    {"the message", [](Decision& decision) { decision.message.clear(); }},
};

/// The same for placements.
struct Placed {
  const Fault* fault;
  Asked asked;
  Placement faulty;
  Placement right;
};

std::vector<Placed> all_placed() {
  std::vector<Placed> all;
  for (const Fault& fault : faults()) {
    if (!is_of_whole_cycle(fault)) continue;
    const FaultCluster cluster = read_cluster(cluster_file("faults/clusters", fault)).value();
    const Release release = find_release(cluster.release).value().release;
    Placed placed{&fault, faults::asked(cluster.question, release).value(), {}, {}};
    const FaultOn on(fault);
    const auto& [question, configured] = placed.asked;
    placed.faulty = fuzz::schedule(faulty_decider(), question, configured);
    placed.right = fuzz::schedule(oracle::reference_decider(), question, configured);
    all.push_back(std::move(placed));
  }
  return all;
}

struct IgnoringOfPlacements {
  std::string_view part;
  void (*forget)(Placement&);
};

const std::vector<IgnoringOfPlacements> k_ignoring_of_placements = {
    {"the columns of scorers, where the totals repeat them",
     [](Placement& placement) {
       placement.scores.clear();
       placement.totals.clear();
     }},
    {"the best nodes, and the host",
     [](Placement& placement) {
       placement.best.clear();
       placement.host.reset();
     }},
    {"the totals, and what follows from them",
     [](Placement& placement) {
       placement.totals.clear();
       placement.best.clear();
       placement.host.reset();
     }},
    {"the statuses of nodes", [](Placement& placement) { placement.decision.filter.clear(); }},
};

oracle::Json answer_of(const Shown& shown, const Decision& decision) {
  return oracle::answer_of(shown.question.cluster, decision);
}

/// The number of scenarios in which two nodes tie.
std::size_t ties(const std::function<void(Question&)>& change, std::size_t cases) {
  const Release asked = tests::release(fuzz::k_newer);
  const fuzz::Scenarios scenarios = fuzz::all_scenarios(asked);
  std::size_t count = 0;
  for (std::uint64_t number = 0; number < cases; ++number) {
    Question question = fuzz::numbered_scenario(scenarios, 1, number);
    change(question);
    Trace trace = Trace::full();
    const Decision decision = oracle::reference_decider().preempt(question, asked, trace);
    const fuzz::Behaviour behaviour = fuzz::behaviour_of(question, asked, decision, trace);
    count += behaviour.classes[static_cast<std::size_t>(fuzz::Class::tie_of_two)] ? 1 : 0;
  }
  return count;
}

std::size_t floor_of(std::string_view what) {
  for (const fuzz::Floor& floor : fuzz::k_floors)
    if (floor.what == what) return floor.newer;
  return 0;
}

}  // namespace

// Each of these comparisons misses some fault. The bench would report that fault as detected by no judge.
TEST(Comparison, ThatIgnoresAPartMissesAFault) {
  const std::vector<Shown> all = all_shown();
  for (const Ignoring& ignoring : k_ignoring) {
    std::size_t missed = 0;
    for (const Shown& shown : all) {
      Decision faulty = shown.faulty;
      Decision right = shown.right;
      ignoring.forget(faulty);
      ignoring.forget(right);
      if (faulty == right) ++missed;
    }
    EXPECT_GT(missed, 0u) << "no fault is seen by " << ignoring.part << " alone";
  }
}

TEST(Comparison, OfPlacementsThatIgnoresAPartMissesAFault) {
  const std::vector<Placed> all = all_placed();
  for (const IgnoringOfPlacements& ignoring : k_ignoring_of_placements) {
    std::size_t missed = 0;
    for (const Placed& placed : all) {
      Placement faulty = placed.faulty;
      Placement right = placed.right;
      ignoring.forget(faulty);
      ignoring.forget(right);
      if (faulty == right) ++missed;
    }
    EXPECT_GT(missed, 0u) << "no fault is seen by " << ignoring.part << " alone";
  }
}

// The comparison of answers, as for subjects and vectors, sees every fault but those that only change which
// nodes have a status, a scorer that gives 0 where it should be skipped, what answers do not contain (where
// the next search begins), and scores that are not told, as an answer need not tell them.
TEST(Comparison, OfPlacedAnswersSeesEveryFaultButStatusesAndScoresOfZero) {
  std::size_t seen = 0;
  for (const Placed& placed : all_placed()) {
    Placement faulty = placed.faulty;
    Placement right = placed.right;
    for (Placement* placement : {&faulty, &right}) {
      placement->decision.filter.clear();
      std::erase_if(placement->scores, [](const ScoreColumn& column) {
        return std::count(column.scores.begin(), column.scores.end(), 0) ==
               static_cast<std::ptrdiff_t>(column.scores.size());
      });
    }
    if (faulty == right) continue;
    const Cluster& cluster = placed.asked.question.cluster;
    const oracle::Json given = oracle::placement_answer(cluster, placed.faulty);
    const oracle::Json ours = oracle::placement_answer(cluster, placed.right);
    if (given.contains("skipped") || ours.contains("skipped")) continue;
    const auto without_statuses = [](oracle::Json answer) {
      answer.erase("filter");
      return answer;
    };
    if (without_statuses(given) == without_statuses(ours) || !given.contains("scores")) continue;
    ++seen;
    EXPECT_FALSE(oracle::schedule_differences(given, ours, placed.asked.release, oracle::Scores::all).empty())
        << placed.fault->id << "\n"
        << given.dump() << "\n"
        << ours.dump();
  }
  EXPECT_GT(seen, 60u);
}

// The comparison of answers, as for subjects and vectors, sees every fault except lost members of ties and
// what answers do not contain.
TEST(Comparison, OfAnswersSeesEveryFaultButLostMembersOfTies) {
  for (const Shown& shown : all_shown()) {
    const oracle::Json given = answer_of(shown, shown.faulty);
    const oracle::Json ours = answer_of(shown, shown.right);
    const bool only_ties =
        shown.fault->clause == "PRE-NODE-6" || (shown.faulty.candidates == shown.right.candidates &&
                                                shown.faulty.admissible != shown.right.admissible);
    // In answers, the order of candidates has no meaning.
    const bool only_order = nlohmann::json::parse(given.dump()) == nlohmann::json::parse(ours.dump());
    // If the attempt ends with an error, only the outcome and the message are compared.
    const bool both_err = shown.faulty.outcome == Outcome::error && shown.right.outcome == Outcome::error;
    if (only_order || both_err) continue;
    if (!given.contains("outcome") || !ours.contains("outcome")) continue;
    const oracle::Compared compared = oracle::compare({given}, ours, shown.release);
    EXPECT_TRUE(only_ties || !compared.differences.empty()) << shown.fault->id << "\n"
                                                            << given.dump() << "\n"
                                                            << ours.dump();
  }
}

TEST(Generator, WithoutTiesFallsBelowAFloor) {
  constexpr std::size_t k_cases = 1500;
  constexpr std::size_t k_cases_of_floors = 6000;
  const std::size_t floor = floor_of("tie of two nodes") * k_cases / k_cases_of_floors;
  const auto tell_apart = [](Question& question) {
    for (std::size_t i = 0; i < question.cluster.pods.size(); ++i)
      question.cluster.pods[i].start_time_ns = static_cast<Quantity>(1'000'000'000 * i);
  };
  EXPECT_GE(ties([](Question&) {}, k_cases), floor);
  EXPECT_LT(ties(tell_apart, k_cases), floor);
}

TEST(Shrinker, ThatLosesTheDifferenceIsCaught) {
  const std::atomic<bool> go_on = false;
  const Fault& canary = faults().front();
  const Shrinker loses = [](oracle::Json question, const fuzz::StillShows&, std::size_t limit,
                            const fuzz::GivesUp&) {
    return fuzz::shrink(std::move(question), [](const oracle::Json&) { return true; }, limit);
  };
  EXPECT_FALSE(smallest_cluster(canary, {}, go_on, loses));
  EXPECT_TRUE(smallest_cluster(canary, {}, go_on));
}

}  // namespace touchstone::faults
