#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/decision.hpp"

/// Writes numbers and findings in the words of kubectl and kube-scheduler. Names from the cluster are
/// inserted unchanged: the code that prints them must escape them for a terminal.
namespace touchstone::oracle {

/// "1 node", "2 nodes".
std::string count_of(std::size_t count, const std::string& what);

/// A pod as "default/a (priority 5)".
std::string name_and_priority(const Pod& pod);

/// An amount of a resource, not rounded: cpu as "250m" or "2", bytes with the largest suffix that divides the
/// amount, such as "1536Mi", any other resource as a plain number.
std::string amount_of(const std::string& resource, Quantity amount);

/// A time in nanoseconds since 1970 as "2026-11-21T10:00:00Z". A fraction is added if it is not 0.
std::string time_of(Quantity time_ns);

/// The first `most` names, and the number of the others: "n1, n2 and 3 more".
std::string names_of(const std::vector<std::string>& names, std::size_t most);

/// The missing amount of a resource in a finding of PRE-FIT. Ensures: positive.
Quantity shortage_of(const Finding& finding);

/// Whether a finding reports a shortage that evictions may end: the node has enough of the resource
/// (PRE-FIT-1, PRE-FIT-2).
bool is_shortage(const Finding& finding);

/// A finding on a node, with the amounts: "cpu: 6 requested, 2 free (14 of 16 used), 4 short".
std::string text_of(const Cluster& cluster, NodeIndex node, const Finding& finding);

/// The kind of a finding, without details that differ between nodes: "not enough cpu".
std::string kind_of(const Finding& finding);

}  // namespace touchstone::oracle
