// tests/optimized/search/decide_test.cpp
#include "tests/optimized/agreed.hpp"
#include "tests/support/any_question.hpp"

namespace touchstone::tests::decide_test {

// PRE-ELIGIBLE-3, PRE-ELIGIBLE-4: the preemptor waits for a pod that terminates, not for one that only has
// the condition of a preempted pod.
TEST(Eligibility, DoesNotWaitForPodsThatStay) {
  for (const bool terminates : {false, true}) {
    for (const char* reason : {"PreemptionByScheduler", "EvictionByEvictionAPI"}) {
      Pod a = pod("a", 0, 1000);
      a.terminating = terminates;
      a.conditions = {{"DisruptionTarget", "True", reason}};
      Question question = QuestionBuilder().node("n1", 1000).has(a).asks(pod("p", 10, 1000));
      question.pod.nominated_node_name = "n1";
      for (const std::string& epoch : k_distinct_releases) {
        const Outcome outcome = agreed(question, release(epoch)).outcome;
        EXPECT_TRUE(terminates || outcome == Outcome::nominated) << epoch;
      }
    }
  }
}

// PRE-VICTIM-4, PRE-VICTIM-5: two pods of equal priority that started at the same time, or not at all. v1.38
// compares their UIDs too. Pods with equal UIDs, or with none, stay in the order of the list.
TEST(Importance, OfPodsWithEqualUidsIsTheOrderOfTheList) {
  for (const char* first : {"", "1", "2"}) {
    for (const char* second : {"", "1", "2"}) {
      Question question = QuestionBuilder()
                              .node("n1", 2000)
                              .has(pod("a", 5, 1000))
                              .has(pod("b", 5, 1000))
                              .asks(pod("p", 10, 1000));
      question.cluster.pods[0].uid = first;
      question.cluster.pods[1].uid = second;
      for (const std::string& epoch : k_distinct_releases) {
        agreed(question, release(epoch));
        question.cluster.pods[0].start_time_ns.reset();
        question.cluster.pods[1].start_time_ns.reset();
        agreed(question, release(epoch));
        question.cluster.pods[0].start_time_ns = question.cluster.pods[1].start_time_ns = 100;
      }
    }
  }
}

}  // namespace touchstone::tests::decide_test
