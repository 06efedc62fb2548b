#include "oracle/explain/explanation.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "oracle/explain/what_if.hpp"
#include "spec/rules/rules.hpp"
#include "tests/support/any_question.hpp"

namespace touchstone::oracle {

using namespace touchstone::tests;

namespace {

struct Explained {
  Decision decision;
  Trace trace = Trace::full();
};

Explained decided(const Question& question, const Release& release) {
  Explained explained;
  explained.decision = reference::preempt(question, release, explained.trace);
  return explained;
}

std::vector<Section> explained(const Question& question, const Release& release, const Scope& scope) {
  const Explained found = decided(question, release);
  return explain(question, release, found.decision, found.trace, scope);
}

std::string text_of(const std::vector<Section>& sections) {
  std::string text;
  for (const Section& section : sections) {
    text += section.title + "\n";
    for (const Line& line : section.lines) {
      for (const std::string& cell : line.cells) text += " " + cell;
      text += " " + std::string(line.clause) + "\n";
    }
    text += section.more + "\n";
  }
  return text;
}

bool is_head(const Line& line) {
  return line.cells.size() > 1 && std::none_of(line.cells[0].begin(), line.cells[0].end(),
                                               [](char c) { return c >= 'a' && c <= 'z'; });
}

bool has_clause(std::string_view id) {
  return std::any_of(rules().begin(), rules().end(), [id](const Rule& rule) { return rule.id == id; });
}

std::vector<WhatIf> nearest(const Question& question, const Release& release) {
  const Explained found = decided(question, release);
  return nearest_changes(question, release, found.decision, TraceIndex(question.cluster, found.trace));
}

}  // namespace

RC_GTEST_PROP(Explanation, CitesAClauseInEveryLine, ()) {
  auto [release, question] = any_case(5, 6);
  if (*rc::gen::arbitrary<bool>()) question.offset = 1;
  Scope scope{*rc::gen::arbitrary<bool>(), {}};
  if (!question.cluster.nodes.empty() && *rc::gen::arbitrary<bool>()) scope.node = 0;
  const std::vector<Section> sections = explained(question, release, scope);
  RC_ASSERT(sections.empty() == (decided(question, release).decision.outcome == Outcome::skipped));
  for (const Section& section : sections) {
    RC_ASSERT(!section.title.empty());
    RC_ASSERT(!section.lines.empty());
    for (const Line& line : section.lines) {
      if (line.clause.empty()) {
        RC_ASSERT(is_head(line));
      } else {
        RC_ASSERT(has_clause(line.clause));
      }
    }
  }
}

RC_GTEST_PROP(Explanation, TellsAllCandidatesAndVictimsWhenAskedForAll, ()) {
  const auto [release, question] = any_case(5, 6);
  const Decision decision = decided(question, release).decision;
  const std::string text = text_of(explained(question, release, {true, {}}));
  for (const Candidate& candidate : decision.candidates) {
    RC_ASSERT(text.find("Node " + question.cluster.nodes[candidate.node].name + ": evicting " +
                        std::to_string(candidate.victims.size()) + " pod") != std::string::npos);
    for (const PodIndex victim : candidate.victims)
      RC_ASSERT(text.find(question.cluster.pods[victim].full_name()) != std::string::npos);
  }
}

TEST(Remarks, CallAViolationOnPaperOnlyWhatIsOne) {
  // Web allows one disruption. Pod "stays" consumes it in the dry run, but is not evicted.
  const auto cluster = [](Quantity other_budget) {
    return QuestionBuilder()
        .pdb("web", 1)
        .pdb("other", other_budget)
        .node("n1", 4000)
        .has(with_app(pod("stays", 9, 1000), "web"))
        .has(with_app(pod("goes", 5, 3000), "web"))
        .asks(pod("p", 10, 2000));
  };
  Question question = cluster(1);
  const std::string remark = "if only the victims counted, evicting ";
  EXPECT_NE(text_of(explained(question, release("v1.34"), {})).find(remark), std::string::npos);
  EXPECT_EQ(text_of(explained(question, release("v1.17"), {})).find(remark), std::string::npos);
  // The second PDB is violated even if only evicted pods count.
  question = cluster(0);
  question.cluster.pdbs[1].selector = LabelSelector{{{"app", "web"}}, {}};
  question.cluster.pods[0].labels["spare"] = "yes";
  question.cluster.pdbs[1].selector->match_expressions = {{"spare", "DoesNotExist", {}}};
  EXPECT_EQ(text_of(explained(question, release("v1.34"), {})).find(remark), std::string::npos);
}

TEST(Remarks, TellWhoGoesInPlaceOfAProtectedPod) {
  const std::string remark = "is a victim only because pods that a PDB protects are reprieved first";
  Question question = QuestionBuilder()
                          .pdb("web", 0)
                          .node("n1", 2000)
                          .has(pod("api", 50, 1000))
                          .has(with_app(pod("web", 5, 1000), "web"))
                          .asks(pod("p", 100, 1000));
  EXPECT_NE(text_of(explained(question, release("v1.34"), {})).find(remark), std::string::npos);
  // Pod "api" holds the port that the preemptor wants, so it is evicted in any order.
  question.pod = with_host_port(question.pod, 80);
  question.cluster.pods[0] = with_host_port(question.cluster.pods[0], 80);
  EXPECT_EQ(text_of(explained(question, release("v1.34"), {})).find(remark), std::string::npos);
}

TEST(Remarks, WarnOfPortsHeldTwice) {
  Question question = QuestionBuilder()
                          .node("n1", 4000)
                          .has(with_host_port(pod("a", 50, 1000), 80))
                          .has(with_host_port(pod("b", 0, 1000), 80))
                          .asks(with_host_port(pod("p", 10, 1000), 80));
  EXPECT_NE(text_of(explained(question, release("v1.34"), {})).find("PRE-PORTS-2"), std::string::npos);
  question.cluster.pods.pop_back();
  EXPECT_EQ(text_of(explained(question, release("v1.34"), {})).find("PRE-PORTS-2"), std::string::npos);
}

TEST(Explanation, NamesNominatedPodsOnlyWhereTheyStandInTheWay) {
  Question question = QuestionBuilder()
                          .node("n1", 2000)
                          .has(pod("a", 0, 1000))
                          .nominated(pod("q", 50, 1000))
                          .asks(pod("p", 10, 1000));
  EXPECT_NE(text_of(explained(question, release("v1.34"), {}))
                .find("space is reserved for nominated pod default/q"),
            std::string::npos);
  question.cluster.pods[0].containers[0].requests["cpu"] = 2000;
  EXPECT_EQ(text_of(explained(question, release("v1.34"), {})).find("space is reserved"), std::string::npos);
}

TEST(Explanation, CutsOnlyWhoStays) {
  QuestionBuilder builder;
  builder.node("n1", 20000);
  for (int i = 0; i < 20; ++i) builder.has(pod("v" + std::to_string(i), 0, 1000));
  const Question question = builder.asks(pod("p", 10, 1000));
  const std::string text = text_of(explained(question, release("v1.34"), {}));
  EXPECT_NE(text.find("is a victim"), std::string::npos) << text;
  EXPECT_NE(text.find("7 more pods stay"), std::string::npos) << text;
  EXPECT_EQ(text_of(explained(question, release("v1.34"), {true, {}})).find("more pods stay"),
            std::string::npos);
}

TEST(Explanation, SaysOfANodeThatItTiesOrWasNotVisited) {
  Question question = QuestionBuilder()
                          .node("n1", 1000)
                          .has(pod("a", 0, 1000))
                          .node("n2", 1000)
                          .has(pod("b", 0, 1000))
                          .asks(pod("p", 10, 1000));
  EXPECT_NE(text_of(explained(question, release("v1.34"), {false, 1})).find("ties with n1"),
            std::string::npos);
  question.offset = 0;
  question.quota = 1;
  EXPECT_NE(text_of(explained(question, release("v1.34"), {false, 1})).find("not visited"),
            std::string::npos);
}

TEST(Misses, NameTheNodeThatLacksLeast) {
  const Question question = QuestionBuilder()
                                .node("n1", 4000)
                                .has(pod("a", 50, 3000))
                                .node("n2", 4000)
                                .has(pod("b", 50, 1500))
                                .node("n3", 1000)
                                .asks(pod("p", 10, 2750));
  const std::vector<WhatIf> found = nearest(question, release("v1.34"));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].text, "with priority 51, the pod would preempt on n1, evicting 1 pod");
  EXPECT_EQ(found[1].text, "with 250m more cpu, n2 would take the pod without evictions");
  EXPECT_EQ(found[1].clause, "PRE-FIT-2");
}

