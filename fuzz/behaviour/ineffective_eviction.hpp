#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "fuzz/campaign/tally.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/decision.hpp"

/// Ineffective evictions of the reference (oracle/compare/divergences.hpp), as a campaign counts them.
namespace touchstone::fuzz {

/// The classes of ineffective evictions that a decision shows, each once. The value says whether
/// spec/divergences.md describes the class. Requires: the decision is of this question and release. Ensures:
/// empty unless nominated.
std::map<std::string, bool> ineffective_classes(const Question& question, const Release& release,
                                                const Decision& decision);

/// The smallest question found that shows a class, and its entry for the tally.
struct Witness {
  Json question;
  Found found;
};

/// Shrinks a question that shows a class, with at most `asks` decisions, or until `stop` is set. Requires:
/// the question shows the class.
Witness shrunk_witness(const Json& question, const Release& release, const std::string& class_name,
                       std::size_t asks, const std::atomic<bool>& stop);

/// Writes DIR/in-vain/HASH.json, a vector with the reference's answer. Errors: file-unwritable.
std::optional<Error> write_witness(const std::filesystem::path& dir, const Release& release,
                                   const Witness& witness);

}  // namespace touchstone::fuzz
