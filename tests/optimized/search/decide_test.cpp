#include "optimized/search/decide.hpp"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "spec/vocabulary/seeded_choices.hpp"
#include "tests/optimized/agreed.hpp"
#include "tests/optimized/pinned.hpp"
#include "tests/optimized/scores/placed.hpp"
#include "tests/support/any_question.hpp"
#include "tests/support/scale.hpp"
#include "tests/support/storage.hpp"

/// Decisions of both engines agree if filters err, exclude nodes or run in another order.
namespace touchstone::tests::decide_test {

namespace {

Pod terminating(Pod pod) {
  pod.terminating = true;
  return pod;
}

/// Node affinity to nodes of these names.
Pod pinned(Pod pod, std::vector<std::string> names) {
  pod.node_affinity = {{{{}, {{"metadata.name", "In", std::move(names)}}}}};
  return pod;
}

/// Like `release`, with the filters for which `is_first` is false after the others.
template <typename F>
Release with_order(Release release, const F& is_first) {
  std::vector<std::vector<Filter>> later;
  for (const std::vector<Filter>& group : release.filter_groups) {
    if (!is_first(group.front())) later.push_back(group);
  }
  std::erase_if(release.filter_groups,
                [&](const std::vector<Filter>& group) { return !is_first(group.front()); });
  release.filter_groups.insert(release.filter_groups.end(), later.begin(), later.end());
  return release;
}

bool is_fit_or_on_volumes(Filter filter) {
  return filter >= Filter::node_resources_fit && filter <= Filter::volume_zone;
}

/// The release, and the same with filters in other orders, or without NodeAffinity, as a configuration may
/// set it. In these orders filters that may err, those on volumes, run before filters that reject by the node
/// alone.
std::vector<Release> with_orders(const char* version) {
  const Release original = release(version);
  const Release volumes_first = with_order(original, is_fit_or_on_volumes);
  std::vector<Release> releases = {original, volumes_first, with_order(original, [](Filter filter) {
                                     return filter != Filter::node_unschedulable;
                                   })};
  releases.push_back(with_order(original, [](Filter filter) {
    return filter >= Filter::volume_restrictions && filter <= Filter::volume_zone;
  }));
  for (Release without : {original, volumes_first}) {
    std::erase(without.filter_groups, std::vector<Filter>{Filter::node_affinity});
    releases.push_back(std::move(without));
  }
  return releases;
}

/// Nodes n0 and n1 for a preemptor with a volume. On some of them a filter errs (erring_nodes()). The
/// preemptor may be pinned to one of them, and nominated to one.
Question with_errors(Choices& choices) {
  const auto once_in = [&choices](std::size_t n) { return choices.pick(n, "a shape") == 0; };
  Question question = erring_nodes({"a", "b"});
  std::vector<Pod>& pods = question.cluster.pods;
  for (Pod& each : pods) {
    if (once_in(2)) each.volumes.clear();
    if (once_in(2)) each.priority = 0;
    if (once_in(2)) each.containers[0].requests["cpu"] = 1000;
  }
  for (Node& node : question.cluster.nodes) {
    node.unschedulable = once_in(4);
    if (once_in(4)) node.taints = {{"k", "v", "NoSchedule"}};
    if (once_in(3)) node.allocatable["cpu"] = 500;
    if (once_in(2)) continue;
    pods.push_back(pod("low-" + node.name, 1, 600));
    pods.back().node_name = node.name;
  }
  if (once_in(2)) question.pod = pinned(std::move(question.pod), {once_in(2) ? "n0" : "n1"});
  if (once_in(2)) question.pod.nominated_node_name = once_in(2) ? "n0" : "n1";
  return question;
}

/// The release, with one filter after all others, as a configuration may set it.
Release with_last(Release release, Filter last) {
  std::erase(release.filter_groups, std::vector<Filter>{last});
  release.filter_groups.push_back({last});
  return release;
}

/// A pod that is pinned to n1 and to n2 at once, so that a PreFilter rejects it. It is nominated to n1.
Question pinned_to_none_and_nominated() {
  Question question = QuestionBuilder().node("n1", 1000).node("n2", 1000).asks(pod("p", 10, 1000));
  question.pod.node_affinity = {{with_all_names({"n1", "n2"})}};
  question.pod.nominated_node_name = "n1";
  return question;
}

}  // namespace

// PRE-FILTER-1, PRE-PREFILTER-3, PRE-ATTACH-6, PRE-VICTIM-2, PRE-VICTIM-3, PRE-OUTCOME-5, CYC-PROFILE-1: the
// order of the filters decides whether an error counts, or the rejection by another filter.
TEST(OptimizedDecide, AnswersAsTheReferenceIfFiltersErr) {
  std::map<Outcome, std::size_t> outcomes;
  for (const char* version : {"v1.23", "v1.24", "v1.26.5", "v1.27.0", "v1.29.6", "v1.37"}) {
    for (const Release& asked : with_orders(version)) {
      for (std::uint64_t seed = 0; seed < scaled(200); ++seed) {
        SeededChoices choices(seed);
        ++outcomes[agreed(with_errors(choices), asked).outcome];
        ASSERT_FALSE(HasFailure()) << version << " " << seed;
      }
    }
  }
  for (const Outcome outcome : {Outcome::fits, Outcome::nominated, Outcome::none, Outcome::error})
    EXPECT_GT(outcomes[outcome], scaled(100));
}

// PRE-FILTER-1, PRE-PREFILTER-3, PRE-OUTCOME-5: n1 is excluded and unschedulable, and a filter errs there.
// The error counts only if that filter runs before NodeUnschedulable.
TEST(OptimizedDecide, IsAnErrorIfNoEarlierFilterRejectsTheNode) {
  Question question = erring_nodes({"a", "b"});
  question.cluster.pods[0].volumes.clear();
  question.cluster.pods[0].containers[0].requests["cpu"] = 1000;
  Pod low = pod("low", 0, 1000);
  low.node_name = "n1";
  question.cluster.pods.push_back(low);
  question.pod = pinned(std::move(question.pod), {"n0"});
  question.cluster.nodes[1].unschedulable = true;
  for (const char* version : {"v1.24", "v1.26.5", "v1.27.0"}) {
    Release asked = release(version);
    std::erase(asked.filter_groups, std::vector<Filter>{Filter::node_affinity});
    EXPECT_EQ(agreed(question, asked).outcome, Outcome::none) << version;
    EXPECT_EQ(agreed(question, with_order(asked, is_fit_or_on_volumes)).outcome, Outcome::error) << version;
  }
}

// PRE-OUTCOME-1: from v1.35 no nomination is cleared if all victims are terminating already.
TEST(OptimizedDecide, ClearsNominationsIfAVictimIsNotTerminating) {
  for (const char* version : {"v1.33", "v1.36"}) {
    for (const bool both_terminate : {false, true}) {
      const Pod b = pod("b", 0, 1000);
      const Question question = QuestionBuilder()
                                    .node("n1", 2000)
                                    .has(terminating(pod("a", 0, 1000)))
                                    .has(both_terminate ? terminating(b) : b)
                                    .nominated(pod("q", 5, 1000))
                                    .asks(pod("p", 10, 2000));
      const optimized::Answer answer = agreed(question, version);
      EXPECT_EQ(answer.victims.size(), 2U);
      EXPECT_EQ(answer.clears.empty(), both_terminate && std::string(version) == "v1.36") << version;
    }
  }
}

// PRE-PREFILTER-3: all_candidates() leaves out n2, which node affinity rejects. In v1.24 n2 is a potential
// node all the same, because the PreFilter gives it no status.
TEST(OptimizedDecide, ListsTheCandidatesOfTheReference) {
  QuestionBuilder cluster;
  for (const char* name : {"n1", "n2", "n3"})
    cluster.node(name, 1000).has(pod("on-" + std::string(name), 0, 1000));
  const Question question = cluster.asks(pinned(pod("p", 10, 1000), {"n1", "n3"}));
  optimized::Workers workers(1);
  for (const char* version : {"v1.18", "v1.24", "v1.34"}) {
    const Release asked = release(version);
    const optimized::Snapshot snapshot(question.cluster, asked);
    EXPECT_EQ(optimized::all_candidates(snapshot, question.pod, workers),
              reference::preempt(question, asked).candidates)
        << version;
  }
}

// PRE-CYCLE-3, PRE-ATTACH-6: if the pod fits on its nominated node, no filter runs on another node. Filters
// err on n0 and n1.
TEST(OptimizedDecide, SeesNoErrorIfThePodFitsOnTheNominatedNode) {
  Question question = erring_nodes({"a", "a", "b"});
  question.cluster.pods.pop_back();
  question.pod.nominated_node_name = "n2";
  EXPECT_EQ(agreed(question, "v1.36").feasible, std::vector<NodeIndex>{2});
  EXPECT_EQ(placed_alike(question, release("v1.36")).host, NodeIndex{2});
  question.pod.nominated_node_name = "n1";
  EXPECT_EQ(agreed(question, "v1.36").outcome, Outcome::error);
}

// PRE-MESSAGE-6, CYC-SEARCH-3: filters err on n0 and n1. Without scorers the search ends at the first
// feasible node. A search that begins with n2 may end there, before the error, which is not modelled.
TEST(OptimizedDecide, SkipsAnErrorThatTheSearchMayNotReach) {
  Question question = erring_nodes({"a", "a", "b"});
  question.cluster.pods.pop_back();
  Release asked = release("v1.36");
  for (const bool scores : {true, false}) {
    if (!scores) asked.scorers.clear();
    for (const std::optional<Quantity> start : {std::optional<Quantity>{}, std::optional<Quantity>{2}}) {
      question.start = start;
      EXPECT_EQ(placed_alike(question, asked).answer.outcome,
                scores || !start ? Outcome::error : Outcome::skipped);
    }
  }
}

// CYC-SEARCH-4: the search finds 100 of 150 nodes, n5 to n104. The next search begins with n105. It begins
// one node later if the pod is nominated to n140, which is tried first and has too little cpu. If the pod
// fits on its nominated node n20, there is no search.
TEST(OptimizedDecide, CountsTheNominatedNodeThatTheSearchDoesNotVisit) {
  QuestionBuilder cluster;
  for (int i = 0; i < 150; ++i) cluster.node("n" + std::to_string(i), i == 140 ? 500 : 4000);
  Question question = cluster.asks(pod("p", 10, 1000));
  question.start = 5;
  for (const auto& [nominated, next_start] :
       {std::pair{"", 105}, std::pair{"n140", 106}, std::pair{"n20", 5}}) {
    question.pod.nominated_node_name = nominated;
    for (const char* version : {"v1.20", "v1.22", "v1.24", "v1.27.14", "v1.30.0"})
      placed_alike(question, release(version));
    EXPECT_EQ(placed_alike(question, release("v1.36")).next_start, Quantity{next_start}) << nominated;
  }
}

// PRE-VICTIM-3, CYC-PROFILE-1: NodeUnschedulable runs last and rejects n0. A filter of volumes may err on n1,
// so nodes that a late filter rejects are dry-run. The dry run of n0 finds no candidate.
TEST(OptimizedDecide, NominatesNoNodeThatALateFilterRejects) {
  Question question = erring_nodes({"a", "b"});
  question.cluster.pods[0].volumes.clear();
  question.cluster.pods[0].priority = 0;
  for (Pod& each : question.cluster.pods) each.containers[0].requests["cpu"] = 1000;
  question.cluster.nodes[0].unschedulable = true;
  for (const char* version : {"v1.24", "v1.29.6", "v1.33", "v1.37"}) {
    const Release asked = release(version);
    EXPECT_EQ(agreed(question, asked).outcome, Outcome::none) << version;
    EXPECT_EQ(agreed(question, with_last(asked, Filter::node_unschedulable)).outcome, Outcome::none)
        << version;
  }
  question.cluster.nodes[0].unschedulable = false;
  EXPECT_EQ(agreed(question, with_last(release("v1.29.6"), Filter::node_unschedulable)).node, NodeIndex{0});
}

// PRE-OUTCOME-5, CYC-PROFILE-1: NodeResourcesFit runs last. n1 has too little cpu, even without its pod. In
// the first pass NodePorts rejects n1. Without the pod, the filter of volumes errs before NodeResourcesFit
// rejects.
TEST(OptimizedDecide, ReportsAnErrorOfAFilterBeforeNodeResourcesFit) {
  Pod asking = with_claim(with_host_port(pod("p", 10, 1000), 80), "c");
  Stored stored(QuestionBuilder().node("n1", 500).has(with_host_port(pod("a", 0, 100), 80)).asks(asking));
  PersistentVolumeClaim gold = waiting("c");
  gold.attributes_class = "gold";
  stored.with(gold).with(available("v")).with(late("kubernetes.io/no-provisioner"));
  EXPECT_EQ(agreed(stored, "v1.33").outcome, Outcome::none);
  EXPECT_EQ(agreed(stored, with_last(release("v1.33"), Filter::node_resources_fit)).outcome, Outcome::error);
}

// PRE-PREFILTER-6: from v1.34 DynamicResources fails after a PreFilter has rejected the pod, so the
// nomination stays. It does not fail if its own PreFilter runs before the one that rejects the pod.
TEST(OptimizedDecide, KeepsTheNominationIfDynamicResourcesFails) {
  Question question = pinned_to_none_and_nominated();
  Release asked = release("v1.34");
  const auto nomination = [&](std::vector<Filter> after_claims) {
    asked.prefilters_after_claims = std::move(after_claims);
    return agreed(question, asked).nomination;
  };
  EXPECT_EQ(nomination({}), Nomination::kept);
  EXPECT_EQ(nomination({Filter::volume_zone}), Nomination::kept);
  EXPECT_EQ(nomination({Filter::volume_zone, Filter::node_affinity}), Nomination::cleared);
  EXPECT_EQ(nomination({Filter::node_affinity}), Nomination::cleared);
}

// CYC-PROFILE-1, PRE-PREFILTER-2: a configuration turns off the PreFilter of NodeName. That of NodeAffinity
// rejects the pod all the same.
TEST(OptimizedDecide, RunsThePreFiltersThatAreNotTurnedOff) {
  Question question = pinned_to_none_and_nominated();
  Release asked = release("v1.34");
  asked.prefilters_off = {Filter::node_name};
  EXPECT_EQ(agreed(question, asked).nomination, Nomination::kept);
  asked.prefilters_off = {Filter::node_affinity};
  EXPECT_EQ(agreed(question, asked).nomination, Nomination::cleared);
}

// PRE-SEARCH-1: all_candidates() goes on after nodes that cannot be candidates: n1 has only a pod of a higher
// priority, and n2 has too little cpu.
TEST(OptimizedDecide, ListsTheCandidatesAfterNodesThatCannotBeOne) {
  const Question question = QuestionBuilder()
                                .node("n1", 1000)
                                .has(pod("a", 20, 1000))
                                .node("n2", 500)
                                .has(pod("b", 0, 100))
                                .node("n3", 1000)
                                .has(pod("c", 0, 1000))
                                .asks(pod("p", 10, 1000));
  optimized::Workers workers(1);
  for (const char* version : {"v1.18", "v1.24", "v1.34"}) {
    const Release asked = release(version);
    const optimized::Snapshot snapshot(question.cluster, asked);
    EXPECT_EQ(optimized::all_candidates(snapshot, question.pod, workers),
              reference::preempt(question, asked).candidates)
        << version;
  }
}

// PRE-VICTIM-5, PRE-VICTIM-7: victims are sorted again only if some violate a PDB and others do not. Each
// sort reverses unstarted pods of one priority, up to v1.36.
TEST(OptimizedDecide, SortsVictimsOfBothGroupsAgain) {
  for (const int violating : {0, 1, 2, 3, 4}) {
    QuestionBuilder cluster;
    cluster.node("n1", 4000);
    for (int i = 0; i < 4; ++i)
      cluster.has(with_app(unstarted(pod("a" + std::to_string(i), 0, 1000)), i < violating ? "x" : "y"));
    const Question question = cluster.pdb("x", 0).asks(pod("p", 10, 4000));
    for (const char* version : {"v1.14", "v1.15", "v1.28", "v1.30.14", "v1.32", "v1.36", "v1.37"})
      EXPECT_EQ(agreed(question, version).victims.size(), 4U) << version << " " << violating;
  }
}

// PRE-VICTIM-4, PRE-VICTIM-7: from v1.38 the UID decides between pods that started at the same time, also
// when victims of both groups are sorted again. Pod a violates a PDB, and pod b does not.
TEST(OptimizedDecide, SortsVictimsOfBothGroupsByUid) {
  const Question question = QuestionBuilder()
                                .node("n1", 2000)
                                .has(with_app(with_uid(pod("a", 0, 1000), "2"), "x"))
                                .has(with_uid(pod("b", 0, 1000), "1"))
                                .pdb("x", 0)
                                .asks(pod("p", 10, 2000));
  EXPECT_EQ(agreed(question, "v1.37").victims, (std::vector<PodIndex>{0, 1}));
  EXPECT_EQ(agreed(question, "v1.38").victims, (std::vector<PodIndex>{1, 0}));
}

// PRE-ELIGIBLE-3, PRE-ELIGIBLE-4: the preemptor waits for a pod that terminates, not for one that only has
// the condition of a preempted pod.
TEST(OptimizedDecide, DoesNotWaitForPodsThatStay) {
  for (const bool terminates : {false, true}) {
    for (const char* reason : {"PreemptionByScheduler", "EvictionByEvictionAPI"}) {
      Pod a = pod("a", 0, 1000);
      a.terminating = terminates;
      a.conditions = {{"DisruptionTarget", "True", reason}};
      Question question = QuestionBuilder().node("n1", 1000).has(a).asks(pod("p", 10, 1000));
      question.pod.nominated_node_name = "n1";
      for (const std::string& epoch : k_distinct_releases) {
        const Outcome outcome = agreed(question, release(epoch)).outcome;
        if (!terminates) {
          EXPECT_EQ(outcome, Outcome::nominated) << epoch << " " << reason;
        }
      }
    }
  }
}

// PRE-VICTIM-4, PRE-VICTIM-5: two pods of equal priority that started at the same time, or not at all. From
// v1.38 the UID decides too. If both UIDs are equal, or empty, the order is that of the list.
TEST(OptimizedDecide, KeepsTheOrderOfPodsWithEqualUids) {
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
