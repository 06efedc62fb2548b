#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cli/input/pod_question.hpp"
#include "oracle/compare/divergences.hpp"
#include "oracle/protocol/engines.hpp"

/// A decision as `decide` and `schedule` show it.
namespace touchstone::cli {

/// The hint below a list that is cut.
inline constexpr std::string_view k_show_all = "--all shows all";

/// What is shown beside a decision that nominates the pod. Empty for other outcomes.
struct DecisionDetails {
  AnyOrder any_order;                              ///< if the decision is whole
  std::vector<oracle::EvictionFinding> evictions;  ///< evictions that do not help
};

DecisionDetails details_of(const LoadedQuestion& asked, const oracle::Decided& decided);

/// Adds the details to the answer: `aftermath` and `anyOrder`.
void add_details(oracle::Json& json, const LoadedQuestion& asked, const oracle::Decided& decided,
                 const DecisionDetails& details);

/// Prints a decision as text: the verdict, evictions that do not help, the candidates, the reasons of the
/// other nodes, and what a live scheduler may decide.
void print_decision(const QuestionOptions& question_options, const LoadedQuestion& asked,
                    const oracle::Decided& decided, const DecisionDetails& details, const Terminal& terminal);

/// Prints how many nodes have each reason in their status, the most frequent first. Prints nothing if there
/// are no statuses.
void print_reasons(const QuestionOptions& question_options, const Cluster& cluster, const std::string& title,
                   const std::map<NodeIndex, Status>& statuses, const Terminal& terminal);

}  // namespace touchstone::cli
