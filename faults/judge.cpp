#include "faults/judge.hpp"

#include <time.h>

#include <algorithm>

#include "faults/cluster.hpp"
#include "fuzz/campaign/laws.hpp"
#include "fuzz/generate/exhaustive.hpp"

namespace touchstone::faults {

namespace {

/// The processor time of this thread. Other programs on the machine do not influence it.
double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

Trial campaign(const Fault& fault, std::uint64_t seed, const Effort& effort) {
  const FaultOn on(fault);
  const fuzz::Scenarios scenarios = scenarios_of(fault);
  return run_cases(effort, [&](std::uint64_t number) -> std::optional<bool> {
    if (!fault.needs_configuration)
      return differs(fuzz::numbered_scenario(scenarios, seed, number - 1), scenarios.release);
    const Result<Asked> read =
        asked(campaign_question(fault, scenarios, seed, number - 1), scenarios.release);
    return read && differs(read.value().question, read.value().release);
  });
}

/// The fault of single decisions that is on; null: none.
const Fault* fault_on() {
  const auto found = std::find_if(faults().begin(), faults().end(),
                                  [](const Fault& each) { return each.number == fault_switch.on; });
  return found == faults().end() ? nullptr : &*found;
}

/// Whether the fault that is on is in any_order/any_order.cpp, which decisions do not use.
bool is_of_any_order() {
  const Fault* fault = fault_on();
  return fault != nullptr && fault->file == "any_order/any_order.cpp";
}

bool decisions_differ(const Question& question, const Release& release) {
  const Decision is = fuzz::decide(faulty_decider(), question, release);
  if (is != fuzz::decide(oracle::reference_decider(), question, release)) return true;
  if (!is_of_any_order() || is.outcome != Outcome::nominated) return false;
  constexpr std::size_t k_limit = 2000;
  return faulty_decider().any_order(question, release, k_limit).answers !=
         oracle::reference_decider().any_order(question, release, k_limit).answers;
}

bool placements_differ(const Question& question, const Release& release) {
  return fuzz::schedule(faulty_decider(), question, release) !=
         fuzz::schedule(oracle::reference_decider(), question, release);
}

/// A set of clusters that the enumeration visits. They are so small that the enumeration ends.
struct Space {
  std::set<fuzz::Family> families;
  std::size_t most_nodes;
  std::size_t most_pods;
  fuzz::Bounds bounds;
};

/// First the scenarios without any family, as in tests/fuzz/generate/exhaustive_test.cpp; then each family
/// alone.
std::vector<Space> spaces() {
  std::vector<Space> all = {{{}, 2, 1, {3, 6}}, {{}, 1, 2, {3, 8}}};
  for (const fuzz::Family family : fuzz::preemption_families()) all.push_back({{family}, 1, 1, {2, 12}});
  return all;
}

Trial enumeration(const Fault& fault, std::uint64_t, const Effort& effort) {
  constexpr std::size_t k_core_most = 8'000;
  constexpr std::size_t k_each_most = 1'000;
  const FaultOn on(fault);
  const Release release = scenarios_of(fault).release;
  // every_scenario() calls the function below for all spaces, so run_cases() cannot be used here.
  Trial trial;
  const double begin = thread_seconds();
  std::uint64_t number = 0;
  for (const Space& space : spaces()) {
    if (trial.detected || effort.stop) break;
    const auto is_enough = [&](const Question& question) {
      ++number;
      const bool is_detected = differs(question, release);
      if (!trial.reached && fault_switch.reached > 0) trial.reached = number;
      if (!trial.triggered && fault_switch.triggered > 0) trial.triggered = number;
      if (is_detected) trial.detected = number;
      return is_detected || effort.stop.load();
    };
    fuzz::every_scenario({release, space.families, space.most_nodes, space.most_pods}, space.bounds,
                         space.families.empty() ? k_core_most : k_each_most, is_enough);
  }
  trial.seconds = thread_seconds() - begin;
  return trial;
}

}  // namespace

Trial run_cases(const Effort& effort, const std::function<std::optional<bool>(std::uint64_t)>& is_detected) {
  Trial trial;
  const double begin = thread_seconds();
  for (std::uint64_t number = 1; !trial.detected && !effort.stop && trial.seconds < effort.seconds_most;
       ++number) {
    const std::optional<bool> found = is_detected(number);
    if (!trial.reached && fault_switch.reached > 0) trial.reached = number;
    if (!trial.triggered && fault_switch.triggered > 0) trial.triggered = number;
    trial.seconds = thread_seconds() - begin;
    if (!found) break;
    if (*found) trial.detected = number;
  }
  return trial;
}

bool differs(const Question& question, const Release& release) {
  const Fault* fault = fault_on();
  if (fault != nullptr)
    return is_of_whole_cycle(*fault) ? placements_differ(question, release)
                                     : decisions_differ(question, release);
  return decisions_differ(question, release) || placements_differ(question, release);
}

fuzz::Scenarios scenarios_of(const Fault& fault) {
  const Release release = find_release(fault.release).value().release;
  if (fault.clause.starts_with("EXT-")) {
    fuzz::Scenarios scenarios = fuzz::whole_cycle_scenarios(release);
    scenarios.families.insert(fuzz::Family::extenders);
    return scenarios;
  }
  return is_of_whole_cycle(fault) ? fuzz::whole_cycle_scenarios(release) : fuzz::all_scenarios(release);
}

std::vector<Judge> judges(const JudgeSetup& setup) {
  return {vectors_judge(setup.vectors),
          {"enumeration", "all small scenarios of the fault's release, compared with the reference", false,
           "", enumeration},
          {"campaign", "scenarios generated as by touchstone fuzz, compared with the reference", true, "",
           campaign},
          rapidcheck_judge(),
          libfuzzer_judge(setup.libfuzzer)};
}

}  // namespace touchstone::faults
