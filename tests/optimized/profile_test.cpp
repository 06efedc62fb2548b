#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "reference/preemption/preempt.hpp"
#include "spec/vocabulary/seeded_choices.hpp"
#include "tests/optimized/differential.hpp"
#include "tests/support/any_question.hpp"
#include "tests/support/policy.hpp"
#include "tests/support/scale.hpp"
#include "tests/support/topology.hpp"

/// The optimized engine obeys a configuration of the scheduler as the reference does.
namespace touchstone::tests::profile_test {

namespace {

constexpr std::uint64_t k_seed = 20261125;

std::vector<Filter> filters_of(const Release& release) {
  std::vector<Filter> filters;
  for (const std::vector<Filter>& group : release.filter_groups)
    filters.insert(filters.end(), group.begin(), group.end());
  return filters;
}

/// The family of scenarios in which most depends on a filter.
std::set<fuzz::Family> families_of(Filter filter) {
  using fuzz::Family;
  switch (filter) {
    case Filter::node_unschedulable:
    case Filter::taint_toleration:
      return {Family::taints};
    case Filter::node_name:
    case Filter::node_affinity:
      return {Family::selectors};
    case Filter::node_ports:
      return {Family::ports};
    case Filter::volume_restrictions:
      return {Family::disks};
    case Filter::volume_zone:
      return {Family::volume_zones};
    case Filter::volume_binding:
      return {Family::volume_binding};
    case Filter::inter_pod_affinity:
      return {Family::anti_affinity};
    case Filter::pod_topology_spread:
      return {Family::spread};
    case Filter::node_declared_features:
      return {Family::features};
    case Filter::node_resources_fit:
      return {Family::resources};
    default:
      return {Family::attach_limits};
  }
}

/// The releases of which a configuration is read.
std::vector<std::string> configured_releases() {
  std::vector<std::string> releases;
  for (const std::string& epoch : k_distinct_releases) {
    if (release(epoch).version.minor >= 19) releases.push_back(epoch);
  }
  return releases;
}

/// A profile as a configuration might set it: filters that are off or in another order, arguments, and no
/// preemption.
Release with_profile(Release release, Choices& choices) {
  std::vector<Filter> filters = filters_of(release);
  for (std::size_t off = choices.pick(3, "filters off"); off > 0 && !filters.empty(); --off) {
    const auto place = filters.begin() + static_cast<std::ptrdiff_t>(choices.pick(filters.size(), "filter"));
    if (choices.pick(2, "its PreFilter") == 0) release.prefilters_off.push_back(*place);
    filters.erase(place);
  }
  if (choices.pick(6, "no filter") == 0) filters.clear();
  if (choices.pick(3, "PreFilters") == 0) {
    const auto place = release.prefilters.begin() + static_cast<std::ptrdiff_t>(choices.pick(5, "PreFilter"));
    std::rotate(release.prefilters.begin(), place, release.prefilters.end());
    release.prefilters_after_claims.assign(release.prefilters.begin() + 2, release.prefilters.end());
  }
  if (choices.pick(3, "order") == 0) std::reverse(filters.begin(), filters.end());
  release.filter_groups.clear();
  for (const Filter filter : filters) release.filter_groups.push_back({filter});
  if (choices.pick(3, "ignored") == 0) release.ignored_resource_groups = {"example.com"};
  if (choices.pick(4, "ignored") == 0) release.ignored_resources = {"example.org/fpga", "cpu", "storage"};
  if (choices.pick(4, "added") == 0) {
    release.added_required_terms = {
        {{{{"topology.kubernetes.io/zone", "Exists", {}}}, {}}, {{}, {{"metadata.name", "In", {"n1"}}}}, {}}};
  }
  release.preempts = choices.pick(8, "preempts") > 0;
  release.candidate_percentage = static_cast<Quantity>(choices.pick(101, "percentage"));
  release.candidates_least = static_cast<Quantity>(choices.pick(4, "least")) + 1;
  return release;
}

}  // namespace

// CYC-PROFILE-1, CYC-PROFILE-2, CYC-PROFILE-3
TEST(OptimizedProfile, AnswersAsTheReference) {
  optimized::Workers workers(1);
  std::map<Outcome, std::size_t> outcomes;
  for (const std::string& epoch : configured_releases()) {
    const fuzz::Scenarios scenarios = fuzz::all_scenarios(release(epoch));
    for (std::uint64_t i = 0; i < scaled(60); ++i) {
      const Question question = fuzz::numbered_scenario(scenarios, k_seed, i);
      SeededChoices choices(k_seed + i);
      const Release profile = with_profile(scenarios.release, choices);
      const optimized::Answer answer = optimized_answer(question, profile, workers);
      const Decision decision = reference::preempt(question, profile);
      ASSERT_EQ(difference(question, profile, answer, decision), "") << epoch << " " << i;
      ++outcomes[answer.outcome];
    }
  }
  EXPECT_GT(outcomes[Outcome::nominated], 100u);
  EXPECT_GT(outcomes[Outcome::none], 50u);
  EXPECT_GT(outcomes[Outcome::fits], 50u);
}

// PRE-SPREAD-6
TEST(OptimizedProfile, CountsNoNominatedPodsWhereAConstraintDoesNotSpread) {
  QuestionBuilder cluster;
  cluster.node("n1", 2000).nominated(with_app(pod("q", 10, 1000), "x"));
  cluster.node("n2", 1000).has(pod("full", 20, 1000));
  Question question =
      in_zones(cluster.asks(spread(with_app(pod("p", 10, 1000), "x"), {over("zone", "x")})), {"a", "b"});
  question.cluster.nodes[1].labels["disk"] = "ssd";
  optimized::Workers workers(1);
  for (const char* name : {"v1.22.12", "v1.24.4", "v1.25", "v1.32", "v1.37"}) {
    Release profile = release(name);
    std::erase(profile.filter_groups, std::vector<Filter>{Filter::node_affinity});
    question.pod.node_selector.clear();
    EXPECT_EQ(optimized_answer(question, profile, workers).outcome, Outcome::none) << name;
    question.pod.node_selector["disk"] = "ssd";
    EXPECT_EQ(optimized_answer(question, profile, workers).outcome, Outcome::fits) << name;
  }
}

// CYC-PROFILE-1
TEST(OptimizedProfile, AnswersAsTheReferenceWithoutAFilter) {
  optimized::Workers workers(1);
  std::map<Filter, std::size_t> changed;
  for (const std::string& epoch : configured_releases()) {
    fuzz::Scenarios scenarios = fuzz::all_scenarios(release(epoch));
    for (const Filter filter : filters_of(scenarios.release)) {
      scenarios.families = families_of(filter);
      Release profile = scenarios.release;
      std::erase(profile.filter_groups, std::vector<Filter>{filter});
      std::uint64_t asked = 0;
      for (std::uint64_t i = 0; asked < scaled(12) && i < 1000; ++i) {
        const fuzz::Drawn drawn = fuzz::numbered_draw(scenarios, k_seed, i);
        if (drawn.families.empty()) continue;
        const bool prefilter_too = asked++ % 2 == 1;
        profile.prefilters_off.assign(prefilter_too ? 1 : 0, filter);
        const Decision decision = reference::preempt(drawn.question, profile);
        ASSERT_EQ(
            difference(drawn.question, profile, optimized_answer(drawn.question, profile, workers), decision),
            "")
            << epoch << " " << plugin_of(filter) << " " << i;
        const bool is_skipped = decision.outcome == Outcome::skipped;
        changed[filter] += !is_skipped && decision != reference::preempt(drawn.question, scenarios.release);
      }
    }
  }
  // Few scenarios reach the limits of in-tree disks, of filters without clauses of their own. Filters that
  // only a Policy can choose are not in these releases.
  for (const FilterFacts& facts : k_filters) {
    if (facts.families[0].empty() || facts.families[0].starts_with("POL-")) continue;
    EXPECT_GT(changed[facts.filter], 0u) << facts.plugin;
  }
}

// POL-SET-1, POL-SET-2, POL-PLUGIN-1
TEST(OptimizedProfile, AnswersAsTheReferenceWithAPolicy) {
  optimized::Workers workers(1);
  std::map<Outcome, std::size_t> outcomes;
  for (const char* epoch : {"v1.17", "v1.18", "v1.19", "v1.20", "v1.22"}) {
    const fuzz::Scenarios scenarios = fuzz::all_scenarios(release(epoch));
    for (
        const char* members :
        {"", R"("predicates":[])",
         R"("predicates":[{"name":"PodFitsResources"},{"name":"MatchInterPodAffinity"},{"name":"HostName"}])",
         R"("predicates":[{"name":"MatchNodeSelector"},{"name":"CheckVolumeBinding"},{"name":"PodFitsPorts"}])"}) {
      const Release policy = with_policy(epoch, members);
      for (std::uint64_t i = 0; i < scaled(60); ++i) {
        const Question question = fuzz::numbered_scenario(scenarios, k_seed, i);
        const optimized::Answer answer = optimized_answer(question, policy, workers);
        const Decision decision = reference::preempt(question, policy);
        ASSERT_EQ(difference(question, policy, answer, decision), "") << epoch << " " << members << " " << i;
        ++outcomes[answer.outcome];
      }
    }
  }
  EXPECT_GT(outcomes[Outcome::nominated], 100u);
  EXPECT_GT(outcomes[Outcome::none], 50u);
  EXPECT_GT(outcomes[Outcome::fits], 50u);
}

// CYC-PROFILE-1
TEST(OptimizedProfile, CountsNoPodsWithoutNodeResourcesFit) {
  optimized::Workers workers(1);
  Release profile = release("v1.34");
  std::erase(profile.filter_groups, std::vector<Filter>{Filter::node_resources_fit});
  Question question = QuestionBuilder()
                          .node("n0", 1000)
                          .has(with_host_port(pod("a", 0, 1000), 80))
                          .has(pod("b", 20, 1000))
                          .asks(pod("p", 10, 1000));
  question.cluster.nodes[0].allocatable["pods"] = 1;
  EXPECT_EQ(optimized_answer(question, release("v1.34"), workers).outcome, Outcome::none);
  EXPECT_EQ(optimized_answer(question, profile, workers).outcome, Outcome::fits);
  question.pod = with_host_port(question.pod, 80);
  EXPECT_EQ(optimized_answer(question, profile, workers).victims, std::vector<PodIndex>{0});
}

// CYC-PROFILE-2
TEST(OptimizedProfile, AnswersAsTheReferenceIfResourcesAreIgnored) {
  optimized::Workers workers(1);
  fuzz::Scenarios scenarios = fuzz::all_scenarios(release("v1.34"));
  scenarios.families = {fuzz::Family::resources};
  Release profile = scenarios.release;
  profile.ignored_resource_groups = {"example.com"};
  profile.ignored_resources = {"example.org/fpga", "cpu", "storage"};
  std::size_t changed = 0;
  for (std::uint64_t i = 0; i < scaled(150); ++i) {
    const Question question = fuzz::numbered_scenario(scenarios, k_seed, i);
    const Decision decision = reference::preempt(question, profile);
    ASSERT_EQ(difference(question, profile, optimized_answer(question, profile, workers), decision), "") << i;
    changed += decision != reference::preempt(question, scenarios.release);
  }
  EXPECT_GT(changed, 3u);
}

// CYC-PROFILE-3
TEST(OptimizedProfile, AnswersAsTheReferenceWithAnyQuota) {
  optimized::Workers workers(1);
  fuzz::Scenarios scenarios = fuzz::all_scenarios(release("v1.34"));
  scenarios.families = {fuzz::Family::offset, fuzz::Family::pdbs};
  std::size_t changed = 0;
  for (std::uint64_t i = 0; i < scaled(150); ++i) {
    Release profile = scenarios.release;
    profile.candidate_percentage = static_cast<Quantity>(i % 3 * 25);
    profile.candidates_least = static_cast<Quantity>(i % 2 + 1);
    Question question = fuzz::numbered_scenario(scenarios, k_seed, i);
    question.quota.reset();
    const Decision decision = reference::preempt(question, profile);
    ASSERT_EQ(difference(question, profile, optimized_answer(question, profile, workers), decision), "") << i;
    const Decision by_default = reference::preempt(question, scenarios.release);
    changed += decision.outcome == Outcome::nominated &&
               decision.candidates[decision.chosen] != by_default.candidates[by_default.chosen];
  }
  EXPECT_GT(changed, 3u);
}

// CYC-PROFILE-1, CYC-PROFILE-2
TEST(OptimizedProfile, LeavesToTheReferenceWhatItDoesNotHave) {
  optimized::Workers workers(1);
  const Question question =
      QuestionBuilder().node("n0", 1000).has(pod("a", 0, 1000)).asks(pod("p", 10, 1000));
  Release profile = release("v1.34");
  profile.filters_without_state = {Filter::node_ports};
  const optimized::Answer answer = optimized_answer(question, profile, workers);
  EXPECT_EQ(answer.outcome, Outcome::skipped);
  EXPECT_TRUE(answer.reason.starts_with(optimized::k_left_to_reference)) << answer.reason;
  const Decision decision = reference::preempt(question, profile);
  EXPECT_NE(decision.outcome, Outcome::skipped);
  EXPECT_TRUE(oracle::agree(answer, decision));
  EXPECT_TRUE(oracle::differences_of(answer, decision, question.cluster).empty());
}

// CYC-PROFILE-2, PRE-SPREAD-7: default constraints reject nodes only for a pod that a Service selects.
TEST(OptimizedProfile, HasDefaultConstraintsThatRejectNodes) {
  optimized::Workers workers(1);
  Question question = QuestionBuilder()
                          .node("n0", 1000)
                          .has(with_app(pod("a", 0, 100), "x"))
                          .node("n1", 1000)
                          .asks(with_app(pod("p", 10, 100), "x"));
  question.cluster.nodes[0].labels["zone"] = "a";
  question.cluster.nodes[1].labels["zone"] = "b";
  Release profile = release("v1.34");
  profile.system_constraints = false;
  TopologySpreadConstraint constraint;
  constraint.topology_key = "zone";
  constraint.when_unsatisfiable = "DoNotSchedule";
  constraint.max_skew = 1;
  profile.default_constraints = {constraint};
  const auto feasible = [&] {
    const optimized::Answer answer = optimized_answer(question, profile, workers);
    EXPECT_EQ(difference(question, profile, answer, reference::preempt(question, profile)), "");
    return answer.feasible;
  };
  EXPECT_EQ(feasible(), (std::vector<NodeIndex>{0, 1}));
  question.cluster.selecting = {{SelectingKind::service, "default", "s", LabelSelector{{{"app", "x"}}, {}}}};
  EXPECT_EQ(feasible(), (std::vector<NodeIndex>{1}));
}

// PRE-SPREAD-6: the PreFilter of PodTopologySpread may crash the scheduler, even if a configuration turns off
// its filter. The optimized engine leaves such a configuration to the reference. Without the PreFilter no
// release crashes.
TEST(OptimizedProfile, LeavesThePreFilterOfSpreadWithoutItsFilterToTheReference) {
  for (const char* version : {"v1.19", "v1.20", "v1.21", "v1.22.0"}) {
    Release asked = release(version);
    std::erase(asked.filter_groups, std::vector<Filter>{Filter::pod_topology_spread});
    Pod preemptor = spread(with_app(pod("p", 10, 1000), "x"), {over("zone", "x")});
    preemptor.node_selector["disk"] = "ssd";
    optimized::Workers workers(1);
    for (const bool is_nominated : {false, true}) {
      QuestionBuilder cluster;
      cluster.node("n1", 1000);
      if (is_nominated) {
        cluster.nominated(with_app(pod("a", 20, 1000), "x"));
      } else {
        cluster.has(with_app(pod("a", 0, 1000), "x"));
      }
      cluster.node("n2", 1000).has(with_app(pod("b", 0, 1000), "x"));
      const Question now = in_zones(cluster.asks(preemptor), {"a", "b"});
      EXPECT_TRUE(oracle::is_left_to_reference(optimized_answer(now, asked, workers))) << version;
      // In v1.19 NodeResourcesFit rejects n1 before NodeAffinity does, so n1 is dry-run.
      const bool crashes = is_nominated || version == std::string("v1.19");
      EXPECT_EQ(reference::preempt(now, asked).outcome, crashes ? Outcome::error : Outcome::none) << version;
      Release without = asked;
      without.prefilters_off = {Filter::pod_topology_spread};
      EXPECT_EQ(reference::preempt(now, without).outcome, Outcome::none) << version;
      EXPECT_EQ(optimized_answer(now, without, workers).outcome, Outcome::none) << version;
    }
  }
}

}  // namespace touchstone::tests::profile_test
