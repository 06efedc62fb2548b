#include "tests/optimized/agreed.hpp"
#include "tests/optimized/filters/objects.hpp"
#include "tests/support/topology.hpp"

/// Both engines skip what is not modelled (spec/clauses/README.md), and answer similar questions. See also
/// volumes_not_handled_test.cpp.
namespace touchstone::tests::optimized_not_handled_test {

namespace {

/// The outcome on a snapshot that was changed. It is not compared with the reference.
Outcome outcome_on(const optimized::Snapshot& snapshot, const Question& question) {
  optimized::Workers workers(1);
  return optimized_answer(snapshot, question, workers).outcome;
}

/// The outcome after the node n1 was removed.
Outcome without_n1(const Question& question, const char* version) {
  optimized::Snapshot snapshot(question.cluster, release(version));
  snapshot.remove_node(0);
  return outcome_on(snapshot, question);
}

LabelSelector invalid() { return {{}, {{"app", "Near", {"x"}}}}; }

PodAffinityTerm invalid_term() {
  PodAffinityTerm term = by("zone", "x");
  term.label_selector = invalid();
  return term;
}

/// Nodes n1 and n2. The preemptor has a disk.
Question with_disk_and_two_nodes() {
  return one_node().node("n2", 1000).asks(with_volume(pod("p", 10, 0), source("iscsi", "d")));
}

/// The name of a limit that is shortened, as the names of drivers with many characters are (PRE-ATTACH-3).
const std::string k_shortened = "attachable-volumes-csi-" + std::string(39, 'x');

/// What the optimized engine does with a question.
enum class Handling { answered, skipped, left_to_reference };
Handling handling(const Question& question, const Release& release) {
  const optimized::Answer answer = agreed(question, release);
  if (oracle::is_left_to_reference(answer)) return Handling::left_to_reference;
  return answer.outcome == Outcome::skipped ? Handling::skipped : Handling::answered;
}

/// The release, with a change that a configuration can make.
template <typename Change>
Release configured(const char* version, const Change& change) {
  Release made = release(version);
  change(made);
  return made;
}

Release without_prefilter(const char* version, Filter filter) {
  return configured(version, [filter](Release& made) {
    std::erase(made.prefilters, filter);
    made.prefilters_off = {filter};
  });
}

Release without_spread(const char* version) {
  return configured(version, [](Release& made) {
    std::erase(made.filter_groups, std::vector<Filter>{Filter::pod_topology_spread});
  });
}

/// PodTopologySpread runs before NodeAffinity.
Release with_spread_first(const char* version) {
  Release made = without_spread(version);
  made.filter_groups.insert(made.filter_groups.begin(), {Filter::pod_topology_spread});
  return made;
}

}  // namespace

// PRE-AFFINITY-1, PRE-NODEAFFINITY-3: "Near" is no operator, so the selector is invalid.
TEST(OptimizedSkips, InvalidTermsOfThePreemptor) {
  const Pod p = pod("p", 10, 0);
  EXPECT_EQ(outcome(one_node().asks(near(p, {invalid_term()})), "v1.34"), Outcome::skipped);
  EXPECT_EQ(outcome(one_node().asks(away(p, {invalid_term()})), "v1.34"), Outcome::skipped);
  PodAffinityTerm term = by("zone", "x");
  term.namespace_selector = invalid();
  EXPECT_EQ(outcome(one_node().asks(away(p, {term})), "v1.34"), Outcome::skipped);
}

// PRE-AFFINITY-1, PRE-INPUT-3: the terms of an entry of the preemptor itself do not count.
TEST(OptimizedSkips, InvalidTermsOfOtherPods) {
  const Pod other = away(pod("a", 20, 0), {invalid_term()});
  const Pod own = away(pod("p", 20, 0), {invalid_term()});
  const Pod p = pod("p", 10, 0);
  EXPECT_EQ(outcome(one_node().has(other).asks(p), "v1.34"), Outcome::skipped);
  EXPECT_EQ(outcome(one_node().nominated(other).asks(p), "v1.34"), Outcome::skipped);
  EXPECT_EQ(outcome(one_node().nominated(own).asks(p), "v1.34"), Outcome::fits);
  EXPECT_EQ(outcome(one_node().has(own).nominated(pod("b", 20, 0)).asks(p), "v1.34"), Outcome::fits);
}

// PRE-SPREAD-1, PRE-SPREAD-2: the filter runs from v1.18 on, and reads only constraints with DoNotSchedule.
TEST(OptimizedSkips, InvalidConstraintsThatTheFilterReads) {
  TopologySpreadConstraint constraint = over("zone", "x");
  constraint.label_selector = invalid();
  Question question = one_node().asks(spread(pod("p", 10, 0), {constraint}));
  EXPECT_EQ(outcome(question, "v1.34"), Outcome::skipped);
  EXPECT_EQ(outcome(question, "v1.17"), Outcome::fits);
  question.pod.topology_spread[0].when_unsatisfiable = "ScheduleAnyway";
  EXPECT_EQ(outcome(question, "v1.34"), Outcome::fits);
}

// PRE-AFFINITY-1, PRE-AFFINITY-3, PRE-ATTACH-3: the reason to skip is on n2. It counts after the removal of
// n1, which comes first.
TEST(OptimizedSkips, ReasonsOnNodesAfterARemovedOne) {
  const Pod invalid_pod = away(pod("a", 20, 0), {invalid_term()});
  const Question with_invalid_term = one_node().node("n2", 1000).has(invalid_pod).asks(pod("p", 10, 0));
  EXPECT_EQ(without_n1(with_invalid_term, "v1.34"), Outcome::skipped);
  const Question with_nominated = one_node()
                                      .node("n2", 1000)
                                      .nominated(with_app(pod("q", 20, 0), "x"))
                                      .asks(near(pod("p", 10, 0), {by("kubernetes.io/hostname", "x")}));
  EXPECT_EQ(without_n1(with_nominated, "v1.10"), Outcome::skipped);
  Question with_limit = with_disk_and_two_nodes();
  with_limit.cluster.nodes[1].allocatable[k_shortened] = 5;
  EXPECT_EQ(outcome(with_limit, "v1.20"), Outcome::skipped);
  EXPECT_EQ(without_n1(with_limit, "v1.20"), Outcome::skipped);
}

// PRE-UNSCHEDULABLE-1, PRE-ATTACH-3: a condition of n1, or a limit with a shortened name, is a reason to skip
// until n1 is removed.
TEST(OptimizedSkips, NoReasonsOfARemovedNode) {
  Question with_condition = one_node().node("n2", 1000).asks(pod("p", 10, 0));
  with_condition.cluster.nodes[0].conditions = {{"Ready", "False", ""}};
  EXPECT_EQ(outcome(with_condition, "v1.11"), Outcome::skipped);
  EXPECT_EQ(without_n1(with_condition, "v1.11"), Outcome::fits);
  Question with_limit = with_disk_and_two_nodes();
  with_limit.cluster.nodes[0].allocatable[k_shortened] = 5;
  EXPECT_EQ(outcome(with_limit, "v1.20"), Outcome::skipped);
  EXPECT_EQ(without_n1(with_limit, "v1.20"), Outcome::fits);
}

// PRE-SPREAD-6: a configuration runs PodTopologySpread before NodeAffinity, and the preemptor has node
// affinity.
TEST(OptimizedSkips, SpreadingThatSeesNodesWhichNodeAffinityRejects) {
  const auto is_skipped = [](const Pod& pod) {
    return agreed(in_zones(one_node().asks(pod), {"a"}), with_spread_first("v1.21")).outcome ==
           Outcome::skipped;
  };
  const Pod p = spread(pod("p", 10, 0), {over("zone", "x")});
  EXPECT_FALSE(is_skipped(p));
  Pod selecting = p;
  selecting.node_selector["zone"] = "a";
  EXPECT_TRUE(is_skipped(selecting));
  Pod with_terms = p;
  with_terms.node_affinity = {{{{"zone", "In", {"a"}}}, {}}};
  EXPECT_TRUE(is_skipped(with_terms));
}

// PRE-SPREAD-6: a configuration runs PodTopologySpread before NodeAffinity. That matters only for a pod with
// a constraint. If a Policy runs all filters, the filter also sees the excluded nodes, and no engine answers.
TEST(OptimizedSkips, SpreadingThatSeesExcludedNodesOnlyWithAConstraint) {
  Pod p = pod("p", 10, 0);
  p.node_selector["zone"] = "a";
  EXPECT_EQ(handling(in_zones(one_node().asks(p), {"a"}), with_spread_first("v1.21")), Handling::answered);
  const Release checks_all = configured("v1.21", [](Release& made) { made.checks_all_filters = true; });
  EXPECT_EQ(handling(in_zones(one_node().asks(spread(p, {over("zone", "x")})), {"a"}), checks_all),
            Handling::skipped);
}

// Up to v1.11 the release may report an error if a pod is on a node that is not in the cluster, and a term
// may concern the preemptor. The only such term is that of pod a, until a is removed.
TEST(OptimizedSkips, PodsOnMissingNodesWhileATermMatchesThePreemptor) {
  Question question =
      one_node().has(away(pod("a", 20, 0), {by("zone", "x")})).asks(with_app(pod("p", 10, 0), "x"));
  question.cluster.pods.push_back(pod("lost", 0, 0));
  question.cluster.pods.back().node_name = "nowhere";
  EXPECT_EQ(outcome(question, "v1.11"), Outcome::skipped);
  optimized::Snapshot snapshot(question.cluster, release("v1.11"));
  snapshot.remove_pod(0);
  EXPECT_EQ(outcome_on(snapshot, question), Outcome::fits);
}

// PRE-AFFINITY-7: the term of pod a names the namespaces in which it looks for pods. A pod on a missing node
// matters only if the preemptor is in one of them.
TEST(OptimizedSkips, PodsOnMissingNodesIfATermSelectsTheNamespaceOfThePreemptor) {
  PodAffinityTerm term = by("zone", "x");
  term.namespaces = {"other", "third"};
  Question question = one_node().has(away(pod("a", 20, 0), {term})).asks(with_app(pod("p", 10, 0), "x"));
  question.cluster.pods.push_back(pod("lost", 0, 0));
  question.cluster.pods.back().node_name = "nowhere";
  EXPECT_EQ(outcome(question, "v1.11"), Outcome::fits);
  question.cluster.pods[0].pod_anti_affinity[0].namespaces.push_back("default");
  EXPECT_EQ(outcome(question, "v1.11"), Outcome::skipped);
}

// PRE-FILTER-1: from v1.34 the filter DynamicResources runs, which is not modelled.
TEST(OptimizedSkips, ResourceClaimsFromV134) {
  Question question = one_node().asks(pod("p", 10, 0));
  question.pod.resource_claims = {"gpu"};
  EXPECT_EQ(outcome(question, "v1.33"), Outcome::fits);
  EXPECT_EQ(outcome(question, "v1.34"), Outcome::skipped);
}

// CYC-PROFILE-1: a configuration turns off one PreFilter. That matters if the pod has volumes and the
// PreFilter is one of VolumeRestrictions, VolumeBinding and VolumeZone.
TEST(OptimizedSkips, VolumesWithoutAPreFilterOfVolumes) {
  const Question with_disk = one_node().asks(with_volume(pod("p", 10, 0), source("iscsi", "d")));
  const Question without = one_node().asks(pod("p", 10, 0));
  for (const char* version : {"v1.24", "v1.34"}) {
    for (const Filter filter : {Filter::volume_restrictions, Filter::volume_binding, Filter::volume_zone}) {
      EXPECT_EQ(handling(with_disk, without_prefilter(version, filter)), Handling::skipped) << version;
      EXPECT_EQ(handling(without, without_prefilter(version, filter)), Handling::answered) << version;
    }
    EXPECT_EQ(handling(with_disk, without_prefilter(version, Filter::node_ports)), Handling::answered)
        << version;
  }
}

// CYC-PROFILE-1, PRE-CLAIM-2: from v1.27 a configuration may run the PreFilter of VolumeZone before that of
// VolumeBinding. That matters only for a pod with volumes.
TEST(OptimizedSkips, VolumeZoneBeforeVolumeBinding) {
  const Release zone_first = configured("v1.34", [](Release& made) {
    std::erase(made.prefilters, Filter::volume_zone);
    made.prefilters.insert(made.prefilters.begin(), Filter::volume_zone);
  });
  EXPECT_EQ(handling(one_node().asks(with_volume(pod("p", 10, 0), source("iscsi", "d"))), zone_first),
            Handling::skipped);
  EXPECT_EQ(handling(one_node().asks(pod("p", 10, 0)), zone_first), Handling::answered);
}

// CYC-PROFILE-1, PRE-PREFILTER-4: v1.26.0 may lose a rejection by a PreFilter, if the pod has node affinity.
// v1.34 loses none.
TEST(OptimizedSkips, RejectionsThatMayBeLost) {
  Pod p = pod("p", 10, 0);
  EXPECT_EQ(handling(one_node().asks(p), without_prefilter("v1.26.0", Filter::node_ports)),
            Handling::answered);
  p.node_affinity.emplace().push_back({{Requirement{"zone", "DoesNotExist", {}}}, {}});
  EXPECT_EQ(handling(one_node().asks(p), without_prefilter("v1.26.0", Filter::node_ports)),
            Handling::skipped);
  EXPECT_EQ(handling(one_node().asks(p), without_prefilter("v1.34", Filter::node_ports)), Handling::answered);
}

// PRE-SPREAD-6, POL-SERVICE-1, CYC-GATES-1: the optimized engine leaves a Policy that runs all filters, or
// that has a ServiceAffinity, to the reference. No engine answers for a feature gate that is not modelled.
TEST(OptimizedSkips, AnUnmodelledFeatureGateButNoPolicy) {
  const Question question = one_node().asks(pod("p", 10, 0));
  EXPECT_EQ(handling(question, without_spread("v1.21")), Handling::answered);
  const Release checks_all = configured("v1.21", [](Release& made) { made.checks_all_filters = true; });
  EXPECT_EQ(handling(question, checks_all), Handling::left_to_reference);
  const Release with_service =
      configured("v1.21", [](Release& made) { made.service_affinities = {{"zone"}}; });
  EXPECT_EQ(handling(question, with_service), Handling::left_to_reference);
  const Release with_gate = configured("v1.34", [](Release& made) { made.unmodelled_gate = "Any"; });
  EXPECT_EQ(handling(question, with_gate), Handling::skipped);
}

}  // namespace touchstone::tests::optimized_not_handled_test
