#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "spec/vocabulary/cluster.hpp"

/// Kubernetes objects as JSON: the way back from spec/vocabulary/cluster.hpp.
namespace touchstone::kubernetes {

/// A question as spec/protocol.md has it, without `cmd`, `seq` and `release`.
/// Ensures: read_question() gives the question back; members with nothing to say are absent.
nlohmann::ordered_json written(const Question& question);

/// The objects of a question as a List, as kubectl would dump it, the preemptor among them once.
/// Ensures: read_dump() takes it where an API server would take the objects.
nlohmann::ordered_json written_list(const Question& question);

/// A label selector, and the terms of a node selector.
nlohmann::ordered_json written_selector(const LabelSelector& selector);
nlohmann::ordered_json written_terms(const std::vector<NodeSelectorTerm>& terms);

/// An amount in the unit of spec/vocabulary/cluster.hpp as a quantity: cpu is in milli.
std::string written_amount(const std::string& resource, Quantity amount);

/// Nanoseconds since 1970 in RFC 3339, with as many digits of a fraction as it takes.
std::string written_time(Quantity time_ns);

}  // namespace touchstone::kubernetes
