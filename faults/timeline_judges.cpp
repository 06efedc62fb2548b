#include "faults/timeline_judges.hpp"

#include <algorithm>

#include "conformance/timelines.hpp"
#include "fuzz/timelines/laws.hpp"
#include "reference/queue/play.hpp"
#include "spec/vocabulary/seeded_choices.hpp"

namespace touchstone::faults {

namespace {

bool differs_over_time(const TimelineScript& script) {
  return fuzz::first_difference(script, faulty_timeline_model, reference::timeline_model).has_value();
}

Trial generated(const Fault& fault, std::uint64_t seed, const Effort& effort) {
  const FaultOn on(fault);
  const fuzz::TimelinePlan plan = timelines_of(fault);
  return run_cases(effort, [&](std::uint64_t number) -> std::optional<bool> {
    return differs_over_time(fuzz::numbered_timeline(plan, seed, number - 1));
  });
}

Trial by_laws(const Fault& fault, std::uint64_t seed, const Effort& effort) {
  const FaultOn on(fault);
  const fuzz::TimelinePlan plan = timelines_of(fault);
  return run_cases(effort, [&](std::uint64_t number) -> std::optional<bool> {
    SeededChoices choices(number);
    const TimelineScript script = fuzz::numbered_timeline(plan, seed, number - 1);
    return !fuzz::broken_law(script, faulty_timeline_model, choices).empty();
  });
}

/// Plays the recorded timelines of the release of the fault, short ones first.
Judge recorded_judge(std::vector<oracle::RecordedTimeline> all) {
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.commands.size() < b.commands.size(); });
  const auto run = [all](const Fault& fault, std::uint64_t, const Effort& effort) {
    const FaultOn on(fault);
    std::size_t next = 0;
    return run_cases(effort, [&](std::uint64_t) -> std::optional<bool> {
      while (next < all.size() && all[next].release != fault.release) ++next;
      if (next == all.size()) return std::nullopt;
      return oracle::timeline_difference(all[next++], faulty_timeline_model).has_value();
    });
  };
  return {"timelines", "the timelines of spec/vectors/time of the fault's release", false, "", run};
}

}  // namespace

fuzz::TimelinePlan timelines_of(const Fault& fault) {
  return {.release = find_release(fault.release).value().release};
}

std::vector<Judge> timeline_judges(const std::vector<oracle::RecordedTimeline>& recorded) {
  return {recorded_judge(recorded),
          {"campaign", "generated timelines, compared with the reference", true, "", generated},
          {"laws", "the laws of fuzz/timelines/laws.hpp on generated timelines", true, "", by_laws}};
}

bool shows_over_time(const Fault& fault, const TimelineScript& script) {
  CanonicalChoices choices;
  for (const oracle::Json& answer : fuzz::model_answers(script, reference::timeline_model, choices)) {
    if (answer.contains("error")) return false;
  }
  const FaultOn on(fault);
  const auto shown =
      fuzz::difference_of(script, {fuzz::model_answers(script, faulty_timeline_model, choices)});
  return shown && shown->skipped.empty();
}

std::optional<TimelineScript> smallest_timeline(const Fault& fault, std::uint64_t most,
                                                const std::vector<oracle::RecordedTimeline>& recorded,
                                                const std::atomic<bool>& stop) {
  const fuzz::TimelinePlan plan = timelines_of(fault);
  const auto shows = [&](const TimelineScript& script) { return !stop && shows_over_time(fault, script); };
  for (std::uint64_t number = 0; number < most && !stop; ++number) {
    const TimelineScript script = fuzz::numbered_timeline(plan, 1, number);
    if (shows(script)) return fuzz::shrink_timeline(script, shows);
  }
  for (const oracle::RecordedTimeline& each : recorded) {
    const std::optional<conformance::Case> one =
        conformance::timeline_case(each.name, "", each.commands, plan.release);
    if (!one) continue;
    const TimelineScript script = conformance::script_of(*one, plan.release);
    if (shows(script)) return fuzz::shrink_timeline(script, shows);
  }
  return std::nullopt;
}

std::string name_of_mistake(const Fault& fault) {
  return std::string(conformance::k_mistakes) + std::string(fault.id);
}

oracle::RecordedTimeline mistaken_timeline(const Fault& fault, const TimelineScript& script) {
  oracle::RecordedTimeline timeline;
  timeline.name = name_of_mistake(fault);
  timeline.release = script.release.version.text();
  timeline.clauses = {std::string(fault.clause)};
  timeline.commands = fuzz::lines_of(script);
  return timeline;
}

}  // namespace touchstone::faults
