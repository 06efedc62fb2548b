#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "faults/judge.hpp"
#include "fuzz/timelines/timelines.hpp"
#include "oracle/protocol/timeline_vectors.hpp"

/// Judges of the faults that are seeded into the scheduler over time.
namespace touchstone::faults {

/// The copy of the model that contains the faults, for oracle::Timeline and fuzz::first_difference().
std::unique_ptr<TimelineModel> faulty_timeline_model();

/// The timelines that campaigns generate for the release of a fault.
fuzz::TimelinePlan timelines_of(const Fault& fault);

/// The names of the judges, in the order of display.
inline constexpr std::array<std::string_view, 3> k_timeline_judge_names = {"timelines", "campaign", "laws"};

/// The judges: recorded timelines; generated timelines, compared with the reference; laws.
std::vector<Judge> timeline_judges(const std::vector<oracle::RecordedTimeline>& recorded);

/// Whether the scheduler with the fault gives an answer that the release may not give.
bool shows_over_time(const Fault& fault, const TimelineScript& script);

/// A timeline that shows a fault, shrunk: the first of `most` generated ones, or else of the recorded ones.
/// No value: none shows it.
std::optional<TimelineScript> smallest_timeline(const Fault& fault, std::uint64_t most,
                                                const std::vector<oracle::RecordedTimeline>& recorded,
                                                const std::atomic<bool>& stop);

/// The name of the case that shows a fault: "mistakes/later-pods-first".
std::string name_of_mistake(const Fault& fault);

/// A timeline that shows a fault, as conformance::write_mistaken_timelines() writes it.
oracle::RecordedTimeline mistaken_timeline(const Fault& fault, const TimelineScript& script);

}  // namespace touchstone::faults
