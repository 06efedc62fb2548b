#pragma once

#include "fuzz/campaign/tally.hpp"

/// The number of behaviours that a campaign has seen, out of those that small clusters can show.
namespace touchstone::fuzz {

/// The directory of the path vectors: a question for each path of the reference in small clusters
/// (touchstone prove --paths). There is a file for each minor release: v1.36.json.
inline constexpr const char* k_paths = "spec/vectors/paths";

/// Compares `behaviours` with those that the path vectors in `place` show for a release. Ensures: nothing if
/// there are no vectors for the release. Errors: those of read_run_vectors, question-*.
Result<std::optional<PathsSeen>> paths_seen(const BehaviourCounts& behaviours, const Release& release,
                                            const std::filesystem::path& place);

/// Records in `tally` how many behaviours of the path vectors for its release the campaign has seen.
/// Clusters of the shapes in these vectors can show no other behaviour. Ensures: `tally` is unchanged if
/// there are no vectors for the release, if the campaign classified only some of its cases, or if it is in
/// brief. Errors: those of read_run_vectors, question-*.
std::optional<Error> note_paths(Tally& tally, const std::filesystem::path& place);

}  // namespace touchstone::fuzz
