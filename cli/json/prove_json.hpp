#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "oracle/protocol/protocol.hpp"
#include "proofs/paths/paths.hpp"
#include "proofs/prove.hpp"
#include "spec/vocabulary/result.hpp"

/// Theorems and their results as JSON.
namespace touchstone::cli {

std::string_view kind_of(const proofs::Statement& statement);  ///< "theorem", "exhibit"
std::string_view tier_of(const proofs::Statement& statement);  ///< "quick", "full"
std::string_view result_of(const proofs::Proved& proved);      ///< "proved", "shown", "RED"

oracle::Json json_of(const proofs::Statement& statement);
oracle::Json json_of(const proofs::Proved& proved);
/// The results of scenes, in the order of scenes().
oracle::Json json_of(const std::vector<proofs::ScenePaths>& results);

/// Reads what `prove -o json` printed, except what its table does not need. Errors: proofs-malformed, with
/// the name of the file, also for a theorem that no longer exists.
Result<std::vector<proofs::Proved>> read_proved(const std::string& text, const std::string& file);

}  // namespace touchstone::cli
