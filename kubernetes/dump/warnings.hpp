#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace touchstone::kubernetes {

struct Dump;

/// Something about many objects of a dump that its reader should know.
struct Warning {
  std::string code;
  std::size_t count = 0;
  std::string message;  ///< a sentence, with the count
  std::string first;    ///< the first of them, such as "Pod default/a"
};

/// How many objects of a dump something is true of, and the first of them.
struct Tally {
  std::size_t count = 0;
  std::string first;
};

/// Counts one more object, and keeps the first.
void count(Tally& tally, const std::string& object);

/// What is counted while objects are read, because a Dump does not keep it.
struct Tallies {
  Tally duplicates;                               ///< objects held twice
  Tally differing;                                ///< objects held twice with different contents
  Tally priorities_missing;                       ///< pods that name a class and have no spec.priority
  std::map<std::string, Tally> priority_classes;  ///< pods with a spec.priority, by the class they name
  Tally server_versions;                          ///< texts of another server than the first
};

/// What is to be said of a dump that is complete but for its warnings, by code.
/// Codes: bound-to-missing-node, claim-missing, differing-objects, duplicate-objects, no-csinodes, no-nodes,
/// no-pdbs, nominated-to-missing-node, priority-class-missing, priority-missing, several-global-defaults,
/// several-server-versions. Clauses: PRE-INPUT-1, PRE-INPUT-2, PRE-INPUT-4, PRE-CLAIM-2, PRE-ATTACH-3.
std::vector<Warning> warnings_of(const Dump& dump, const Tallies& tallies);

}  // namespace touchstone::kubernetes
