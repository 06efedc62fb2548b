#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "tests/optimized/pinned.hpp"
#include "tests/optimized/search/cycle_with_memo.hpp"
#include "tests/support/topology.hpp"

/// Which cycles use no memo: those in which filters or scores depend on more than the node itself.
namespace touchstone::tests::can_use_memo_test {

namespace {

/// The release, with one scorer alone.
Release scoring_by(Release release, Scorer scorer) {
  std::erase_if(release.scorers, [scorer](const WeightedScorer& each) { return each.scorer != scorer; });
  return release;
}

/// A constraint over zones with ScheduleAnyway, for pods with the label app=x.
TopologySpreadConstraint soft_over_zones() {
  TopologySpreadConstraint constraint = over("zone", "x");
  constraint.when_unsatisfiable = "ScheduleAnyway";
  return constraint;
}

}  // namespace

// CYC-SEES-1, CYC-NOMINATED-1, PRE-PREFILTER-1, PRE-NODENAME-2, CYC-PROFILE-1: a memo is not used if other
// nodes, other pods, a nomination or a PreFilter count; if the profile has no scorer, or one that errs; or if
// there is no node.
TEST(KeptSearch, UsesNoMemoIfMoreThanTheNodeCounts) {
  const auto plain = [] {
    Question question = full_but_for(3, {0, 1, 2});
    for (std::size_t i = 0; i < 3; ++i) question.cluster.nodes[i].labels["zone"] = i == 0 ? "a" : "b";
    question.cluster.pods.push_back(with_app(pod("b", 0, 100), "x"));
    question.cluster.pods.back().node_name = "n0";
    question.start = 1;
    return question;
  };
  const Release latest = release("v1.37");
  EXPECT_TRUE(CycleWithMemo(plain(), latest).can_use_memo());

  std::vector<std::pair<Question, Release>> cases;
  const auto add = [&cases, &latest](Question question) { cases.emplace_back(std::move(question), latest); };
  Question reach = plain();
  reach.pod.pod_anti_affinity = {by("zone", "x")};
  add(reach);
  Question in_cluster = plain();
  in_cluster.cluster.pods.push_back(in_cluster.pod);
  in_cluster.cluster.pods.back().node_name = "n1";
  add(in_cluster);
  Question nominated = plain();
  nominated.pod.nominated_node_name = "n2";
  add(nominated);
  Question pinned = plain();
  pinned.pod.node_affinity = on_one_of({"n2"});
  add(pinned);
  Question named = plain();
  named.pod.node_name = "n2";
  add(named);
  Question prefers_pods = plain();
  prefers_pods.pod.preferred_pod_affinity = {{1, by("zone", "x")}};
  add(prefers_pods);
  Question spreads = plain();
  spreads.pod.topology_spread = {soft_over_zones()};
  add(spreads);
  Release without_scorers = latest;
  without_scorers.scorers.clear();
  cases.emplace_back(plain(), without_scorers);
  Release without_state = latest;
  without_state.scorers_without_state = {Scorer::taint_toleration};
  cases.emplace_back(plain(), without_state);
  Question empty = plain();
  empty.cluster.nodes.clear();
  empty.cluster.pods.clear();
  add(empty);

  for (std::size_t i = 0; i < cases.size(); ++i) {
    CycleWithMemo cycle(cases[i].first, cases[i].second);
    EXPECT_FALSE(cycle.can_use_memo()) << i;
    cycle.place();
    EXPECT_FALSE(HasFailure()) << i;
  }
}

// SCORE-SELECTOR-3, SCORE-AFFINITY-1, SCORE-SPREAD-6: these scores depend on the pods of other nodes, so no
// memo may be used, with all scorers of the release and with this one alone. The new pod on n3 changes the
// scores of n2, which is in the same zone.
TEST(KeptSearch, KeepsNothingThatDependsOnOtherNodes) {
  for (const char* version : {"v1.9", "v1.16", "v1.18", "v1.24", "v1.34", "v1.37"}) {
    const auto expect_placed = [version](const Question& question, Scorer scorer) {
      expect_placed_twice(question, release(version));
      expect_placed_twice(question, scoring_by(release(version), scorer));
    };
    Question question = app_in_two_zones();
    question.cluster.selecting = {{SelectingKind::service, "default", "s", app_is("x")}};
    expect_placed(question, Scorer::selector_spread);
    question = app_in_two_zones();
    question.pod.preferred_pod_affinity = {{7, by("zone", "x")}};
    expect_placed(question, Scorer::inter_pod_affinity);
    question = app_in_two_zones();
    question.pod.topology_spread = {soft_over_zones()};
    expect_placed(question, Scorer::pod_topology_spread);
  }
}

}  // namespace touchstone::tests::can_use_memo_test
