// For tests/optimized/scores/topology_test.cpp
#include "tests/optimized/scores/placed.hpp"
#include "tests/optimized/storage_reports.hpp"
#include "tests/support/storage.hpp"
#include "tests/support/topology.hpp"

namespace touchstone::tests::optimized_topology_more_test {

namespace {

// These are in the file already.
const std::string k_hostname = "kubernetes.io/hostname";
Pod app(const std::string& name, const std::string& which) { return with_app(sized(name, 0, 0), which); }

/// Nodes n1, with a pod of app x, and n2.
Question beside_a_pod(const Pod& preemptor) {
  Question question = QuestionBuilder().node("n1", 4000).has(app("a", "x")).node("n2", 4000).asks(preemptor);
  for (Node& node : question.cluster.nodes) node.labels[k_hostname] = node.name;
  return question;
}

/// Whether the scorer prefers n2, because an object of the cluster selects pod a on n1.
bool avoids_n1(const Question& question, const char* version) {
  const Row scores = scores_by(Scorer::pod_topology_spread, question, version);
  return !scores.empty() && scores[0] < scores[1];
}

/// Nodes n1 and n2, and a preemptor with these claims of the class "late".
Stored with_claims(const std::vector<PersistentVolumeClaim>& claims) {
  Pod p = pod("p", 0, 100);
  for (const PersistentVolumeClaim& claim : claims) p = with_claim(std::move(p), claim.name);
  Stored stored(QuestionBuilder().node("n1", 4000).node("n2", 4000).asks(p));
  for (const PersistentVolumeClaim& claim : claims) stored.with(claim);
  return stored;
}

PersistentVolumeClaim of_class(PersistentVolumeClaim claim, const std::string& name) {
  claim.class_name = name;
  return claim;
}

/// A claim c0, c1, ... of a class of its own for each number in `reports`. The driver reports the same
/// capacity that many times for the class, so each report is another way to provision the same storage.
Stored with_reports(const std::vector<std::size_t>& reports) {
  std::vector<PersistentVolumeClaim> claims;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const std::string name = "c" + std::to_string(i);
    claims.push_back(of_class(waiting(name), name));
  }
  Stored stored = with_claims(claims);
  stored.with(CsiDriver{"d", true, false});
  for (std::size_t i = 0; i < reports.size(); ++i) {
    stored.with(StorageClass{claims[i].name, "d", "WaitForFirstConsumer", {}});
    for (std::size_t k = 0; k < reports[i]; ++k) {
      CsiStorageCapacity report = report_of(10, claims[i].name + "-" + std::to_string(k));
      report.storage_class = claims[i].name;
      stored.with(report);
    }
  }
  return stored;
}

}  // namespace

// SCORE-SELECTOR-2: from v1.22 the controller of the pod counts if its name, kind and apiVersion are those of
// the object. A pod without a controller has no such object.
TEST(OptimizedTopology, AControllerIsFoundByKindAndVersion) {
  struct Kind {
    SelectingKind object;
    const char* api_version;
    const char* kind;
  };
  const std::vector<Kind> kinds = {{SelectingKind::replication_controller, "v1", "ReplicationController"},
                                   {SelectingKind::replica_set, "apps/v1", "ReplicaSet"},
                                   {SelectingKind::stateful_set, "apps/v1", "StatefulSet"}};
  for (const Kind& each : kinds) {
    Question question = beside_a_pod(app("p", "x"));
    question.cluster.selecting = {{each.object, "default", "r", app_is("x")}};
    for (const char* version : {"v1", "apps/v1", "other/v1"}) {
      for (const char* kind : {"ReplicationController", "ReplicaSet", "StatefulSet", "Other"}) {
        question.pod.controller = Controller{version, kind, "r", "u"};
        const bool is_same = version == std::string(each.api_version) && kind == std::string(each.kind);
        EXPECT_EQ(avoids_n1(question, "v1.34"), is_same) << each.kind << " " << version << " " << kind;
      }
    }
    question.pod.controller = Controller{each.api_version, each.kind, "r", "u"};
    question.pod.controller.reset();
    EXPECT_FALSE(avoids_n1(question, "v1.34")) << each.kind;
  }
}

