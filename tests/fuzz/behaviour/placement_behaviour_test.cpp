#include "fuzz/behaviour/placement_behaviour.hpp"

#include <gtest/gtest.h>

#include <map>

#include "fuzz/behaviour/quality.hpp"
#include "fuzz/campaign/questions.hpp"
#include "oracle/compare/asked.hpp"
#include "reference/cycle/schedule.hpp"
#include "tests/support/builder.hpp"

/// The classes of placements, and what the generator's clusters show of them.
namespace touchstone::fuzz {

namespace tests_of_placements {

namespace {

using tests::pod;
using tests::QuestionBuilder;
using tests::release;
using Counts = std::map<std::string, std::size_t>;

std::set<std::string> classes(const Question& question, const char* name) {
  const Release of = release(name);
  return classes_of_placement(question, of, reference::schedule(question, of));
}

/// What whole cycles show for some releases, half of them with a random configuration.
const Counts& shown() {
  static Counts counts;
  if (!counts.empty()) return counts;
  for (const char* name : {"v1.13.0", "v1.21.0", "v1.37.2"}) {
    const Scenarios scenarios = whole_cycle_scenarios(release(name));
    for (std::uint64_t number = 0; number < 1200; ++number) {
      const QuestionPlan plan{oracle::Command::schedule, {nullptr, number % 2 == 1}};
      const SentQuestion sent = numbered_question(plan, scenarios, 11, number);
      const Release of = oracle::release_for(sent.asked(), scenarios.release).value();
      for (const std::string& each :
           classes_of_placement(sent.question, of, reference::schedule(sent.question, of)))
        ++counts[each];
    }
  }
  return counts;
}

}  // namespace

TEST(PlacementClasses, AreThoseOfScorersSearchAndHost) {
  // Equal shares of cpu and memory, so that both nodes are as balanced.
  Pod other = pod("a", 0, 2000);
  other.containers[0].requests["memory"] = 1 << 29;
  Pod own = pod("p", 10, 1000);
  own.containers[0].requests["memory"] = 1 << 28;
  Question question = QuestionBuilder().node("n1", 4000).has(other).node("n2", 4000).asks(own);
  std::set<std::string> found = classes(question, "v1.34.4");
  for (const char* each : {"several feasible nodes", "one best node", "NodeResourcesFit ran",
                           "NodeResourcesFit tells nodes apart", "NodeResourcesFit decides",
                           "NodeAffinity skipped", "TaintToleration ran", "the least allocated node"})
    EXPECT_TRUE(found.contains(each)) << each;
  EXPECT_FALSE(found.contains("TaintToleration tells nodes apart"));
  EXPECT_FALSE(found.contains("a search with a start"));
  question.cluster.pods.clear();
  EXPECT_TRUE(classes(question, "v1.34.4").contains("a tie of two nodes"));
  question.start = 1;
  found = classes(question, "v1.35.4");
  EXPECT_TRUE(found.contains("a search with a start"));
  EXPECT_TRUE(found.contains("a search that goes round"));
  EXPECT_TRUE(found.contains("a heap decides a tie"));
  question.pod.nominated_node_name = "n2";
  found = classes(question, "v1.35.4");
  EXPECT_TRUE(found.contains("the nominated node is the host"));
  EXPECT_TRUE(found.contains("one feasible node"));
  EXPECT_TRUE(classes(QuestionBuilder().node("n1", 1).asks(pod("p", 0, 2)), "v1.34.4").empty());
}

TEST(PlacementClasses, MakeSignaturesDiffer) {
  EXPECT_NE(signature_of_cycle(1, {"a"}), signature_of_cycle(2, {"a"}));
  EXPECT_NE(signature_of_cycle(1, {"a"}), signature_of_cycle(1, {"b"}));
  EXPECT_EQ(signature_of_cycle(1, {"a", "b"}), signature_of_cycle(1, {"b", "a"}));
}

// Each scorer runs, tells nodes apart and decides; those that a release skips are skipped.
TEST(WholeCycleQuality, ShowsEveryScorerInEachState) {
  for (const char* scorer : {"SelectorSpread", "InterPodAffinity", "NodeResourcesFit",
                             "NodeResourcesBalancedAllocation", "NodePreferAvoidPods", "NodeAffinity",
                             "TaintToleration", "ImageLocality", "PodTopologySpread", "VolumeBinding"}) {
    for (const char* state : {" ran", " tells nodes apart", " decides"})
      EXPECT_TRUE(shown().contains(std::string(scorer) + state)) << scorer << state;
  }
  for (const char* scorer :
       {"InterPodAffinity", "NodeAffinity", "PodTopologySpread", "NodeResourcesBalancedAllocation"})
    EXPECT_TRUE(shown().contains(std::string(scorer) + " skipped")) << scorer;
}

TEST(WholeCycleQuality, ShowsTheSearchTheHostAndTheBranches) {
  for (const char* each : {"one feasible node",
                           "several feasible nodes",
                           "a hundred feasible nodes or more",
                           "the nominated node is the host",
                           "a search with a start",
                           "a search that goes round",
                           "a search that leaves nodes out",
                           "one best node",
                           "a tie of two nodes",
                           "a tie of several nodes",
                           "a heap decides a tie",
                           "no scorer",
                           "the least allocated node",
                           "the most allocated node",
                           "a requested share of capacity",
                           "a container that lacks a request",
                           "an init container in a score",
                           "overhead in a score",
                           "pod-level requests in a score",
                           "scored resources of a configuration",
                           "an image without a tag",
                           "an image twice in a pod",
                           "an image of an init container",
                           "an image in a volume",
                           "a preferred field",
                           "a preferred expression",
                           "several preferred terms",
                           "preferred terms of a configuration",
                           "own preferred affinity",
                           "own preferred anti-affinity",
                           "required affinity of another pod",
                           "preferred affinity of another pod",
                           "preferred anti-affinity of another pod",
                           "system default constraints",
                           "default constraints of a list",
                           "default constraints by a controller",
                           "a soft constraint over host names",
                           "a soft constraint with matchLabelKeys",
                           "a soft constraint with a policy for taints",
                           "a feasible node without the key of a soft constraint",
                           "several soft constraints",
                           "a soft taint and tolerations",
                           "storage scored by capacity",
                           "storage scored by volumes"})
    EXPECT_TRUE(shown().contains(each)) << each;
}

TEST(WholeCycleQuality, CountsPlacementsOfScheduleAlone) {
  const Scenarios scenarios = whole_cycle_scenarios(release("v1.34.4"));
  const Quality schedule = measure(scenarios, 1, 100, [] {}, oracle::Command::schedule);
  EXPECT_GT(schedule.placements.at("several feasible nodes"), 30u);
  EXPECT_TRUE(measure(scenarios, 1, 100).placements.empty());
}

}  // namespace tests_of_placements

}  // namespace touchstone::fuzz
