#include "proofs/certificate.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "proofs/second_solver.hpp"
#include "tests/support/any_question.hpp"
#include "tests/support/extenders.hpp"

/// Certificates: a right decision is certified, each wrong part of a decision is refuted with its clause, and
/// nothing is guessed.
namespace touchstone::proofs {

namespace {

using tests::pod;
using tests::QuestionBuilder;
using tests::with_app;

Certificate certified(const Question& question, const std::string& release, const GivenDecision& given) {
  return certify(question, tests::release(release), given, nullptr);
}

GivenDecision ours(const Question& question, const std::string& release) {
  return given_decision(tests::decide(question, tests::release(release)));
}

/// The clause that refutes a decision; empty if none does.
std::string refuting_clause(const Question& question, const std::string& release,
                            const GivenDecision& given) {
  const Certificate certificate = certified(question, release, given);
  if (certificate.verdict != Verdict::refuted) return "";
  EXPECT_TRUE(certificate.better.has_value());
  // The better answer must be right.
  EXPECT_EQ(certified(question, release, *certificate.better).verdict, Verdict::certified);
  return certificate.obligations.back().clause;
}

/// Two nodes. On n1 the less important of two pods with 1 cpu must be evicted; on n2 a pod that a PDB
/// protects.
Question two_nodes() {
  return QuestionBuilder()
      .node("n1", 2000)
      .has(pod("a", 9, 1000))
      .has(pod("b", 5, 1000))
      .node("n2", 1000)
      .has(with_app(pod("c", 1, 1000), "x"))
      .pdb("x", 0)
      .asks(pod("p", 10, 1000));
}

constexpr PodIndex k_a = 0;
constexpr PodIndex k_b = 1;
constexpr PodIndex k_c = 2;

}  // namespace

const std::vector<std::string> k_releases = {"v1.8", "v1.16.6", "v1.18", "v1.34.4", "v1.36.3", "v1.37"};

TEST(Certificate, CertifiesTheBestNode) {
  for (const std::string& release : k_releases) {
    const GivenDecision decision = ours(two_nodes(), release);
    EXPECT_EQ(decision.node, release == "v1.8" ? 1u : 0u) << release;
    EXPECT_EQ(certified(two_nodes(), release, decision).verdict, Verdict::certified) << release;
  }
}

TEST(Certificate, CertifiesEachMemberOfATie) {
  const Question question = QuestionBuilder()
                                .node("n1", 1000)
                                .has(pod("a", 0, 1000))
                                .node("n2", 1000)
                                .has(pod("b", 0, 1000))
                                .asks(pod("p", 10, 1000));
  for (const std::size_t node : {0u, 1u}) {
    const GivenDecision given{
        .outcome = Outcome::nominated, .node = node, .victims = {node}, .pdb_violations = 0};
    EXPECT_EQ(certified(question, "v1.36.3", given).verdict, Verdict::certified) << node;
  }
}

TEST(Certificate, RefutesANodeThatCostsMoreViolations) {
  const GivenDecision given{.outcome = Outcome::nominated, .node = 1, .victims = {k_c}, .pdb_violations = 1};
  for (const std::string& release : k_releases) {
    if (release == "v1.8") continue;  // ignores PDBs
    EXPECT_EQ(refuting_clause(two_nodes(), release, given), "PRE-NODE-1") << release;
    const GivenDecision better = *certified(two_nodes(), release, given).better;
    EXPECT_EQ(better, ours(two_nodes(), release)) << release;
  }
}

TEST(Certificate, RefutesEachLaterCriterion) {
  const auto two = [](Pod first, Pod second) {
    return QuestionBuilder()
        .node("n1", 1000)
        .has(std::move(first))
        .node("n2", 1000)
        .has(std::move(second))
        .asks(pod("p", 10, 1000));
  };
  const GivenDecision given{.outcome = Outcome::nominated, .node = 1, .victims = {1}};
  EXPECT_EQ(refuting_clause(two(pod("a", 0, 1000), pod("b", 1, 1000)), "v1.34.4", given), "PRE-NODE-2");
  const Question later = two(tests::started(pod("a", 0, 1000), 200), pod("b", 0, 1000));
  EXPECT_EQ(refuting_clause(later, "v1.34.4", given), "PRE-NODE-5");
  EXPECT_EQ(refuting_clause(later, "v1.14", given), "");
  const Question unstarted = two(tests::unstarted(pod("a", 0, 1000)), pod("b", 0, 1000));
  EXPECT_EQ(refuting_clause(unstarted, "v1.34.4", given), "PRE-NODE-5");

  const auto with_second_victim = [](Quantity priority) {
    return QuestionBuilder()
        .node("n1", 1000)
        .has(pod("a", 5, 1000))
        .node("n2", 2000)
        .has(pod("b", 5, 1000))
        .has(pod("c", priority, 1000))
        .asks(pod("p", 10, 2000));
  };
  Question question = with_second_victim(0);
  question.cluster.nodes[0].allocatable["cpu"] = 2000;
  question.cluster.pods[0].containers[0].requests["cpu"] = 2000;
  const GivenDecision both{.outcome = Outcome::nominated, .node = 1, .victims = {1, 2}};
  EXPECT_EQ(refuting_clause(question, "v1.34.4", both), "PRE-NODE-3");
  question.cluster.pods[2].priority = -2147483648;
  EXPECT_EQ(refuting_clause(question, "v1.34.4", both), "PRE-NODE-4");
}

TEST(Certificate, RefutesOneVictimTooMany) {
  const GivenDecision given{
      .outcome = Outcome::nominated, .node = 0, .victims = {k_a, k_b}, .pdb_violations = 0};
  EXPECT_EQ(refuting_clause(two_nodes(), "v1.36.3", given), "PRE-VICTIM-6");
}

TEST(Certificate, RefutesOneVictimTooFew) {
  Question question = two_nodes();
  question.pod.containers[0].requests["cpu"] = 2000;
  const GivenDecision given{.outcome = Outcome::nominated, .node = 0, .victims = {k_b}, .pdb_violations = 0};
  EXPECT_EQ(refuting_clause(question, "v1.36.3", given), "PRE-VICTIM-3");
  EXPECT_EQ(certified(question, "v1.36.3", given).detail, "cpu [PRE-FIT-2]");
}

TEST(Certificate, RefutesAVictimThatIsMoreImportant) {
  const GivenDecision given{.outcome = Outcome::nominated, .node = 0, .victims = {k_a}, .pdb_violations = 0};
  for (const std::string& release : k_releases)
    EXPECT_EQ(refuting_clause(two_nodes(), release, given), "PRE-VICTIM-6") << release;
}

TEST(Certificate, RefutesAVictimOfEqualPriority) {
  Question question = two_nodes();
  question.cluster.pods[k_b].priority = 10;
  const GivenDecision given{.outcome = Outcome::nominated, .node = 0, .victims = {k_b}, .pdb_violations = 0};
  EXPECT_EQ(refuting_clause(question, "v1.36.3", given), "PRE-VICTIM-1");
}

TEST(Certificate, RefutesAVictimOfAnotherNode) {
  const GivenDecision given{.outcome = Outcome::nominated, .node = 0, .victims = {k_c}, .pdb_violations = 1};
  EXPECT_EQ(refuting_clause(two_nodes(), "v1.36.3", given), "PRE-VICTIM-1");
  EXPECT_EQ(certified(two_nodes(), "v1.36.3", given).detail, "it is not on the node");
}

TEST(Certificate, RefutesANodeThatNoEvictionOpens) {
  Question question = two_nodes();
  question.cluster.nodes[0].taints.push_back({"k", "v", "NoSchedule"});
  const GivenDecision given{.outcome = Outcome::nominated, .node = 0, .victims = {k_b}, .pdb_violations = 0};
  EXPECT_EQ(refuting_clause(question, "v1.36.3", given), "PRE-VICTIM-3");
  EXPECT_TRUE(certified(question, "v1.36.3", given).detail.ends_with("[PRE-TAINT-1]"));
}

TEST(Certificate, RefutesAHostPortThatIsTaken) {
  const Question question = QuestionBuilder()
                                .node("n1", 3000)
                                .has(tests::with_host_port(pod("a", 9, 1000), 80))
                                .has(pod("b", 5, 1000))
                                .asks(tests::with_host_port(pod("p", 10, 1000), 80));
  const GivenDecision given{.outcome = Outcome::nominated, .node = 0, .victims = {k_b}, .pdb_violations = 0};
  EXPECT_EQ(refuting_clause(question, "v1.36.3", given), "PRE-VICTIM-3");
  EXPECT_EQ(certified(question, "v1.36.3", given).detail, "host ports [PRE-PORTS-1]");
}

TEST(Certificate, RefutesAWrongNumberOfViolations) {
  for (const std::string& release : k_releases) {
    GivenDecision given = ours(two_nodes(), release);
    given.pdb_violations = *given.pdb_violations + 1;
    EXPECT_EQ(refuting_clause(two_nodes(), release, given), "PRE-PDB-8") << release;
    given.pdb_violations.reset();  // what is left out is not judged
    EXPECT_EQ(certified(two_nodes(), release, given).verdict, Verdict::certified) << release;
  }
}

// PRE-PDB-4, PRE-PDB-5
TEST(Certificate, TakesTheAccountOfTheRelease) {
  // The example of PRE-PDB-4, with z before x.
  Question question = QuestionBuilder()
                          .node("n1", 2000)
                          .has(with_app(pod("a", 9, 1000), "x"))
                          .has(with_app(pod("b", 8, 1000), "x"))
                          .asks(pod("p", 10, 2000));
  question.cluster.pods[0].labels["tier"] = "z";
  question.cluster.pdbs = {{"default", "z", LabelSelector{{{"tier", "z"}}, {}}, 0, {}},
                           {"default", "x", LabelSelector{{{"app", "x"}}, {}}, 1, {}}};
  const auto verdict = [&](const std::string& release, Quantity violations) {
    GivenDecision given = ours(question, release);
    given.pdb_violations = violations;
    return certified(question, release, given).verdict;
  };
  for (const std::string release : {"v1.18", "v1.37"}) {
    EXPECT_EQ(verdict(release, 1), Verdict::certified) << release;
    EXPECT_EQ(verdict(release, 2), Verdict::refuted) << release;
  }
  EXPECT_EQ(verdict("v1.36.3", 2), Verdict::certified);
  EXPECT_EQ(verdict("v1.36.3", 1), Verdict::refuted);
  EXPECT_EQ(verdict("v1.16.6", 1), Verdict::certified);
  EXPECT_EQ(verdict("v1.8", 0), Verdict::certified);
}

TEST(Certificate, RefutesVictimsInAnotherOrder) {
  // The example of PRE-VICTIM-7.
  const Question question = QuestionBuilder()
                                .node("n1", 2000)
                                .has(pod("a", 50, 1000))
                                .has(with_app(pod("b", 5, 1000), "x"))
                                .pdb("x", 0)
                                .asks(pod("p", 100, 2000));
  GivenDecision given{.outcome = Outcome::nominated, .node = 0, .victims = {k_a, k_b}, .pdb_violations = 1};
  EXPECT_EQ(refuting_clause(question, "v1.31.3", given), "");
  EXPECT_EQ(refuting_clause(question, "v1.31.2", given), "PRE-VICTIM-7");
  given.victims = {k_b, k_a};
  EXPECT_EQ(refuting_clause(question, "v1.31.3", given), "PRE-VICTIM-7");
  EXPECT_EQ(refuting_clause(question, "v1.31.2", given), "");
}

TEST(Certificate, RefutesAnotherOutcome) {
  const Question helped = two_nodes();
  EXPECT_EQ(refuting_clause(helped, "v1.36.3", {.outcome = Outcome::none}), "PRE-OUTCOME-3");
  EXPECT_EQ(refuting_clause(helped, "v1.36.3", {.outcome = Outcome::fits}), "PRE-CYCLE-1");
  EXPECT_EQ(refuting_clause(helped, "v1.36.3", {.outcome = Outcome::ineligible}), "PRE-ELIGIBLE-1");
  EXPECT_EQ(refuting_clause(helped, "v1.36.3", {.outcome = Outcome::error}), "PRE-CYCLE-2");
  EXPECT_EQ(refuting_clause(Question{}, "v1.36.3", {.outcome = Outcome::none}), "PRE-CYCLE-2");

  const GivenDecision given{.outcome = Outcome::nominated, .node = 0, .victims = {k_b}, .pdb_violations = 0};
  Question fits = two_nodes();
  fits.cluster.nodes[1].allocatable["cpu"] = 2000;
  EXPECT_EQ(refuting_clause(fits, "v1.36.3", given), "PRE-CYCLE-1");
  const GivenDecision elsewhere{.outcome = Outcome::fits, .feasible = std::vector<NodeIndex>{0}};
  EXPECT_EQ(refuting_clause(fits, "v1.36.3", elsewhere), "PRE-CYCLE-1");

  Question never = two_nodes();
  never.pod.preemption_policy = "Never";
  EXPECT_EQ(refuting_clause(never, "v1.36.3", given), "PRE-ELIGIBLE-1");
  EXPECT_EQ(refuting_clause(never, "v1.18", given), "");

  Question waits = two_nodes();
  waits.cluster.pods[k_c].terminating = true;
  waits.pod.nominated_node_name = "n2";
  EXPECT_EQ(refuting_clause(waits, "v1.26", given), "PRE-ELIGIBLE-3");
  EXPECT_EQ(refuting_clause(waits, "v1.36.3", given), "");
}

TEST(Certificate, SaysWhatIsBeyondReach) {
  const auto reason = [](const Question& question, const std::string& release) {
    const Certificate certificate = certified(question, release, {.outcome = Outcome::none});
    EXPECT_EQ(certificate.verdict, Verdict::beyond_reach);
    EXPECT_TRUE(certificate.obligations.empty());
    return certificate.reason.substr(0, certificate.reason.find(':'));
  };
  Question question = two_nodes();
  question.cluster.pods[k_a].pod_anti_affinity.emplace_back();
  EXPECT_EQ(reason(question, "v1.36.3"), "InterPodAffinity");
  question = two_nodes();
  question.pod.pod_affinity.emplace_back();
  EXPECT_EQ(reason(question, "v1.36.3"), "InterPodAffinity");
  question = two_nodes();
  question.pod.topology_spread.emplace_back().when_unsatisfiable = "DoNotSchedule";
  EXPECT_EQ(reason(question, "v1.36.3"), "PodTopologySpread");
  EXPECT_EQ(certified(question, "v1.16.6", ours(question, "v1.16.6")).verdict, Verdict::certified);
  question = two_nodes();
  question.pod.volumes.emplace_back().source.kind = "persistentVolumeClaim";
  EXPECT_EQ(reason(question, "v1.36.3"), "volumes");
  question = two_nodes();
  question.pod.node_affinity = std::vector<NodeSelectorTerm>{{{}, {{"metadata.name", "In", {"n9"}}}}};
  EXPECT_EQ(reason(question, "v1.36.3"), "NodeAffinity");
  question = two_nodes();
  question.offset = 0;
  question.quota = 1;
  EXPECT_EQ(reason(question, "v1.36.3"), "sampling");
  question = two_nodes();
  question.cluster.nodes.resize(k_certificate_nodes_most + 1, question.cluster.nodes[1]);
  EXPECT_EQ(reason(question, "v1.36.3"), "size");
  question = two_nodes();
  for (std::size_t i = 0; i < k_certificate_victims_most; ++i) {
    question.cluster.pods.push_back(pod("more-" + std::to_string(i), 0, 0));
    question.cluster.pods.back().node_name = "n1";
  }
  EXPECT_EQ(reason(question, "v1.36.3"), "size");
  question = two_nodes();
  question.pod.resource_claims = {"gpu"};
  EXPECT_EQ(reason(question, "v1.36.3"), "DynamicResources");
  question = two_nodes();
  question.extenders = {tests::filters({})};
  EXPECT_EQ(reason(question, "v1.36.3"), "configuration");
  const Question plain = two_nodes();
  Release policy = tests::release("v1.13");
  policy.checks_all_filters = true;
  EXPECT_EQ(proofs::out_of_reach(plain, policy), "configuration: filters of a Policy");
  policy.checks_all_filters = false;
  EXPECT_EQ(proofs::out_of_reach(plain, policy), "");
}

TEST(Certificate, WritesObligationsForAnySolver) {
  if (!has_second_solver()) GTEST_SKIP() << "cvc5 is not installed";
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("certificate-" + std::to_string(getpid()) + ".smt2");
  const auto opinion = [&](const GivenDecision& given, const std::string& release) {
    std::ofstream smt2(file);
    const Certificate certificate = certify(two_nodes(), tests::release(release), given, &smt2);
    smt2.close();
    const SecondOpinion second = second_opinion(file);
    EXPECT_EQ(second.failure, "");
    EXPECT_EQ(second.agreed + second.disagreed, certificate.obligations.size());
    EXPECT_EQ(second.disagreed, certificate.verdict == Verdict::refuted ? 1u : 0u);
    return second.disagreed;
  };
  for (const std::string& release : k_releases) EXPECT_EQ(opinion(ours(two_nodes(), release), release), 0u);
  EXPECT_EQ(opinion({.outcome = Outcome::nominated, .node = 1, .victims = {k_c}}, "v1.36.3"), 1u);
  EXPECT_EQ(opinion({.outcome = Outcome::none}, "v1.36.3"), 1u);
  std::filesystem::remove(file);
}

}  // namespace touchstone::proofs
