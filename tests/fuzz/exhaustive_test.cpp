#include <gtest/gtest.h>

#include <algorithm>

#include "fuzz/scenario.hpp"
#include "kubernetes/written.hpp"
#include "reference/filters.hpp"
#include "reference/preempt.hpp"
#include "spec/properties.hpp"
#include "tests/support/builder.hpp"

/// Laws held against every scenario that is small enough, not against a sample.
namespace touchstone::fuzz {

namespace {

using tests::release;

/// What to go through: alternatives that are taken seldom only count as one, so that two are left of
/// "once in n"; of other choices at most so many, evenly spread, are tried; the rarest are never taken.
struct Bounds {
  std::size_t most_alternatives;
  std::size_t rarest;
};

class FewerChoices final : public Choices {
 public:
  FewerChoices(Choices& choices, Bounds bounds) : choices_(choices), bounds_(bounds) {}

  std::size_t pick(std::size_t n, std::string_view where) override {
    if (where == "once in") {
      if (n > bounds_.rarest) return 0;
      return choices_.pick(2, where) == 0 ? 0 : n - 1;
    }
    const std::size_t tried = std::min(n, bounds_.most_alternatives);
    return choices_.pick(tried, where) * n / tried;
  }

 private:
  Choices& choices_;
  Bounds bounds_;
};

struct Explored {
  std::size_t scenarios = 0;
  std::size_t nominated = 0;
  bool all = false;
};

void expect_no_broken_law(const Question& question, const Release& asked, const Decision& decision) {
  const auto fits = [&asked](const Cluster& cluster, const Pod& pod, NodeIndex node) {
    const Question alone{cluster, pod, {}, {}};
    Trace trace = Trace::none();
    const reference::Cycle cycle(alone, asked, trace);
    return reference::run_filters_with_nominated_pods(cycle, cycle.nodes[node]).ok();
  };
  for (const BrokenLaw& law : broken_laws(question, asked, decision, fits))
    ADD_FAILURE() << law.clause << " " << law.text << "\n" << kubernetes::written(question).dump();
}

Explored explored(const Scenarios& scenarios, Bounds bounds) {
  Explored result;
  result.all = explore(
      [&](Choices& every) {
        FewerChoices choices(every, bounds);
        const Question question = scenario(choices, scenarios);
        CanonicalChoices canonical;
        Trace trace = Trace::none();
        const Decision decision = reference::preempt(question, scenarios.release, canonical, trace);
        expect_no_broken_law(question, scenarios.release, decision);
        ++result.scenarios;
        if (decision.outcome == Outcome::nominated) ++result.nominated;
      },
      1000000);
  return result;
}

}  // namespace

// PRE-CYCLE-1, PRE-VICTIM-1, PRE-VICTIM-3, PRE-VICTIM-6
TEST(EveryScenario, OfOneNodeAndOnePodKeepsTheLaws) {
  const Explored found = explored({release("v1.34.4"), {}, 1, 1}, {16, 12});
  EXPECT_TRUE(found.all);
  EXPECT_EQ(found.scenarios, 30136u);
  EXPECT_EQ(found.nominated, 15680u);
}

// PRE-VICTIM-3, PRE-VICTIM-6
TEST(EveryScenario, OfOneNodeAndTwoPodsKeepsTheLaws) {
  const Explored found = explored({release("v1.34.4"), {}, 1, 2}, {3, 8});
  EXPECT_TRUE(found.all);
  EXPECT_EQ(found.scenarios, 5412u);
  EXPECT_EQ(found.nominated, 3969u);
}

// PRE-NODE-1, PRE-NODE-6
TEST(EveryScenario, OfTwoNodesKeepsTheLaws) {
  const Explored found = explored({release("v1.29.6"), {}, 2, 1}, {3, 6});
  EXPECT_TRUE(found.all);
  EXPECT_EQ(found.scenarios, 7614u);
  EXPECT_EQ(found.nominated, 6804u);
}

}  // namespace touchstone::fuzz
