#include <gtest/gtest.h>

#include <limits>

#include "tests/optimized/agreed.hpp"
#include "tests/optimized/scores/placed.hpp"
#include "tests/support/extenders.hpp"

/// Small cases of what a query reads of the pod and of the cluster. Both engines must agree.
namespace touchstone::tests::query_test {

namespace {

const std::vector<const char*> k_versions = {"v1.8", "v1.15", "v1.22", "v1.27", "v1.34", "v1.38"};

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

}  // namespace touchstone::tests::query_test
