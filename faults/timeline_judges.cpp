#include "faults/timeline_judges.hpp"

#include <algorithm>
#include <sstream>

#include "conformance/timelines.hpp"
#include "fuzz/timelines/laws.hpp"
#include "kubernetes/text/bytes.hpp"
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
  const auto answers = [&](MakeModel make) {
    return conformance::model_answers(script, make, choices).at("answers").get<std::vector<oracle::Json>>();
  };
  if (answers(reference::timeline_model).back().contains("error")) return false;
  const FaultOn on(fault);
  return fuzz::difference_of(script, {answers(faulty_timeline_model)}).has_value();
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

Result<FaultTimelines> read_fault_timelines(const std::string& file) {
  const Result<std::string> text = kubernetes::read_bytes(file, kubernetes::Progress());
  if (!text) return text.error();
  FaultTimelines timelines;
  std::istringstream lines(text.value());
  for (std::string line; std::getline(lines, line);) {
    try {
      oracle::Json json = oracle::Json::parse(line);
      const std::string id = json.at("fault");
      timelines[id] = std::move(json);
    } catch (const oracle::Json::exception& broken) {
      const std::string place = file + ":" + std::to_string(timelines.size() + 1);
      return Error{"json-malformed", place, oracle::complaint_of(broken)};
    }
  }
  return timelines;
}

std::optional<Error> write_fault_timelines(const std::string& file, const FaultTimelines& timelines) {
  std::string text;
  for (const Fault& fault : timeline_faults()) {
    const auto found = timelines.find(std::string(fault.id));
    if (found != timelines.end()) text += found->second.dump() + "\n";
  }
  return kubernetes::write_bytes(file, text);
}

oracle::Json line_of(const Fault& fault, const TimelineScript& script) {
  return {{"fault", fault.id},
          {"clause", fault.clause},
          {"release", script.release.version.text()},
          {"commands", fuzz::lines_of(script)}};
}

}  // namespace touchstone::faults
