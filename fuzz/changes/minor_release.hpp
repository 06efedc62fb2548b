#pragma once

#include <string>
#include <vector>

#include "fuzz/changes/changes.hpp"

/// What changed in a minor release, and the vectors that show it.
namespace touchstone::fuzz {

/// Two releases, and rows of the release table that exactly one of them has.
struct ReleaseStep {
  Release from;
  Release to;
  std::vector<ChangedBehaviour> behaviours;
};

/// The steps of a minor release. The first one is from the newest patch of the minor release before it to its
/// own newest patch. The others are from patch to patch, with the rows that the steps before do not have.
/// Requires: a known minor release that is not the oldest one.
std::vector<ReleaseStep> steps_of(int minor);

/// The name of the vector case that shows a change: "PRE-VICTIM-7-victims-sorted-again-yes".
std::string case_name_of(const Change& change);

/// A vector file with the witnesses that are questions of a command, each with the answers of both releases.
/// Null if there is none.
Json vectors_of(const std::vector<ReleaseStep>& steps, oracle::Command command);

/// Gives each behaviour the case with its name as witness, if the case shows the change.
void take_witnesses(std::vector<ReleaseStep>& steps, const oracle::VectorFile& file);

}  // namespace touchstone::fuzz
