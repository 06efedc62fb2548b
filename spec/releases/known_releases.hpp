#pragma once

#include <vector>

#include "spec/releases/release.hpp"

/// Lists of releases, besides known_releases() and recorded_releases().
namespace touchstone {

/// The newest patches and the recorded ones, oldest first: what a subject says that it answers for.
std::vector<Version> answered_releases();

/// One release of every behaviour, oldest first: of each minor the first patch, and every patch that a row of
/// the table begins with.
std::vector<Version> distinct_releases();

}  // namespace touchstone
