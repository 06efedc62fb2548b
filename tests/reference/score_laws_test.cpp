#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fuzz/campaign/placement_laws.hpp"
#include "kubernetes/objects/question.hpp"
#include "oracle/protocol/vectors.hpp"
#include "spec/vocabulary/placement_properties.hpp"
#include "tests/support/any_question.hpp"

/// Checks laws of whole cycles, for all epochs of releases: on small generated clusters, and on the recorded
/// clusters, which have everything that scorers look at, without some of their pods and nodes. Runs from the
/// root of the project.
namespace touchstone::tests::score_laws_test {

namespace {

/// Questions of spec/vectors/scores that are not large.
const std::vector<Question>& recorded_questions() {
  static const std::vector<Question> k_questions = [] {
    constexpr std::size_t k_nodes_most = 12;
    const std::vector<oracle::VectorFile> files = oracle::read_vectors("spec/vectors/scores").value();
    std::vector<Question> questions;
    for (const oracle::VectorFile& file : files) {
      for (const oracle::VectorCase& each : file.cases) {
        Question question = kubernetes::read_question_text(each.question.dump(), each.name).value();
        if (question.cluster.nodes.size() <= k_nodes_most) questions.push_back(std::move(question));
      }
    }
    return questions;
  }();
  return k_questions;
}

Question any_recorded(Choices& choices) {
  const std::vector<Question>& all = recorded_questions();
  Question question = all[*rc::gen::inRange<std::size_t>(0, all.size())];
  constexpr std::size_t k_one_of = 4;
  std::erase_if(question.cluster.pods, [&](const Pod&) { return choices.pick(k_one_of, "pod") == 1; });
  if (choices.pick(2, "fewer nodes") == 1)
    std::erase_if(question.cluster.nodes, [&](const Node&) { return choices.pick(k_one_of, "node") == 1; });
  if (choices.pick(2, "start") == 1) question.start = static_cast<Quantity>(choices.pick(9, "start"));
  return question;
}

AnyCase any_scored_case() {
  if (*rc::gen::inRange(0, 4) == 0) return any_case(4, 6);
  fuzz::ByteChoices choices(any_bytes());
  AnyCase any{any_release(), any_recorded(choices)};
  RC_LOG(text_of(any.question, any.release));
  return any;
}

const oracle::Decider& reference() { return oracle::reference_decider(); }

}  // namespace

// CYC-ONE-1, CYC-NOMINATED-1, CYC-TOTAL-1, CYC-HOST-3, CYC-HOST-4, SCORE-SET-2, SCORE-NORMAL-1,
// SCORE-NORMAL-2, SCORE-AFFINITY-3, SCORE-SPREAD-5, SCORE-SPREAD-6
RC_GTEST_PROP(Placement, BreaksNoLaw, ()) {
  const auto [release, question] = any_scored_case();
  const Placement placement = fuzz::schedule(reference(), question, release);
  RC_CLASSIFY(!placement.totals.empty());
  for (const BrokenLaw& law : broken_laws(question, release, placement)) {
    RC_LOG(std::string(law.clause) + ": " + law.text);
    RC_FAIL("a law is broken");
  }
}

// CYC-ORDER-1
RC_GTEST_PROP(Placement, DoesNotChangeWhenObjectsAreRenamed, ()) {
  const auto [release, question] = any_scored_case();
  RC_ASSERT(!fuzz::placement_depends_on_names(reference(), question, release));
}

// CYC-ORDER-1
RC_GTEST_PROP(Placement, DoesNotDependOnTheOrderOfPodsAndNodes, ()) {
  const auto [release, question] = any_scored_case();
  RC_ASSERT(!fuzz::placement_depends_on_order(reference(), question, release));
}

// CYC-SEES-1
RC_GTEST_PROP(Placement, IsNotChangedByPodsThatHaveEndedOrAreNominated, ()) {
  const auto [release, question] = any_scored_case();
  RC_ASSERT(!fuzz::depends_on_unseen_pods(reference(), question, release));
}

// CYC-TOTAL-1, SCORE-SET-1
RC_GTEST_PROP(Placement, FollowsTheWeightOfAScorerByItsColumn, ()) {
  const auto [release, question] = any_scored_case();
  RC_ASSERT(!fuzz::weight_changes_more(reference(), question, release));
}

// SCORE-NODEAFFINITY-1
RC_GTEST_PROP(Placement, IsNotChangedByPreferredTermsThatMatchNothing, ()) {
  const auto [release, question] = any_scored_case();
  RC_ASSERT(!fuzz::depends_on_empty_preferences(reference(), question, release));
}

// SCORE-TAINT-1, SCORE-NORMAL-2
RC_GTEST_PROP(Placement, DoesNotDependOnTaintsThatThePodTolerates, ()) {
  const auto [release, question] = any_scored_case();
  RC_ASSERT(!fuzz::depends_on_tolerated_taints(reference(), question, release));
}

// CYC-SEARCH-2
RC_GTEST_PROP(Placement, DependsOnTheStartOnlyByTheOrderOfTheSearch, ()) {
  const auto [release, question] = any_scored_case();
  RC_ASSERT(!fuzz::depends_on_start(reference(), question, release));
}

// SCORE-NORMAL-1, SCORE-NORMAL-2
RC_GTEST_PROP(Placement, IsNotChangedByANodeThatIsNotFeasible, ()) {
  const auto [release, question] = any_scored_case();
  RC_ASSERT(!fuzz::placement_depends_on_cordoned_node(reference(), question, release));
}

// SCORE-SPREAD-4, SCORE-SELECTOR-1
RC_GTEST_PROP(Placement, SpreadsPodsWithoutRegardToTerminatingOnes, ()) {
  const auto [release, question] = any_scored_case();
  RC_ASSERT(!fuzz::terminating_pod_keeps_away(reference(), question, release));
}

// SCORE-IMAGE-1
RC_GTEST_PROP(Placement, ScoresNoNodeLowerIfOneMoreNodeHasAnImage, ()) {
  const auto [release, question] = any_scored_case();
  RC_ASSERT(!fuzz::image_lowers_score(reference(), question, release));
}

}  // namespace touchstone::tests::score_laws_test
