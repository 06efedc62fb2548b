#pragma once

#include <array>
#include <string_view>

namespace touchstone::cli {

/// What scripts can rely on.
inline constexpr int k_exit_ok = 0;
inline constexpr int k_exit_disagreement = 1;
inline constexpr int k_exit_bad_input = 2;
inline constexpr int k_exit_not_modelled = 3;
inline constexpr int k_exit_interrupted = 130;  ///< as a shell reports SIGINT

/// What the process ends with, as every help shows it.
struct ExitCode {
  int code = k_exit_ok;
  std::string_view meaning;
};

inline constexpr std::array<ExitCode, 5> k_exit_codes = {{
    {k_exit_ok, "answered"},
    {k_exit_disagreement, "a check failed"},
    {k_exit_bad_input,
     "wrong usage or input, or output that cannot be written; one line on standard error says what"},
    {k_exit_not_modelled, "the answer needs what is not modelled; it is not guessed"},
    {k_exit_interrupted, "interrupted before anything was found; what was counted is kept"},
}};

}  // namespace touchstone::cli
