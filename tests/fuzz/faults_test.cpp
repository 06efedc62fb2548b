#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "fuzz/faults/bench.hpp"
#include "fuzz/faults/cluster.hpp"
#include "fuzz/laws.hpp"
#include "kubernetes/question.hpp"
#include "spec/rules.hpp"
#include "tests/support/builder.hpp"

/// Seeded faults: what the table says of them is true, and those who judge see them. Runs from the root of
/// the project.
namespace touchstone::fuzz {

namespace {

constexpr const char* k_clusters = "fuzz/faults/clusters";

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

Question read(const Json& question) {
  return kubernetes::read_question_text(question.dump(), "question").value();
}

}  // namespace

TEST(Faults, AreManyAndOfEveryGroupOfClauses) {
  EXPECT_GE(faults().size(), 42u);  // the canary and the identity are none
  std::set<std::string_view> groups;
  for (const Fault& each : faults()) groups.insert(each.clause.substr(0, each.clause.rfind('-')));
  // No expression of the reference is what a scheduler does with a pod that it does not pick up, or with
  // orders that no recording has; FILTER is the order of a list in the release table.
  const std::set<std::string_view> none = {"PRE-NODENAME", "PRE-ANYORDER", "PRE-FILTER"};
  for (const Rule& rule : rules()) {
    const std::string_view group = rule.id.substr(0, rule.id.rfind('-'));
    EXPECT_NE(groups.contains(group), none.contains(group)) << group;
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
    const Scenarios scenarios = all_scenarios(asked);
    for (std::uint64_t number = 0; number < 400; ++number) {
      const Question question = numbered_scenario(scenarios, 7, number);
      const Decision decision = decide(faulty_decider(), question, asked);
      ASSERT_EQ(decision, decide(oracle::reference_decider(), question, asked)) << name << " " << number;
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
  for (const char* name : {"campaign", "odometer", "rapidcheck"}) {
    const Judge asked = judge(name);
    if (!asked.not_there.empty()) continue;
    const Trial trial = asked.run(fault(k_canary), 1, {5, k_go_on});
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

TEST(Faults, AreDetectedByTheCampaignOrExplained) {
  for (const Fault& each : faults()) {
    if (each.id == k_identity || !each.unseen.empty()) continue;
    const Trial trial = campaign(each.id, 20);
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
    const Release release = find_release(cluster.value().release).value().release;
    EXPECT_TRUE(shows(each, cluster.value().question, release)) << each.id;
    EXPECT_FALSE(differs(read(cluster.value().question), release)) << each.id;
  }
}

TEST(Clusters, AreOfFaultsThatAreThere) {
  std::set<std::string> files;
  for (const Fault& each : faults()) files.insert(cluster_file(k_clusters, each).string());
  for (const auto& entry : std::filesystem::directory_iterator(k_clusters))
    EXPECT_TRUE(files.contains(entry.path().string())) << entry.path();
}

TEST(Bench, TakesTheMiddleTrialAndSaysSoWhereItMissed) {
  const auto found = [](std::uint64_t number) { return Trial{1, 1, number, 0.5}; };
  const Trial missed{1, {}, {}, 2};
  EXPECT_EQ((Judged{"campaign", "", {found(9), found(1), found(5)}}.median()->detected), 5u);
  EXPECT_EQ((Judged{"campaign", "", {missed, found(1), found(5)}}.median()->detected), 5u);
  EXPECT_FALSE((Judged{"campaign", "", {missed, found(1), missed}}.median()));
  EXPECT_FALSE((Judged{"campaign", "", {}}.median()));
}

TEST(Bench, AsksNoFurtherSeedOnceTheMedianIsKnown) {
  std::size_t asked = 0;
  const Judge blind{"campaign", "", true, "", [&asked](const Fault&, std::uint64_t, const Effort&) {
                      ++asked;
                      return Trial{};
                    }};
  const BenchSetup setup{{&fault(k_canary)}, {blind}, 10, 1, 1};
  const std::vector<FaultResult> results = run_bench(setup, k_go_on, [](std::size_t) {});
  EXPECT_EQ(asked, 6u);
  ASSERT_EQ(results.size(), 1u);
  EXPECT_FALSE(results[0].detected());
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

}  // namespace touchstone::fuzz
