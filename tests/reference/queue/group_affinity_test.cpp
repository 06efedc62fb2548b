#include "reference/queue/group_affinity.hpp"

#include <gtest/gtest.h>

#include "tests/support/pod_groups.hpp"
#include "tests/support/topology.hpp"

/// The affinity terms of placed pods that the trial of a group overlooks.
namespace touchstone::tests::group_affinity_test {

using namespace pod_groups;

namespace {

/// A term about the pods of the same node with the label app=`app`.
PodAffinityTerm term_of(const std::string& app) { return by("kubernetes.io/hostname", app); }

/// The kinds of affinity terms that a pod may have.
enum class Terms { none, required, anti, preferred, preferred_anti, all };

Pod with_terms(Pod made, Terms terms) {
  const bool all = terms == Terms::all;
  if (all || terms == Terms::required) made.pod_affinity = {term_of("x")};
  if (all || terms == Terms::anti) made.pod_anti_affinity = {term_of("x")};
  if (all || terms == Terms::preferred) made.preferred_pod_affinity = {{1, term_of("x")}};
  if (all || terms == Terms::preferred_anti) made.preferred_pod_anti_affinity = {{1, term_of("x")}};
  return made;
}

}  // namespace

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

// QUE-GROUP-6: which terms of a pod that the trial placed are overlooked depends on the pods that its node
// had before, and on the preferred terms of the pod that is tried.
TEST(PodGroups, OverlookTermsByTheListsOfNodes) {
  for (const Terms listed :
       {Terms::none, Terms::required, Terms::anti, Terms::preferred, Terms::preferred_anti}) {
    for (const Terms tried :
         {Terms::none, Terms::required, Terms::anti, Terms::preferred, Terms::preferred_anti}) {
      reference::Cache before;
      for (const Terms terms : {Terms::none, listed, Terms::none})
        before.pods["n1"].push_back(PodObject{with_terms(placed(pod("seen", 1, 0), "n1"), terms), 30, {}});
      Question question;
      question.pod = with_terms(pod("p", 1, 0), tried);
      question.cluster.pods = {with_terms(placed(pod("a", 1, 0), "n1"), Terms::all)};
      question.cluster.pods[0].uid = "u-a";
      const bool prefers = tried == Terms::preferred || tried == Terms::preferred_anti;
      const bool keeps_others = prefers || listed != Terms::none;
      EXPECT_EQ(reference::overlook_affinity(before, question), listed != Terms::anti);
      const Pod& seen = question.cluster.pods[0];
      EXPECT_EQ(seen.pod_anti_affinity.empty(), listed != Terms::anti);
      EXPECT_EQ(seen.pod_affinity.empty(), !keeps_others);
      EXPECT_EQ(seen.preferred_pod_affinity.empty(), !keeps_others);
      EXPECT_EQ(seen.preferred_pod_anti_affinity.empty(), !keeps_others);
    }
  }
}

// QUE-GROUP-6: the terms of a nominated pod, which is on no node, are not overlooked. A node that had no
// pods is in no list, although pods are assumed elsewhere.
TEST(PodGroups, OverlookTermsOfPlacedPodsAlone) {
  reference::Cache before;
  before.assumed = {"u-x", "u-y", "u-z"};
  Question question;
  question.pod = pod("p", 1, 0);
  Pod nominated = with_terms(pod("n", 1, 0), Terms::all);
  nominated.uid = "u-n";
  nominated.nominated_node_name = "n1";
  question.cluster.pods = {nominated};
  EXPECT_FALSE(reference::overlook_affinity(before, question));
  question.cluster.pods = {with_terms(placed(pod("a", 1, 0), "n1"), Terms::all)};
  question.cluster.pods[0].uid = "u-a";
  EXPECT_TRUE(reference::overlook_affinity(before, question));
  EXPECT_TRUE(question.cluster.pods[0].pod_affinity.empty());
  EXPECT_TRUE(question.cluster.pods[0].pod_anti_affinity.empty());
}

}  // namespace touchstone::tests::group_affinity_test
