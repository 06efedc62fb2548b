#pragma once

#include <string>
#include <string_view>

#include "kubernetes/text/json.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/result.hpp"

namespace touchstone::kubernetes {

/// Reads the cluster and the pod out of a question of the protocol: nodes, pods, pdbs, pod, offset, quota.
/// Ensures: lists keep their order, and a missing one is empty. No pod is left out, neither the preemptor's
/// own entry nor those that PRE-INPUT-1 and 2 ignore: that is for who decides. Other members are ignored.
/// Errors: those of read_node, read_pod and read_pdb; missing-field (pod); out-of-range (offset, quota);
/// duplicate-object; quantity-overflow where amounts summed over the cluster leave int64.
/// Clauses: PRE-INPUT-1, PRE-INPUT-2, PRE-INPUT-3, PRE-INPUT-4.
Result<Question> read_question(const Value& object);

/// The same out of a text of JSON, whose name errors tell. Errors: those of Document::parse too.
Result<Question> read_question_text(std::string_view json, std::string name);

}  // namespace touchstone::kubernetes
