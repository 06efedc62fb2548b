#include <gtest/gtest.h>

#include "reference/cycle/schedule.hpp"
#include "reference/filters/filters.hpp"
#include "reference/preemption/preempt.hpp"
#include "tests/support/builder.hpp"
#include "tests/support/topology.hpp"

/// What a configuration of the scheduler changes, beside the scorers.
namespace touchstone::tests::profile_test {

using reference::preempt;
using reference::runs_prefilter;
using reference::schedule;

namespace {

/// n0 with 1 CPU and a pod of 1 CPU, prio 0. p requests 1 CPU.
Question full_node() {
  return QuestionBuilder().node("n0", 1000).has(pod("a", 0, 1000)).asks(pod("p", 10, 1000));
}

/// Two empty nodes.
Question two_empty_nodes() {
  return QuestionBuilder().node("n0", 4000).node("n1", 4000).asks(pod("p", 10, 1000));
}

NodeSelectorTerm disk_is(const std::string& disk) { return {{{"disk", "In", {disk}}}, {}}; }

/// Two nodes, with disk=hdd and disk=ssd.
Question disks() {
  Question question = two_empty_nodes();
  question.cluster.nodes[0].labels["disk"] = "hdd";
  question.cluster.nodes[1].labels["disk"] = "ssd";
  return question;
}

Release without_filter(const char* name, Filter filter) {
  Release profile = release(name);
  std::erase(profile.filter_groups, std::vector<Filter>{filter});
  return profile;
}

/// A release whose profile has one default constraint, over zones.
Release with_default(const char* when_unsatisfiable) {
  Release profile = release("v1.34");
  profile.system_constraints = false;
  TopologySpreadConstraint constraint;
  constraint.topology_key = "zone";
  constraint.when_unsatisfiable = when_unsatisfiable;
  constraint.max_skew = 1;
  profile.default_constraints = {constraint};
  return profile;
}

}  // namespace

// CYC-PROFILE-1
TEST(Profile, AppliesNoFilterThatIsOff) {
  EXPECT_EQ(schedule(full_node(), release("v1.34")).decision.outcome, Outcome::nominated);
  const Placement placement = schedule(full_node(), without_filter("v1.34", Filter::node_resources_fit));
  EXPECT_EQ(placement.decision.outcome, Outcome::fits);
  EXPECT_EQ(placement.host, 0U);
}

// CYC-PROFILE-1
TEST(Profile, ReportsTheFirstFilterOfItsOwnOrder) {
  Question question = full_node();
  question.cluster.nodes[0].unschedulable = true;
  Release profile = release("v1.34");
  EXPECT_EQ(preempt(question, profile).filter.at(0).plugin, "NodeUnschedulable");
  profile.filter_groups = {{Filter::node_resources_fit}, {Filter::node_unschedulable}};
  EXPECT_EQ(preempt(question, profile).filter.at(0).plugin, "NodeResourcesFit");
}

// CYC-PROFILE-1
TEST(Profile, PinsAPodByNameThoughTheFilterIsOff) {
  Question question = two_empty_nodes();
  question.pod.node_affinity = {{{{}, {{"metadata.name", "In", {"n1"}}}}}};
  Release profile = without_filter("v1.34", Filter::node_affinity);
  EXPECT_EQ(schedule(question, profile).feasible, (std::vector<NodeIndex>{1}));
  profile.prefilters_off = {Filter::node_affinity};
  EXPECT_EQ(schedule(question, profile).feasible, (std::vector<NodeIndex>{0, 1}));
}

// CYC-PROFILE-1
TEST(Profile, PinsAPodToItsNodeThoughTheFilterIsOff) {
  Question question = two_empty_nodes();
  question.pod.node_name = "n1";
  Release profile = without_filter("v1.37", Filter::node_name);
  EXPECT_EQ(schedule(question, profile).feasible, (std::vector<NodeIndex>{1}));
  profile.prefilters_off = {Filter::node_name};
  EXPECT_EQ(schedule(question, profile).feasible, (std::vector<NodeIndex>{0, 1}));
}

// CYC-PROFILE-1
TEST(Profile, LetsAFilterErrWithoutItsPreFilter) {
  Release profile = release("v1.34");
  profile.prefilters_off = {Filter::node_ports};
  profile.filters_without_state = {Filter::node_ports};
  const Placement placement = schedule(two_empty_nodes(), profile);
  EXPECT_EQ(placement.decision.outcome, Outcome::error);
  EXPECT_EQ(placement.decision.reason,
            "running \"NodePorts\" filter plugin: reading \"PreFilterNodePorts\" from cycleState: not found");
  // A filter before it rejects the node.
  Question question = two_empty_nodes();
  for (Node& node : question.cluster.nodes) node.unschedulable = true;
  EXPECT_EQ(schedule(question, profile).decision.outcome, Outcome::none);
}

// CYC-PROFILE-1
TEST(Profile, LetsAPreScoreErrBeforeAnyScorer) {
  Release profile = release("v1.37");
  profile.prescore_error = "no state";
  profile.scorers_without_state = {Scorer::inter_pod_affinity};
  EXPECT_EQ(schedule(two_empty_nodes(), profile).decision.reason, "no state");
  Question one = two_empty_nodes();
  one.cluster.nodes.pop_back();
  EXPECT_TRUE(schedule(one, profile).host) << "one node is not scored";
}

// CYC-PROFILE-1, PRE-MESSAGE-8
TEST(Profile, TellsOfClaimsAfterPreemptionInThatOrder) {
  Question full = two_empty_nodes();
  for (Node& node : full.cluster.nodes) node.allocatable = {};
  Release profile = release("v1.35");
  const std::string usual = schedule(full, profile).decision.message;
  profile.claims_after_preemption = true;
  const std::string changed = schedule(full, profile).decision.message;
  const std::string claims = "no new claims to deallocate";
  EXPECT_NE(usual.find(". " + claims + ", preemption: "), std::string::npos) << usual;
  EXPECT_TRUE(changed.ends_with("., " + claims)) << changed;
}

// CYC-PROFILE-1, PRE-MESSAGE-6: as kube-scheduler v1.37.2 says it
TEST(Profile, HasTheWordsOfEachPlugIn) {
  EXPECT_EQ(error_without_prefilter(Filter::volume_binding), "not found");
  EXPECT_EQ(error_without_prefilter(Filter::node_declared_features),
            "error reading \"PreFilterNodeDeclaredFeatures\" from cycle-state: not found");
  EXPECT_EQ(error_without_prefilter(Filter::volume_restrictions),
            "cannot read \"PreFilterVolumeRestrictions\" from cycleState");
  EXPECT_EQ(error_without_prescore({Scorer::taint_toleration, "TaintToleration"}),
            "running Score plugins: plugin \"TaintToleration\" failed with: failed to read "
            "\"PreScoreTaintToleration\" from cycleState: not found");
}

// CYC-PROFILE-1
TEST(Profile, LetsAScorerErrWithoutItsPreScore) {
  Release profile = release("v1.34");
  profile.scorers_without_state = {Scorer::inter_pod_affinity, Scorer::pod_topology_spread};
  const Placement placement = schedule(two_empty_nodes(), profile);
  EXPECT_EQ(placement.decision.outcome, Outcome::error);
  EXPECT_EQ(placement.decision.reason,
            "running Score plugins: plugin \"PodTopologySpread\" failed with: error reading "
            "\"PreScorePodTopologySpread\" from cycleState: not found");
  EXPECT_EQ(placement.decision.message, placement.decision.reason);
  EXPECT_EQ(placement.decision.nomination, Nomination::cleared);
  EXPECT_FALSE(placement.host);
  Release older = profile;
  older.attempt_error_clears = false;
  EXPECT_EQ(schedule(two_empty_nodes(), older).decision.nomination, Nomination::kept);
  // One feasible node is not scored.
  EXPECT_EQ(schedule(QuestionBuilder().node("n0", 4000).asks(pod("p", 10, 1000)), profile).host, 0U);
}

// CYC-PROFILE-1
TEST(Profile, DoesNotPreemptWithoutDefaultPreemption) {
  Release profile = release("v1.36");
  profile.preempts = false;
  const Decision decision = preempt(full_node(), profile);
  EXPECT_EQ(decision.outcome, Outcome::none);
  EXPECT_EQ(decision.nomination, Nomination::kept);
  EXPECT_TRUE(decision.dry_run.empty());
  EXPECT_EQ(decision.message, "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate");
  profile.text_claims = "";
  EXPECT_EQ(preempt(full_node(), profile).message, "0/1 nodes are available: 1 Insufficient cpu.");
}

// CYC-PROFILE-1: a PreFilter runs unless the configuration turns it off. Two of them are turned off.
TEST(Profile, TurnsPreFiltersOff) {
  Release profile = release("v1.34");
  for (const Filter filter :
       {Filter::node_affinity, Filter::inter_pod_affinity, Filter::node_ports, Filter::pod_topology_spread})
    EXPECT_TRUE(runs_prefilter(filter, profile));
  profile.prefilters_off = {Filter::inter_pod_affinity, Filter::node_ports};
  EXPECT_TRUE(runs_prefilter(Filter::node_affinity, profile));
  EXPECT_FALSE(runs_prefilter(Filter::inter_pod_affinity, profile));
  EXPECT_FALSE(runs_prefilter(Filter::node_ports, profile));
  EXPECT_TRUE(runs_prefilter(Filter::pod_topology_spread, profile));
}

// CYC-PROFILE-2
TEST(Profile, IgnoresExtendedResourcesAlone) {
  const auto fits_with = [](const std::string& resource, const Release& profile) {
    Question question = QuestionBuilder().node("n0", 4000).asks(pod("p", 10, 1000));
    question.pod.containers[0].requests[resource] = 1;
    return preempt(question, profile).outcome == Outcome::fits;
  };
  Release profile = release("v1.34");
  EXPECT_FALSE(fits_with("example.com/gpu", profile));
  profile.ignored_resources = {"example.com/gpu", "hugepages-2Mi", "kubernetes.io/batch"};
  EXPECT_TRUE(fits_with("example.com/gpu", profile));
  EXPECT_FALSE(fits_with("example.com/disk", profile));
  EXPECT_FALSE(fits_with("hugepages-2Mi", profile));
  EXPECT_FALSE(fits_with("kubernetes.io/batch", profile));
  profile.ignored_resource_groups = {"example.com"};
  EXPECT_TRUE(fits_with("example.com/disk", profile));
  EXPECT_FALSE(fits_with("example.org/disk", profile));
}

// CYC-PROFILE-2: the pod requests two extended resources that no node has. The first one is ignored.
TEST(Profile, ChecksTheResourcesAfterOneThatIsIgnored) {
  Question question = two_empty_nodes();
  question.pod.containers[0].requests["example.com/a"] = 1;
  question.pod.containers[0].requests["example.com/b"] = 1;
  Release profile = release("v1.34");
  profile.ignored_resources = {"example.com/a"};
  EXPECT_EQ(preempt(question, profile).filter.at(0).reasons,
            std::vector<std::string>{"Insufficient example.com/b"});
}

// CYC-PROFILE-2
TEST(Profile, DemandsTheAddedTermsBeforeThoseOfThePod) {
  Question question = disks();
  Release profile = release("v1.34");
  profile.added_required_terms = {disk_is("nvme"), disk_is("ssd")};
  const Placement placement = schedule(question, profile);
  EXPECT_EQ(placement.feasible, (std::vector<NodeIndex>{1}));
  const Status& status = placement.decision.filter.at(0);
  EXPECT_EQ(status.code, Code::unschedulable_and_unresolvable);
  EXPECT_EQ(status.plugin, "NodeAffinity");
  EXPECT_EQ(status.reasons,
            (std::vector<std::string>{"node(s) didn't match scheduler-enforced node affinity"}));
  // The pod's own terms must hold too.
  question.pod.node_affinity = {{disk_is("hdd")}};
  const Decision decision = preempt(question, profile);
  EXPECT_EQ(decision.outcome, Outcome::none);
  EXPECT_EQ(decision.filter.at(0).reasons[0], "node(s) didn't match scheduler-enforced node affinity");
  EXPECT_EQ(decision.filter.at(1).reasons[0], "node(s) didn't match Pod's node affinity/selector");
}

// CYC-PROFILE-2
TEST(Profile, SpreadsOverNodesThatTheAddedTermsLeaveOut) {
  // Zone a has one matching pod, and zone b none. The added terms leave out b.
  Question question = in_zones(QuestionBuilder()
                                   .node("n0", 4000)
                                   .has(with_app(pod("a", 20, 1000), "x"))
                                   .node("n1", 4000)
                                   .asks(spread(with_app(pod("p", 10, 1000), "x"), {over("zone", "x")})),
                               {"a", "b"});
  question.cluster.nodes[0].labels["disk"] = "ssd";
  Release profile = release("v1.34");
  profile.added_required_terms = {disk_is("ssd")};
  const Decision decision = preempt(question, profile);
  EXPECT_EQ(decision.outcome, Outcome::none);
  EXPECT_EQ(decision.filter.at(0).plugin, "PodTopologySpread");
}

// CYC-PROFILE-2, SCORE-SPREAD-2
TEST(Profile, RejectsNodesByTheDefaultConstraintsOfAList) {
  Question question = in_zones(QuestionBuilder()
                                   .node("n0", 4000)
                                   .has(with_app(pod("a", 20, 1000), "x"))
                                   .node("n1", 4000)
                                   .asks(with_app(pod("p", 10, 1000), "x")),
                               {"a", "b"});
  const Release profile = with_default("DoNotSchedule");
  // No Service selects the pod.
  EXPECT_EQ(schedule(question, profile).feasible, (std::vector<NodeIndex>{0, 1}));
  question.cluster.selecting.push_back({SelectingKind::service, "default", "s", app_is("x")});
  EXPECT_EQ(schedule(question, profile).feasible, (std::vector<NodeIndex>{1}));
  EXPECT_EQ(schedule(question, with_default("ScheduleAnyway")).feasible, (std::vector<NodeIndex>{0, 1}));
}

// CYC-PROFILE-3
TEST(Profile, SetsTheQuotaOfCandidates) {
  ProfileRules profile;
  EXPECT_EQ(reference::candidate_quota(1019, profile), 101);
  profile.candidate_percentage = 50;
  EXPECT_EQ(reference::candidate_quota(1019, profile), 509);
  EXPECT_EQ(reference::candidate_quota(101, profile), 100);
  profile.candidates_least = 0;
  EXPECT_EQ(reference::candidate_quota(101, profile), 50);
  profile.candidate_percentage = 0;
  profile.candidates_least = 7;
  EXPECT_EQ(reference::candidate_quota(101, profile), 7);
  EXPECT_EQ(reference::candidate_quota(3, profile), 3);
}

// CYC-PROFILE-3
TEST(Profile, EndsTheSearchAtTheConfiguredQuota) {
  Question question = QuestionBuilder()
                          .node("n0", 1000)
                          .has(pod("a", 0, 1000))
                          .node("n1", 1000)
                          .has(pod("b", 0, 1000))
                          .asks(pod("p", 10, 1000));
  question.offset = 1;
  Release profile = release("v1.34");
  EXPECT_EQ(preempt(question, profile).candidates.size(), 2u);
  profile.candidate_percentage = 50;
  profile.candidates_least = 0;
  const Decision decision = preempt(question, profile);
  ASSERT_EQ(decision.candidates.size(), 1u);
  EXPECT_EQ(decision.candidates[0].node, 1U);
}

// CYC-PROFILE-1
TEST(Profile, IsNotModelledWhereVolumesLackAPreFilter) {
  Question question = two_empty_nodes();
  for (const Filter filter : {Filter::volume_restrictions, Filter::volume_binding, Filter::volume_zone}) {
    Release profile = release("v1.34");
    profile.prefilters_off = {filter};
    question.pod.volumes.clear();
    EXPECT_EQ(preempt(question, profile).outcome, Outcome::fits);
    Volume volume;
    volume.name = "v";
    volume.source.kind = "persistentVolumeClaim";
    volume.source.id = "c";
    question.pod.volumes = {volume};
    const Decision decision = preempt(question, profile);
    EXPECT_EQ(decision.outcome, Outcome::skipped);
    EXPECT_EQ(decision.reason, "volumes: the configuration turns off a PreFilter of volumes");
  }
}

// CYC-PROFILE-1
TEST(Profile, IsNotModelledWhereVolumeZoneLacksVolumeBinding) {
  Question question = two_empty_nodes();
  Volume volume;
  volume.name = "v";
  volume.source.kind = "persistentVolumeClaim";
  volume.source.id = "c";
  question.pod.volumes = {volume};
  const auto reason = [&question](const Release& profile) { return preempt(question, profile).reason; };
  const std::string lacking = "volumes: the configuration runs VolumeZone, but not VolumeBinding before it";
  EXPECT_EQ(reason(without_filter("v1.26", Filter::volume_binding)), lacking);
  EXPECT_NE(reason(without_filter("v1.27", Filter::volume_binding)), lacking);
  EXPECT_NE(reason(release("v1.26")), lacking);
  Release neither = without_filter("v1.26", Filter::volume_binding);
  std::erase(neither.filter_groups, std::vector<Filter>{Filter::volume_zone});
  EXPECT_NE(reason(neither), lacking);
  question.pod.volumes[0].source.kind = "gcePersistentDisk";
  EXPECT_EQ(reason(release("v1.9")), "");
  question.pod.volumes.clear();
  EXPECT_EQ(reason(without_filter("v1.26", Filter::volume_binding)), "");
}

// CYC-PROFILE-1, PRE-CLAIM-2
TEST(Profile, RejectsByTheFirstOfItsPreFilters) {
  Question question = two_empty_nodes();
  question.pod.node_affinity = {{{{}, {{"metadata.name", "In", {"n1"}}, {"metadata.name", "In", {"n2"}}}}}};
  Volume volume;
  volume.name = "v";
  volume.source.kind = "persistentVolumeClaim";
  volume.source.id = "c";
  question.pod.volumes = {volume};
  const auto plugin = [&](std::vector<Filter> prefilters) {
    Release profile = release("v1.34");
    profile.prefilters = std::move(prefilters);
    return preempt(question, profile).filter.at(0).plugin;
  };
  const Filter affinity = Filter::node_affinity;
  const Filter restrictions = Filter::volume_restrictions;
  const Filter binding = Filter::volume_binding;
  const Filter zone = Filter::volume_zone;
  EXPECT_EQ(plugin({affinity, restrictions, binding, zone}), "NodeAffinity");
  EXPECT_EQ(plugin({restrictions, binding, affinity, zone}), "VolumeRestrictions");
  EXPECT_EQ(plugin({binding, zone, restrictions, affinity}), "VolumeBinding");
  Release zone_first = release("v1.34");
  zone_first.prefilters = {zone, affinity, restrictions, binding};
  EXPECT_EQ(preempt(question, zone_first).reason,
            "volumes: the configuration runs VolumeZone, but not VolumeBinding before it");
}

// CYC-PROFILE-1, PRE-PREFILTER-4
TEST(Profile, IsNotModelledWhereARejectionMayBeLost) {
  Question question = two_empty_nodes();
  Release profile = release("v1.27.0");
  profile.prefilters_off = {Filter::node_ports};
  EXPECT_EQ(preempt(question, profile).outcome, Outcome::fits);
  question.pod.node_affinity = {{disk_is("ssd")}};
  EXPECT_TRUE(preempt(question, profile).reason.starts_with("PreFilters: "));
  Release later = release("v1.34");
  later.prefilters_off = {Filter::node_ports};
  EXPECT_NE(preempt(question, later).outcome, Outcome::skipped);
}

}  // namespace touchstone::tests::profile_test
