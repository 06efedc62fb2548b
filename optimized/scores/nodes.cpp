#include <algorithm>
#include <set>

#include "optimized/scores/scorer.hpp"
#include "optimized/store/go_numbers.hpp"

/// The scorers of what a node itself states: its labels, its taints, and the controllers that it names.
namespace touchstone::optimized {

namespace {

/// NodeAffinity. SCORE-NODEAFFINITY-1, SCORE-NODEAFFINITY-3.
class PreferredNodes final : public NodeScorer {
 public:
  explicit PreferredNodes(const Query& query) : NodeScorer(query, Scaling::by_largest) {
    for (const auto* terms : {&query.pod.preferred_node_affinity, &query.release.added_preferred_terms}) {
      for (const PreferredNodeTerm& term : *terms) add(term);
    }
  }

  void rate(Nodes nodes, Quantity* raw) const override {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      raw[i] = 0;
      for (const Preference& preference : preferences_) {
        if (query_.holds(preference.term, query_.tables.nodes.facts[nodes[i]]))
          raw[i] = go::sum(raw[i], preference.weight);
      }
    }
  }

 private:
  struct Preference {
    Quantity weight = 0;
    NodeTerm term;
  };

  /// A term that has nothing that the release reads holds nowhere, and is left out.
  void add(const PreferredNodeTerm& stated) {
    NodeSelectorTerm term = stated.preference;
    if (!query_.release.preferred_fields_count) term.match_fields.clear();
    if (term.match_expressions.empty() && term.match_fields.empty()) return;
    preferences_.push_back({stated.weight, node_term_of(term, query_.numbering)});
  }

  std::vector<Preference> preferences_;
};

/// TaintToleration. SCORE-TAINT-1. The nodes with equal taints share a list.
class SoftTaints final : public NodeScorer {
 public:
  explicit SoftTaints(const Query& query) : NodeScorer(query, Scaling::by_largest_reversed) {
    for (const std::vector<TaintWords>& taints : query.tables.taint_lists) {
      untolerated_.push_back(std::count_if(taints.begin(), taints.end(), [&query](const TaintWords& taint) {
        return query.tables.symbols.text(taint.effect) == "PreferNoSchedule" && !query.tolerates(taint);
      }));
    }
  }

  std::optional<Quantity> constant() const override {
    const bool are_all_zero = std::all_of(untolerated_.begin(), untolerated_.end(),
                                          [](Quantity untolerated) { return untolerated == 0; });
    return are_all_zero ? std::optional<Quantity>(0) : std::nullopt;
  }

  void rate(Nodes nodes, Quantity* raw) const override {
    const std::vector<std::uint32_t>& lists = query_.tables.nodes.soft_taints;
    for (std::size_t i = 0; i < nodes.size(); ++i) raw[i] = untolerated_[lists[nodes[i]]];
  }

 private:
  std::vector<Quantity> untolerated_;  ///< by index in Tables::taint_lists
};

/// NodePreferAvoidPods, for a preemptor with a controller that nodes can name. SCORE-AVOID-1.
class AvoidedNodes final : public NodeScorer {
 public:
  explicit AvoidedNodes(const Query& query) : NodeScorer(query, Scaling::none) {
    const auto is_own = [&own = *query.pod.controller](const Controller& avoided) {
      return avoided.kind == own.kind && avoided.uid == own.uid;
    };
    for (const auto& [node, avoided] : query.tables.avoided) {
      if (std::any_of(avoided.begin(), avoided.end(), is_own)) naming_own_.insert(node);
    }
  }

  void rate(Nodes nodes, Quantity* raw) const override {
    for (std::size_t i = 0; i < nodes.size(); ++i)
      raw[i] = naming_own_.contains(nodes[i]) ? 0 : query_.release.highest_score;
  }

 private:
  std::set<NodeIndex> naming_own_;  ///< nodes that name the preemptor's controller
};

}  // namespace

MadeScorer preferred_nodes(const Query& query) {
  const bool has_terms =
      !query.pod.preferred_node_affinity.empty() || !query.release.added_preferred_terms.empty();
  if (has_terms) return std::make_unique<PreferredNodes>(query);
  if (query.release.node_affinity_score_may_be_skipped) return nullptr;  // SCORE-NODEAFFINITY-2
  return equal_scores(query, 0);
}

MadeScorer soft_taints(const Query& query) { return std::make_unique<SoftTaints>(query); }

MadeScorer avoided_nodes(const Query& query) {
  const std::optional<Controller>& own = query.pod.controller;
  const bool can_be_named = own && (own->kind == "ReplicationController" || own->kind == "ReplicaSet");
  if (!can_be_named || query.tables.avoided.empty()) return equal_scores(query, query.release.highest_score);
  return std::make_unique<AvoidedNodes>(query);
}

}  // namespace touchstone::optimized
