#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "fuzz/generate/scenario.hpp"
#include "fuzz/hash.hpp"
#include "kubernetes/objects/question.hpp"
#include "kubernetes/write/written.hpp"
#include "reference/cycle/schedule.hpp"
#include "tests/support/builder.hpp"
#include "tests/support/scale.hpp"

/// Clusters for `schedule`: those of `run`, with what scores look at.
namespace touchstone::fuzz {

namespace tests_of_scored {

namespace {

using tests::release;

std::string text_of(const Question& question) { return kubernetes::written(question).dump(); }

/// Whether some cluster of a minor release satisfies a predicate.
template <typename Kind>
bool some_cluster(int minor, Kind kind) {
  const Scenarios scenarios = whole_cycle_scenarios(release("v1." + std::to_string(minor)));
  for (std::uint64_t number = 0; number < 300; ++number) {
    if (kind(numbered_scenario(scenarios, 1, number))) return true;
  }
  return false;
}

/// Checks that clusters have something from a minor release on, and not before, like the API.
template <typename Kind>
void expect_since(int minor, Kind kind) {
  EXPECT_FALSE(some_cluster(minor - 1, kind)) << minor;
  EXPECT_TRUE(some_cluster(minor, kind)) << minor;
}

/// Whether the preemptor has a soft constraint that satisfies a predicate.
template <typename Kind>
auto some_soft_constraint(Kind kind) {
  return [kind](const Question& question) {
    return std::any_of(question.pod.topology_spread.begin(), question.pod.topology_spread.end(),
                       [&kind](const TopologySpreadConstraint& each) {
                         return each.when_unsatisfiable == "ScheduleAnyway" && kind(each);
                       });
  };
}

}  // namespace

// The clusters of a seed are those of `run`: an old campaign can be repeated, and a cluster of one command
// can be found again in the other.
TEST(WholeCycle, LeavesTheClustersOfRunAsTheyAre) {
  Scenarios old_families = whole_cycle_scenarios(release("v1.34.4"));
  old_families.families = preemption_families();
  const Scenarios scenarios = whole_cycle_scenarios(release("v1.34.4"));
  std::size_t changed = 0;
  for (std::uint64_t number = 0; number < 200; ++number) {
    const Question run = numbered_scenario(all_scenarios(release("v1.34.4")), 3, number);
    EXPECT_EQ(text_of(numbered_scenario(old_families, 3, number)), text_of(run)) << number;
    const Question whole = numbered_scenario(scenarios, 3, number);
    ASSERT_GE(whole.cluster.nodes.size(), run.cluster.nodes.size()) << number;
    ASSERT_GE(whole.cluster.pods.size(), run.cluster.pods.size()) << number;
    for (std::size_t i = 0; i < run.cluster.pods.size(); ++i)
      EXPECT_EQ(whole.cluster.pods[i].name, run.cluster.pods[i].name) << number;
    EXPECT_EQ(whole.offset, run.offset) << number;
    if (text_of(whole) != text_of(run)) ++changed;
  }
  EXPECT_GT(changed, 180u);
}

TEST(WholeCycle, DrawsTheSameFromASeedWithEveryCompiler) {
  Fnv1a hash;
  for (const char* of : {"v1.9", "v1.16.6", "v1.29.5", "v1.37.2"}) {
    const Scenarios scenarios = whole_cycle_scenarios(release(of));
    for (std::uint64_t number = 0; number < 300; ++number)
      hash.add(text_of(numbered_scenario(scenarios, 1, number)));
  }
  EXPECT_EQ(hash.value(), 9596497960362004269U);
}

TEST(WholeCycle, IsReadBackAsItIsWritten) {
  for (const char* name : {"v1.8", "v1.13", "v1.34.4", "v1.37.2"}) {
    const Scenarios scenarios = whole_cycle_scenarios(release(name));
    for (std::uint64_t number = 0; number < tests::scaled(100); ++number) {
      const Question question = numbered_scenario(scenarios, 7, number);
      const std::string text = text_of(question);
      const Result<Question> read = kubernetes::read_question_text(text, "question");
      ASSERT_TRUE(read) << name << number << ": " << read.error().path << " " << read.error().message;
      EXPECT_EQ(text_of(read.value()), text) << name << number;
      EXPECT_EQ(reference::schedule(read.value(), scenarios.release),
                reference::schedule(question, scenarios.release))
          << name << number << "\n"
          << text;
    }
  }
}

TEST(WholeCycle, IsDrawnFromAnyBytes) {
  const Scenarios scenarios = whole_cycle_scenarios(release("v1.37"));
  for (int value = 0; value < 256; value += 5) {
    ByteChoices choices(std::vector<std::uint8_t>(6000, static_cast<std::uint8_t>(value)));
    const std::string text = text_of(scenario(choices, scenarios));
    EXPECT_TRUE(kubernetes::read_question_text(text, "question")) << value;
  }
}

TEST(WholeCycle, MostlyFindsSeveralNodesAndSometimesNone) {
  for (const char* name : {"v1.13.0", "v1.37.2"}) {
    const Scenarios scenarios = whole_cycle_scenarios(release(name));
    std::size_t scored = 0;
    std::size_t preempting = 0;
    for (std::uint64_t number = 0; number < 400; ++number) {
      const Placement placement =
          reference::schedule(numbered_scenario(scenarios, 5, number), scenarios.release);
      if (!placement.scores.empty()) ++scored;
      if (placement.decision.outcome == Outcome::nominated) ++preempting;
    }
    EXPECT_GT(scored, 160u) << name;
    EXPECT_GT(preempting, 20u) << name;
  }
}

TEST(WholeCycle, HasWhatEachFamilyNames) {
  const auto some_node = [](const Question& question, auto kind) {
    return std::any_of(question.cluster.nodes.begin(), question.cluster.nodes.end(), kind);
  };
  const auto has = [](auto kind) { EXPECT_TRUE(some_cluster(37, kind)); };
  has([&](const Question& q) { return some_node(q, [](const Node& n) { return !n.images.empty(); }); });
  has([&](const Question& q) { return some_node(q, [](const Node& n) { return !n.avoided.empty(); }); });
  has([](const Question& q) { return !q.pod.preferred_node_affinity.empty(); });
  has([](const Question& q) { return !q.pod.preferred_pod_affinity.empty(); });
  has([](const Question& q) { return !q.pod.preferred_pod_anti_affinity.empty(); });
  has([](const Question& q) { return q.pod.controller && !q.cluster.selecting.empty(); });
  has([](const Question& q) { return q.cluster.nodes.size() > 250; });
  has([](const Question& q) { return q.start.has_value(); });
  has([](const Question& q) { return q.cluster.storage.classes.contains("scored"); });
  has([&](const Question& q) {
    return some_node(
        q, [](const Node& n) { return n.labels.contains("failure-domain.beta.kubernetes.io/zone"); });
  });
}

TEST(WholeCycle, HasFieldsFromTheReleaseOnThatIntroducedThem) {
  expect_since(16, some_soft_constraint([](const TopologySpreadConstraint&) { return true; }));
  expect_since(26, some_soft_constraint([](const TopologySpreadConstraint& each) {
                 return !each.node_taints_policy.empty();
               }));
  expect_since(27, some_soft_constraint(
                       [](const TopologySpreadConstraint& each) { return !each.match_label_keys.empty(); }));
  expect_since(33, [](const Question& question) {
    return std::any_of(question.pod.volumes.begin(), question.pod.volumes.end(),
                       [](const Volume& volume) { return volume.source.kind == "image"; });
  });
}

}  // namespace tests_of_scored

}  // namespace touchstone::fuzz
