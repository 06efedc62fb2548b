#pragma once

#include <string>
#include <vector>

#include "cli/terminal/terminal.hpp"
#include "proofs/paths/paths.hpp"
#include "proofs/prove.hpp"

/// Theorems and their results as text.
namespace touchstone::cli {

/// The table of theorems.
std::string text_of(const std::vector<const proofs::Statement*>& statements, const Terminal& terminal);
/// The table of results. The last line has their sum.
std::string text_of(const std::vector<proofs::Proved>& results, const Terminal& terminal);
/// The results of scenes, in the order of scenes(), and their sum.
std::string text_of(const std::vector<proofs::ScenePaths>& results, const Terminal& terminal);
/// Everything that is known about one result.
std::string text_of(const proofs::Proved& proved, const Terminal& terminal);

}  // namespace touchstone::cli
