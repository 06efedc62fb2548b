#pragma once

#include "spec/vocabulary/cluster.hpp"

namespace touchstone::fuzz {

/// The question with other names of nodes, pods, PDBs, claims and volumes. The new names sort in the opposite
/// order. Names of nodes in labels, fields and storage objects change too.
Question with_renamed(const Question& question);

}  // namespace touchstone::fuzz
