#pragma once

#include <vector>

#include "spec/releases/release.hpp"

namespace touchstone {

/// The first patch of a change that a whole minor release has, from its patch 0 on.
inline std::vector<FirstPatch> since(int minor) { return {{minor, 0}}; }

/// The first rows of the table, up to those of v1.23.
const std::vector<Change>& changes_through_v1_23();

/// The minor release that exists only as alpha builds. Its patch 0 stands for these builds.
inline constexpr int k_alpha_minor = 38;

}  // namespace touchstone
