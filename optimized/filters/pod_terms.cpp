#include "optimized/filters/pod_terms.hpp"

#include <algorithm>

namespace touchstone::optimized {

namespace {

bool looks_at(const Term& term, Symbol owner_ns, TermOf whose, Symbol ns, const Query& query) {
  if (std::find(term.namespaces.begin(), term.namespaces.end(), ns) != term.namespaces.end()) return true;
  const std::optional<Selector>& selector = term.namespace_selector;
  if (!query.release.affinity_namespace_selector || !selector)
    return term.namespaces.empty() && owner_ns == ns;
  if (selector->is_empty()) return true;
  const auto found = query.tables.namespaces.find(ns);
  const bool exists = found != query.tables.namespaces.end();
  if (exists && selector->matches(found->second, query.tables.symbols)) return true;
  const bool as_if_without_labels =
      whose == TermOf::preemptor ? query.release.affinity_own_selector_remains : !exists;
  return as_if_without_labels && selector->matches({}, query.tables.symbols);
}

}  // namespace

bool means(const Term& term, Symbol owner_ns, TermOf whose, Symbol ns, LabelSpan labels, const Query& query) {
  return term.selector && term.selector->matches(labels, query.tables.symbols) &&
         looks_at(term, owner_ns, whose, ns, query);
}

}  // namespace touchstone::optimized
