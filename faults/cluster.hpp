#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "faults/judge.hpp"
#include "fuzz/shrink/shrink.hpp"

/// The smallest cluster that shows a fault, kept in faults/clusters, one file a fault.
namespace touchstone::fuzz {

struct FaultCluster {
  std::string release;
  Json question;  ///< as spec/protocol.md has it
};

/// Whether a question of JSON is read, and the copy with the fault on decides it otherwise than the
/// reference.
bool shows(const Fault& fault, const Json& question, const Release& release);

using Shrinker = std::function<Shrunk(Json, const StillShows&, std::size_t limit)>;

/// Shrinks the first question that shows the fault: of a campaign, else of a vector. Nothing where neither
/// has any, or where the shrinker lost what it was given. Ensures: shows() the fault.
std::optional<FaultCluster> smallest_cluster(const Fault& fault,
                                             const std::vector<oracle::VectorFile>& vectors,
                                             const std::atomic<bool>& stop,
                                             const Shrinker& shrinker = shrink);

std::filesystem::path cluster_file(const std::filesystem::path& dir, const Fault& fault);

/// Errors: file-unreadable, json-malformed, vector-malformed.
Result<FaultCluster> read_cluster(const std::filesystem::path& file);

/// Errors: file-unwritable.
std::optional<Error> write_cluster(const std::filesystem::path& file, const FaultCluster& cluster);

}  // namespace touchstone::fuzz
