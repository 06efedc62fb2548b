#include "reference/filters/pod_terms.hpp"

#include <algorithm>

#include "reference/filters/labels.hpp"

namespace touchstone::reference {

namespace {

/// PRE-AFFINITY-1: whether a term of `owner` looks at a namespace. If the namespace does not exist, another
/// pod's term treats it as a namespace without labels, and the preemptor's own term does not look at it. In
/// releases with affinity_own_selector_remains, the preemptor's term also looks at every namespace if its
/// namespaceSelector matches an object without labels.
bool looks_at(const PodAffinityTerm& term, const Pod& owner, const std::string& ns, const Cycle& cycle) {
  if (std::find(term.namespaces.begin(), term.namespaces.end(), ns) != term.namespaces.end()) return true;
  if (!cycle.release.affinity_namespace_selector || !term.namespace_selector)
    return term.namespaces.empty() && owner.ns == ns;
  if (is_empty(*term.namespace_selector)) return true;
  const auto found = cycle.cluster.namespaces.find(ns);
  const bool exists = found != cycle.cluster.namespaces.end();
  if (exists && matches(*term.namespace_selector, found->second)) return true;
  const bool is_own = &owner == &cycle.pod;
  const bool as_if_without_labels = is_own ? cycle.release.affinity_own_selector_remains : !exists;
  return as_if_without_labels && matches(*term.namespace_selector, {});
}

}  // namespace

bool means(const PodAffinityTerm& term, const Pod& owner, const Pod& other, const Cycle& cycle) {
  return term.label_selector && matches(*term.label_selector, other.labels) &&
         looks_at(term, owner, other.ns, cycle);
}

}  // namespace touchstone::reference
