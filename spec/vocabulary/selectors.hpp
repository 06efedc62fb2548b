#pragma once

#include <map>
#include <string>
#include <vector>

/// Labels, and the selectors that match them.
namespace touchstone {

using Labels = std::map<std::string, std::string>;

/// One requirement of a label selector or a node selector. `op` is the operator as Kubernetes spells it: In,
/// NotIn, Exists, DoesNotExist, Gt or Lt. An unknown operator is kept, because an invalid selector has a
/// defined meaning: it matches nothing.
struct Requirement {
  std::string key;
  std::string op;
  std::vector<std::string> values;

  bool operator==(const Requirement&) const = default;
};

struct LabelSelector {
  Labels match_labels;
  std::vector<Requirement> match_expressions;

  bool operator==(const LabelSelector&) const = default;
};

struct NodeSelectorTerm {
  std::vector<Requirement> match_expressions;
  std::vector<Requirement> match_fields;

  bool operator==(const NodeSelectorTerm&) const = default;
};

}  // namespace touchstone
