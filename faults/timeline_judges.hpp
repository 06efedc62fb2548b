#pragma once

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

/// The first generated timeline that shows a fault, shrunk. No value: none of the first `most` shows it.
std::optional<TimelineScript> smallest_timeline(const Fault& fault, std::uint64_t most);

}  // namespace touchstone::faults
