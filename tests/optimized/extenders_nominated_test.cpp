#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/optimized/agreed.hpp"
#include "tests/optimized/error_on_n3.hpp"
#include "tests/optimized/extender_questions.hpp"

/// Extenders, and a pod that is nominated to a node: which nodes the optimized engine asks them about, and
/// where the next search begins.
namespace touchstone::tests::extenders_nominated_test {

namespace {

using Nodes = std::vector<NodeIndex>;

/// Nodes n1 to n3 with room for the pod, which is nominated to n1. A filter errs on n3.
Question nominated_beside_an_error(std::vector<Extender> extenders) {
  Question question = with_error_on_n3(4000);
  question.pod.nominated_node_name = "n1";
  question.extenders = std::move(extenders);
  return question;
}

}  // namespace

// PRE-CYCLE-3: there is no extender. Preemption lists all nodes on which the pod fits, also if the release
// tries the nominated node alone.
TEST(OptimizedExtenders, AreNotNeededToListAllNodesThatFit) {
  Question question = three_nodes({});
  question.pod.nominated_node_name = "n2";
  for (const char* version : {"v1.20", "v1.24", "v1.36.3"})
    EXPECT_EQ(agreed(question, version).feasible, (Nodes{0, 1, 2})) << version;
}

// EXT-NOMINATED-1: from v1.22 the nominated node n2 is tried first. The extender refuses it, and the other
// node is tried.
TEST(OptimizedExtenders, AreAskedAboutOtherNodesIfTheyRefuseTheNominatedOne) {
  Question question = QuestionBuilder().node("n1", 1000).node("n2", 1000).asks(pod("p", 10, 500));
  question.pod.nominated_node_name = "n2";
  question.extenders = {filters_names({{"n1", ok()}, {"n2", rejected("no")}})};
  for (const char* version : {"v1.20", "v1.22", "v1.31", "v1.36.3"})
    EXPECT_EQ(agreed(question, version).feasible, Nodes{0}) << version;
}

// EXT-NOMINATED-1, EXT-ANSWER-1: after an error about the nominated node, the extender is asked about all
// nodes. Its answer about n2 is not known.
TEST(OptimizedExtenders, AreAskedAgainAfterAnErrorAboutTheNominatedNode) {
  Extender extender = failing(filters_all());
  extender.filter->asked = std::set<std::string>{"n1"};
  Question question = three_nodes({extender});
  question.pod.nominated_node_name = "n1";
  for (const char* version : {"v1.22", "v1.36.3"})
    EXPECT_EQ(placed_answer(question, version).reason, k_unknown_answer) << version;
}

// EXT-NOMINATED-1, PRE-CYCLE-3: n3 is filtered only after the extender has rejected n1. Then its error ends
// the attempt.
TEST(OptimizedExtenders, LetTheOtherNodesBeFilteredIfTheyRejectTheNominatedOne) {
  for (const char* version : {"v1.24", "v1.29.5", "v1.36.3"}) {
    for (const std::optional<Quantity> start : {std::optional<Quantity>{}, std::optional<Quantity>{1}}) {
      for (const Extender& refusing : {filters_names({{"n2", ok()}}), filters_names({})}) {
        Question question = nominated_beside_an_error({refusing});
        question.start = start;
        EXPECT_EQ(placed_answer(question, version).outcome, Outcome::error) << version;
        EXPECT_EQ(agreed(question, version).outcome, Outcome::error) << version;
        question.extenders = {filters_all()};
        EXPECT_EQ(placed_answer(question, version).feasible, Nodes{0}) << version;
      }
    }
  }
}

// EXT-NOMINATED-1, PRE-CYCLE-3, PRE-CLAIM-3: the volume of the pod names the hosts n2 and n3. The nominated
// node n1 has the host name n3, so the pod fits there, and the filter that errs on n3 does not run. In
// releases that give an excluded node a reason of its own, the search finds n2 alone. The extender leaves out
// n2, and the error on n3 is not reported all the same.
TEST(OptimizedExtenders, DoNotBringBackAnErrorThatTheNominatedNodeHides) {
  Question question = nominated_beside_an_error({filters_names({})});
  question.cluster.storage.volumes["v"] = reached_from(volume("v"), "kubernetes.io/hostname", {"n2", "n3"});
  for (Node& node : question.cluster.nodes)
    node.labels["kubernetes.io/hostname"] = node.name == "n2" ? "n2" : "n3";
  for (const char* version :
       {"v1.26.15", "v1.27.1", "v1.27.14", "v1.29.5", "v1.30.1", "v1.31.0", "v1.36.3"}) {
    placed_answer(question, version);
    agreed(question, version);
  }
}

// EXT-DROP-1, CYC-NOMINATED-1: the search ends after the 100 feasible nodes n0 to n99. The nodes after them
// have no status, except the nominated node n102, if the release has tried it first. n101 to n103 are full or
// tainted.
TEST(OptimizedExtenders, DropTheNodesThatTheSearchHasNotVisitedButNotTheNominatedOne) {
  for (const bool is_tainted : {false, true}) {
    QuestionBuilder cluster;
    for (int i = 0; i < 104; ++i) {
      cluster.node("n" + std::to_string(i), 4000);
      if (i > 100) cluster.has(pod("a" + std::to_string(i), 0, 4000));
    }
    Question question = cluster.asks(pod("p", 10, 1000));
    for (std::size_t i = 101; i < 104; ++i) {
      if (is_tainted) question.cluster.nodes[i].taints = {{"k", "v", "NoSchedule"}};
      question.cluster.pods[i - 101].terminating = is_tainted;
    }
    question.pod.nominated_node_name = "n102";
    question.extenders = {filters({})};
    question.start = 0;
    for (const char* version : {"v1.13.0", "v1.18", "v1.20", "v1.22", "v1.29.5", "v1.31.0", "v1.36.3"})
      placed_answer(question, version);
  }
}

// CYC-SEARCH-4, EXT-NOMINATED-1: the pod fits on its nominated node, and an extender rejects this node with a
// reason or leaves it out. With a reason, the node counts once more for the next start. The search of 104
// nodes ends before n102.
TEST(OptimizedExtenders, CountANominatedNodeThatTheyRejectWithAReason) {
  for (const std::size_t nodes : {3U, 104U}) {
    for (const char* nominated : {"n0", "n1", "n102"}) {
      QuestionBuilder builder;
      std::map<std::string, FilterEntry> all;
      for (std::size_t i = 0; i < nodes; ++i) {
        builder.node("n" + std::to_string(i), 4000);
        all["n" + std::to_string(i)] = ok();
      }
      Question question = builder.asks(pod("p", 10, 1000));
      question.pod.nominated_node_name = nominated;
      std::map<std::string, FilterEntry> without = all;
      without.erase(nominated);
      std::map<std::string, FilterEntry> refusing = without;
      if (all.contains(nominated)) refusing[nominated] = rejected("no");
      for (const Quantity start : {0, 1, 50}) {
        question.start = start;
        for (const char* version : {"v1.20", "v1.22", "v1.24", "v1.29.5", "v1.31.0", "v1.36.3"}) {
          for (const auto& table : {without, refusing}) {
            question.extenders = {filters_names(table)};
            placed_alike(question, release(version));
          }
        }
      }
    }
  }
}

}  // namespace touchstone::tests::extenders_nominated_test
