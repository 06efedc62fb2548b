#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/decision.hpp"

/// Numbers and findings in the words of kubectl and kube-scheduler. Names from the cluster are put in as they
/// are: who prints them takes care of what a terminal would make of them.
namespace touchstone::oracle {

/// "1 node", "2 nodes".
std::string count_of(std::size_t count, const std::string& what);

/// An amount of a resource without rounding: cpu as "250m" or "2", bytes with the largest suffix that divides
/// them, as "1536Mi"; all else as a number.
std::string amount_of(const std::string& resource, Quantity amount);

/// Nanoseconds since 1970 as "2026-11-21T10:00:00Z", with a fraction where there is one.
std::string time_of(Quantity time_ns);

/// The first `most` of several names, and how many more there are: "n1, n2 and 3 more".
std::string names_of(const std::vector<std::string>& names, std::size_t most);

/// The value of that name. Requires: it is there.
Quantity value_of(const Values& values, std::string_view name);

/// How much of a resource is missing, of a finding of PRE-FIT. Ensures: positive.
Quantity shortage_of(const Finding& finding);

/// Whether a finding says that a resource is short on a node that has enough of it (PRE-FIT-1, PRE-FIT-2).
bool is_shortage(const Finding& finding);

/// What was found on a node, with the amounts: "cpu: 6 requested, 2 free (14 of 16 used), 4 short".
std::string text_of(const Cluster& cluster, NodeIndex node, const Finding& finding);

/// What was found, without what differs from node to node: "not enough cpu".
std::string kind_of(const Finding& finding);

}  // namespace touchstone::oracle
