#pragma once

#include "cli/input/pod_question.hpp"
#include "spec/vocabulary/placement.hpp"

/// The node of a pod that is scheduled, as text.
namespace touchstone::cli {

/// Prints the node, or the nodes that the release may choose, and why. Requires: the pod is scheduled.
void print_host(const QuestionOptions& question_options, const LoadedQuestion& asked,
                const Placement& placement, const Terminal& terminal);

/// Prints the node, or the nodes that tie and how the release chooses among them; the totals and scores of
/// the feasible nodes; and why the pod does not fit on other nodes. Requires: the pod is scheduled.
void print_placement(const QuestionOptions& question_options, const LoadedQuestion& asked,
                     const Placement& placement, const Terminal& terminal);

}  // namespace touchstone::cli
