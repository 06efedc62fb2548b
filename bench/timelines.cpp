#include "bench/timelines.hpp"

#include <algorithm>

#include "bench/times.hpp"
#include "reference/queue/play.hpp"

namespace touchstone::bench {

namespace {

/// Picks the first alternative. Counts the steps of the scheduler: before each, it picks one of those that
/// are enabled.
class CountingChoices final : public Choices {
 public:
  std::size_t pick(std::size_t, std::string_view where) override {
    if (where == "QUE-SETTLE-1") ++steps;
    return 0;
  }

  std::size_t steps = 0;
};

Quantity a_second(std::size_t count, Quantity cpu_ns) {
  constexpr Quantity k_ns_a_second = 1'000'000'000;
  return static_cast<Quantity>(count) * k_ns_a_second / std::max<Quantity>(cpu_ns, 1);
}

bool is_cycle_of_a_pod(const StepAnswer& answer) { return answer.cycle && !answer.cycle->pod.empty(); }

}  // namespace

Quantity TimelineSpeed::commands_per_second() const { return a_second(commands, cpu_ns); }

Quantity TimelineSpeed::steps_per_second() const { return a_second(steps, cpu_ns); }

TimelineSpeed measure_timelines(const std::vector<TimelineScript>& scripts) {
  constexpr std::size_t k_runs = 3;
  TimelineSpeed speed;
  speed.timelines = scripts.size();
  std::vector<Quantity> times;
  for (std::size_t run = 0; run < k_runs; ++run) {
    speed.commands = 0;
    speed.cycles = 0;
    CountingChoices choices;
    StopWatch watch;
    watch.begin();
    for (const TimelineScript& script : scripts) {
      const std::unique_ptr<TimelineModel> model = reference::timeline_model();
      if (model->begin(script.release, script.now_ns, script.objects)) continue;
      for (const TimelineCommand& command : script.commands) {
        if (is_cycle_of_a_pod(model->run(command, choices))) ++speed.cycles;
        ++speed.commands;
      }
    }
    watch.end();
    speed.steps = speed.commands + choices.steps;
    times.push_back(watch.cpu_ns());
  }
  std::sort(times.begin(), times.end());
  speed.cpu_ns = times[k_runs / 2];
  return speed;
}

}  // namespace touchstone::bench
