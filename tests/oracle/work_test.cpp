#include "oracle/work.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "bench/cluster.hpp"
#include "oracle/explain/shown_decision.hpp"
#include "tests/support/any_question.hpp"
#include "tests/support/topology.hpp"

/// Tests the choice of the engine, and the work of the reference in a large cluster.
namespace touchstone::oracle {

using namespace touchstone::tests;

namespace {

Engine engine_for(std::size_t nodes, const Pod& preemptor, std::size_t times = 1) {
  return engine_by_work(bench::bench_cluster(nodes, bench::Shape::varied),
                        std::vector<const Pod*>(times, &preemptor));
}

struct Shown {
  Decision decision;
  Trace trace = Trace::full();
};

Shown shown(const Question& question, const Release& release, const Scope& scope, Engine engine) {
  Shown found;
  found.decision = shown_decision(question, release, scope, engine, found.trace);
  return found;
}

std::string explained(const Question& question, const Release& release, const Scope& scope, Engine engine) {
  const Shown found = shown(question, release, scope, engine);
  if (found.decision.outcome == Outcome::skipped) return "skipped";
  return found.decision.message +
         explanation_of(explain(question, release, found.decision, found.trace, scope)).dump(1);
}

/// The nodes on which the reference tried to reprieve pods.
std::set<NodeIndex> searched(const Trace& trace) {
  std::set<NodeIndex> nodes;
  for (const Step& step : trace.steps()) {
    if (step.stage == Stage::reprieve) nodes.insert(*step.node);
  }
  return nodes;
}

}  // namespace

TEST(Work, GrowsWithEachRunOfTheFiltersAndEachPodItLooksAt) {
  const auto cluster = [](const Pod& pod) {
    return QuestionBuilder().node("n1", 100).has(pod).node("n2", 100).asks(pod).cluster;
  };
  // Two runs on each node, and one more for each potential victim. Each run looks at the pods of the node and
  // at the preemptor.
  EXPECT_EQ(pods_looked_at(cluster(pod("a", 0, 1)), pod("p", 10, 1)), 3u * 2 + 2u * 1);
  EXPECT_EQ(pods_looked_at(cluster(pod("a", 10, 1)), pod("p", 10, 1)), 2u * 2 + 2u * 1);
  Cluster many = cluster(pod("a", 10, 1));
  for (int i = 0; i < 8; ++i) many.pods.push_back(many.pods[0]);
  const std::size_t alone = 2u * 10 + 2u * 1;
  EXPECT_EQ(pods_looked_at(many, pod("p", 10, 1)), alone);
  for (const Pod& asks : {near(pod("p", 10, 1), {by("zone", "x")}), away(pod("p", 10, 1), {by("zone", "x")}),
                          spread(pod("p", 10, 1), {over("zone", "x")})})
    EXPECT_EQ(pods_looked_at(many, asks), alone + 4 * (9 / 4));
  Pod soft = spread(pod("p", 10, 1), {over("zone", "x")});
  soft.topology_spread[0].when_unsatisfiable = "ScheduleAnyway";
  EXPECT_EQ(pods_looked_at(many, soft), alone);
  for (Pod& repelling : many.pods) repelling = away(repelling, {by("zone", "x")});
  EXPECT_EQ(pods_looked_at(many, pod("p", 10, 1)), alone + 4 * (9 / 4));
}

TEST(Work, ChoosesTheEngine) {
  EXPECT_EQ(engine_for(500, bench::bench_preemptor(bench::Asks::nothing)), Engine::reference);
  EXPECT_EQ(engine_for(5000, bench::bench_preemptor(bench::Asks::nothing)), Engine::optimized);
  for (const bench::Asks asks : {bench::Asks::anti_affinity, bench::Asks::spread}) {
    EXPECT_EQ(engine_for(50, bench::bench_preemptor(asks)), Engine::reference);
    EXPECT_EQ(engine_for(500, bench::bench_preemptor(asks)), Engine::optimized);
  }
  EXPECT_EQ(engine_for(500, bench::bench_preemptor(bench::Asks::nothing), 100), Engine::optimized);
}

RC_GTEST_PROP(ShownDecision, IsExplainedAlikeByEitherEngine, ()) {
  const auto [release, question] = any_case(6, 6);
  Scope scope{*rc::gen::arbitrary<bool>(), {}};
  if (!question.cluster.nodes.empty() && *rc::gen::arbitrary<bool>()) scope.node = 0;
  RC_ASSERT(explained(question, release, scope, Engine::optimized) ==
            explained(question, release, scope, Engine::reference));
}

TEST(ShownDecision, SearchesForVictimsOnTheNodesThatAreShownAlone) {
  const Release release = tests::release("v1.36.3");
  const Question question{
      bench::bench_cluster(40, bench::Shape::varied), bench::bench_preemptor(bench::Asks::nothing), {}, {}};
  const Shown best = shown(question, release, {}, Engine::optimized);
  EXPECT_EQ(best.decision.candidates.size(), 40u);
  EXPECT_EQ(searched(best.trace).size(), 3u);
  EXPECT_TRUE(searched(best.trace).contains(best.decision.candidates[best.decision.chosen].node));
  const Scope one{false, NodeIndex{7}};
  EXPECT_EQ(searched(shown(question, release, one, Engine::optimized).trace), std::set<NodeIndex>{7});
  for (const Scope& scope : {Scope{}, one}) {
    EXPECT_EQ(explained(question, release, scope, Engine::optimized),
              explained(question, release, scope, Engine::reference));
  }
  EXPECT_EQ(searched(shown(question, release, {true, {}}, Engine::optimized).trace).size(), 40u);
}

}  // namespace touchstone::oracle