TEST(Misses, OfferTheLowestPriorityThatAUserMayHave) {
  QuestionBuilder builder;
  builder.node("n1", 1000).has(pod("high", 2000001000, 1000));
  for (int i = 20; i > 0; --i) {
    builder.node("m" + std::to_string(i), 1000).has(pod("a" + std::to_string(i), 100 * i, 1000));
  }
  const Question question = builder.asks(pod("p", 10, 1000));
  EXPECT_EQ(nearest(question, release("v1.34"))[0].text,
            "with priority 101, the pod would preempt on m1, evicting 1 pod");
  const Question system =
      QuestionBuilder().node("n1", 1000).has(pod("high", 2000001000, 1000)).asks(pod("p", 10, 1000));
  EXPECT_TRUE(nearest(system, release("v1.34")).empty());
}

TEST(Misses, DoNotPromiseWhatAnotherFilterWouldRefuse) {
  // v1.19 checks resources first, so the trace does not show the taint.
  Question question = QuestionBuilder().node("n1", 4000).has(pod("a", 50, 3000)).asks(pod("p", 10, 2000));
  EXPECT_EQ(nearest(question, release("v1.19")).back().text,
            "with 1 more cpu, n1 would take the pod without evictions");
  question.cluster.nodes[0].taints = {{"k", "v", "NoSchedule"}};
  EXPECT_TRUE(nearest(question, release("v1.19")).empty());
}

