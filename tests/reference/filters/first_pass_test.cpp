#include <gtest/gtest.h>

#include <string>

#include "tests/reference/steps.hpp"
#include "tests/support/decided.hpp"
#include "tests/support/storage.hpp"
#include "tests/support/topology.hpp"

/// Tests which error or failure ends the first pass, and what it leaves to the dry run.
namespace touchstone::tests::first_pass_test {

namespace {

/// The error of the dry run of the first node. Empty if that node has no dry run.
std::string error_of_dry_run(const Question& question, const char* name) {
  const Decision decision = decide(question, name);
  const auto found = decision.dry_run.find(0);
  return found == decision.dry_run.end() ? "" : found->second.reasons.at(0);
}

}  // namespace

// PRE-CYCLE-2, PRE-PREFILTER-5: the cluster has no node, so no PreFilter runs and looks for the pinned name.
TEST(FirstPass, HasTheErrorOfAnEmptyClusterBeforeThatOfAName) {
  Question question = QuestionBuilder().asks(pod("p", 10, 1000));
  question.pod.node_affinity = {NodeSelectorTerm{{}, {{"metadata.name", "In", {"gone"}}}}};
  EXPECT_EQ(decide(question, "v1.24").reason, "no nodes available to schedule pods");
  EXPECT_EQ(clauses_of(decision_steps(question, "v1.24", Stage::attempt)),
            (ClausesOfSteps{{"PRE-CYCLE-2", false}}));
}

// PRE-SPREAD-6, PRE-CYCLE-3: p fits on n1, to which it is nominated. Its constraint does not spread over n2,
// to which q is nominated. Before v1.22 the scheduler filters all nodes, and crashes on n2.
TEST(FirstPass, CrashesOnAnotherNodeThanTheNominatedOneBefore122) {
  Question question = in_zones(QuestionBuilder()
                                   .node("n1", 1000)
                                   .node("n2", 1000)
                                   .nominated(with_app(pod("q", 20, 100), "x"))
                                   .asks(spread(with_app(pod("p", 10, 1000), "x"), {over("zone", "x")})),
                               {"a", "b"});
  question.pod.node_selector["disk"] = "ssd";
  question.cluster.nodes[0].labels["disk"] = "ssd";
  question.pod.nominated_node_name = "n1";
  EXPECT_EQ(decide(question, "v1.21").outcome, Outcome::error);
  EXPECT_EQ(decide(question, "v1.21").message, "");  // a crash reports nothing
  EXPECT_EQ(decide(question, "v1.22.0").outcome, Outcome::fits);
}

// PRE-PREFILTER-4: the claim of the pod is unbound, so the PreFilter of VolumeBinding fails. The dry run errs
// at the first filter that has no state. In v1.27.0, and in v1.28.0 with the disk, the PreFilter of
// VolumeRestrictions has run before and was not skipped, so VolumeRestrictions has its state.
TEST(FirstPass, LeavesTheFiltersAfterALostFailureWithoutState) {
  Question question =
      QuestionBuilder().node("n1", 1000).has(pod("a", 0, 1000)).asks(with_claim(pod("p", 10, 1000), "c"));
  const Question with_claim_alone = Stored(question).with(claim("c"));
  question.pod = with_volume(question.pod, source("iscsi", "disk"));
  const Question with_disk = Stored(question).with(claim("c"));
  EXPECT_NE(error_of_dry_run(with_claim_alone, "v1.27.0").find("\"PodTopologySpread\""), std::string::npos);
  EXPECT_NE(error_of_dry_run(with_claim_alone, "v1.28.0").find("\"VolumeRestrictions\""), std::string::npos);
  EXPECT_NE(error_of_dry_run(with_disk, "v1.28.0").find("\"PodTopologySpread\""), std::string::npos);
}

}  // namespace touchstone::tests::first_pass_test
