#include <gtest/gtest.h>

#include "reference/queue/group_affinity.hpp"
#include "tests/support/pod_groups.hpp"

namespace touchstone::tests::group_trial_test {

using namespace pod_groups;

namespace {

/// Is about the pods of the same node with this label.
PodAffinityTerm term_of(const std::string& app) {
  PodAffinityTerm term;
  term.label_selector = LabelSelector{{{"app", app}}, {}};
  term.topology_key = "kubernetes.io/hostname";
  return term;
}

/// The nomination of b as the API has it in the end. a preempts v on n1, where b and c are nominated; a and b
/// are of a group. The preemption begins when the trial has tried so many pods; 3: after the trial.
std::string nomination_of_b(std::size_t tried) {
  class LateChoices final : public Choices {
   public:
    explicit LateChoices(std::size_t late) : late_(late) {}
    std::size_t pick(std::size_t, std::string_view where) override {
      return where == "QUE-GROUP-3" && ++asked_ != late_ ? 1 : 0;
    }

   private:
    std::size_t late_;
    std::size_t asked_ = 0;
  };
  Play play = with_groups({{"GenericWorkload", true}});
  play.node("n1", 3000).creates(placed(pod("v", 0, 2000), "n1"));
  writes(play, member("a", 20, 2000));
  PodObject lower = member("b", 10);
  lower.pod.nominated_node_name = "n1";
  writes(play, lower);
  Pod alone = pod("c", 5, 100);
  alone.nominated_node_name = "n1";
  play.creates(alone);
  LateChoices choices(tried);
  reference::play(play.world, CycleCommand{}, choices);
  EXPECT_TRUE(play.stored("v").terminating);
  EXPECT_EQ(play.stored("c").nominated_node_name, "");
  return play.stored("b").nominated_node_name;
}

}  // namespace

// QUE-GROUP-3, QUE-GROUP-4
TEST(PodGroups, WaitForTheirPreemptions) {
  Play play = with_groups();
  play.node("n1", 2000).creates(placed(pod("v", 1, 1000), "n1"));
  writes(play, group_of(2));
  writes(play, member("a", 9));
  writes(play, member("b", 8));
  writes(play, member("c", 7, 0));
  EXPECT_EQ(cycles(play), CycleOutcome::nominated);
  for (const char* name : {"a", "b", "c"}) EXPECT_EQ(play.nominated(name), "n1");
  EXPECT_TRUE(play.stored("v").terminating);
  EXPECT_EQ(play.place("a"), "backoff");
  play.removes("v");
  waits_and_flushes(play);
  EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
  EXPECT_EQ(play.stored("a").node_name, "n1");
  EXPECT_EQ(play.stored("b").node_name, "n1");
}

// QUE-GROUP-3: the victim goes, although the group does not fit.
TEST(PodGroups, PreemptBeforeTheVerdict) {
  Play play = with_groups();
  play.node("n1", 1000).creates(placed(pod("v", 1, 1000), "n1"));
  writes(play, group_of(2));
  writes(play, member("a", 9));
  writes(play, member("b", 8));
  EXPECT_EQ(cycles(play), CycleOutcome::none);
  EXPECT_TRUE(play.stored("v").terminating);
  EXPECT_EQ(play.nominated("a"), "");
  // The victim still terminates, so that no preemption begins.
  waits_and_flushes(play);
  EXPECT_EQ(cycles(play), CycleOutcome::none);
  EXPECT_TRUE(play.world.preemptions.empty());
}

// QUE-GROUP-3: a preemption that begins beside the trial clears no nomination of a pod of the group, for they
// are in no part of the queue.
TEST(PodGroups, PreemptBesideTheTrial) {
  EXPECT_EQ(nomination_of_b(1), "n1");
  EXPECT_EQ(nomination_of_b(2), "n1");
  EXPECT_EQ(nomination_of_b(3), "");
}

// QUE-GROUP-3: the nomination of a placed pod is the one of its object.
TEST(PodGroups, NominateByObjectsAfterTheTrial) {
  Play play = with_groups();
  play.node("n1", 1000);
  writes(play, group_of(2));
  PodObject nominated = member("a", 9);
  nominated.pod.nominated_node_name = "n1";
  writes(play, nominated);
  writes(play, member("b", 8));
  play.holds(CallKind::patch, "a");
  EXPECT_EQ(cycles(play), CycleOutcome::open);
  EXPECT_EQ(play.nominated("a"), "");
  EXPECT_EQ(play.stored("a").nominated_node_name, "n1");
}

// QUE-GROUP-3: an error of the cycle of one pod.
TEST(PodGroups, ErrOrAreNotModelledLikeTheirPods) {
  Play errs = with_group(4000);
  errs.node("n2", 4000);
  errs.world.release.prescore_error = "no state";
  EXPECT_EQ(cycles(errs), CycleOutcome::error);
  EXPECT_EQ(errs.stored("a").conditions.at(0).reason, "SchedulerError");
  Play play = with_group(4000);
  PodObject with_claims = member("c", 7);
  with_claims.pod.resource_claims = {"c"};
  writes(play, with_claims);
  EXPECT_EQ(cycles(play), CycleOutcome::skipped);
}

// QUE-GROUP-3
TEST(PodGroups, WithOtherWaitsAreNotModelled) {
  Play play = with_group(4000);
  PodObject waiting = member("c", 7);
  waiting.annotations = {{"touchstone.dev/permit-seconds", "60"}};
  writes(play, waiting);
  EXPECT_EQ(cycles(play), CycleOutcome::skipped);
}

// QUE-GROUP-6: the anti-affinity of a placed pod is seen on a listed node alone.
TEST(PodGroups, OverlookTheirOwnAntiAffinity) {
  for (const bool is_listed : {false, true}) {
    Play play = with_groups();
    play.node("n1", 4000);
    Pod seen = placed(pod("s", 1, 0), "n1");
    if (is_listed) seen.pod_anti_affinity = {term_of("none")};
    play.creates(seen);
    writes(play, group_of(2));
    PodObject lonely = member("a", 9);
    lonely.pod.pod_anti_affinity = {term_of("b")};
    writes(play, lonely);
    PodObject other = member("b", 8);
    other.pod.labels = {{"app", "b"}};
    writes(play, other);
    EXPECT_EQ(cycles(play), is_listed ? CycleOutcome::none : CycleOutcome::scheduled);
  }
}

// QUE-GROUP-6: scores overlook the other terms, unless the pod has preferred terms, or its node is listed.
TEST(PodGroups, OverlookTheirOwnPreferences) {
  enum class See { nothing, by_affinity, by_anti_affinity, by_list, by_preferred_list };
  for (const See see :
       {See::nothing, See::by_affinity, See::by_anti_affinity, See::by_list, See::by_preferred_list}) {
    Play play = with_groups();
    play.node("n1", 4000).node("n2", 4000);
    for (const char* node : {"n1", "n2"}) {
      Pod seen = placed(pod(std::string("s-") + node, 1, 0), node);
      if (see == See::by_list) seen.pod_affinity = {term_of("none")};
      if (see == See::by_preferred_list) seen.preferred_pod_affinity = {{1, term_of("none")}};
      play.creates(seen);
    }
    writes(play, group_of(2));
    PodObject lonely = member("a", 9);
    lonely.pod.preferred_pod_anti_affinity = {{100, term_of("b")}};
    writes(play, lonely);
    PodObject other = member("b", 8, 0);
    other.pod.labels = {{"app", "b"}};
    if (see == See::by_affinity) other.pod.preferred_pod_affinity = {{1, term_of("none")}};
    if (see == See::by_anti_affinity) other.pod.preferred_pod_anti_affinity = {{1, term_of("none")}};
    writes(play, other);
    EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
    if (see != See::nothing) {
      EXPECT_NE(play.stored("b").node_name, play.stored("a").node_name);
    }
  }
}

// QUE-GROUP-7: until the node changes.
TEST(PodGroups, LeaveTheirPortsFreeAfterTheTrial) {
  enum class Change { nothing, node, pod };
  for (const Change change : {Change::nothing, Change::node, Change::pod}) {
    const auto on_port = [](Pod made) {
      made.containers.at(0).ports = {{"TCP", "", 80}};
      return made;
    };
    Play play = with_groups();
    play.node("n1", 4000).creates(placed(on_port(pod("v", 1, 0)), "n1"));
    writes(play, group_of(std::nullopt));
    PodObject wanting = member("a", 9);
    wanting.pod = on_port(wanting.pod);
    play.holds(CallKind::patch, "v");
    writes(play, wanting);
    EXPECT_EQ(cycles(play), CycleOutcome::nominated);
    if (change == Change::node) play.updates(node_with("n1", 5000));
    if (change == Change::pod) play.creates(placed(pod("other", 1, 0), "n1")).removes("other");
    play.creates(on_port(pod("q", 20, 0)));
    EXPECT_EQ(cycles(play), change == Change::nothing ? CycleOutcome::scheduled : CycleOutcome::nominated);
  }
}

// QUE-GROUP-3, NOM-COUNT-1: a pod that the trial placed is counted once, although it was nominated.
TEST(PodGroups, CountAPlacedPodWithoutItsNomination) {
  Play play = with_groups();
  Node room_for_two = node_with("n1", 4000);
  room_for_two.allocatable["pods"] = 2;
  play.creates(room_for_two);
  writes(play, group_of(2));
  PodObject nominated = member("a", 9);
  nominated.pod.nominated_node_name = "n1";
  writes(play, nominated);
  writes(play, member("b", 0));
  EXPECT_EQ(play.nominated("a"), "n1");
  EXPECT_EQ(cycles(play), CycleOutcome::scheduled);
  EXPECT_EQ(play.stored("b").node_name, "n1");
}

// QUE-GROUP-6: what each placed pod keeps does not depend on the pods before it.
TEST(PodGroups, OverlookTheTermsOfEachPlacedPod) {
  reference::Cache before;
  before.pods["n1"] = {PodObject{placed(pod("seen", 1, 0), "n1"), 30, {}}};
  Question question;
  question.pod = pod("p", 1, 0);
  for (const char* name : {"a", "b"}) {
    Pod trial = placed(pod(name, 1, 0), "n1");
    trial.uid = "u-" + trial.name;
    trial.pod_anti_affinity = {term_of("none")};
    trial.preferred_pod_affinity = {{1, term_of("none")}};
    trial.preferred_pod_anti_affinity = {{1, term_of("none")}};
    question.cluster.pods.push_back(trial);
  }
  for (const bool has_preferences : {true, false}) {
    if (!has_preferences) question.pod.preferred_pod_affinity.clear();
    if (has_preferences) question.pod.preferred_pod_affinity = {{1, term_of("none")}};
    Question overlooked = question;
    EXPECT_TRUE(reference::overlook_affinity(before, overlooked));
    for (const Pod& each : overlooked.cluster.pods) {
      EXPECT_TRUE(each.pod_anti_affinity.empty());
      EXPECT_EQ(each.preferred_pod_affinity.empty(), !has_preferences);
      EXPECT_EQ(each.preferred_pod_anti_affinity.empty(), !has_preferences);
    }
  }
}

}  // namespace touchstone::tests::group_trial_test
