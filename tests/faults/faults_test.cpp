#include "faults/faults.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

#include "faults/cluster.hpp"
#include "fuzz/campaign/laws.hpp"
#include "kubernetes/objects/question.hpp"
#include "spec/rules/rules.hpp"
#include "tests/fuzz/shrink/clause_needs.hpp"
#include "tests/support/builder.hpp"
#include "tests/support/files.hpp"
#include "tests/support/scale.hpp"

/// Seeded faults: the claims of the table are true, and the judges detect the faults. Runs from the root of
/// the project.
namespace touchstone::faults {

namespace {

constexpr const char* k_clusters = "faults/clusters";

const std::atomic<bool> k_go_on = false;

const Fault& fault(std::string_view id) {
  for (const Fault& each : faults())
    if (each.id == id) return each;
  ADD_FAILURE() << "no fault " << id;
  return faults().front();
}

Judge judge(std::string_view name) {
  const JudgeSetup none;
  for (const Judge& each : judges(none))
    if (each.name == name) return each;
  ADD_FAILURE() << "no judge " << name;
  return {};
}

Trial campaign(std::string_view id, double seconds) {
  return judge("campaign").run(fault(id), 1, {seconds, k_go_on});
}

Question read(const oracle::Json& question) {
  return kubernetes::read_question_text(question.dump(), "question").value();
}

}  // namespace

TEST(Faults, BreakEveryClauseButThoseThatNoExpressionHolds) {
  std::set<std::string_view> clauses;
  for (const Fault& each : faults()) clauses.insert(each.clause);
  // The reading of objects, configurations and gates is in kubernetes/, which has no faulty copy. No step
  // asks an extender to bind. A decision that needs an answer, or depends on a random choice, is skipped.
  const std::set<std::string_view> none = {
      "QUE-SIMPLE-1",  "QUE-SIMPLE-2",  "NOM-OBJECT-2", "PRE-INPUT-4",  "CYC-PROFILE-4", "CYC-GATES-1",
      "EXT-REFUSED-1", "EXT-BIND-1",    "EXT-ANSWER-1", "POL-SET-1",    "POL-SET-2",     "POL-SET-3",
      "POL-REFUSED-1", "POL-SERVICE-2", "POL-PLUGIN-1", "POL-PLUGIN-2", "POL-PREEMPT-1", "POL-REFUSED-2"};
  const std::set<std::string_view> of_one_decision = {"PRE", "CYC", "SCORE", "EXT", "POL"};
  for (const Rule& rule : rules()) {
    if (of_one_decision.contains(rule.id.substr(0, rule.id.find('-'))))
      EXPECT_NE(clauses.contains(rule.id), none.contains(rule.id)) << rule.id;
  }
}

TEST(Faults, NameClausesAndReleasesThatExist) {
  std::set<std::string_view> clauses;
  std::set<std::string_view> ids;
  for (const Rule& rule : rules()) clauses.insert(rule.id);
  for (const Fault& each : faults()) {
    EXPECT_TRUE(clauses.contains(each.clause)) << each.id;
    EXPECT_TRUE(find_release(each.release)) << each.id;
    EXPECT_TRUE(ids.insert(each.id).second) << each.id;
  }
}

TEST(Faults, AreNotThereWithAllSwitchesOff) {
  for (const char* name : {"v1.8.15", "v1.16.6", "v1.18.2", "v1.24.17", "v1.29.6", "v1.34.4", "v1.38"}) {
    const Release asked = tests::release(name);
    const fuzz::Scenarios scenarios = fuzz::whole_cycle_scenarios(asked);
    for (std::uint64_t number = 0; number < 400; ++number) {
      const Question question = fuzz::numbered_scenario(scenarios, 7, number);
      const Decision decision = fuzz::decide(faulty_decider(), question, asked);
      ASSERT_EQ(decision, fuzz::decide(oracle::reference_decider(), question, asked))
          << name << " " << number;
      ASSERT_EQ(fuzz::schedule(faulty_decider(), question, asked),
                fuzz::schedule(oracle::reference_decider(), question, asked))
          << name << " " << number;
      if (decision.outcome != Outcome::nominated || number % 8 != 0) continue;
      const AnyOrder copy = faulty_decider().any_order(question, asked, 500);
      const AnyOrder reference = oracle::reference_decider().any_order(question, asked, 500);
      ASSERT_EQ(copy.answers, reference.answers) << name << " " << number;
    }
  }
}

TEST(Faults, CountWhatWasReachedAndTriggered) {
  const auto value = [] { return seeded(1, [] { return 1; }, [] { return 2; }); };
  const auto equal = [] { return seeded(1, [] { return 1; }, [] { return 1; }); };
  EXPECT_EQ(value(), 1);
  EXPECT_EQ(fault_switch.reached, 0u);
  {
    const FaultOn on(faults()[0]);
    EXPECT_EQ(value(), 2);
    EXPECT_EQ(equal(), 1);
    EXPECT_EQ(seeded(2, [] { return 1; }, [] { return 2; }), 1);
    EXPECT_EQ(fault_switch.reached, 2u);
    EXPECT_EQ(fault_switch.triggered, 1u);
  }
  EXPECT_EQ(value(), 1);
}

TEST(Canary, IsFoundAtOnce) {
  for (const char* name : {"campaign", "enumeration", "rapidcheck"}) {
    const Judge asked = judge(name);
    if (!asked.not_there.empty()) continue;
    const Trial trial = asked.run(fault(k_canary), 1, {600, k_go_on});
    ASSERT_TRUE(trial.detected) << name;
    EXPECT_LE(*trial.detected, 20u) << name;
  }
}

TEST(Canary, OfNothingIsNeverFound) {
  for (const char* name : {"campaign", "rapidcheck"}) {
    const Judge asked = judge(name);
    if (!asked.not_there.empty()) continue;
    const Trial trial = asked.run(fault(k_identity), 1, {0.3, k_go_on});
    EXPECT_TRUE(trial.reached) << name;
    EXPECT_FALSE(trial.triggered) << name;
    EXPECT_FALSE(trial.detected) << name;
  }
}

/// Runs every third fault; with TOUCHSTONE_SCALE above 1, all of them, as touchstone faults does.
TEST(Faults, AreDetectedByTheCampaignOrExplained) {
  const std::size_t step = tests::scaled(1) > 1 ? 1 : 3;
  for (std::size_t i = 0; i < faults().size(); i += step) {
    const Fault& each = faults()[i];
    if (each.id == k_identity || !each.unseen.empty()) continue;
    const Trial trial = campaign(each.id, 3600);
    ASSERT_TRUE(trial.reached && trial.triggered && trial.detected) << each.id;
    EXPECT_LE(*trial.reached, *trial.triggered) << each.id;
    EXPECT_LE(*trial.triggered, *trial.detected) << each.id;
  }
}

TEST(Clusters, ShowTheirFaultAndNothingElse) {
  for (const Fault& each : faults()) {
    if (each.id == k_identity) continue;
    const Result<FaultCluster> cluster = read_cluster(cluster_file(k_clusters, each));
    ASSERT_TRUE(cluster) << each.id << ": touchstone faults --update --fault " << each.id;
    EXPECT_EQ(cluster.value().release, each.release) << each.id;
    EXPECT_EQ(cluster.value().clause, each.clause) << each.id;
    const Release release = find_release(cluster.value().release).value().release;
    EXPECT_TRUE(shows(each, cluster.value().question, release)) << each.id;
    const Result<Asked> read = asked(cluster.value().question, release);
    EXPECT_FALSE(differs(read.value().question, read.value().release)) << each.id;
  }
}

TEST(Clusters, HoldWhatTheirClauseNeeds) {
  for (const Fault& each : faults()) {
    if (each.id == k_identity) continue;
    const Result<FaultCluster> cluster = read_cluster(cluster_file(k_clusters, each));
    ASSERT_TRUE(cluster) << each.id;
    const Question question = read(cluster.value().question);
    for (const fuzz::ClauseNeed& need : fuzz::clause_needs()) {
      if (!fuzz::is_of(each.clause, need.clauses)) continue;
      EXPECT_TRUE(need.is_there(question)) << each.id << " of " << each.clause << " has not " << need.what;
    }
  }
}

TEST(ClauseNeeds, AreOfClausesThatAreThereAndNotInEveryCluster) {
  const Question canary = read(read_cluster(cluster_file(k_clusters, fault(k_canary))).value().question);
  Question empty;
  for (const fuzz::ClauseNeed& need : fuzz::clause_needs()) {
    EXPECT_TRUE(std::any_of(faults().begin(), faults().end(), [&](const Fault& each) {
      return fuzz::is_of(each.clause, need.clauses);
    })) << need.clauses;
    EXPECT_FALSE(need.is_there(canary) && need.is_there(empty)) << need.clauses << ": " << need.what;
  }
}

TEST(Clusters, AreOfFaultsThatAreThere) {
  std::set<std::string> files;
  for (const Fault& each : faults()) files.insert(cluster_file(k_clusters, each).string());
  for (const auto& entry : std::filesystem::directory_iterator(k_clusters))
    EXPECT_TRUE(files.contains(entry.path().string())) << entry.path();
}

TEST(Differs, WhereAnyOrderIsSaidToAllowSomethingElse) {
  for (const std::string_view id :
       {"equals-keep-their-order", "every-candidate-wins", "every-sample-is-whole"}) {
    const FaultCluster cluster = read_cluster(cluster_file(k_clusters, fault(id))).value();
    const Release release = find_release(cluster.release).value().release;
    const Question question = read(cluster.question);
    const FaultOn on(fault(id));
    EXPECT_TRUE(differs(question, release)) << id;
    EXPECT_EQ(fuzz::decide(faulty_decider(), question, release),
              fuzz::decide(oracle::reference_decider(), question, release))
        << id;
  }
}

TEST(Bench, TakesTheMiddleTrialAndSaysSoWhereItMissed) {
  const auto found = [](std::uint64_t number) { return Trial{1, 1, number, 0.5}; };
  const Trial missed{1, {}, {}, 2};
  EXPECT_EQ((Judged{"campaign", "", {found(9), found(1), found(5)}}.median()->cases), 5u);
  EXPECT_EQ((Judged{"campaign", "", {missed, found(1), found(5)}}.median()->cases), 5u);
  EXPECT_FALSE((Judged{"campaign", "", {missed, found(1), missed}}.median()));
  // The median of the seconds is computed separately: the trial with the median number of cases may be a
  // fast one.
  const std::vector<Trial> slow = {{1, 1, 1, 3.0}, {1, 1, 2, 0.1}, {1, 1, 3, 3.0}};
  EXPECT_EQ((Judged{"campaign", "", slow}.median()->seconds), 3.0);
  EXPECT_FALSE((Judged{"campaign", "", {}}.median()));
}

TEST(Bench, AsksNoFurtherSeedOnceTheMedianIsKnown) {
  const Judge blind{"campaign", "", true, "",
                    [](const Fault&, std::uint64_t, const Effort&) { return Trial{}; }};
  const BenchSetup setup{{&fault(k_canary)}, {blind}, 10, 1, 1};
  const std::vector<FaultResult> results = run_bench(setup, k_go_on, [](const auto&) {});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].judged[0].trials.size(), 6u);
  EXPECT_FALSE(results[0].detected());
}

