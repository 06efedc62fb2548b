#include "optimized/search/first_pass.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "tests/optimized/agreed.hpp"
#include "tests/optimized/error_on_n3.hpp"
#include "tests/optimized/pinned.hpp"
#include "tests/optimized/scores/placed.hpp"
#include "tests/support/storage.hpp"
#include "tests/support/topology.hpp"

/// The first pass of the optimized engine: PreFilters that reject the pod or exclude nodes, errors, and the
/// nominated node. Each answer is that of the reference.
namespace touchstone::tests::first_pass_test {

namespace {

const std::vector<const char*> k_versions = {
    "v1.18",    "v1.20",   "v1.22",   "v1.24",   "v1.25",   "v1.26.5", "v1.26.15", "v1.27.1",
    "v1.27.14", "v1.28.1", "v1.28.9", "v1.29.5", "v1.30.1", "v1.31.0", "v1.36.3",  "v1.37.2"};

using Names = std::vector<std::string>;

/// The outcome of preemption, which is that of the whole cycle. Both are those of the reference.
Outcome outcome_of(const Question& question, const char* version) {
  const Outcome outcome = agreed(question, version).outcome;
  EXPECT_EQ(placed_alike(question, release(version)).answer.outcome, outcome) << version;
  return outcome;
}

}  // namespace

// PRE-NODENAME-2, CYC-SEARCH-4: a pod that names its node is pinned to it, so the search visits this node
// alone, or none if the pod is pinned to another node too.
TEST(OptimizedFirstPass, PinsThePodToTheNodeThatItNames) {
  for (const char* version : k_versions) {
    for (const char* affine : {"", "n1", "n2"}) {
      Question question =
          QuestionBuilder().node("n1", 4000).node("n2", 4000).node("n3", 4000).asks(pod("p", 10, 1000));
      question.pod.node_name = "n2";
      if (!std::string(affine).empty()) question.pod.node_affinity = on_one_of({affine});
      question.start = 0;
      outcome_of(question, version);
    }
  }
}

// PRE-PREFILTER-4, PRE-CLAIM-3, PRE-RWOP-2: a PreFilter rejects the pod after VolumeRestrictions has run or
// was skipped. Where the release loses the rejection, the error names the first filter without its state.
TEST(OptimizedFirstPass, LosesTheRejectionOfAPreFilterAsTheReleaseDoes) {
  for (const char* version : {"v1.26.5", "v1.26.15", "v1.27.1", "v1.27.5", "v1.27.6", "v1.28.0", "v1.28.1",
                              "v1.28.2", "v1.29.5", "v1.30.1", "v1.36.3"}) {
    for (const bool is_exclusive : {false, true}) {
      for (const bool is_lost : {false, true}) {
        Stored stored(QuestionBuilder()
                          .node("n1", 1000)
                          .has(pod("a", 0, 1000))
                          .node("n2", 1000)
                          .has(pod("b", 0, 1000))
                          .asks(with_claim(with_claim(pod("p", 10, 1000), "c"), "d")));
        PersistentVolumeClaim first = claim("c", "v");
        if (is_exclusive) first.access_modes = {"ReadWriteOncePod"};
        PersistentVolumeClaim second = claim("d", "w");
        if (is_lost) second.phase = "Lost";
        stored.with(first).with(second);
        stored.with(reached_from(volume("v"), "kubernetes.io/hostname", {"n1"}));
        stored.with(reached_from(volume("w"), "kubernetes.io/hostname", {"n2"}));
        Question question = stored;
        for (Node& node : question.cluster.nodes) node.labels["kubernetes.io/hostname"] = node.name;
        for (const std::optional<Quantity> start :
             {std::optional<Quantity>{}, std::optional<Quantity>{0}, std::optional<Quantity>{5}}) {
          question.start = start;
          outcome_of(question, version);
        }
      }
    }
  }
}

// PRE-CLAIM-3: the volume names the host n1, and the affinity pins the pod to n2. Through v1.29, no node is
// unresolvable, whichever PreFilter comes last.
TEST(OptimizedFirstPass, HasOneStatusWhicheverPreFilterLeavesNoNode) {
  Question question = Stored(QuestionBuilder()
                                 .node("n1", 1000)
                                 .has(pod("a", 0, 1000))
                                 .node("n2", 1000)
                                 .has(pod("b", 0, 1000))
                                 .asks(with_claim(pod("p", 10, 1000), "c")))
                          .with(claim("c", "v"))
                          .with(reached_from(volume("v"), "kubernetes.io/hostname", {"n1"}));
  for (Node& node : question.cluster.nodes) node.labels["kubernetes.io/hostname"] = node.name;
  question.pod.node_affinity = on_one_of({"n2"});
  for (const char* version : {"v1.27.6", "v1.29.6", "v1.30.4"}) {
    Release by = release(version);
    for (const auto& order : {std::vector{Filter::volume_binding, Filter::node_affinity},
                              std::vector{Filter::node_affinity, Filter::volume_binding}}) {
      by.prefilters = order;
      EXPECT_EQ(agreed(question, by).outcome,
                std::string(version) == "v1.30.4" ? Outcome::none : Outcome::error);
    }
  }
}

// PRE-PREFILTER-2: the pod is pinned to n0 and to n1 at once. A PreFilter rejects it on any number of nodes.
TEST(OptimizedFirstPass, RejectsAnyNumberOfNodes) {
  for (const std::size_t nodes : {1U, 7U, 8U, 23U, 24U, 25U, 40U, 56U, 120U}) {
    QuestionBuilder builder;
    for (std::size_t i = 0; i < nodes; ++i) builder.node("n" + std::to_string(i), 1000);
    Question question = builder.asks(pod("p", 10, 1000));
    question.pod.node_affinity = {{with_all_names({"n0", "n1"})}};
    for (const char* version : {"v1.24", "v1.36.3"})
      EXPECT_EQ(outcome_of(question, version), Outcome::none) << version;
  }
}

// PRE-PREFILTER-2, PRE-CYCLE-3: from v1.24 to v1.26 one term that contradicts itself rejects the pod. The pod
// would fit on its nominated node n1, which the second term allows, but no filter runs.
TEST(OptimizedFirstPass, RejectsThePodBeforeItTriesTheNominatedNode) {
  Question question = QuestionBuilder().node("n1", 1000).node("n2", 1000).asks(pod("p", 10, 1000));
  question.pod.node_affinity = {{with_all_names({"n1", "n2"}), with_all_names({"n1"})}};
  question.pod.nominated_node_name = "n1";
  for (const char* version : k_versions) outcome_of(question, version);
  EXPECT_EQ(outcome_of(question, "v1.24"), Outcome::none);
  EXPECT_EQ(outcome_of(question, "v1.36.3"), Outcome::fits);
}

// PRE-CYCLE-3, PRE-SPREAD-6: up to v1.21 the nominated node is not tried first, so the scheduler crashes on
// the pod q, which is nominated to n2. Pod p fits on n1, to which it is nominated.
TEST(OptimizedFirstPass, CrashesAlthoughThePodFitsOnItsNominatedNode) {
  Question question = in_zones(QuestionBuilder()
                                   .node("n1", 1000)
                                   .node("n2", 1000)
                                   .nominated(with_app(pod("q", 20, 0), "x"))
                                   .asks(spread(with_app(pod("p", 10, 1000), "x"), {over("zone", "x")})),
                               {"a", "b"});
  question.cluster.nodes[0].labels["disk"] = "ssd";
  question.pod.node_selector["disk"] = "ssd";
  question.pod.nominated_node_name = "n1";
  EXPECT_EQ(outcome_of(question, "v1.19"), Outcome::error);
  for (const char* version : {"v1.18", "v1.19", "v1.20", "v1.21", "v1.22.11", "v1.22.12", "v1.23.8", "v1.24"})
    outcome_of(question, version);
}

// PRE-PREFILTER-5: up to v1.27.13 a pinned name that no node has ends the attempt, whatever filters would say
// of the nodes. Later releases skip the name. A filter errs on n3.
TEST(OptimizedFirstPass, HasTheErrorOfAnUnknownPinnedName) {
  for (const char* version :
       {"v1.24", "v1.25", "v1.26.15", "v1.27.1", "v1.27.14", "v1.29.5", "v1.30.1", "v1.31.0", "v1.36.3"}) {
    for (const Names& names : {Names{"ghost"}, Names{"ghost", "n2"}, Names{"ghost", "n3"}}) {
      for (const char* nominated : {"", "n1", "n2"}) {
        Question question = with_error_on_n3(1000);
        question.pod.node_affinity = on_one_of(names);
        question.pod.nominated_node_name = nominated;
        outcome_of(question, version);
      }
    }
  }
}

}  // namespace touchstone::tests::first_pass_test
