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

/// The judges that a seeded fault has to face. Each is held against the faulty copy of the reference with one
/// fault on, case by case, until it sees a difference.
namespace touchstone::fuzz {

/// What one run of a judge came to. Cases count from 1.
struct Trial {
  std::optional<std::uint64_t> reached;    ///< the first case that evaluated the fault's expression
  std::optional<std::uint64_t> triggered;  ///< the first in which that gave a wrong value
  std::optional<std::uint64_t> detected;   ///< the first in which the judge saw it
  double seconds = 0;                      ///< of processor time, up to there or to where it gave up
  std::string failed = {};                 ///< not empty: it did not run to its end, and why
};

/// What bounds the judges.
struct Effort {
  double seconds_most = 2;  ///< of one trial of a judge that draws cases
  const std::atomic<bool>& stop;
};

struct Judge {
  std::string_view name;
  std::string_view what;       ///< for the help
  bool is_drawn;               ///< its cases depend on a seed
  std::string_view not_there;  ///< why it cannot be asked; empty: it can
  std::function<Trial(const Fault&, std::uint64_t seed, const Effort&)> run;
};

/// The names of all judges, in the order in which they are shown.
inline constexpr std::array<std::string_view, 5> k_judge_names = {"vectors", "enumeration", "campaign",
                                                                  "rapidcheck", "libfuzzer"};

/// What the judges need of their surroundings. It outlives them.
struct JudgeSetup {
  std::vector<oracle::VectorFile> vectors;
  std::filesystem::path libfuzzer;  ///< fuzz/targets/faults.cpp with an engine; empty: none is there
};

/// All judges.
std::vector<Judge> judges(const JudgeSetup& setup);

/// Runs the cases of a judge: `is_detected(number)` is asked from 1 on until it says yes, or until it has
/// none left (nothing), the time is over, or the effort is stopped. Requires: the fault is on.
Trial run_cases(const Effort& effort, const std::function<std::optional<bool>(std::uint64_t)>& is_detected);

/// Whether the copy with a fault on decides otherwise than the reference or, where the fault is in what may
/// be decided in any order, says otherwise what that is.
bool differs(const Question& question, const Release& release);

/// The scenarios of campaigns for a fault's release.
Scenarios scenarios_of(const Fault& fault);

/// The judges apart; see judges().
Judge vectors_judge(const std::vector<oracle::VectorFile>& files);
Judge rapidcheck_judge();
Judge libfuzzer_judge(const std::filesystem::path& binary);

}  // namespace touchstone::fuzz
