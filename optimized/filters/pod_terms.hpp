#pragma once

#include "optimized/search/query.hpp"

namespace touchstone::optimized {

/// Who has a term of affinity between pods.
enum class TermOf { preemptor, other_pod };

/// Whether a term of a pod in namespace `owner_ns` matches a pod with these labels in namespace `ns`.
/// Clauses: PRE-AFFINITY-1, SCORE-AFFINITY-2.
bool means(const Term& term, Symbol owner_ns, TermOf whose, Symbol ns, LabelSpan labels, const Query& query);

/// Whether a term of the preemptor matches pods of a class.
inline bool means_class(const Term& term, const PodClass& pods, const Query& query) {
  return means(term, query.ns, TermOf::preemptor, pods.ns, pods.labels, query);
}

}  // namespace touchstone::optimized