// SCORE-SELECTOR-1: the requirements of a ReplicaSet's selector count. An invalid selector adds none, so the
// Service beside it counts alone.
TEST(OptimizedTopology, MergesValidRequirements) {
  Question question = beside_a_pod(app("p", "x"));
  question.pod.controller = Controller{"apps/v1", "ReplicaSet", "r", "u"};
  const auto with_requirement = [&question](const Requirement& requirement) {
    question.cluster.selecting = {
        {SelectingKind::replica_set, "default", "r", LabelSelector{{}, {requirement}}}};
    return question;
  };
  EXPECT_TRUE(avoids_n1(with_requirement({"app", "Exists", {}}), "v1.34"));
  Question with_service = with_requirement({"app", "Near", {"x"}});
  with_service.cluster.selecting.push_back({SelectingKind::service, "default", "s", app_is("x")});
  EXPECT_TRUE(avoids_n1(with_service, "v1.34"));
}

// SCORE-SELECTOR-1: up to v1.21 a controller selects no pod that has no labels, and a Service may.
TEST(OptimizedTopology, AControllerSelectsNoPodWithoutLabels) {
  Question question = beside_a_pod(sized("p", 0, 0));
  question.cluster.pods[0].labels.clear();
  const LabelSelector without_app = {{}, {{"app", "DoesNotExist", {}}}};
  question.cluster.selecting = {{SelectingKind::replica_set, "default", "r", without_app}};
  EXPECT_FALSE(avoids_n1(question, "v1.21"));
  question.pod.labels["tier"] = "a";
  question.cluster.pods[0].labels["tier"] = "a";
  EXPECT_TRUE(avoids_n1(question, "v1.21"));
}

// SCORE-CAPACITY-1: a claim whose driver reports no capacity does not count. The claim after it does.
TEST(OptimizedTopology, CountsTheClaimsWhoseDriverReportsCapacity) {
  Stored two = with_claims({of_class(waiting("a"), "silent"), waiting("c", 5)});
  two.with(StorageClass{"silent", "s", "WaitForFirstConsumer", {}}).with(CsiDriver{"s", false, false});
  two.with(late("d")).with(CsiDriver{"d", true, false}).with(report_of(10));
  EXPECT_EQ(scores_by(Scorer::volume_capacity, two, "v1.37"), (Row{50, 50}));
}

// SCORE-CAPACITY-1: a claim without a size requests 0 bytes of the volume that it takes.
TEST(OptimizedTopology, AClaimWithoutASizeUsesNothing) {
  PersistentVolumeClaim sizeless = waiting("c");
  sizeless.storage.reset();
  Stored stored = with_claims({sizeless});
  stored.with(late("kubernetes.io/no-provisioner")).with(available("v", 2));
  EXPECT_EQ(scores_by(Scorer::volume_capacity, stored, "v1.37"), (Row{100, 100}));
}

// SCORE-CAPACITY-1, CYC-PROFILE-1: a configuration turns off the filter VolumeBinding, but not its score.
// Then no storage counts.
TEST(OptimizedTopology, CountsNoStorageWithoutVolumeBinding) {
  Stored stored = with_claims({waiting("c", 5)});
  stored.with(late("kubernetes.io/no-provisioner")).with(available("v", 10));
  EXPECT_EQ(scores_by(Scorer::volume_capacity, stored, "v1.37"), (Row{50, 50}));
  Release without = release("v1.37");
  std::erase(without.filter_groups, std::vector<Filter>{Filter::volume_binding});
  EXPECT_EQ(scores_by(Scorer::volume_capacity, stored, without), (Row{0, 0}));
}

// SCORE-CAPACITY-1: a report may state the largest volume alone. The capacity is not known then.
TEST(OptimizedTopology, SkipsAReportWithoutACapacity) {
  Stored stored = with_claims({waiting("c", 5)});
  CsiStorageCapacity report = report_of(std::nullopt);
  report.maximum_volume_size = 10;
  stored.with(late("d")).with(CsiDriver{"d", true, false}).with(report);
  EXPECT_EQ(placed_alike(stored, release("v1.37")).answer.outcome, Outcome::skipped);
}

// SCORE-CAPACITY-1: no engine examines more than 1,000 ways to provision storage. Here are 10·10·10 = 1,000
// and 7·11·13 = 1,001.
TEST(OptimizedTopology, MoreWaysToProvisionStorageThanAThousand) {
  const Release asked = release("v1.37");
  EXPECT_EQ(placed_alike(with_reports({10, 10, 10}), asked).answer.outcome, Outcome::fits);
  EXPECT_EQ(placed_alike(with_reports({7, 11, 13}), asked).answer.outcome, Outcome::skipped);
}

}  // namespace touchstone::tests::optimized_topology_more_test
