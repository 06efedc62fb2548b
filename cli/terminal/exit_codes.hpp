#pragma once

#include <array>
#include <string_view>

namespace touchstone::cli {

/// The exit codes. Scripts can rely on them.
inline constexpr int k_exit_ok = 0;
inline constexpr int k_exit_disagreement = 1;
inline constexpr int k_exit_bad_input = 2;
inline constexpr int k_exit_not_modelled = 3;
inline constexpr int k_exit_interrupted = 130;  ///< as a shell reports SIGINT

/// An exit code with its meaning, as the help shows it.
struct ExitCode {
  int code = k_exit_ok;
  std::string_view meaning;
};

inline constexpr std::array<ExitCode, 5> k_exit_codes = {{
    {k_exit_ok, "success"},
    {k_exit_disagreement, "a check failed"},
    {k_exit_bad_input,
     "wrong usage or input, or output that cannot be written; standard error names the problem"},
    {k_exit_not_modelled, "no answer: the decision depends on a feature that is not modelled"},
    {k_exit_interrupted, "interrupted, and no check has failed so far; partial results are kept"},
}};

}  // namespace touchstone::cli
