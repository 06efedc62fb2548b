#include "oracle/explain/explain_placement.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "oracle/explain/placement_changes.hpp"
#include "reference/cycle/schedule.hpp"
#include "spec/rules/rules.hpp"
#include "tests/support/any_question.hpp"
#include "tests/support/builder.hpp"

/// Tests the explanation of a pod that is scheduled.
namespace touchstone::tests::explain_placement_test {

using namespace touchstone::oracle;

namespace {

struct Explained {
  Placement placement;
  std::vector<Section> sections;
};

Explained explained(const Question& question, const Release& release, const Scope& scope = {}) {
  Trace trace = Trace::full();
  Explained found;
  found.placement = reference::schedule(question, release, trace);
  if (found.placement.host)
    found.sections = explain_placement(question, release, found.placement, trace, scope);
  return found;
}

/// The line of a section that begins with this cell; empty if there is none.
Line line_of(const Explained& found, const std::string& title, const std::string& cell) {
  for (const Section& section : found.sections) {
    if (section.title != title) continue;
    for (const Line& line : section.lines) {
      if (line.cells.front() == cell) return line;
    }
  }
  return {};
}

std::string text_of(const std::vector<Section>& sections) {
  std::string text;
  for (const Section& section : sections) {
    text += section.title + "\n";
    for (const Line& line : section.lines) {
      for (const std::string& cell : line.cells) text += " | " + cell;
      text += " [" + std::string(line.clause) + "]\n";
    }
    text += section.more + "\n";
  }
  return text;
}

bool has(const Explained& found, const std::string& part) {
  return text_of(found.sections).find(part) != std::string::npos;
}

/// n1 is half full and n2 empty. n1 has a taint that p does not tolerate.
Question half_full() {
  Question question = QuestionBuilder()
                          .node("n1", 4000)
                          .has(pod("a", 0, 2000))
                          .node("n2", 4000)
                          .node("n3", 500)
                          .asks(pod("p", 10, 1000));
  question.cluster.nodes[0].taints = {{"slow", "disk", "PreferNoSchedule"}};
  return question;
}

constexpr const char* k_how = "How do the scores come about?";
constexpr const char* k_which = "Which scorers decide?";

}  // namespace

// CYC-TOTAL-1, SCORE-TAINT-1, SCORE-LEAST-1
TEST(ExplainPlacement, NamesTheScorersThatDifferAndTheirLead) {
  const Explained found = explained(half_full(), release("v1.34"));
  EXPECT_TRUE(has(found, "n2 has the highest total, ")) << text_of(found.sections);
  const Line taints = line_of(found, k_which, "TaintToleration x3");
  EXPECT_EQ(taints.cells, (std::vector<std::string>{"TaintToleration x3", "300", "0", "+300"}));
  EXPECT_EQ(taints.clause, "SCORE-TAINT-1");
  EXPECT_EQ(line_of(found, k_which, "NodeResourcesFit x1").clause, "SCORE-LEAST-1");
  EXPECT_TRUE(has(found, "no single scorer decides")) << text_of(found.sections);
}

// SCORE-SET-1: without the taint of n2, the free cpu alone decides.
TEST(ExplainPlacement, NamesTheScorerWithoutWhichAnotherNodeWins) {
  Question question = half_full();
  question.cluster.nodes[0].taints.clear();
  question.cluster.nodes[1].taints = {{"slow", "disk", "PreferNoSchedule"}};
  const Explained found = explained(question, release("v1.34"));
  EXPECT_TRUE(
      has(found, "TaintToleration decides: without it, n2 would have the highest total [SCORE-SET-1]"))
      << text_of(found.sections);
}

// SCORE-LEAST-1, SCORE-TAINT-1
TEST(ExplainPlacement, SaysHowEachScoreComesAbout) {
  const Explained found = explained(half_full(), release("v1.34"));
  EXPECT_TRUE(has(found,
                  " | TaintToleration x3 | n2 | 300 | no taint PreferNoSchedule that the pod does not "
                  "tolerate [SCORE-TAINT-1]"))
      << text_of(found.sections);
  EXPECT_TRUE(has(found, " | n1 | 0 | taint slow=disk is not tolerated [SCORE-TAINT-1]"));
  EXPECT_TRUE(has(found, "cpu: 3 of 4 requested, 25 points; memory: 400Mi of 1Gi"));
  EXPECT_TRUE(has(found, " | ImageLocality x1 | each | 0 | none of the pod's images is on the node"));
  EXPECT_TRUE(has(found,
                  " | NodeAffinity x2 |  | none | skipped: the pod has no preferred node affinity "
                  "[SCORE-NODEAFFINITY-2]"));
}

// CYC-HOST-3, CYC-HOST-4
TEST(ExplainPlacement, SaysHowTheReleaseChoosesAmongTies) {
  Question question = QuestionBuilder().node("n1", 4000).node("n2", 4000).asks(pod("p", 10, 1000));
  EXPECT_TRUE(has(explained(question, release("v1.34")), "2 nodes have the highest total, "));
  EXPECT_TRUE(has(explained(question, release("v1.34")), "takes one of them at random [CYC-HOST-3]"));
  EXPECT_TRUE(has(explained(question, release("v1.13")), "in which the search finds them [CYC-HOST-2]"));
  EXPECT_TRUE(has(explained(question, release("v1.11")), "the last name first [CYC-HOST-1]"));
  EXPECT_TRUE(has(explained(question, release("v1.36")), "which is not known [CYC-HOST-4]"));
  question.start = 1;
  EXPECT_TRUE(has(explained(question, release("v1.36")), "the scheduler takes n2: the root of a heap"));
}

// CYC-ONE-1, CYC-NOMINATED-1
TEST(ExplainPlacement, SaysWhyNoNodeIsScored) {
  Question one = QuestionBuilder()
                     .node("n1", 4000)
                     .node("n2", 1500)
                     .has(pod("a", 20, 1000))
                     .asks(pod("p", 10, 1000));
  one.cluster.nodes[0].taints = {{"slow", "disk", "PreferNoSchedule"}};
  const Explained alone = explained(one, release("v1.34"));
  EXPECT_TRUE(has(alone,
                  "Why is no node scored?\n | n1 is the only feasible node that the search found "
                  "[CYC-ONE-1]"))
      << text_of(alone.sections);
  EXPECT_TRUE(has(alone, "with 500m more cpu on n2, the pod would go to ")) << text_of(alone.sections);
  Question nominated = half_full();
  nominated.pod.nominated_node_name = "n1";
  const Explained there = explained(nominated, release("v1.34"));
  EXPECT_TRUE(has(there, "n1 and fits there; the scheduler looks at no other node [CYC-NOMINATED-1]"));
  EXPECT_TRUE(has(there, "without its nomination, the pod would go to n2 [CYC-NOMINATED-1]"))
      << text_of(there.sections);
}

TEST(ExplainPlacement, ShowsTheNodeThatIsNamedOrAllNodes) {
  Question question = QuestionBuilder()
                          .node("n1", 4000)
                          .node("n2", 3000)
                          .node("n3", 2000)
                          .node("n4", 1500)
                          .asks(pod("p", 10, 1000));
  const auto lines = [](const Explained& found, const std::string& node) {
    std::size_t count = 0;
    for (const Section& section : found.sections) {
      for (const Line& line : section.lines)
        count += section.title == k_how && line.cells.size() > 1 && line.cells[1] == node ? 1 : 0;
    }
    return count;
  };
  const Explained two = explained(question, release("v1.34"));
  EXPECT_GT(lines(two, "n2"), 0u);
  EXPECT_EQ(lines(two, "n3"), 0u);
  EXPECT_TRUE(has(two, "2 of 4 feasible nodes; --node NAME shows another one"));
  const Explained named = explained(question, release("v1.34"), {false, 2});
  EXPECT_GT(lines(named, "n3"), 0u);
  EXPECT_EQ(lines(named, "n2"), 0u);
  EXPECT_GT(lines(explained(question, release("v1.34"), {true, {}}), "n4"), 0u);
}

// Every line cites a clause that exists, in every release, and no explanation is empty.
RC_GTEST_PROP(ExplainPlacement, CitesAClauseInEveryLine, ()) {
  const AnyCase any = any_case(6, 12);
  const Explained found = explained(any.question, any.release, {*rc::gen::arbitrary<bool>(), {}});
  if (!found.placement.host) return;
  RC_ASSERT(!found.sections.empty());
  for (const Section& section : found.sections) {
    for (const Line& line : section.lines) {
      const bool is_head = line.clause.empty() && line.cells.front() == "SCORER";
      const bool exists = std::any_of(rules().begin(), rules().end(),
                                      [&line](const Rule& rule) { return rule.id == line.clause; });
      RC_ASSERT(is_head || exists);
    }
  }
}

namespace {

/// A decider that always answers as if the pod stayed on n1, and counts its calls.
std::size_t calls = 0;
Placement stays_on_n1(const Question&, const Release&, Trace&) {
  ++calls;
  Placement placement;
  placement.host = 0;
  placement.best = {0};
  return placement;
}

}  // namespace

// CYC-TOTAL-1, SCORE-SET-1, SCORE-TAINT-1
TEST(PlacementChanges, FindWeightsTaintsAndPoints) {
  const Question question = half_full();
  const Release asked = release("v1.34");
  const PlacementChanges changes = placement_changes(question, asked, reference::schedule(question, asked));
  std::string text;
  for (const WhatIf& change : changes.found) text += change.text + " [" + std::string(change.clause) + "]\n";
  EXPECT_GT(changes.tried, 5u);
  EXPECT_FALSE(changes.is_cut);
  EXPECT_TRUE(text.find("n1 would win if TaintToleration gave it ") != std::string::npos ||
              text.find("no scorer alone could give n1") != std::string::npos)
      << text;
}

// Each reported change was computed: a decider that never moves the pod leaves the points alone.
TEST(PlacementChanges, ReportOnlyWhatTheDeciderConfirms) {
  Decider decider = reference_decider();
  decider.schedule = stays_on_n1;
  Question question = half_full();
  question.cluster.nodes[0].taints.clear();
  question.cluster.nodes[1].taints = {{"slow", "disk", "PreferNoSchedule"}};
  const Release asked = release("v1.34");
  const Placement placement = reference::schedule(question, asked);
  ASSERT_EQ(placement.host, NodeIndex{0});
  calls = 0;
  const PlacementChanges none = placement_changes(question, asked, placement, decider);
  ASSERT_EQ(none.found.size(), 1u);
  EXPECT_EQ(none.found[0].clause, "CYC-TOTAL-1");
  EXPECT_EQ(none.tried, calls);
  const PlacementChanges found = placement_changes(question, asked, placement);
  const auto has_clause = [&found](std::string_view clause) {
    return std::any_of(found.found.begin(), found.found.end(),
                       [clause](const WhatIf& change) { return change.clause == clause; });
  };
  EXPECT_TRUE(has_clause("SCORE-TAINT-1"));
  EXPECT_TRUE(has_clause("SCORE-SET-1"));
}

// Every change holds when it is made: the weight that is named moves the pod, and the next one does not.
TEST(PlacementChanges, NameTheNearestWeight) {
  Question question =
      QuestionBuilder().node("n1", 4000).has(pod("a", 0, 2000)).node("n2", 4000).asks(pod("p", 10, 1000));
  question.cluster.nodes[1].taints = {{"slow", "disk", "PreferNoSchedule"}};
  const Release asked = release("v1.34");
  const Placement placement = reference::schedule(question, asked);
  ASSERT_EQ(placement.host, NodeIndex{0});
  std::string text;
  for (const WhatIf& change : placement_changes(question, asked, placement).found) text += change.text + "\n";
  const auto host_with = [&](Scorer scorer, Quantity weight) {
    Release changed = asked;
    for (WeightedScorer& each : changed.scorers) {
      if (each.scorer == scorer) each.weight = weight;
    }
    return *reference::schedule(question, changed).host;
  };
  Quantity weight = 1;
  while (host_with(Scorer::node_resources, weight) == 0) ++weight;
  EXPECT_NE(text.find("with the weight " + std::to_string(weight) +
                      " of NodeResourcesFit in place of 1, the pod would go to n2"),
            std::string::npos)
      << text;
}

// SCORE-NODEAFFINITY-1, SCORE-IMAGE-1, SCORE-SPREAD-1, CYC-SEES-1
TEST(PlacementChanges, TryLabelsImagesTermsAndPods) {
  Question question =
      QuestionBuilder().node("n1", 4000).node("n2", 4000).has(pod("a", 0, 100)).asks(pod("p", 10, 1000));
  question.cluster.nodes[0].labels["disk"] = "ssd";
  question.cluster.nodes[0].images = {{{"app:1"}, 900 * 1024 * 1024}};
  question.pod.containers[0].image = "app:1";
  question.pod.preferred_node_affinity = {{1, {{{"disk", "In", {"ssd"}}}, {}}}};
  const Release asked = release("v1.34");
  const Placement placement = reference::schedule(question, asked);
  ASSERT_EQ(placement.host, NodeIndex{0});
  const PlacementChanges all = placement_changes(question, asked, placement);
  EXPECT_GT(all.tried, 6u);
  question.pod.preferred_node_affinity[0].weight = 100;
  question.cluster.nodes[0].labels.clear();
  question.cluster.nodes[0].images.clear();
  question.cluster.nodes[1].taints = {};
  const Placement plain = reference::schedule(question, asked);
  std::string text;
  for (const WhatIf& change : placement_changes(question, asked, plain).found) text += change.text + "\n";
  EXPECT_NE(text.find("with the label disk=ssd on n2, the pod would go to n2"), std::string::npos) << text;
}

// A rejected node would take the pod without its taint, or uncordoned.
TEST(PlacementChanges, TryRejectedNodes) {
  Question question = QuestionBuilder()
                          .node("n1", 4000)
                          .has(pod("a", 0, 2000))
                          .node("n2", 4000)
                          .node("n3", 4000)
                          .asks(pod("p", 10, 1000));
  question.cluster.nodes[1].taints = {{"gpu", "", "NoSchedule"}};
  question.cluster.nodes[2].unschedulable = true;
  const Release asked = release("v1.34");
  std::string text;
  for (const WhatIf& change : placement_changes(question, asked, reference::schedule(question, asked)).found)
    text += change.text + " [" + std::string(change.clause) + "]\n";
  EXPECT_NE(text.find("without the taint gpu of n2, the pod would go to n2 [PRE-TAINT-1]"), std::string::npos)
      << text;
  EXPECT_NE(text.find("without the cordon of n3, the pod would go to n3 [PRE-UNSCHEDULABLE-1]"),
            std::string::npos)
      << text;
}

}  // namespace touchstone::tests::explain_placement_test
