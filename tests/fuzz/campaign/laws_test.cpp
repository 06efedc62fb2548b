#include "fuzz/campaign/laws.hpp"

#include <gtest/gtest.h>

#include "fuzz/campaign/renamed.hpp"
#include "fuzz/generate/facts.hpp"
#include "oracle/protocol/engines.hpp"
#include "reference/preemption/preempt.hpp"
#include "tests/support/any_question.hpp"

/// The laws detect an engine that breaks them.
namespace touchstone::fuzz {

namespace {

/// An engine that breaks the last tie by the names of nodes.
Decision first_name_first(const Question& question, const Release& release, Trace& trace) {
  Decision decision = reference::preempt(question, release, trace);
  for (const std::size_t i : decision.admissible) {
    const auto name = [&](std::size_t of) {
      return question.cluster.nodes[decision.candidates[of].node].name;
    };
    if (name(i) < name(decision.chosen)) decision.chosen = i;
  }
  return decision;
}

}  // namespace

// PRE-NODE-6
TEST(Laws, FindOneWhoGoesByTheOrderOfNames) {
  oracle::Decider decider = oracle::reference_decider();
  decider.preempt = first_name_first;
  const Scenarios scenarios = all_scenarios(tests::release("v1.34.4"));
  std::size_t ties = 0;
  std::size_t found = 0;
  for (std::uint64_t number = 0; number < 300; ++number) {
    const Question question = numbered_scenario(scenarios, 3, number);
    ties += reference::preempt(question, scenarios.release).admissible.size() > 1;
    found += depends_on_names(decider, question, scenarios.release);
  }
  EXPECT_GT(found, 20u);
  EXPECT_LE(found, ties);
}

TEST(Renamed, ReachesTheHostThatAStorageCapacityNames) {
  Question question;
  question.cluster.nodes.push_back({});
  question.cluster.nodes[0].name = "n1";
  question.cluster.nodes[0].labels = {{k_hostname, "n1"}};
  CsiStorageCapacity capacity;
  capacity.node_topology = LabelSelector{{{k_hostname, "n1"}}, {}};
  question.cluster.storage.capacities["default/c"] = capacity;
  const Question renamed = with_renamed(question);
  const auto& topology = renamed.cluster.storage.capacities.at("default/c").node_topology;
  EXPECT_NE(renamed.cluster.nodes[0].name, "n1");
  EXPECT_EQ(topology->match_labels, renamed.cluster.nodes[0].labels);
}

}  // namespace touchstone::fuzz
