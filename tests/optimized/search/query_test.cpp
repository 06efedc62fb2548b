#include <gtest/gtest.h>

#include <limits>

#include "tests/optimized/agreed.hpp"
#include "tests/optimized/scores/placed.hpp"
#include "tests/support/extenders.hpp"

/// Small cases of what a query reads of the pod and of the cluster. Both engines must agree.
namespace touchstone::tests::query_test {

namespace {

const std::vector<const char*> k_versions = {"v1.8", "v1.15", "v1.22", "v1.27", "v1.34", "v1.38"};

/// n1 and n2, both free.
Question two_nodes() { return QuestionBuilder().node("n1", 1000).node("n2", 1000).asks(pod("p", 10, 500)); }

/// One node, on which a pod of a higher priority requests `used` of a resource. The preemptor requests
/// `wanted` of the same or of another resource, and nothing else.
Question overcommitted(const std::string& resource, Quantity used, const std::string& own, Quantity wanted) {
  Question question = QuestionBuilder().node("n1", 1000).has(pod("a", 20, 0)).asks(pod("p", 10, 0));
  question.cluster.nodes[0].allocatable[resource] = 1000;
  question.cluster.pods[0].containers[0].requests[resource] = used;
  question.pod.containers[0].requests = {{own, wanted}};
  return question;
}

}  // namespace

// PRE-TAINT-2: a toleration with an unknown operator tolerates nothing, even if its value is that of the
// taint. An absent operator means Equal.
TEST(OptimizedQuery, ToleratesNothingByAnUnknownOperator) {
  Question question = QuestionBuilder().node("n1", 1000).asks(pod("p", 10, 500));
  question.cluster.nodes[0].taints = {{"k", "v", "NoSchedule"}};
  for (const char* version : k_versions) {
    question.pod.tolerations = {{"k", "Near", "v", "NoSchedule"}};
    EXPECT_EQ(agreed(question, version).outcome, Outcome::none) << version;
    for (const char* op : {"Equal", ""}) {
      question.pod.tolerations = {{"k", op, "v", "NoSchedule"}};
      EXPECT_EQ(agreed(question, version).outcome, Outcome::fits) << version;
    }
  }
}

// PRE-INPUT-3, PRE-FIT-2: n1 has an entry of the preemptor, which does not count, and another pod, which
// does.
TEST(OptimizedQuery, CountsTheOtherPodsBesideThePodItself) {
  Pod other = pod("a", 20, 100);
  other.containers[0].requests["example.com/gpu"] = 2;
  Pod own = pod("p", 10, 100);
  own.containers[0].requests["example.com/gpu"] = 1;
  Question question = QuestionBuilder().node("n1", 1000).has(own).has(other).asks(own);
  for (const char* version : k_versions) {
    for (const auto& [gpus, outcome] : {std::pair{2, Outcome::none}, std::pair{3, Outcome::fits}}) {
      question.cluster.nodes[0].allocatable["example.com/gpu"] = gpus;
      EXPECT_EQ(agreed(question, version).outcome, outcome) << version;
    }
  }
}

// PRE-INPUT-3, SCORE-REQUESTS-1: pod a on n1 requests more than pod b on n2, so n2 is the host.
TEST(OptimizedQuery, ScoresTheOtherPodsBesideThePodItself) {
  QuestionBuilder cluster;
  cluster.node("n1", 4000).has(pod("p", 10, 500)).has(pod("a", 0, 2000));
  cluster.node("n2", 4000).has(pod("b", 0, 1000));
  const Question question = with_memory(cluster.asks(pod("p", 10, 500)));
  for (const char* version : k_versions)
    EXPECT_EQ(placed_alike(question, release(version)).host, NodeIndex{1}) << version;
}

// CYC-PROFILE-2, EXT-RESOURCE-1: only extended resources can be ignored. A resource without a domain, or with
// one of Kubernetes, is checked all the same. The node has none of these resources.
TEST(OptimizedQuery, IgnoresExtendedResourcesAlone) {
  for (const char* version : k_versions) {
    for (const char* name : {"hugepages-2Mi", "attachable-volumes-a", "kubernetes.io/a", "example.com/gpu"}) {
      Question question = QuestionBuilder().node("n1", 1000).asks(pod("p", 10, 500));
      question.pod.containers[0].requests[name] = 1;
      const Outcome by_default = outcome(question, version);
      Release ignores = release(version);
      ignores.ignored_resources = {name};
      EXPECT_EQ(placed_alike(question, ignores).answer.outcome == Outcome::fits,
                by_default == Outcome::fits || std::string(name) == "example.com/gpu")
          << version << " " << name;
      question.extenders = {managing(filters({{"n1", ok()}}), name, true)};
      placed_alike(question, release(version));
    }
  }
}

// PRE-FIT-2: the pods of the node request more than it has. The difference between the free amount and the
// largest possible request is no 64-bit integer.
TEST(OptimizedQuery, RejectsTheLargestRequestOnAnOvercommittedNode) {
  for (const char* resource : {"cpu", "memory"}) {
    Question question = QuestionBuilder().node("n1", 1000).has(pod("a", 20, 0)).asks(pod("p", 10, 0));
    question.cluster.nodes[0].allocatable[resource] = 1000;
    question.cluster.pods[0].containers[0].requests[resource] = 3000;
    question.pod.containers[0].requests[resource] = std::numeric_limits<Quantity>::max();
    for (const char* version : k_versions)
      EXPECT_EQ(agreed(question, version).outcome, Outcome::none) << version << " " << resource;
  }
}

// PRE-NODEAFFINITY-4: matchFields over another field than metadata.name. No such field has a value, so In
// never holds and NotIn always does.
TEST(OptimizedQuery, MatchesNoFieldButTheName) {
  for (const char* version : k_versions) {
    Question question = two_nodes();
    question.pod.node_affinity = {{{{}, {{"metadata.namespace", "In", {"n1"}}}}}};
    EXPECT_EQ(agreed(question, version).outcome, Outcome::none) << version;
    question.pod.node_affinity = {{{{}, {{"metadata.namespace", "NotIn", {"n1"}}}}}};
    EXPECT_EQ(agreed(question, version).feasible.size(), 2U) << version;
  }
}

// PRE-NODENAME-1, CYC-PROFILE-2, PRE-FEATURES-1: a node name, a term that the configuration adds, or a
// feature that the pod needs: n2 alone suits. Nothing else of the pod depends on the properties of nodes.
TEST(OptimizedQuery, LooksAtPropertiesOfNodesForEachReason) {
  for (const char* version : {"v1.22", "v1.34", "v1.38"}) {
    Question question = two_nodes();
    question.cluster.nodes[1].labels["disk"] = "ssd";
    Release asked = release(version);
    question.pod.node_name = "n2";
    EXPECT_EQ(agreed(question, asked).feasible, std::vector<NodeIndex>{1}) << version;
    question.pod.node_name.clear();
    asked.added_required_terms = {{{{{"disk", "Exists", {}}}, {}}}};
    EXPECT_EQ(agreed(question, asked).feasible, std::vector<NodeIndex>{1}) << version;
    asked = release(version);
    question.pod.node_features = {"UserNamespacesHostNetworkSupport"};
    question.cluster.nodes[1].declared_features = question.pod.node_features;
    const bool is_checked = !asked.node_features.empty();
    EXPECT_EQ(agreed(question, asked).feasible.size(), is_checked ? 1U : 2U) << version;
  }
}

// PRE-FIT-3: from v1.28 only what the preemptor requests is checked, even if it is a single unit.
TEST(OptimizedQuery, ChecksASingleUnit) {
  for (const char* resource : {"cpu", "memory", "ephemeral-storage", "example.com/gpu"}) {
    for (const char* version : k_versions)
      EXPECT_EQ(outcome(overcommitted(resource, 1000, resource, 1), version), Outcome::none)
          << version << " " << resource;
  }
}

// PRE-FIT-3: up to v1.27 everything is checked for a pod that requests something, and nothing for one that
// does not. A request of 0 counts only for other resources than cpu, memory and ephemeral storage. Memory is
// overcommitted here.
TEST(OptimizedQuery, ChecksEverythingForAPodThatRequestsSomething) {
  for (const char* version : {"v1.8", "v1.15", "v1.22", "v1.25", "v1.27"}) {
    const auto is_rejected = [version](const std::string& own, Quantity wanted) {
      return outcome(overcommitted("memory", 3000, own, wanted), version) == Outcome::none;
    };
    EXPECT_FALSE(is_rejected("ephemeral-storage", 0)) << version;
    EXPECT_FALSE(is_rejected("cpu", 0)) << version;
    EXPECT_TRUE(is_rejected("cpu", 1)) << version;
    EXPECT_TRUE(is_rejected("example.com/gpu", 0)) << version;
  }
}

// PRE-INPUT-3: the list has the preemptor twice, first without a node and then on n1. Neither entry counts.
TEST(OptimizedQuery, LeavesEachEntryOfThePodOut) {
  Question question = QuestionBuilder().node("n1", 1000).has(pod("p", 10, 600)).asks(pod("p", 10, 600));
  question.cluster.pods.insert(question.cluster.pods.begin(), pod("p", 10, 600));
  for (const char* version : k_versions)
    EXPECT_EQ(agreed(question, version).outcome, Outcome::fits) << version;
}

// PRE-INPUT-3, PRE-VICTIM-6: n1 has an entry of the preemptor and pods of several priorities, of which the
// most important ones stay.
TEST(OptimizedQuery, KeepsTheOrderOfThePodsBesideThePodItself) {
  const Question question = QuestionBuilder()
                                .node("n1", 4000)
                                .has(pod("p", 10, 1000))
                                .has(pod("low", 1, 1000))
                                .has(pod("high", 8, 1000))
                                .has(pod("higher", 20, 1000))
                                .has(pod("lower", 0, 1000))
                                .asks(pod("p", 10, 1000));
  for (const char* version : k_versions) {
    Question more = question;
    more.pod.containers[0].requests["cpu"] = 2000;
    EXPECT_EQ(agreed(more, version).victims, (std::vector<PodIndex>{1, 4})) << version;
    more.pod.containers[0].requests["cpu"] = 3000;
    EXPECT_EQ(agreed(more, version).victims.size(), 3U) << version;
  }
}

// EXT-FILTER-1: a question with an empty list of extenders has those of the configuration.
TEST(OptimizedQuery, AsksTheExtendersOfTheConfiguration) {
  const Question question = two_nodes();
  for (const char* version : {"v1.22", "v1.34", "v1.38"}) {
    Release asked = release(version);
    asked.extenders = {filters_names({{"n2", ok()}})};
    EXPECT_EQ(agreed(question, asked).feasible, std::vector<NodeIndex>{1}) << version;
  }
}

}  // namespace touchstone::tests::query_test
