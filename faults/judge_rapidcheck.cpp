#include "faults/judge.hpp"

#ifdef TOUCHSTONE_RAPIDCHECK
#include <rapidcheck.h>
#include <rapidcheck/detail/TestListenerAdapter.h>

#include <mutex>

#include "fuzz/campaign/extender_laws.hpp"
#include "fuzz/campaign/placement_laws.hpp"
#endif

namespace touchstone::faults {

#ifdef TOUCHSTONE_RAPIDCHECK

namespace {

Question drawn(const fuzz::Scenarios& scenarios) {
  const auto bytes = *rc::gen::resize(rc::kNominalSize, rc::gen::container<std::vector<std::uint8_t>>(
                                                            400, rc::gen::inRange<std::uint8_t>(0, 255)));
  fuzz::ByteChoices choices(bytes);
  return fuzz::scenario(choices, scenarios);
}

/// The scenarios of tests/reference/laws_test.cpp, for the fault's release alone.
fuzz::Scenarios small_scenarios(const Fault& fault) {
  fuzz::Scenarios scenarios = scenarios_of(fault);
  scenarios.families.erase(fuzz::Family::many_nodes);
  scenarios.families.erase(fuzz::Family::sampling);
  scenarios.families.erase(fuzz::Family::offset);
  scenarios.most_nodes = 4;
  scenarios.most_pods = 6;
  return scenarios;
}

/// Runs one case at a time. RapidCheck generates each case from a seed of its own, so that run_cases() can
/// end the trial after any case.
Trial rapidcheck(const Fault& fault, std::uint64_t seed, const Effort& effort) {
  static std::mutex one_at_a_time;  // RapidCheck keeps its parameters in globals
  const std::lock_guard lock(one_at_a_time);
  const FaultOn on(fault);
  const fuzz::Scenarios scenarios = small_scenarios(fault);
  return run_cases(effort, [&](std::uint64_t number) -> std::optional<bool> {
    rc::detail::TestParams params;
    params.seed = (seed << 32) + number;
    params.maxSuccess = 1;
    params.disableShrinking = true;
    const auto property = [&] {
      const Question question = drawn(scenarios);
      const bool asks_extenders = scenarios.families.contains(fuzz::Family::extenders);
      const auto& broken_by = asks_extenders             ? fuzz::broken_by_extenders
                              : is_of_whole_cycle(fault) ? fuzz::broken_by_placement
                                                         : fuzz::broken_by;
      RC_ASSERT(broken_by(faulty_decider(), question, scenarios.release).empty());
    };
    rc::detail::TestListenerAdapter silent;
    const rc::detail::TestResult result =
        rc::detail::checkTestable(property, rc::detail::TestMetadata(), params, silent);
    return !result.is<rc::detail::SuccessResult>();
  });
}

}  // namespace

Judge rapidcheck_judge() {
  return {"rapidcheck", "laws that need no second implementation, on small scenarios from RapidCheck", true,
          "", rapidcheck};
}

#else

Judge rapidcheck_judge() {
  return {"rapidcheck",
          "laws that need no second implementation, on small scenarios from RapidCheck",
          true,
          "not built",
          {}};
}

#endif

}  // namespace touchstone::faults
