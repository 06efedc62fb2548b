#pragma once

#include "fuzz/campaign/tally.hpp"

/// How much of what small clusters can show at all a campaign has seen.
namespace touchstone::fuzz {

/// The vectors with a question for each path of the reference in small clusters (touchstone prove --paths), a
/// file for each minor release: v1.36.json.
inline constexpr const char* k_paths = "spec/vectors/paths";

/// How many of the behaviours that those vectors show for a release are among these. Ensures: nothing where
/// there are no vectors for it. Errors: those of read_vectors, question-*.
Result<std::optional<PathsSeen>> paths_seen(const BehaviourCounts& behaviours, const Release& release,
                                            const std::filesystem::path& place);

/// Notes in a campaign how many of the behaviours that those vectors show for its release it has seen. They
/// are all that clusters of those shapes can show. Ensures: nothing where there are none for the release, the
/// campaign looked at some of its cases alone, or is in brief. Errors: those of read_vectors, question-*.
std::optional<Error> note_paths(Tally& tally, const std::filesystem::path& place);

}  // namespace touchstone::fuzz
