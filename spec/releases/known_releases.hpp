#pragma once

#include <vector>

#include "spec/releases/release.hpp"

/// More lists of releases; release.hpp has known_releases() and recorded_releases().
namespace touchstone {

/// The releases that a subject lists in its answer to `hello`: the newest known patch of each minor release,
/// and the recorded releases. Oldest first.
std::vector<Version> answered_releases();

/// At least one release for each behaviour: the first patch of each minor release, and every patch at which a
/// row of the table begins that a single decision can depend on. Oldest first.
std::vector<Version> distinct_releases();

}  // namespace touchstone
