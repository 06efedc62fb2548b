#include "tests/optimized/differential.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/support/any_question.hpp"

/// The optimized engine gives the reference's answers: the same scenarios every time, of every family, for
/// every epoch of releases. What it skips is counted, so that skipping cannot pass for agreeing.
namespace touchstone::tests {

namespace {

constexpr std::uint64_t k_seed = 20261122;
constexpr std::uint64_t k_cases_of_epoch = 300;

/// Families whose scenarios may be skipped: without them all are answered.
const std::set<fuzz::Family> k_volumes = {fuzz::Family::rwop, fuzz::Family::disks,
                                          fuzz::Family::attach_limits, fuzz::Family::volume_zones,
                                          fuzz::Family::volume_binding};

bool has_any(const std::set<fuzz::Family>& families, const std::set<fuzz::Family>& of) {
  return std::any_of(of.begin(), of.end(), [&](fuzz::Family family) { return families.contains(family); });
}

}  // namespace

TEST(Optimized, AnswersAsTheReferenceInEveryEpoch) {
  optimized::Workers workers(2);
  std::map<Outcome, std::size_t> outcomes;
  std::map<fuzz::Family, std::size_t> nominated;
  for (const std::string& epoch : k_epochs) {
    const fuzz::Scenarios scenarios = fuzz::all_scenarios(release(epoch));
    for (std::uint64_t i = 0; i < k_cases_of_epoch; ++i) {
      const fuzz::Drawn drawn = fuzz::numbered_draw(scenarios, k_seed, i);
      const optimized::Answer answer = optimized_answer(drawn.question, scenarios.release, workers);
      const Decision decision = reference_decision(drawn.question, scenarios.release);
      ASSERT_EQ(difference(drawn.question, scenarios.release, answer, decision), "") << epoch << " " << i;
      ++outcomes[answer.outcome];
      const bool may_be_skipped = has_any(drawn.families, k_volumes) || scenarios.release.version.minor < 12;
      if (answer.outcome == Outcome::skipped) {
        ASSERT_TRUE(may_be_skipped) << epoch << " " << i << " " << answer.reason;
      }
      if (answer.outcome != Outcome::nominated) continue;
      for (const fuzz::Family family : drawn.families) ++nominated[family];
    }
  }
  // Of 6,000; each a little below what the seed gives.
  EXPECT_GT(outcomes[Outcome::nominated], 2300u);
  EXPECT_GT(outcomes[Outcome::none], 900u);
  EXPECT_GT(outcomes[Outcome::fits], 150u);
  EXPECT_GT(outcomes[Outcome::ineligible], 50u);
  EXPECT_GT(outcomes[Outcome::error], 5u);
  for (std::size_t i = 0; i < fuzz::k_family_names.size(); ++i) {
    const fuzz::Family family = static_cast<fuzz::Family>(i);
    if (k_volumes.contains(family)) continue;
    EXPECT_GT(nominated[family], 25u) << fuzz::k_family_names[i];
  }
}

// Where there are many nodes, bounds leave some out and threads share the rest.
TEST(Optimized, AnswersAlikeWithoutPruningAndOnAnyNumberOfThreads) {
  optimized::Workers one(1);
  optimized::Workers three(3);
  std::size_t saved = 0;
  for (const std::string& epoch : k_epochs) {
    fuzz::Scenarios scenarios = small_scenarios(release(epoch), 8, 8);
    scenarios.most_nodes = 600;
    for (std::uint64_t i = 0; i < 30; ++i) {
      const Question question = fuzz::numbered_scenario(scenarios, k_seed, i);
      const optimized::Snapshot snapshot(question.cluster, scenarios.release);
      const auto ask = [&](optimized::Workers& workers, bool prunes) {
        CanonicalChoices choices;
        optimized::Options options;
        options.prunes = prunes;
        return optimized::decide(snapshot, question.pod, options, workers, choices);
      };
      const optimized::Answer pruned = ask(one, true);
      EXPECT_EQ(pruned, ask(three, true)) << epoch << " " << i;
      optimized::Answer whole = ask(three, false);
      saved += whole.dry_runs - pruned.dry_runs;
      whole.dry_runs = pruned.dry_runs;
      EXPECT_EQ(pruned, whole) << epoch << " " << i;
    }
  }
  EXPECT_GT(saved, 300u);
}

TEST(Optimized, SkipsWhatItDoesNotHandleByName) {
  optimized::Workers workers(1);
  Pod asking = pod("p", 10, 100);
  asking.volumes.push_back({"v", {}});
  asking.volumes[0].source.kind = "persistentVolumeClaim";
  const Question volumes = QuestionBuilder().node("n1", 100).asks(asking);
  const optimized::Answer answer = optimized_answer(volumes, release("v1.34"), workers);
  EXPECT_EQ(answer.outcome, Outcome::skipped);
  EXPECT_EQ(answer.reason, "volumes: the pod has a volume that a filter looks at");
  const Question beyond = QuestionBuilder().node("n1", 100).asks(pod("p", Quantity{1} << 40, 100));
  EXPECT_EQ(optimized_answer(beyond, release("v1.34"), workers).outcome, Outcome::skipped);
}

}  // namespace touchstone::tests
