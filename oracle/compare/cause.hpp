#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/compare/comparison.hpp"
#include "oracle/compare/trace_index.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/decision.hpp"

/// Finds the step of the reference's decision at which an answer differs.
namespace touchstone::oracle {

/// The decision of a release. In a tie, it takes the node that the answer chose, if that node is in the tie.
Decision decide_as(const Question& question, const Release& release, const Json& given);

/// The reference's decision on one question, with its trace. In a tie, it takes the node that the answer
/// chose, if that node is in the tie. Requires: question and release outlive this object.
class TracedDecision {
 public:
  TracedDecision(const Question& question, const Release& release, const Json& given);

  const Decision& decision() const { return decision_; }

  /// The decision as an answer of spec/protocol.md.
  const Json& answer() const { return answer_; }

  /// The clause of the step at which the given answer differs, found from its first difference. Requires: the
  /// outcome is not skipped.
  std::string clause_of(const Difference& first, const Json& given) const;

 private:
  std::optional<NodeIndex> index_of(const std::string& name) const;
  std::string clause_of_wrong_victim(NodeIndex node, const std::vector<std::string>& victims) const;
  std::string clause_of_any_wrong_victim(const Json& given) const;
  std::string last_outcome() const;
  std::string clause_of_filter(NodeIndex node, const Json& theirs) const;
  std::string clause_of_feasible(const Json& theirs) const;
  std::string clause_of_outcome(const Json& given) const;
  std::string clause_of_error() const;
  std::string clause_of_any_node() const;
  std::string clause_of_eligibility(const Json& given) const;
  std::string clause_of_node(NodeIndex node, const Json& given) const;
  std::string clause_of_dry_run(NodeIndex node, const Json& given, const Json& status) const;
  std::string clause_of_search(NodeIndex node) const;
  std::string clause_of_victims(NodeIndex node, const std::vector<std::string>& victims,
                                const Json& given) const;
  std::string clause_of_staying(const NodeTrace& steps, const Step& victim, bool has_filter) const;
  std::string clause_of_importance(const Pod& a, const Pod& b) const;
  std::string clause_of_order(NodeIndex node, const std::vector<std::string>& given) const;
  std::string clause_of_count(NodeIndex node, Quantity given) const;
  std::string clause_of_choice(NodeIndex node) const;
  std::string clause_of_message(const Json& message) const;

  const Question& question_;
  const Release& release_;
  Trace trace_ = Trace::full();
  Decision decision_;
  Json answer_;
  TraceIndex index_;
};

}  // namespace touchstone::oracle
