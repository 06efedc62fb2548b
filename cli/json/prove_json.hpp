#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "oracle/protocol/protocol.hpp"
#include "proofs/paths/paths.hpp"
#include "proofs/prove.hpp"
#include "spec/vocabulary/result.hpp"

/// Theorems, and what came of them, as JSON.
namespace touchstone::cli {

std::string_view kind_of(const proofs::Statement& statement);  ///< "theorem", "exhibit"
std::string_view tier_of(const proofs::Statement& statement);  ///< "quick", "full"
std::string_view result_of(const proofs::Proved& proved);      ///< "proved", "shown", "RED"

oracle::Json json_of(const proofs::Statement& statement);
oracle::Json json_of(const proofs::Proved& proved);
/// What came of scenes, in their order.
oracle::Json json_of(const std::vector<proofs::ScenePaths>& results);

/// What prove -o json has printed, as far as its table needs it. Errors: proofs-malformed, naming the file, also
/// of a theorem that is not there any more.
Result<std::vector<proofs::Proved>> read_proved(const std::string& text, const std::string& file);

}  // namespace touchstone::cli
