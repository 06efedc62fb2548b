#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "spec/vocabulary/cluster.hpp"

/// Writers of Kubernetes objects as JSON: the inverse of the readers (spec/vocabulary/cluster.hpp to JSON).
namespace touchstone::kubernetes {

/// Writes a question in the format of spec/protocol.md, without `cmd`, `seq` and `release`. Leaves out
/// members without a value, except the lists nodes, pods and pdbs.
/// Ensures: read_question() of the result returns the same question.
nlohmann::ordered_json written(const Question& question);

/// Writes the objects of a question as a List, as kubectl would dump them. The preemptor is in the List once.
/// Ensures: read_dump() accepts the List if an API server would accept the objects.
nlohmann::ordered_json written_list(const Question& question);

/// Write a label selector, and the terms of a node selector.
nlohmann::ordered_json written_selector(const LabelSelector& selector);
nlohmann::ordered_json written_terms(const std::vector<NodeSelectorTerm>& terms);

/// Formats an amount as a quantity. The amount is in the unit of spec/vocabulary/cluster.hpp: cpu in milli.
std::string written_amount(const std::string& resource, Quantity amount);

/// Formats nanoseconds since 1970 as an RFC 3339 time, with no more digits of the fraction than needed.
std::string written_time(Quantity time_ns);

}  // namespace touchstone::kubernetes
