#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/compare/trace_index.hpp"
#include "oracle/explain/explanation.hpp"
#include "oracle/explain/wording.hpp"
#include "reference/preemption/cycle.hpp"

/// The parts of explain(): sections about the whole decision (explanation.cpp), about one node
/// (explain_node.cpp) and about the choice (explain_choice.cpp).
namespace touchstone::oracle {

inline constexpr std::size_t k_lines_most = 12;       ///< in a section, unless all are requested
inline constexpr std::size_t k_names_most = 4;        ///< node names in one line
inline constexpr std::size_t k_nodes_one_by_one = 5;  ///< more nodes than this are grouped
inline constexpr std::size_t k_candidates_shown = 3;

/// One criterion of the node choice, with the name of its value in the trace.
struct Criterion {
  std::string_view clause;
  Measure value;
  std::string criterion;
};

const std::vector<Criterion>& node_criteria();

/// The value of a candidate at a criterion. A missing start time counts as later than any other.
std::string value_text(const Step& choice, const Criterion& criterion);

/// The clause that decided a rejection. If a finding cannot be cured by evictions, it is the clause of that
/// finding.
std::string_view deciding_clause(const Step& step);

/// The candidates in the release's order of preference. The chosen one comes first.
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
  std::string pod_text(PodIndex pod) const { return name_and_priority(cluster_.pods[pod]); }
  std::string findings_text(const Step& step) const;
  /// Whether the n-th line of a kind is left out.
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
  mutable std::optional<reference::Cycle> cycle_;  ///< created at its first use
};

}  // namespace touchstone::oracle
