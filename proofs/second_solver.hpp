#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

/// cvc5, as a program of its own, on what Z3 was asked: it knows nothing of this project, and takes linear
/// arithmetic alone.
namespace touchstone::proofs {

bool has_second_solver();
std::string second_solver_version();

struct SecondOpinion {
  std::size_t agreed = 0;     ///< questions without a solution, as they were dumped to be
  std::size_t disagreed = 0;  ///< anything else that it answered
  std::string failure;        ///< not empty: it said something else, or nothing
};

/// Requires: has_second_solver(). Every question of the file is meant to have no solution.
SecondOpinion second_opinion(const std::filesystem::path& file);

}  // namespace touchstone::proofs