TEST(Misses, AskOnTheWholeCluster) {
  // The preemptor has affinity to "cache", which runs on the other node of the zone.
  Question question = QuestionBuilder()
                          .node("n1", 1000)
                          .node("n2", 1000)
                          .has(with_app(pod("cache", 50, 1000), "cache"))
                          .asks(pod("p", 10, 2000));
  for (Node& node : question.cluster.nodes) node.labels["zone"] = "a";
  PodAffinityTerm term;
  term.label_selector = LabelSelector{{{"app", "cache"}}, {}};
  term.topology_key = "zone";
  question.pod.pod_affinity = {term};
  const Release of = release("v1.26");
  ASSERT_FALSE(nearest(question, of).empty());
  EXPECT_EQ(nearest(question, of).back().text, "with 1 more cpu, n1 would take the pod without evictions");
  // Without "cache", free cpu does not help.
  question.cluster.pods[0].labels.clear();
  for (const WhatIf& miss : nearest(question, of)) EXPECT_NE(miss.clause, "PRE-FIT-2") << miss.text;
}

TEST(Misses, AskWithoutWhatThePodWantsOfOthers) {
  Question question =
      QuestionBuilder().node("n1", 4000).has(with_app(pod("a", 50, 1000), "x")).asks(pod("p", 10, 1000));
  question.cluster.nodes[0].labels["zone"] = "a";
  PodAffinityTerm term;
  term.label_selector = LabelSelector{{{"app", "x"}}, {}};
  term.topology_key = "zone";
  question.pod.pod_anti_affinity = {term};
  EXPECT_EQ(nearest(question, release("v1.34")).back().text,
            "without its affinity and anti-affinity to other pods, the pod would fit on n1");
  question.pod.pod_anti_affinity.clear();
  TopologySpreadConstraint constraint;
  constraint.topology_key = "rack";
  constraint.when_unsatisfiable = "DoNotSchedule";
  constraint.max_skew = 1;
  question.pod.topology_spread = {constraint};
  EXPECT_EQ(nearest(question, release("v1.34")).back().text,
            "without its DoNotSchedule spread constraints, the pod would fit on n1");
}

TEST(Misses, TellWhoWouldComeNext) {
  const Question question = QuestionBuilder()
                                .pdb("web", 0)
                                .node("n1", 1000)
                                .has(with_app(pod("a", 0, 1000), "web"))
                                .node("n2", 1000)
                                .has(pod("b", 5, 1000))
                                .asks(pod("p", 10, 1000));
  const std::vector<WhatIf> found = nearest(question, release("v1.34"));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].text, "n1 is the next best candidate: PDB violations 1, against 0");
  EXPECT_EQ(found[0].clause, "PRE-NODE-1");
}

TEST(Misses, AskAgainWithoutWhatForbidsIt) {
  Question question = QuestionBuilder().node("n1", 1000).has(pod("a", 0, 1000)).asks(pod("p", 10, 1000));
  question.pod.preemption_policy = "Never";
  ASSERT_EQ(nearest(question, release("v1.34")).size(), 1u);
  EXPECT_EQ(nearest(question, release("v1.34"))[0].text,
            "with preemptionPolicy PreemptLowerPriority, the pod would preempt on n1, evicting 1 pod");
  question.pod.preemption_policy = "";
  question.pod.node_selector = {{"disk", "ssd"}};
  ASSERT_EQ(nearest(question, release("v1.34")).size(), 1u);
  EXPECT_EQ(nearest(question, release("v1.34"))[0].clause, "PRE-NODEAFFINITY-1");
  question.pod.node_selector.clear();
  question.cluster.nodes[0].taints = {{"k", "v", "NoSchedule"}};
  ASSERT_EQ(nearest(question, release("v1.34")).size(), 1u);
  EXPECT_EQ(nearest(question, release("v1.34"))[0].clause, "PRE-TAINT-2");
}

TEST(Misses, LookBeyondThePodThatIsWaitedFor) {
  Question question = QuestionBuilder().node("n1", 1000).has(pod("a", 0, 1000)).asks(pod("p", 10, 1000));
  question.cluster.pods[0].terminating = true;
  question.cluster.pods[0].conditions = {{"DisruptionTarget", "True", "PreemptionByScheduler"}};
  question.pod.nominated_node_name = "n1";
  const std::vector<WhatIf> found = nearest(question, release("v1.34"));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].text,
            "once the terminating pods of lower priority on n1 are gone, the pod would fit on n1");
}

}  // namespace touchstone::oracle
