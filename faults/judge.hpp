#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "faults/fault.hpp"
#include "fuzz/generate/scenario.hpp"
#include "oracle/protocol/vectors.hpp"

/// Judges of seeded faults: the test methods whose detection of faults is measured. A judge runs cases on
/// the copy of the reference with one fault on, until it sees a difference.
namespace touchstone::faults {

/// The result of one run of a judge. Cases count from 1.
struct Trial {
  std::optional<std::uint64_t> reached;    ///< the first case that evaluated the fault's expression
  std::optional<std::uint64_t> triggered;  ///< the first case in which the expression gave a wrong value
  std::optional<std::uint64_t> detected;   ///< the first case in which the judge saw a difference
  double seconds = 0;                      ///< processor time until the detection or the end of the run
  std::string failed = {};                 ///< why the run did not finish; empty: it finished
};

/// The limits of the judges.
struct Effort {
  double seconds_most = 2;  ///< for one trial of a judge that generates cases
  const std::atomic<bool>& stop;
};

/// A judge, and the function that runs it on a fault.
struct Judge {
  std::string_view name;
  std::string_view what;       ///< description for the help
  bool is_drawn;               ///< its cases depend on a seed
  std::string_view not_there;  ///< why it cannot run; empty: it can
  std::function<Trial(const Fault&, std::uint64_t seed, const Effort&)> run;
};

/// The names of all judges, in the order of display.
inline constexpr std::array<std::string_view, 5> k_judge_names = {"vectors", "enumeration", "campaign",
                                                                  "rapidcheck", "libfuzzer"};

/// The data that the judges need. It outlives them.
struct JudgeSetup {
  std::vector<oracle::VectorFile> vectors;
  std::filesystem::path libfuzzer;  ///< fuzz/targets/faults.cpp linked with libFuzzer; empty: not available
};

/// All judges, in the order of k_judge_names.
std::vector<Judge> judges(const JudgeSetup& setup);

/// Runs the cases of a judge: calls `is_detected(number)` from 1 on. Ends when it returns true or nothing
/// (no cases are left), when the time is over, or when the effort is stopped. Requires: the fault is on.
Trial run_cases(const Effort& effort, const std::function<std::optional<bool>(std::uint64_t)>& is_detected);

/// Whether the copy with a fault on decides differently from the reference. For a fault in any_order.cpp,
/// also whether it gives other answers for any list order. For a fault of the whole cycle: whether it places
/// the pod differently. Without a fault, decisions and placements are compared.
bool differs(const Question& question, const Release& release);

/// The scenarios of campaigns, for the release of a fault.
fuzz::Scenarios scenarios_of(const Fault& fault);

/// The single judges; see judges().
Judge vectors_judge(const std::vector<oracle::VectorFile>& files);
Judge rapidcheck_judge();
Judge libfuzzer_judge(const std::filesystem::path& binary);

}  // namespace touchstone::faults
