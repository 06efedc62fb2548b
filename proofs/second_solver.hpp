#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

/// Runs cvc5, as a separate program, on the questions that Z3 answered. cvc5 shares no code with this
/// project. The questions are in linear integer arithmetic (QF_LIA).
namespace touchstone::proofs {

bool has_second_solver();
std::string second_solver_version();

struct SecondOpinion {
  std::size_t agreed = 0;     ///< questions answered unsat, as expected
  std::size_t disagreed = 0;  ///< questions answered sat or unknown
  std::string failure;        ///< not empty: the first line of any other output
};

/// Runs cvc5 on a dump. Requires: has_second_solver(); every question of the file is expected to be
/// unsatisfiable.
SecondOpinion second_opinion(const std::filesystem::path& file);

}  // namespace touchstone::proofs