TEST(Bench, LosesNothingElseWhereAJudgeCrashes) {
  const auto crash = [](const Fault& each, std::uint64_t seed, const Effort&) {
    if (each.id == k_canary) {
      std::cerr << "what a pity" << std::endl;
      std::abort();
    }
    return Trial{1, 2, seed + 2, 0.5};
  };
  const auto find = [](const Fault&, std::uint64_t, const Effort&) { return Trial{1, 1, 1, 0}; };
  const BenchSetup setup{{&fault(k_canary), &fault("equals-are-victims")},
                         {{"campaign", "", true, "", crash}, {"enumeration", "", false, "", find}},
                         2,
                         2,
                         1};
  std::size_t most = 0;
  const std::vector<FaultResult> results =
      run_bench(setup, k_go_on, [&](const auto& done) { most = std::max(most, done.size()); });
  EXPECT_EQ(most, 2u);
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].judged[0].failed(), "killed by signal 6, Aborted: what a pity");
  EXPECT_EQ(results[0].judged[1].detected(), 1u);
  ASSERT_EQ(results[1].judged[0].trials.size(), 2u);
  EXPECT_EQ(results[1].judged[0].trials[1].detected, 4u);
  EXPECT_EQ(results[1].judged[0].trials[1].seconds, 0.5);
}

