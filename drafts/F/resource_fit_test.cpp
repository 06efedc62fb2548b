// For a new file, tests/optimized/filters/resource_fit_test.cpp
#include "tests/optimized/agreed.hpp"
#include "tests/support/storage.hpp"

/// Small clusters for the dry run of a node: amounts of resources, host ports of nominated pods, and the pod
/// that an error names.
namespace touchstone::tests::optimized_resource_fit_test {

namespace {

Pod with_memory(Pod pod, Quantity bytes) {
  pod.containers[0].requests["memory"] = bytes;
  return pod;
}

/// Pods a and b of higher priority, whose ephemeral volumes have claims that were not made for them. So
/// NodeVolumeLimits errs if the preemptor has enough cpu (PRE-ATTACH-6). `low`: the pods before them.
Question with_foreign_claims(QuestionBuilder cluster, bool are_nominated) {
  for (const char* name : {"a", "b"}) {
    const Pod made = with_volume(pod(name, 20, 0), source("ephemeral"));
    if (are_nominated) {
      cluster.nominated(made);
    } else {
      cluster.has(made);
    }
  }
  Stored stored(cluster.asks(with_claim(pod("p", 10, 1000), "c")));
  stored.with(claim("c", "v")).with(volume("v")).with(CsiNode{"n1", {"d"}, {{"d", 9}}, {}});
  for (const char* name : {"a-v0", "b-v0"}) {
    PersistentVolumeClaim made = claim(name, "v");
    made.controller = "somebody";
    stored.with(made);
  }
  return stored;
}

}  // namespace

// PRE-VICTIM-2: the eviction of a alone leaves enough memory. The pods of the lower level request different
// amounts. With the memory of the pod `high` added, they would request as much as two pods like a.
TEST(OptimizedResourceFit, PodsOfALevelMayRequestDifferentAmounts) {
  Question question = QuestionBuilder()
                          .node("n1", 1000)
                          .has(with_memory(pod("high", 20, 0), 1))
                          .has(with_memory(started(pod("a", 0, 0), 1), 4))
                          .has(with_memory(started(pod("b", 0, 0), 2), 2))
                          .asks(with_memory(pod("p", 10, 0), 7));
  question.cluster.nodes[0].allocatable["memory"] = 10;
  EXPECT_EQ(agreed(question, "v1.34").victims, std::vector<PodIndex>{1});
}

// PRE-FIT-4: n1 lacks cpu alone. Memory is not checked, since the preemptor requests none, even if n1 has
// less than none. So n1 is not unresolvable, and the preemptor waits for the terminating pod there.
TEST(OptimizedResourceFit, AMissingResourceThatIsNotRequestedDoesNotMatter) {
  Pod leaving = pod("a", 0, 1000);
  leaving.terminating = true;
  leaving.conditions = {{"DisruptionTarget", "True", "PreemptionByScheduler"}};
  Question question = QuestionBuilder().node("n1", 1000).has(leaving).asks(pod("p", 10, 500));
  question.cluster.nodes[0].allocatable["memory"] = -1;
  question.pod.nominated_node_name = "n1";
  EXPECT_EQ(agreed(question, "v1.34").outcome, Outcome::ineligible);
}

// PRE-PORTS-1, PRE-NOMINATED-1: the host port of one of the nominated pods is in conflict, whichever comes
// first.
TEST(OptimizedResourceFit, ANominatedPodTakesItsHostPort) {
  const Pod p = with_host_port(pod("p", 10, 0), 80);
  const Pod with_port = with_host_port(pod("q", 20, 0), 80);
  const Pod without = pod("r", 20, 0);
  for (const char* version : {"v1.16", "v1.34"}) {
    EXPECT_EQ(outcome(QuestionBuilder().node("n1", 1000).nominated(without).asks(p), version), Outcome::fits);
    EXPECT_EQ(
        outcome(QuestionBuilder().node("n1", 1000).nominated(with_port).nominated(without).asks(p), version),
        Outcome::none);
  }
}

// PRE-ATTACH-6, PRE-VICTIM-3, PRE-OUTCOME-5: the dry run removes the pods of lower priority. In the release's
// list of pods the last pod takes the place of a removed one. So b comes before a, and the error names b.
TEST(OptimizedResourceFit, TheErrorOfADryRunNamesTheFirstPodOfTheList) {
  QuestionBuilder one_low;
  one_low.node("n1", 1000).has(pod("low", 0, 1000));
  QuestionBuilder two_low;
  two_low.node("n1", 1000).has(pod("low-3", 3, 500)).has(pod("low-5", 5, 500));
  for (const QuestionBuilder& cluster : {one_low, two_low}) {
    for (const char* version : {"v1.23", "v1.34"}) {
      const optimized::Answer answer = agreed(with_foreign_claims(cluster, false), version);
      EXPECT_EQ(answer.outcome, Outcome::error);
      EXPECT_NE(answer.reason.find("b-v0"), std::string::npos) << answer.reason;
    }
  }
}

// PRE-ATTACH-6, PRE-NOMINATED-1: the error names the nominated pod that comes first.
TEST(OptimizedResourceFit, TheErrorNamesTheFirstNominatedPod) {
  QuestionBuilder cluster;
  cluster.node("n1", 1000);
  for (const char* version : {"v1.23", "v1.34"}) {
    const optimized::Answer answer = agreed(with_foreign_claims(cluster, true), version);
    EXPECT_EQ(answer.outcome, Outcome::error);
    EXPECT_NE(answer.reason.find("a-v0"), std::string::npos) << answer.reason;
  }
}

}  // namespace touchstone::tests::optimized_resource_fit_test
