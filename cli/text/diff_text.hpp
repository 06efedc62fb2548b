#pragma once

#include <string>
#include <vector>

#include "cli/terminal/terminal.hpp"
#include "fuzz/changes/changes.hpp"
#include "oracle/compare/cluster_difference.hpp"

namespace touchstone::cli {

/// The numbers of issues and pull requests of kubernetes/kubernetes that the evidence of a change names, as
/// addresses.
std::vector<std::string> pull_requests_of(const Change& change);

/// The first part in which the answers of the two releases to a witness differ, in words: "evicts a/b from
/// n1".
std::pair<std::string, std::string> difference_in_words(const fuzz::ChangeWitness& witness,
                                                        const Release& from);

/// The size of a witness: "1 node, 3 pods".
std::string size_of(const fuzz::ChangeWitness& witness);

/// The differences between two releases as text: each behaviour with its clause, its evidence, and the
/// smallest cluster on which the releases decide differently.
std::string text_of(const fuzz::ChangesFound& found, const fuzz::ChangeSearch& search,
                    const Terminal& terminal);
oracle::Json json_of(const fuzz::ChangesFound& found, const fuzz::ChangeSearch& search);

/// The pending pods of a cluster that two releases decide differently, and the pods that only one of them
/// evicts.
std::string text_of(const oracle::ClusterDifference& difference, const std::string& from,
                    const std::string& to, const Terminal& terminal);
oracle::Json json_of(const oracle::ClusterDifference& difference, const std::string& from,
                     const std::string& to);

}  // namespace touchstone::cli