TEST(Bench, EndsAJudgeThatNeverEnds) {
  const auto hang = [](const Fault&, std::uint64_t, const Effort&) -> Trial {
    volatile std::uint64_t turns = 0;
    while (true) {
      turns = turns + 1;
    }
  };
  const auto find = [](const Fault&, std::uint64_t, const Effort&) { return Trial{1, 1, 1, 0}; };
  BenchSetup setup{
      {&fault(k_canary)}, {{"campaign", "", true, "", hang}, {"enumeration", "", false, "", find}}, 2, 2, 1};
  setup.judge_most = std::chrono::seconds(1);
  const std::vector<FaultResult> results = run_bench(setup, k_go_on, [](const auto&) {});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].judged[0].failed(), "killed by signal 24, CPU time limit exceeded");
  EXPECT_EQ(results[0].judged[1].detected(), 1u);
}

TEST(Bench, FailsWhereTheCanaryLivesOrNothingIsFound) {
  const auto by = [](std::string_view id, const Trial& trial) {
    return FaultResult{&fault(id), {{"campaign", "", {trial}}, {"vectors", "", {trial}}}};
  };
  const Trial found{1, 1, 1, 0};
  EXPECT_TRUE(
      failures_of({by(k_canary, found), by(k_identity, {}), by("equals-are-victims", found)}).empty());
  EXPECT_EQ(failures_of({by(k_canary, {})}).size(), 2u);
  EXPECT_EQ(failures_of({by(k_identity, found)}).size(), 2u);
  EXPECT_EQ(failures_of({by("equals-are-victims", {})}).size(), 1u);
  EXPECT_EQ(failures_of({by("quota-rounds-up", {})}).size(), 1u);
  const FaultResult alone{&fault("quota-rounds-up"), {{"campaign", "", {Trial{}}}}};
  EXPECT_TRUE(failures_of({alone}).empty());
}

