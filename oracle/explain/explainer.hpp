#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/explain/explanation.hpp"
#include "oracle/compare/trace_index.hpp"
#include "reference/preemption/cycle.hpp"

/// What explain() is made of: the sections about the whole decision (explanation.cpp), about one node
/// (explain_node.cpp) and about the choice (explain_choice.cpp).
namespace touchstone::oracle {

inline constexpr std::size_t k_lines_most = 12;       ///< of a section, unless all is asked for
inline constexpr std::size_t k_names_most = 4;        ///< of nodes in a row
inline constexpr std::size_t k_nodes_one_by_one = 5;  ///< more than these are grouped
inline constexpr std::size_t k_candidates_told = 3;

/// The rungs of the ladder, as the trace names their values.
struct Rung {
  std::string_view clause;
  std::string_view value;
  std::string criterion;
};

const std::vector<Rung>& ladder();

/// The value at a rung; a start that is missing is later than any.
std::string value_text(const Step& choice, const Rung& rung);

/// The clause that a rejection rests on: that of what no eviction cures, if there is such a thing.
std::string_view deciding_clause(const Step& step);

/// The candidates, in the order in which the release prefers them: first the chosen one.
std::vector<NodeIndex> best_first(const Cluster& cluster, const Release& release, const Decision& decision);

class Explainer {
 public:
  Explainer(const Question& question, const Release& release, const Decision& decision, const Trace& trace,
            const Scope& scope)
      : question_(question),
        cluster_(question.cluster),
        release_(release),
        decision_(decision),
        scope_(scope),
        index_(question.cluster, trace) {}

  std::vector<Section> sections() const;

 private:
  const std::string& name(NodeIndex node) const { return cluster_.nodes[node].name; }
  std::string pod_text(PodIndex pod) const {
    return cluster_.pods[pod].full_name() + " (priority " + std::to_string(cluster_.pods[pod].priority) + ")";
  }
  std::string findings_text(const Step& step) const;
  /// Whether the n-th of a kind of lines is left out.
  bool is_cut_at(std::size_t n) const { return !scope_.all && !scope_.node && n > k_lines_most; }
  const reference::Cycle& cycle() const;
  std::string nothing_to_wait_for(const Step& step) const;

  Section eligibility() const;
  Section as_it_is() const;
  Section beyond_help() const;
  Section search() const;
  Section node(NodeIndex node) const;
  Section choice() const;
  Section outcome() const;
  Section aftermath() const;

  void put_budgets(const NodeTrace& steps, Section& section) const;
  bool order_of_list_matters(const NodeTrace& steps) const;
  void put_reprieves(const NodeTrace& steps, Section& section) const;
  void put_remarks(NodeIndex node, Section& section) const;
  std::set<PodIndex> violating_on_paper(NodeIndex node, const std::set<PodIndex>& violating) const;
  std::set<PodIndex> victims_by_importance(NodeIndex node) const;
  void put_nodes(const std::vector<NodeIndex>& nodes, const Step* NodeTrace::* step, bool with_evictions,
                 Section& section) const;
  Section cut(Section section, const std::string& hint) const;

  const Question& question_;
  const Cluster& cluster_;
  const Release& release_;
  const Decision& decision_;
  const Scope& scope_;
  const TraceIndex index_;
  mutable Trace none_ = Trace::none();
  mutable std::optional<reference::Cycle> cycle_;  ///< made when it is first asked for
};

}  // namespace touchstone::oracle
