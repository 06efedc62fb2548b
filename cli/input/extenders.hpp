#pragma once

#include <functional>
#include <optional>

#include "cli/input/pod_question.hpp"
#include "spec/vocabulary/placement.hpp"

namespace touchstone::cli {

/// Runs `decide` with the extenders of the configuration, and asks them over HTTP for each answer that it
/// needs. `decide` returns the call that it needs; nothing if it needs none. Adds a note for each call that
/// fails. Ensures: the last run of `decide` has the answers of all extenders.
void ask_extenders(LoadedQuestion& asked,
                   const std::function<std::optional<ExtenderCall>(const Question&)>& decide);

/// Adds the nodes that extenders alone know to the cluster, without objects, so that they can be shown.
void show_unknown_nodes(const Placement& placement, LoadedQuestion& asked);

}  // namespace touchstone::cli
