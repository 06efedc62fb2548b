#include "fuzz/campaign/laws.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "reference/preemption/preempt.hpp"
#include "spec/vocabulary/seeded_choices.hpp"
#include "tests/support/any_question.hpp"
#include "tests/support/scale.hpp"

/// Checks laws of the reference on small generated clusters, for all epochs of releases.
namespace touchstone::tests::laws_test {

namespace {

/// An answer by names. So answers to the same question in another order can be compared.
using Answer = std::tuple<std::string, std::set<std::string>, Quantity>;

Answer named(const Cluster& cluster, const Candidate& candidate) {
  std::set<std::string> victims;
  for (const PodIndex victim : candidate.victims) victims.insert(cluster.pods[victim].full_name());
  return {cluster.nodes[candidate.node].name, victims, candidate.pdb_violations};
}

std::set<Answer> any_order_of(const Question& question, const Release& release) {
  std::set<Answer> answers;
  if (decide(question, release).outcome != Outcome::nominated) return answers;
  const AnyOrder any_order = reference::any_order(question, release, 100000);
  EXPECT_EQ(any_order.unknown, "");
  for (const Candidate& candidate : any_order.answers) answers.insert(named(question.cluster, candidate));
  return answers;
}

template <typename T>
void permute(std::vector<T>& items, Choices& choices) {
  for (std::size_t i = 0; i + 1 < items.size(); ++i)
    std::swap(items[i], items[i + choices.pick(items.size() - i, "order")]);
}

/// Finds the answers that some order gives, by trying each order. Returns whether all orders were tried.
bool brute_force(const Question& question, const Release& release, std::set<Answer>& answers) {
  return explore(
      [&](Choices& choices) {
        Question ordered = question;
        permute(ordered.cluster.pods, choices);
        permute(ordered.cluster.pdbs, choices);
        if (release.candidate_sampling) {
          permute(ordered.cluster.nodes, choices);
          ordered.offset = 0;
        }
        const Decision decision = decide(ordered, release);
        for (const std::size_t i : decision.admissible)
          answers.insert(named(ordered.cluster, decision.candidates[i]));
      },
      2000000);
}

/// A question with few pods, so that all orders can be tried.
Question tiny_question(Choices& choices, const Release& release) {
  fuzz::Scenarios scenarios = small_scenarios(release, 3, 3);
  // In these families the order matters. In other families there is seldom more than one answer.
  scenarios.families = {fuzz::Family::pdbs,        fuzz::Family::starts,        fuzz::Family::nominated,
                        fuzz::Family::terminating, fuzz::Family::resources,     fuzz::Family::ports,
                        fuzz::Family::affinity,    fuzz::Family::anti_affinity, fuzz::Family::spread,
                        fuzz::Family::rwop,        fuzz::Family::disks,         fuzz::Family::attach_limits};
  Question question = fuzz::scenario(choices, scenarios);
  if (question.cluster.pods.size() > 5) question.cluster.pods.resize(5);
  if (question.cluster.pdbs.size() > 2) question.cluster.pdbs.resize(2);
  return question;
}

}  // namespace

// PRE-ANYORDER-1, PRE-ANYORDER-2, PRE-ANYORDER-3: fixed seeds, for each epoch.
TEST(AnyOrder, EqualsBruteForceForEveryEpoch) {
  for (std::size_t i = 0; i < k_distinct_releases.size(); ++i) {
    const Release asked = release(k_distinct_releases[i]);
    for (std::uint64_t seed = 0; seed < tests::scaled(8); ++seed) {
      SeededChoices choices(1000 * i + seed);
      Question question = tiny_question(choices, asked);
      if (asked.candidate_sampling && seed % 2 == 0)
        question.quota = static_cast<Quantity>(choices.pick(4, "quota"));
      std::set<Answer> expected;
      ASSERT_TRUE(brute_force(question, asked, expected));
      ASSERT_EQ(any_order_of(question, asked), expected) << "seed " << seed << "\n"
                                                         << text_of(question, asked);
    }
  }
}

// PRE-ANYORDER-1, PRE-ANYORDER-2
RC_GTEST_PROP(AnyOrder, EqualsBruteForceOverAllOrders, ()) {
  const Release release = any_release();
  fuzz::ByteChoices choices(any_bytes());
  const Question question = tiny_question(choices, release);
  RC_LOG(text_of(question, release));
  std::set<Answer> expected;
  RC_ASSERT(brute_force(question, release, expected));
  RC_CLASSIFY(expected.size() > 1);
  RC_ASSERT(any_order_of(question, release) == expected);
}

// PRE-ANYORDER-3
RC_GTEST_PROP(AnyOrder, EqualsBruteForceOverAllVisits, ()) {
  const Release release =
      tests::release(*rc::gen::element<std::string>("v1.20", "v1.31.3", "v1.34", "v1.37", "v1.38"));
  fuzz::ByteChoices choices(any_bytes());
  Question question = tiny_question(choices, release);
  question.quota = *rc::gen::inRange(0, 3);
  RC_LOG(text_of(question, release));
  std::set<Answer> expected;
  RC_ASSERT(brute_force(question, release, expected));
  RC_CLASSIFY(expected.size() > 1);
  RC_ASSERT(any_order_of(question, release) == expected);
}

// PRE-ANYORDER-1
RC_GTEST_PROP(AnyOrder, DoesNotDependOnTheOrderOfNodesPodsAndPdbs, ()) {
  const auto [release, question] = any_case(4, 6);
  Question other = question;
  fuzz::ByteChoices choices(any_bytes());
  permute(other.cluster.nodes, choices);
  permute(other.cluster.pods, choices);
  permute(other.cluster.pdbs, choices);
  RC_ASSERT(any_order_of(question, release) == any_order_of(other, release));
}

// PRE-ANYORDER-1
RC_GTEST_PROP(AnyOrder, ContainsWhatIsAdmissible, ()) {
  const auto [release, question] = any_case(4, 6);
  const std::set<Answer> answers = any_order_of(question, release);
  const Decision decision = decide(question, release);
  for (const std::size_t i : decision.admissible) {
    RC_ASSERT(answers.contains(named(question.cluster, decision.candidates[i])));
  }
}

// PRE-NODE-6
RC_GTEST_PROP(Decision, ChangesOnlyNamesWhenObjectsAreRenamed, ()) {
  const auto [release, question] = any_case(4, 6);
  RC_ASSERT(!fuzz::depends_on_names(oracle::reference_decider(), question, release));
}

// PRE-VICTIM-1, PRE-VICTIM-3, PRE-VICTIM-6
RC_GTEST_PROP(Decision, BreaksNoLaw, ()) {
  const auto [release, question] = any_case(4, 6);
  const Decision decision = decide(question, release);
  RC_CLASSIFY(decision.outcome == Outcome::nominated);
  for (const BrokenLaw& law :
       fuzz::broken_by_decision(oracle::reference_decider(), question, release, decision)) {
    RC_LOG(std::string(law.clause) + ": " + law.text);
    RC_FAIL("a law is broken");
  }
}

// PRE-POTENTIAL-1
RC_GTEST_PROP(Decision, IsNotChangedByANodeThatCannotBeACandidate, ()) {
  auto [release, question] = any_case(4, 6);
  RC_PRE(!question.cluster.nodes.empty());
  RC_ASSERT(!fuzz::depends_on_cordoned_node(oracle::reference_decider(), question, release));
  question.pod.tolerations.clear();
  Question larger = question;
  Node node;
  node.name = "cordoned";
  node.unschedulable = true;
  larger.cluster.nodes.push_back(node);
  RC_ASSERT(any_order_of(question, release) == any_order_of(larger, release));
}

}  // namespace touchstone::tests::laws_test
