#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace touchstone::kubernetes {

struct Dump;

/// A warning about one or more objects of a dump.
struct Warning {
  std::string code;
  std::size_t count = 0;
  std::string message;  ///< a sentence, with the count if it counts objects
  std::string first;    ///< the first object, such as "Pod default/a"; may be empty
};

/// The number of objects of a dump with some property, and the first of them.
struct Tally {
  std::size_t count = 0;
  std::string first;
};

/// Counts one more object. Stores `object` if it is the first.
void count(Tally& tally, const std::string& object);

/// Counts that are made while objects are read, because a Dump does not store the facts behind them.
struct Tallies {
  Tally duplicates;                               ///< objects that occur twice, equal
  Tally differing;                                ///< objects that occur twice with different contents
  Tally priorities_missing;                       ///< pods that name a class and have no spec.priority
  std::map<std::string, Tally> priority_classes;  ///< pods with a spec.priority, by the class they name
  Tally server_versions;                          ///< versions that differ from the first server's
};

/// Returns the warnings about a dump, sorted by code. Requires: all other fields of the dump are complete.
/// Codes: bound-to-missing-node, claim-missing, differing-objects, duplicate-objects, no-csinodes, no-nodes,
/// no-pdbs, nominated-to-missing-node, priority-class-missing, priority-missing, several-global-defaults,
/// several-server-versions. Clauses: PRE-INPUT-1, PRE-INPUT-2, PRE-INPUT-4, PRE-CLAIM-2, PRE-ATTACH-3.
std::vector<Warning> warnings_of(const Dump& dump, const Tallies& tallies);

}  // namespace touchstone::kubernetes
