#pragma once

#include <string>
#include <vector>

#include "cli/terminal/terminal.hpp"
#include "proofs/paths/paths.hpp"
#include "proofs/prove.hpp"

/// How theorems, and what came of them, are shown.
namespace touchstone::cli {

/// The table of theorems.
std::string text_of(const std::vector<const proofs::Statement*>& statements, const Terminal& terminal);
/// The table of results, and their sum on the last line.
std::string text_of(const std::vector<proofs::Proved>& results, const Terminal& terminal);
/// What came of scenes, in their order, and the sum of it.
std::string text_of(const std::vector<proofs::ScenePaths>& results, const Terminal& terminal);
/// All that is known of one.
std::string text_of(const proofs::Proved& proved, const Terminal& terminal);

}  // namespace touchstone::cli
