#pragma once

#include <string>
#include <string_view>

#include "kubernetes/text/json.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/result.hpp"

namespace touchstone::kubernetes {

/// Reads the cluster and the pod from a question of the protocol: nodes, pods, pdbs, namespaces, the lists of
/// k_storage_kinds and k_selecting_kinds, pod, offset, quota, start, extenders. Ignores other members.
/// Ensures: lists keep their order; a missing list is empty. No pod is left out: the result includes the
/// preemptor's own entry and the pods that PRE-INPUT-1 and 2 ignore. The engines ignore them.
/// Errors: those of read_node, read_pod, read_pdb, read_namespace, StorageKind::read and read_selecting;
/// missing-field (pod); out-of-range (offset, quota, start); duplicate-object; quantity-overflow if sums of
/// amounts exceed int64 (Totals). Clauses: PRE-INPUT-1, PRE-INPUT-2, PRE-INPUT-3, PRE-INPUT-4.
Result<Question> read_question(const Value& object);

/// Reads a question from JSON text. `name` begins the paths of errors. Errors: also those of Document::parse.
Result<Question> read_question_text(std::string_view json, std::string name);

}  // namespace touchstone::kubernetes
