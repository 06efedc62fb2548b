#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "reference/preemption/preempt.hpp"
#include "tests/support/storage.hpp"
#include "tests/support/topology.hpp"

/// A feature that is not modelled is named in the answer, and only if the question needs it.
namespace touchstone::tests::not_modelled_test {

namespace {

std::string skipped(const Question& question, const Release& by) {
  const Decision decision = reference::preempt(question, by);
  return decision.outcome == Outcome::skipped ? decision.reason.substr(0, decision.reason.find(':')) : "";
}
std::string skipped(const Question& question, const char* name = "v1.34") {
  return skipped(question, release(name));
}

Question plain() {
  return QuestionBuilder()
      .node("n1", 1000)
      .has(pod("a", 1, 1000))
      .nominated(pod("q", 1, 1))
      .asks(with_app(pod("p", 10, 1000), "web"));
}

Question empty_node(const Pod& asked) { return QuestionBuilder().node("n1", 4000).asks(asked); }

PodAffinityTerm term(std::optional<LabelSelector> selector) {
  PodAffinityTerm term;
  term.label_selector = std::move(selector);
  term.topology_key = "zone";
  return term;
}

TopologySpreadConstraint spread(const std::string& when_unsatisfiable) {
  TopologySpreadConstraint constraint;
  constraint.topology_key = "zone";
  constraint.when_unsatisfiable = when_unsatisfiable;
  return constraint;
}

const LabelSelector k_web{{{"app", "web"}}, {}};
const LabelSelector k_db{{{"app", "db"}}, {}};

/// The reason for skipping the question after `put` adds an invalid selector. Empty if it is not skipped.
std::string with_invalid(const std::function<void(Question&, const LabelSelector&)>& put, const char* name) {
  Question question = plain();
  put(question, {{}, {{"app", "In", {}}}});
  const Decision decision = reference::preempt(question, release(name));
  return decision.outcome == Outcome::skipped ? decision.reason : "";
}

}  // namespace

TEST(NotModelled, IsNothingOfAPlainQuestion) { EXPECT_EQ(skipped(plain()), ""); }

namespace {

/// The plain question, and a pod on a node that does not exist.
Question with_lost() {
  Question question = plain();
  question.cluster.pods.push_back(pod("lost", 1, 1));
  question.cluster.pods.back().node_name = "gone";
  return question;
}

}  // namespace

// PRE-AFFINITY-2
TEST(NotModelled, IsAPodOfAMissingNodeBesideAffinityThrough111) {
  EXPECT_EQ(skipped(with_lost(), "v1.11"), "");
  for (auto terms : {&Pod::pod_affinity, &Pod::pod_anti_affinity}) {
    Question question = with_lost();
    question.pod.*terms = {term(k_db)};
    EXPECT_EQ(skipped(question, "v1.11"), "InterPodAffinity");
    EXPECT_EQ(skipped(question, "v1.8"), "InterPodAffinity");
    EXPECT_EQ(skipped(question, "v1.12"), "");
    for (const char* phase : {"Succeeded", "Failed"}) {
      question.cluster.pods.back().phase = phase;
      EXPECT_EQ(skipped(question, "v1.11"), "");
    }
  }
  const auto with = [](PodAffinityTerm of_other, PodIndex pod) {
    Question question = with_lost();
    question.cluster.pods[pod].pod_anti_affinity = {std::move(of_other)};
    return skipped(question, "v1.11");
  };
  EXPECT_EQ(with(term(k_web), 0), "InterPodAffinity");
  EXPECT_EQ(with(term(k_web), 1), "InterPodAffinity");
  EXPECT_EQ(with(term(k_db), 0), "");
  EXPECT_EQ(with(term(std::nullopt), 0), "");
  PodAffinityTerm elsewhere = term(k_web);
  elsewhere.namespaces = {"other"};
  EXPECT_EQ(with(elsewhere, 0), "");
  elsewhere.namespaces = {"other", "default"};
  EXPECT_EQ(with(elsewhere, 0), "InterPodAffinity");
  Question question = with_lost();
  question.cluster.pods[0].ns = "other";
  question.cluster.pods[0].pod_anti_affinity = {term(k_web)};
  EXPECT_EQ(skipped(question, "v1.11"), "");
}

// PRE-AFFINITY-3
TEST(NotModelled, IsANominatedPodThatATermOverHostsMayMeanInV110) {
  const auto with = [](const LabelSelector& selector, const std::string& key, const char* name) {
    Question question = plain();
    question.cluster.pods[1].priority = 10;
    question.cluster.pods[1].labels = {{"app", "db"}};
    question.pod.pod_anti_affinity = {term(selector)};
    question.pod.pod_anti_affinity[0].topology_key = key;
    return skipped(question, name);
  };
  const std::string host = "kubernetes.io/hostname";
  EXPECT_EQ(with(k_db, host, "v1.10"), "InterPodAffinity");
  EXPECT_EQ(with(k_db, host, "v1.9"), "");
  EXPECT_EQ(with(k_db, host, "v1.11"), "");
  EXPECT_EQ(with(k_db, "zone", "v1.10"), "");
  EXPECT_EQ(with(k_web, host, "v1.10"), "");
  Question question = plain();
  question.cluster.pods[1].priority = 10;
  question.pod.pod_anti_affinity = {term(std::nullopt)};
  question.pod.pod_anti_affinity[0].topology_key = host;
  EXPECT_EQ(skipped(question, "v1.10"), "");
}

TEST(NotModelled, IsAnInvalidSelectorOfAffinity) {
  const std::string required = "requiredDuringSchedulingIgnoredDuringExecution";
  const auto of_pod = [](Question& question, const LabelSelector& selector) {
    question.pod.pod_affinity = {term(k_db), term(selector)};
  };
  EXPECT_EQ(with_invalid(of_pod, "v1.34"),
            "InterPodAffinity: pod default/p has an invalid podAffinity." + required + "[1].labelSelector");
  const auto by_namespace = [](Question& question, const LabelSelector& selector) {
    question.pod.pod_anti_affinity = {term(k_db)};
    question.pod.pod_anti_affinity[0].namespace_selector = selector;
  };
  EXPECT_EQ(
      with_invalid(by_namespace, "v1.12"),
      "InterPodAffinity: pod default/p has an invalid podAntiAffinity." + required + "[0].namespaceSelector");
  for (const PodIndex pod : {0u, 1u}) {
    const auto of_other = [pod](Question& question, const LabelSelector& selector) {
      question.cluster.pods[pod].pod_anti_affinity = {term(selector), term(selector)};
    };
    EXPECT_EQ(with_invalid(of_other, "v1.8").substr(0, 37),
              pod == 0 ? "InterPodAffinity: pod default/a has a" : "InterPodAffinity: pod default/q has a");
  }
  const auto without_concern = [](Question& question, const LabelSelector& selector) {
    question.cluster.pods[0].pod_affinity = {term(selector)};
  };
  EXPECT_EQ(with_invalid(without_concern, "v1.34"), "");
}

// PRE-AFFINITY-7: the pod with the invalid selector is on the second node.
TEST(NotModelled, IsAnInvalidSelectorOfAPodOnAnyNode) {
  Pod invalid = pod("b", 1, 1000);
  invalid.pod_anti_affinity = {term(LabelSelector{{}, {{"app", "In", {}}}})};
  const Question question =
      QuestionBuilder().node("n1", 1000).node("n2", 1000).has(invalid).asks(pod("p", 10, 1000));
  EXPECT_EQ(skipped(question), "InterPodAffinity");
}

TEST(NotModelled, IsAnInvalidSelectorOfAHardSpreadConstraintFrom118) {
  const auto in = [](const std::string& when_unsatisfiable) {
    return [when_unsatisfiable](Question& question, const LabelSelector& selector) {
      question.pod.topology_spread = {spread("DoNotSchedule"), spread(when_unsatisfiable)};
      question.pod.topology_spread[0].label_selector = k_web;
      question.pod.topology_spread[1].label_selector = selector;
    };
  };
  EXPECT_EQ(with_invalid(in("DoNotSchedule"), "v1.18"),
            "PodTopologySpread: pod default/p has an invalid topologySpreadConstraints[1].labelSelector");
  EXPECT_EQ(with_invalid(in("DoNotSchedule"), "v1.17"), "");
  EXPECT_EQ(with_invalid(in("ScheduleAnyway"), "v1.34"), "");
}

// PRE-SPREAD-2: the first of two constraints has an invalid selector.
TEST(NotModelled, IsAnInvalidSelectorOfTheFirstConstraint) {
  Question question = empty_node(pod("p", 10, 1000));
  question.pod.topology_spread = {over("zone", "x"), over("zone", "x")};
  question.pod.topology_spread[0].label_selector = LabelSelector{{}, {{"app", "In", {}}}};
  EXPECT_EQ(skipped(question), "PodTopologySpread");
}

// PRE-SPREAD-6: a configuration runs PodTopologySpread first, so it sees nodes that the required affinity of
// the pod rejects.
TEST(NotModelled, IsSpreadBeforeNodeAffinity) {
  Release spread_first = release("v1.20");
  const auto spread_group = std::find(spread_first.filter_groups.begin(), spread_first.filter_groups.end(),
                                      std::vector<Filter>{Filter::pod_topology_spread});
  ASSERT_NE(spread_group, spread_first.filter_groups.end());
  std::rotate(spread_first.filter_groups.begin(), spread_group, spread_group + 1);
  Question question = in_zones(empty_node(pod("p", 10, 1000)), {"a"});
  question.pod.topology_spread = {over("zone", "x")};
  EXPECT_EQ(skipped(question, spread_first), "");
  question.pod.node_affinity = {NodeSelectorTerm{{{"disk", "In", {"ssd"}}}, {}}};
  EXPECT_EQ(skipped(question, spread_first), "PodTopologySpread");
  EXPECT_EQ(skipped(question, "v1.20"), "");
}

// PRE-CLAIM-1
TEST(NotModelled, IsAClaimWithoutAVolumeBefore110) {
  Question question = plain();
  question.pod.volumes.resize(2);
  question.pod.volumes[0].source.kind = "emptyDir";
  question.pod.volumes[1].source.kind = "configMap";
  EXPECT_EQ(skipped(question, "v1.9"), "");
  question.pod.volumes[1].source.kind = "persistentVolumeClaim";
  question.pod.volumes[1].source.id = "c";
  EXPECT_EQ(skipped(question, "v1.9"), "volumes");
  EXPECT_EQ(skipped(question, "v1.10"), "");
}

// CYC-PROFILE-1: VolumeZone alone lacks what VolumeBinding stores. If neither runs, nothing is missing.
TEST(NotModelled, IsAVolumeIfVolumeZoneRunsWithoutVolumeBinding) {
  const Question question = empty_node(with_volume(pod("p", 10, 1000), source("iscsi", "disk")));
  for (const bool zone_runs : {false, true}) {
    for (const char* name : {"v1.20", "v1.34"}) {
      Release configured = release(name);
      const auto is_off = [zone_runs](Filter filter) {
        return filter == Filter::volume_binding || (filter == Filter::volume_zone && !zone_runs);
      };
      std::erase_if(configured.prefilters, is_off);
      std::erase_if(configured.filter_groups, [&is_off](const std::vector<Filter>& group) {
        return group.size() == 1 && is_off(group[0]);
      });
      EXPECT_EQ(skipped(question, configured), zone_runs ? "volumes" : "") << name;
    }
  }
}

// PRE-ATTACH-3: a limit of a CSI driver whose name has 62 characters may be shortened. Another resource with
// a name of that length is none.
TEST(NotModelled, IsAShortenedNameOfACsiLimitAlone) {
  Question question = plain();
  question.pod.volumes.resize(1);
  question.pod.volumes[0].source = {"gcePersistentDisk", "d"};
  question.cluster.nodes[0].allocatable[std::string(62, 'x')] = 1;
  EXPECT_EQ(skipped(question, "v1.31.0"), "");
  question.cluster.nodes[0].allocatable["attachable-volumes-csi-" + std::string(39, 'x')] = 1;
  EXPECT_EQ(skipped(question, "v1.31.0"), "NodeVolumeLimits");
}

TEST(NotModelled, IsAResourceClaimFrom134) {
  Question question = plain();
  question.pod.resource_claims = {"gpu"};
  EXPECT_EQ(skipped(question, "v1.34"), "DynamicResources");
  EXPECT_EQ(skipped(question, "v1.33"), "");
}

TEST(NotModelled, AreNodeConditionsThrough111) {
  const auto with = [](const Condition& condition, const char* name) {
    Question question = plain();
    question.cluster.nodes[0].conditions = {condition};
    return skipped(question, name);
  };
  EXPECT_EQ(with({"Ready", "True", ""}, "v1.11"), "");
  EXPECT_EQ(with({"Ready", "Unknown", ""}, "v1.11"), "node conditions");
  EXPECT_EQ(with({"Ready", "Unknown", ""}, "v1.12"), "");
  for (const char* type :
       {"OutOfDisk", "NetworkUnavailable", "MemoryPressure", "DiskPressure", "PIDPressure"}) {
    EXPECT_EQ(with({type, "False", ""}, "v1.11"), "") << type;
    EXPECT_EQ(with({type, "True", ""}, "v1.11"), "node conditions") << type;
  }
  EXPECT_EQ(with({"FrequentUnregister", "True", ""}, "v1.11"), "");
}

}  // namespace touchstone::tests::not_modelled_test
