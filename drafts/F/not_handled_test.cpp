// For tests/optimized/filters/not_handled_test.cpp
#include "tests/optimized/agreed.hpp"
#include "tests/support/storage.hpp"
#include "tests/support/topology.hpp"

namespace touchstone::tests::optimized_not_handled_more_test {

namespace {

// These are in the file already.
Outcome outcome_on(const optimized::Snapshot& snapshot, const Question& question) {
  optimized::Workers workers(1);
  return optimized_answer(snapshot, question, workers).outcome;
}
LabelSelector invalid() { return {{}, {{"app", "Near", {"x"}}}}; }
PodAffinityTerm invalid_term() {
  PodAffinityTerm term = by("zone", "x");
  term.label_selector = invalid();
  return term;
}
QuestionBuilder one_node() { return QuestionBuilder().node("n1", 1000); }
Stored with_chance(Pod preemptor) {
  PersistentVolumeClaim picky = waiting("d");
  picky.selector = LabelSelector{{{"tier", "a"}}, {}};
  PersistentVolume labelled = available("w");
  labelled.labels["tier"] = "a";
  Stored stored(one_node().asks(with_claim(with_claim(std::move(preemptor), "c"), "d")));
  stored.with(waiting("c")).with(picky).with(available("v")).with(labelled);
  return stored.with(late("kubernetes.io/no-provisioner"));
}

/// The outcome after the node n1 was removed.
Outcome without_n1(const Question& question, const char* version) {
  optimized::Snapshot snapshot(question.cluster, release(version));
  snapshot.remove_node(0);
  return outcome_on(snapshot, question);
}

/// What the optimized engine says to a question.
enum class Said { answer, skipped, left_to_reference };
Said said(const Question& question, const Release& release) {
  const optimized::Answer answer = agreed(question, release);
  if (oracle::is_left_to_reference(answer)) return Said::left_to_reference;
  return answer.outcome == Outcome::skipped ? Said::skipped : Said::answer;
}

/// The release, with a change that a configuration can make.
template <typename Change>
Release changed(const char* version, const Change& change) {
  Release made = release(version);
  change(made);
  return made;
}

Release without_prefilter(const char* version, Filter filter) {
  return changed(version, [filter](Release& made) {
    std::erase(made.prefilters, filter);
    made.prefilters_off = {filter};
  });
}

/// A disk that its CSI driver cannot have (PRE-ATTACH-2).
VolumeSource shared_disk() {
  VolumeSource shared = source("azureDisk", "d");
  shared.disk_kind = "Shared";
  return shared;
}

const std::string k_shortened = "attachable-volumes-csi-" + std::string(39, 'x');

}  // namespace

// PRE-AFFINITY-1, PRE-AFFINITY-3, PRE-ATTACH-3: the reason to skip is on n2. The removal of n1, which comes
// first, does not hide it.
TEST(OptimizedSkips, ReasonsOnNodesAfterARemovedOne) {
  const Pod invalid_pod = away(pod("a", 20, 0), {invalid_term()});
  const Question with_invalid_term = one_node().node("n2", 1000).has(invalid_pod).asks(pod("p", 10, 0));
  EXPECT_EQ(without_n1(with_invalid_term, "v1.34"), Outcome::skipped);
  const Question with_nominated = one_node()
                                      .node("n2", 1000)
                                      .nominated(with_app(pod("q", 20, 0), "x"))
                                      .asks(near(pod("p", 10, 0), {by("kubernetes.io/hostname", "x")}));
  EXPECT_EQ(without_n1(with_nominated, "v1.10"), Outcome::skipped);
  Question with_limit = one_node().node("n2", 1000).asks(with_volume(pod("p", 10, 0), source("iscsi", "d")));
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
  Question with_limit = one_node().node("n2", 1000).asks(with_volume(pod("p", 10, 0), source("iscsi", "d")));
  with_limit.cluster.nodes[0].allocatable[k_shortened] = 5;
  EXPECT_EQ(outcome(with_limit, "v1.20"), Outcome::skipped);
  EXPECT_EQ(without_n1(with_limit, "v1.20"), Outcome::fits);
}

// PRE-AFFINITY-7: the term of pod a names the namespaces in which it looks for pods. A pod on a missing node
// matters only if the preemptor is in one of them.
TEST(OptimizedSkips, PodsOnMissingNodesIfATermLooksIntoTheNamespace) {
  PodAffinityTerm term = by("zone", "x");
  term.namespaces = {"other", "third"};
  Question question = one_node().has(away(pod("a", 20, 0), {term})).asks(with_app(pod("p", 10, 0), "x"));
  question.cluster.pods.push_back(pod("lost", 0, 0));
  question.cluster.pods.back().node_name = "nowhere";
  EXPECT_EQ(outcome(question, "v1.11"), Outcome::fits);
  question.cluster.pods[0].pod_anti_affinity[0].namespaces.push_back("default");
  EXPECT_EQ(outcome(question, "v1.11"), Outcome::skipped);
}

// CYC-PROFILE-1: a configuration turns off one PreFilter. That matters for a pod with volumes, if the
// PreFilter is one of VolumeRestrictions, VolumeBinding and VolumeZone.
TEST(OptimizedSkips, VolumesWithoutAPreFilterOfVolumes) {
  const Question with_disk = one_node().asks(with_volume(pod("p", 10, 0), source("iscsi", "d")));
  const Question without = one_node().asks(pod("p", 10, 0));
  for (const char* version : {"v1.24", "v1.34"}) {
    for (const Filter filter : {Filter::volume_restrictions, Filter::volume_binding, Filter::volume_zone}) {
      EXPECT_EQ(said(with_disk, without_prefilter(version, filter)), Said::skipped) << version;
      EXPECT_EQ(said(without, without_prefilter(version, filter)), Said::answer) << version;
    }
    EXPECT_EQ(said(with_disk, without_prefilter(version, Filter::node_ports)), Said::answer) << version;
  }
}

// CYC-PROFILE-1, PRE-CLAIM-2: from v1.27 a configuration may run the PreFilter of VolumeZone before that of
// VolumeBinding. That matters for a pod with volumes alone.
TEST(OptimizedSkips, VolumeZoneBeforeVolumeBinding) {
  const Release zone_first = changed("v1.34", [](Release& made) {
    std::erase(made.prefilters, Filter::volume_zone);
    made.prefilters.insert(made.prefilters.begin(), Filter::volume_zone);
  });
  EXPECT_EQ(said(one_node().asks(with_volume(pod("p", 10, 0), source("iscsi", "d"))), zone_first),
            Said::skipped);
  EXPECT_EQ(said(one_node().asks(pod("p", 10, 0)), zone_first), Said::answer);
}

// CYC-PROFILE-1, PRE-PREFILTER-4: v1.26.0 may lose a rejection by a PreFilter, if the pod has node affinity.
// v1.34 loses none.
TEST(OptimizedSkips, RejectionsThatMayBeLost) {
  Pod p = pod("p", 10, 0);
  EXPECT_EQ(said(one_node().asks(p), without_prefilter("v1.26.0", Filter::node_ports)), Said::answer);
  p.node_affinity.emplace().push_back({{Requirement{"zone", "DoesNotExist", {}}}, {}});
  EXPECT_EQ(said(one_node().asks(p), without_prefilter("v1.26.0", Filter::node_ports)), Said::skipped);
  EXPECT_EQ(said(one_node().asks(p), without_prefilter("v1.34", Filter::node_ports)), Said::answer);
}

// PRE-SPREAD-6: a configuration runs PodTopologySpread before NodeAffinity. That matters only for a pod with
// a constraint. A Policy that runs all filters shows it the excluded nodes in any order, and no engine
// answers.
TEST(OptimizedSkips, SpreadingThatSeesExcludedNodesNeedsAConstraint) {
  Release spread_first = release("v1.21");
  std::erase(spread_first.filter_groups, std::vector<Filter>{Filter::pod_topology_spread});
  spread_first.filter_groups.insert(spread_first.filter_groups.begin(), {Filter::pod_topology_spread});
  Pod p = pod("p", 10, 0);
  p.node_selector["zone"] = "a";
  EXPECT_EQ(said(in_zones(one_node().asks(p), {"a"}), spread_first), Said::answer);
  const Release checks_all = changed("v1.21", [](Release& made) { made.checks_all_filters = true; });
  EXPECT_EQ(said(in_zones(one_node().asks(spread(p, {over("zone", "x")})), {"a"}), checks_all),
            Said::skipped);
}

// PRE-SPREAD-6, POL-SERVICE-1, CYC-GATES-1: what the optimized engine leaves to the reference, and a feature
// gate that no engine models.
TEST(OptimizedSkips, LeavesPoliciesToTheReference) {
  const Question question = one_node().asks(pod("p", 10, 0));
  EXPECT_EQ(said(question, changed("v1.21",
                                   [](Release& made) {
                                     std::erase(made.filter_groups,
                                                std::vector<Filter>{Filter::pod_topology_spread});
                                   })),
            Said::answer);
  EXPECT_EQ(said(question, changed("v1.21", [](Release& made) { made.checks_all_filters = true; })),
            Said::left_to_reference);
  EXPECT_EQ(said(question, changed("v1.21", [](Release& made) { made.service_affinities = {{"zone"}}; })),
            Said::left_to_reference);
  EXPECT_EQ(said(question, changed("v1.34", [](Release& made) { made.unmodelled_gate = "Any"; })),
            Said::skipped);
}

// PRE-ATTACH-2: one of several disks, or the disk of a bound claim, is one that its driver cannot have. The
// disk of a claim matters only where the CSINode lists its plugin.
TEST(OptimizedSkips, AnyDiskThatItsDriverCannotHave) {
  const auto asks = [](Pod p, const std::vector<std::string>& plugins) {
    PersistentVolume disk = volume("v");
    disk.source = shared_disk();
    Stored stored(one_node().asks(std::move(p)));
    return Question(stored.with(claim("c", "v")).with(disk).with(CsiNode{"n1", {}, {}, plugins}));
  };
  const Pod two = with_volume(with_volume(pod("p", 10, 0), source("azureDisk", "e")), shared_disk());
  EXPECT_EQ(outcome(asks(two, {}), "v1.34"), Outcome::skipped);
  const Pod bound = with_claim(pod("p", 10, 0), "c");
  EXPECT_EQ(outcome(asks(bound, {}), "v1.34"), Outcome::fits);
  EXPECT_EQ(outcome(asks(bound, {"kubernetes.io/azure-disk"}), "v1.34"), Outcome::skipped);
}

// PRE-BIND-2, PRE-CLAIM-2: v1.18 rejects each node because of the unbound immediate claim e, whichever volume
// the claim c takes.
TEST(OptimizedSkips, NoChanceBesideAnUnboundImmediateClaim) {
  Stored stored = with_chance(pod("p", 10, 0));
  EXPECT_EQ(outcome(stored, "v1.18.20"), Outcome::skipped);
  stored.question().pod = with_claim(stored.question().pod, "e");
  EXPECT_EQ(outcome(stored.with(claim("e")), "v1.18.20"), Outcome::none);
}

// PRE-BIND-2: the claims c, m and d have one size, and so do the volumes u, v and w. If c takes w, nothing is
// left for d. The claim m, which comes between them, can take neither v nor w.
TEST(OptimizedSkips, ChanceThatDecidesForAClaimFartherDown) {
  const auto selecting = [](const std::string& name, const std::vector<std::string>& tiers) {
    PersistentVolumeClaim made = waiting(name);
    made.selector = LabelSelector{{}, {{"tier", "In", tiers}}};
    return made;
  };
  Pod p = pod("p", 10, 0);
  for (const char* name : {"c", "m", "d"}) p = with_claim(std::move(p), name);
  Stored stored(one_node().asks(p));
  stored.with(selecting("c", {"a", "b"})).with(selecting("m", {"m"})).with(selecting("d", {"a"}));
  for (const auto& [name, tier] : {std::pair{"u", "m"}, std::pair{"v", "b"}, std::pair{"w", "a"}}) {
    PersistentVolume labelled = available(name);
    labelled.labels["tier"] = tier;
    stored.with(labelled);
  }
  EXPECT_EQ(outcome(stored.with(late("kubernetes.io/no-provisioner")), "v1.34"), Outcome::skipped);
}

}  // namespace touchstone::tests::optimized_not_handled_more_test
