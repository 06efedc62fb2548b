#pragma once

#include <map>
#include <string>
#include <vector>

/// Labels, and what selects by them.
namespace touchstone {

using Labels = std::map<std::string, std::string>;

/// One requirement of a label or node selector. `op` is Kubernetes' word (In, NotIn, Exists, DoesNotExist,
/// Gt, Lt); an unknown word is kept, because a selector that cannot be converted has a meaning of its own.
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
};

}  // namespace touchstone
