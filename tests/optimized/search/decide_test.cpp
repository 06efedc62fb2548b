#include "optimized/search/decide.hpp"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "spec/vocabulary/seeded_choices.hpp"
#include "tests/optimized/agreed.hpp"
#include "tests/optimized/scores/placed.hpp"
#include "tests/support/scale.hpp"
#include "tests/support/storage.hpp"

/// Decisions on clusters of rare shapes, in which both engines must agree.
namespace touchstone::tests::decide_test {

namespace {

optimized::Answer agreed_with(const Question& question, const Release& release) {
  optimized::Workers workers(1);
  const optimized::Answer answer = optimized_answer(question, release, workers);
  EXPECT_EQ(difference(question, release, answer, reference::preempt(question, release)), "");
  return answer;
}

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

/// The release, and the orders of filters that a configuration may give it: filters that ignore pods run
/// after those on volumes, which may err.
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

/// Two nodes for a pod with a volume. Some err, because a pod there uses the claim of another pod. The pod
/// may be pinned to a node, and nominated to one.
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

}  // namespace

// PRE-FILTER-1, PRE-PREFILTER-3, PRE-VICTIM-2, PRE-VICTIM-3, PRE-OUTCOME-5, CYC-PROFILE-1: it depends on the
// order of the filters whether an error counts or the rejection of another filter.
TEST(OptimizedDecide, IsThatOfTheReferenceWhereFiltersErr) {
  std::map<Outcome, std::size_t> outcomes;
  for (const char* version : {"v1.23", "v1.24", "v1.26.5", "v1.27.0", "v1.29.6", "v1.37"}) {
    for (const Release& asked : with_orders(version)) {
      for (std::uint64_t seed = 0; seed < scaled(200); ++seed) {
        SeededChoices choices(seed);
        ++outcomes[agreed_with(with_errors(choices), asked).outcome];
        ASSERT_FALSE(HasFailure()) << version << " " << seed;
      }
    }
  }
  for (const Outcome outcome : {Outcome::fits, Outcome::nominated, Outcome::none, Outcome::error})
    EXPECT_GT(outcomes[outcome], scaled(100));
}

// PRE-FILTER-1, PRE-PREFILTER-3, PRE-OUTCOME-5: n1 is excluded, unschedulable, and a filter errs there. The
// error counts only if that filter runs before NodeUnschedulable.
TEST(OptimizedDecide, IsAnErrorIfNoFilterRejectsBefore) {
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
    EXPECT_EQ(agreed_with(question, asked).outcome, Outcome::none) << version;
    EXPECT_EQ(agreed_with(question, with_order(asked, is_fit_or_on_volumes)).outcome, Outcome::error)
        << version;
  }
}

// PRE-OUTCOME-1: in some releases nominations stay if all victims are terminating already.
TEST(OptimizedDecide, ClearsNominationsIfAVictimIsNotTerminating) {
  for (const char* version : {"v1.33", "v1.36"}) {
    for (const bool other : {false, true}) {
      const Pod b = pod("b", 0, 1000);
      const Question question = QuestionBuilder()
                                    .node("n1", 2000)
                                    .has(terminating(pod("a", 0, 1000)))
                                    .has(other ? terminating(b) : b)
                                    .nominated(pod("q", 5, 1000))
                                    .asks(pod("p", 10, 2000));
      const optimized::Answer answer = agreed(question, version);
      EXPECT_EQ(answer.victims.size(), 2U);
      EXPECT_EQ(answer.clears.empty(), other && std::string(version) == "v1.36") << version;
    }
  }
}

// PRE-PREFILTER-3, PRE-NODEAFFINITY-1: a node that PreFilter excludes is potential in v1.24 and no candidate.
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

// PRE-CYCLE-3, PRE-CLAIM-2: if the pod fits on its nominated node, no filter errs on another one.
TEST(OptimizedDecide, SeesNoErrorIfThePodFitsOnTheNominatedNode) {
  Question question = erring_nodes({"a", "a", "b"});
  question.cluster.pods.pop_back();
  question.pod.nominated_node_name = "n2";
  EXPECT_EQ(agreed(question, "v1.36").feasible, std::vector<NodeIndex>{2});
  EXPECT_EQ(placed_alike(question, release("v1.36")).host, NodeIndex{2});
  question.pod.nominated_node_name = "n1";
  EXPECT_EQ(agreed(question, "v1.36").outcome, Outcome::error);
}

// PRE-MESSAGE-6, CYC-SEARCH-3: a search that ends early may end before the error.
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

// CYC-SEARCH-4: the nominated node has a status, also if the search ends before it.
TEST(OptimizedDecide, CountsTheNominatedNodeThatTheSearchDoesNotVisit) {
  QuestionBuilder cluster;
  for (int i = 0; i < 150; ++i) cluster.node("n" + std::to_string(i), i == 140 ? 500 : 4000);
  Question question = cluster.asks(pod("p", 10, 1000));
  question.start = 5;
  for (const char* nominated : {"", "n140", "n20"}) {
    question.pod.nominated_node_name = nominated;
    for (const char* version : {"v1.20", "v1.22", "v1.24", "v1.27.14", "v1.30.0", "v1.36"})
      placed_alike(question, release(version));
  }
}

}  // namespace touchstone::tests::decide_test
