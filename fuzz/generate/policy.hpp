#pragma once

#include <nlohmann/json.hpp>

#include "fuzz/generate/draw.hpp"
#include "spec/releases/release.hpp"

/// Generates Policy files; for fuzz/generate/configuration.cpp only.
namespace touchstone::fuzz {

/// Generates a Policy that the release reads: predicates, priorities and their arguments. The first
/// alternatives make a Policy that has no entries. Requires: the release reads Policy files
/// (kubernetes::k_last_with_policy).
nlohmann::ordered_json draw_policy(Draw& draw, const Release& release);

/// Generates the points of a function from utilization to score.
nlohmann::ordered_json draw_shape(Draw& draw);

}  // namespace touchstone::fuzz
