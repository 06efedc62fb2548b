#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "faults/judge.hpp"
#include "fuzz/shrink/shrink.hpp"

/// The smallest cluster that shows a fault, saved in faults/clusters, one file for each fault.
namespace touchstone::faults {

struct FaultCluster {
  std::string release;
  std::string clause;     ///< of the fault
  oracle::Json question;  ///< in the form of spec/protocol.md
};

/// What a saved cluster asks: its question, and the release with the configuration in the question.
struct Asked {
  Question question;
  Release release;
};

/// Errors: those of reading questions and configurations.
Result<Asked> asked(const oracle::Json& question, const Release& release);

/// A question of the campaign on a fault, as JSON, with a configuration if the fault needs one.
oracle::Json campaign_question(const Fault& fault, const fuzz::Scenarios& scenarios, std::uint64_t seed,
                               std::uint64_t number);

/// Whether the JSON is a valid question that the copy with the fault on decides differently from the
/// reference, and whose answer does not conform.
bool shows(const Fault& fault, const oracle::Json& question, const Release& release);

using Shrinker = std::function<fuzz::Shrunk(oracle::Json, const fuzz::StillShows&, std::size_t limit,
                                            const fuzz::GivesUp&)>;

/// Shrinks the first question that shows the fault, from a campaign or else from a vector. If the table says
/// that a campaign does not find the fault soon, vectors come first. Nothing if neither has such a question,
/// or if the shrunk question no longer shows the fault. Ensures: the result shows() the fault.
std::optional<FaultCluster> smallest_cluster(const Fault& fault,
                                             const std::vector<oracle::VectorFile>& vectors,
                                             const std::atomic<bool>& stop,
                                             const Shrinker& shrinker = fuzz::shrink);

std::filesystem::path cluster_file(const std::filesystem::path& dir, const Fault& fault);

/// Reads a file of faults/clusters. Errors: file-unreadable, json-malformed, vector-malformed.
Result<FaultCluster> read_cluster(const std::filesystem::path& file);

/// Writes such a file and creates its directory. Errors: file-unwritable.
std::optional<Error> write_cluster(const std::filesystem::path& file, const FaultCluster& cluster);

}  // namespace touchstone::faults
