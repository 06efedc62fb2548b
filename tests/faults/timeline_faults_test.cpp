#include <gtest/gtest.h>

#include <set>

#include "conformance/timelines.hpp"
#include "faults/faults.hpp"
#include "faults/timeline_judges.hpp"
#include "fuzz/timelines/compared.hpp"
#include "fuzz/timelines/laws.hpp"
#include "reference/queue/play.hpp"
#include "spec/rules/rules.hpp"

/// The faults of the scheduler over time. Runs from the root of the project.
namespace touchstone::faults {

namespace {

const std::atomic<bool> k_never = false;

const Fault& timeline_fault(std::string_view id) {
  return *std::find_if(timeline_faults().begin(), timeline_faults().end(),
                       [id](const Fault& each) { return each.id == id; });
}

std::vector<Judge> all_timeline_judges() {
  return timeline_judges(oracle::read_timelines("spec/vectors/time").value());
}

}  // namespace

TEST(TimelineFaults, AreFortyAndNameClausesAndReleasesThatExist) {
  std::set<std::string_view> clauses;
  for (const Rule& rule : rules()) clauses.insert(rule.id);
  for (const Fault& each : timeline_faults()) {
    EXPECT_TRUE(clauses.contains(each.clause)) << each.id;
    ASSERT_TRUE(find_release(each.release)) << each.id;
    EXPECT_TRUE(queue_is_modelled(timelines_of(each).release.version)) << each.id;
  }
  EXPECT_GE(timeline_faults().size(), 56u);
}

TEST(TimelineFaults, AreNotThereWithAllSwitchesOff) {
  for (const char* name : {"v1.13.0", "v1.32.2", "v1.34.4", "v1.37.2"}) {
    const fuzz::TimelinePlan plan{.release = find_release(name).value().release};
    for (std::uint64_t number = 0; number < 60; ++number)
      ASSERT_FALSE(fuzz::first_difference(fuzz::numbered_timeline(plan, 9, number), faulty_timeline_model,
                                          reference::timeline_model))
          << name << " " << number;
  }
}

TEST(TimelineFaults, CanaryIsFoundByEveryJudgeAndTheIdentityByNone) {
  for (const Judge& judge : all_timeline_judges()) {
    EXPECT_TRUE(judge.run(timeline_fault(k_timeline_canary), 1, {60, k_never}).detected) << judge.name;
    const Trial nothing = judge.run(timeline_fault(k_timeline_identity), 1, {0.3, k_never});
    EXPECT_FALSE(nothing.triggered || nothing.detected) << judge.name;
  }
}

/// Each fault is found by generated or by recorded timelines.
TEST(TimelineFaults, AreDetectedByTimelines) {
  const std::vector<Judge> judges = all_timeline_judges();
  for (const Fault& each : timeline_faults()) {
    if (is_identity(each)) continue;
    const bool is_detected = std::any_of(judges.begin(), judges.end(), [&](const Judge& judge) {
      return judge.run(each, 1, {20, k_never}).detected.has_value();
    });
    EXPECT_TRUE(is_detected) << each.id;
  }
}

TEST(TimelineFaults, AreShownByASmallTimeline) {
  const Fault& fault = timeline_fault("later-pods-first");
  const std::optional<TimelineScript> small = smallest_timeline(fault, 50, {}, k_never);
  ASSERT_TRUE(small);
  EXPECT_LE(small->commands.size(), 5u);  // two pods, at different times, a cycle, and a pair that goes
  EXPECT_TRUE(shows_over_time(fault, *small));
  EXPECT_FALSE(smallest_timeline(timeline_fault("timeline-identity"), 3, {}, k_never));
}

// touchstone faults --over-time --update writes the timelines.
TEST(TimelineFaults, AreShownByTheirTimelines) {
  const auto timelines = conformance::read_mistaken_timelines("faults/timelines.jsonl").value();
  for (const Fault& each : timeline_faults()) {
    if (is_identity(each)) continue;
    const auto found = std::find_if(timelines.begin(), timelines.end(), [&each](const auto& timeline) {
      return timeline.name == name_of_mistake(each);
    });
    ASSERT_NE(found, timelines.end()) << each.id;
    EXPECT_EQ(found->clauses.front(), each.clause) << each.id;
    EXPECT_TRUE(shows_over_time(each, fuzz::script_of(found->commands).value())) << each.id;
  }
}

}  // namespace touchstone::faults
