#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "fuzz/campaign/tally.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/decision.hpp"
#include "spec/releases/release.hpp"

/// Evictions of the reference that do not help (oracle/compare/divergences.hpp), as a campaign counts them.
namespace touchstone::fuzz {

/// What classes a decision shows, each once, and whether somebody has described it. Requires: the decision is
/// of this question and release. Ensures: empty unless nominated.
std::map<std::string, bool> in_vain_classes(const Question& question, const Release& release,
                                            const Decision& decision);

/// The smallest question that shows a class, and what of it is kept in the tally.
struct Witness {
  Json question;
  Found found;
};

/// Shrinks a question that shows a class with at most `asks` decisions, until `stop`. Requires: it shows it.
Witness shrunk_witness(const Json& question, const Release& release, const std::string& class_name,
                       std::size_t asks, const std::atomic<bool>& stop);

/// Writes DIR/in-vain/HASH.json, a vector with the reference's answer. Errors: file-unwritable.
std::optional<Error> write_witness(const std::filesystem::path& dir, const Release& release,
                                   const Witness& witness);

}  // namespace touchstone::fuzz
