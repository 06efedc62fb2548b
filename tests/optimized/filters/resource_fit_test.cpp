#include "tests/optimized/agreed.hpp"
#include "tests/optimized/filters/objects.hpp"

/// Small clusters for the dry run of a node: amounts of resources, host ports of nominated pods, and the pod
/// that an error names.
namespace touchstone::tests::optimized_resource_fit_test {

namespace {

/// Adds pods a and b of higher priority, whose ephemeral volumes have claims that were not made for them. So
/// NodeVolumeLimits errs if the preemptor has enough cpu (PRE-ATTACH-6).
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
  return stored.with(foreign_claim("a", "v0")).with(foreign_claim("b", "v0"));
}

}  // namespace

// PRE-VICTIM-6: the eviction of pod a alone leaves enough memory. Pods a and b have the same priority and
// request different amounts. If the memory of the pod `high` were added to the 7 bytes in use, instead of
// subtracted, the sum would be that of two pods like a.
TEST(OptimizedResourceFit, PodsOfOnePriorityMayRequestDifferentAmounts) {
  Question question = one_node()
                          .has(with_memory_of(pod("high", 20, 0), 1))
                          .has(with_memory_of(started(pod("a", 0, 0), 1), 4))
                          .has(with_memory_of(started(pod("b", 0, 0), 2), 2))
                          .asks(with_memory_of(pod("p", 10, 0), 7));
  question.cluster.nodes[0].allocatable["memory"] = 10;
  EXPECT_EQ(agreed(question, "v1.34").victims, std::vector<PodIndex>{1});
}

// PRE-FIT-4: n1 lacks only cpu. The preemptor requests no memory, so memory is not checked, although n1 has a
// negative amount of it. So n1 is not unresolvable, and the preemptor waits for the terminating pod there.
TEST(OptimizedResourceFit, AMissingResourceThatIsNotRequestedDoesNotMatter) {
  Question question = one_node().has(leaving(pod("a", 0, 1000))).asks(pod("p", 10, 500));
  question.cluster.nodes[0].allocatable["memory"] = -1;
  question.pod.nominated_node_name = "n1";
  EXPECT_EQ(agreed(question, "v1.34").outcome, Outcome::ineligible);
}

// PRE-PORTS-1, PRE-NOMINATED-1: the host port of a nominated pod is in use, although another nominated pod
// comes after it.
TEST(OptimizedResourceFit, ANominatedPodTakesItsHostPort) {
  const Pod p = with_host_port(pod("p", 10, 0), 80);
  const Pod with_port = with_host_port(pod("q", 20, 0), 80);
  const Pod without = pod("r", 20, 0);
  for (const char* version : {"v1.16", "v1.34"}) {
    EXPECT_EQ(outcome(one_node().nominated(without).asks(p), version), Outcome::fits);
    EXPECT_EQ(outcome(one_node().nominated(with_port).nominated(without).asks(p), version), Outcome::none);
  }
}

// PRE-ATTACH-6, PRE-VICTIM-3, PRE-OUTCOME-5: the dry run removes the pods of lower priority. In the release's
// list of pods the last pod takes the place of a removed one. So b comes before a, and the error names b.
TEST(OptimizedResourceFit, TheErrorOfADryRunNamesTheFirstPodOfTheList) {
  const QuestionBuilder one_low = one_node().has(pod("low", 0, 1000));
  const QuestionBuilder two_low = one_node().has(pod("low-3", 3, 500)).has(pod("low-5", 5, 500));
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
  for (const char* version : {"v1.23", "v1.34"}) {
    const optimized::Answer answer = agreed(with_foreign_claims(one_node(), true), version);
    EXPECT_EQ(answer.outcome, Outcome::error);
    EXPECT_NE(answer.reason.find("a-v0"), std::string::npos) << answer.reason;
  }
}

}  // namespace touchstone::tests::optimized_resource_fit_test
