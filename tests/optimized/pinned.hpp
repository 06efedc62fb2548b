#pragma once

#include <string>
#include <vector>

#include "spec/vocabulary/cluster.hpp"

/// Builds node affinity that pins a pod to nodes by their names.
namespace touchstone::tests {

/// A term that holds on a node with all of these names. It contradicts itself if there are two of them.
inline NodeSelectorTerm with_all_names(const std::vector<std::string>& names) {
  NodeSelectorTerm term;
  for (const std::string& name : names) term.match_fields.push_back({"metadata.name", "In", {name}});
  return term;
}

/// Terms that pin a pod to these nodes. Each term names one of them.
inline std::vector<NodeSelectorTerm> on_one_of(const std::vector<std::string>& names) {
  std::vector<NodeSelectorTerm> terms;
  for (const std::string& name : names) terms.push_back(with_all_names({name}));
  return terms;
}

}  // namespace touchstone::tests