TEST(Bench, FailsWhereAJudgeDoesAndNotWhereNobodyWasAsked) {
  Trial broken;
  broken.failed = "cannot be started";
  const FaultResult failed{&fault("equals-are-victims"), {{"libfuzzer", "", {broken}}}};
  EXPECT_EQ(failures_of({failed}),
            std::vector<std::string>{"libfuzzer failed on equals-are-victims: cannot be started"});
  const FaultResult nobody{&fault("equals-are-victims"), {{"libfuzzer", "not run", {}}}};
  EXPECT_TRUE(failures_of({nobody}).empty());
}

// Scripts that print what fuzz/targets/faults.cpp prints under libFuzzer.
TEST(LibfuzzerJudge, TellsANumberAMissAndAFailureApart) {
  const tests::TemporaryDirectory scratch;
  const auto trial = [&](const std::string& script) {
    const std::string program = scratch.write("target", "#!/bin/sh\n" + script + "\n");
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    return libfuzzer_judge(program).run(fault("equals-are-victims"), 1, {1, k_go_on});
  };
  const Trial found = trial(
      "echo 'touchstone fault reached in case 2' >&2; echo 'touchstone fault triggered in case 3' >&2\n"
      "echo 'touchstone fault detected in case 5 after microseconds 250000' >&2; exit 77");
  EXPECT_EQ(found.reached, 2u);
  EXPECT_EQ(found.triggered, 3u);
  EXPECT_EQ(found.detected, 5u);
  EXPECT_EQ(found.seconds, 0.25);
  EXPECT_EQ(found.failed, "");
  const Trial missed =
      trial("echo 'touchstone fault reached in case 2' >&2; echo 'stat::number_of_executed_units: 9' >&2");
  EXPECT_EQ(missed.reached, 2u);
  EXPECT_FALSE(missed.triggered || missed.detected);
  EXPECT_EQ(missed.failed, "");
  EXPECT_EQ(trial("echo 'x'; echo '==1== ERROR: libFuzzer: timeout after 1 seconds' >&2; exit 70").failed,
            "ended with 70: ERROR: libFuzzer: timeout after 1 seconds");
  EXPECT_EQ(trial("exit 0").failed, "ran no case");
  EXPECT_EQ(trial("kill -9 $$").failed, "ended by signal 9");
  EXPECT_NE(libfuzzer_judge("no-such-target").run(fault("equals-are-victims"), 1, {1, k_go_on}).failed, "");
}

}  // namespace touchstone::faults
