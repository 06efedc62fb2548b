#include "oracle/explain/explain_placement.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "oracle/explain/explainer.hpp"
#include "oracle/explain/placement_changes.hpp"
#include "oracle/explain/score_text.hpp"
#include "oracle/explain/wording.hpp"

namespace touchstone::oracle {

namespace {

constexpr std::size_t k_tied_shown = 2;

class PlacementExplainer {
 public:
  PlacementExplainer(const Question& question, const Release& release, const Placement& placement,
                     const Trace& trace, const Scope& scope)
      : question_(question),
        release_(release),
        placement_(placement),
        scope_(scope),
        index_(question.cluster, trace),
        columns_(placement.scores) {
    if (!placement.extender_scores.empty())
      columns_.push_back({{Scorer::end, "extenders", 1}, placement.extender_scores});
    if (!placement.totals.empty()) sort_places();
  }

  std::vector<Section> sections() const {
    std::vector<Section> sections = {host()};
    if (!placement_.totals.empty()) {
      sections.push_back(deciding_scorers());
      sections.push_back(scores());
    }
    sections.push_back(changes());
    std::erase_if(sections, [](const Section& section) { return section.lines.empty(); });
    return sections;
  }

 private:
  const std::string& name(std::size_t place) const {
    return question_.cluster.nodes[placement_.feasible[place]].name;
  }
  std::string names(const std::vector<std::size_t>& places) const {
    std::vector<std::string> all;
    for (const std::size_t place : places) all.push_back(name(place));
    return names_of(all, scope_.all ? all.size() : k_names_most);
  }
  std::string total(std::size_t place) const { return std::to_string(placement_.totals[place]); }

  /// Sorts the feasible nodes: the host, those that tie with it, and the others, the highest total first.
  void sort_places() {
    const Quantity highest = *std::max_element(placement_.totals.begin(), placement_.totals.end());
    for (std::size_t i = 0; i < placement_.feasible.size(); ++i) {
      if (placement_.feasible[i] == *placement_.host)
        best_.insert(best_.begin(), i);
      else if (placement_.totals[i] == highest)
        best_.push_back(i);
      else
        others_.push_back(i);
    }
    std::stable_sort(others_.begin(), others_.end(), [this](std::size_t a, std::size_t b) {
      return placement_.totals[a] > placement_.totals[b];
    });
  }

  /// Which node is the host, and by what.
  Section host() const {
    Section section{"Why does the pod go to this node?", {}};
    const std::string_view clause = index_.host->clause;
    const std::string& host = question_.cluster.nodes[*placement_.host].name;
    if (placement_.totals.empty()) {
      section.title = "Why is no node scored?";
      const bool is_nominated = clause == "CYC-NOMINATED-1";
      section.lines.push_back({{is_nominated ? "the pod is nominated to " + host +
                                                   " and fits there; the scheduler looks at no other node"
                                             : host + " is the only feasible node that the search found"},
                               clause,
                               Tone::good});
      return section;
    }
    if (best_.size() == 1) {
      std::string text = host + " has the highest total, " + total(best_[0]);
      if (!others_.empty())
        text += "; the next is " + name(others_[0]) + " with " + total(others_[0]) + ", " +
                std::to_string(placement_.totals[best_[0]] - placement_.totals[others_[0]]) + " less";
      section.lines.push_back({{text}, "CYC-TOTAL-1", Tone::good});
      return section;
    }
    section.lines.push_back({{count_of(best_.size(), "node") + " have the highest total, " + total(best_[0]) +
                              ": " + names(best_)},
                             "CYC-TOTAL-1",
                             Tone::good});
    section.lines.push_back({{choice_among_ties(host)}, clause});
    return section;
  }

  std::string choice_among_ties(const std::string& host) const {
    switch (release_.host_choice) {
      case HostChoice::last_name_in_turn:
        return "the scheduler takes them in turn, sorted by name, the last name first";
      case HostChoice::in_turn:
        return "the scheduler takes them in turn, in the order in which the search finds them";
      case HostChoice::any:
        return "the scheduler takes one of them at random";
      case HostChoice::heap_root:
        break;
    }
    return placement_.best.size() == 1
               ? "the scheduler takes " + host + ": the root of a heap, built in the order of the search"
               : "the scheduler takes the root of a heap, built in the order of the search, which is not "
                 "known";
  }

  /// The nodes that may be the host if one scorer did not run, if the host is not one of them.
  std::vector<std::size_t> best_without(const ScoreColumn& column) const {
    std::vector<std::size_t> best;
    Quantity highest = std::numeric_limits<Quantity>::min();
    for (std::size_t i = 0; i < placement_.feasible.size(); ++i) {
      const Quantity rest = placement_.totals[i] - column.scores[i];
      if (rest > highest) best.clear();
      if (rest >= highest) best.push_back(i), highest = rest;
    }
    return std::find(best.begin(), best.end(), best_[0]) == best.end() ? best : std::vector<std::size_t>();
  }

  /// The place of the node with which the host is compared; that of the host if there is none.
  std::size_t rival_place() const {
    if (scope_.node) return place_of(*scope_.node);
    if (!others_.empty()) return others_[0];
    return best_.size() > 1 ? best_[1] : best_[0];
  }

  /// Whether differences of scores cannot overflow. Only the broken zones of v1.8 are beyond that.
  bool is_plain() const {
    constexpr Quantity k_most = std::numeric_limits<std::int32_t>::max();
    return std::all_of(placement_.totals.begin(), placement_.totals.end(),
                       [](Quantity total) { return -k_most <= total && total <= k_most; });
  }

  /// Compares the host with the best other node: which scorers differ, and which of them decide.
  Section deciding_scorers() const {
    Section section{"Which scorers decide?", {}};
    const std::size_t rival = rival_place();
    if (!is_plain() || rival == best_[0]) return section;
    std::vector<const ScoreColumn*> columns;
    for (const ScoreColumn& column : columns_) {
      if (column.scores[best_[0]] != column.scores[rival]) columns.push_back(&column);
    }
    const auto lead = [&](const ScoreColumn* column) {
      return column->scores[best_[0]] - column->scores[rival];
    };
    std::stable_sort(columns.begin(), columns.end(),
                     [&](const auto* a, const auto* b) { return lead(a) > lead(b); });
    if (!columns.empty()) section.lines.push_back({{"SCORER", name(best_[0]), name(rival), "LEAD"}});
    for (const ScoreColumn* column : columns) {
      const Quantity points = lead(column);
      section.lines.push_back(
          {{weighted_name(column->scorer), std::to_string(column->scores[best_[0]]),
            std::to_string(column->scores[rival]), (points > 0 ? "+" : "") + std::to_string(points)},
           clause_of_column(*column)});
    }
    bool some_decides = false;
    for (const ScoreColumn* column : columns) {
      const std::vector<std::size_t> best = best_without(*column);
      if (best.empty()) continue;
      some_decides = true;
      section.lines.push_back({{std::string(column->scorer.name) + " decides: without it, " +
                                (best.size() == 1 ? name(best[0]) + " would have the highest total"
                                                  : names(best) + " would tie")},
                               "SCORE-SET-1",
                               Tone::good});
    }
    if (!some_decides && best_.size() == 1)
      section.lines.push_back({{"no single scorer decides: without any one of them, " + name(best_[0]) +
                                " still has the highest total"},
                               "SCORE-SET-1"});
    return section;
  }

  std::size_t place_of(NodeIndex node) const {
    const auto& feasible = placement_.feasible;
    const auto found = std::find(feasible.begin(), feasible.end(), node);
    return found == feasible.end() ? best_[0] : static_cast<std::size_t>(found - feasible.begin());
  }

  std::string_view clause_of_column(const ScoreColumn& column) const {
    const bool is_of_extenders = column.scorer.scorer == Scorer::end;
    return is_of_extenders ? "EXT-SCORE-1" : clause_of(column.scorer.scorer, release_);
  }

  static std::string weighted_name(const WeightedScorer& scorer) {
    if (scorer.scorer == Scorer::end) return scorer.name;
    return std::string(scorer.name) + " x" + std::to_string(scorer.weight);
  }

  /// The places of the nodes whose scores are shown.
  std::vector<std::size_t> shown_places() const {
    std::vector<std::size_t> places = best_;
    if (scope_.all) {
      places.insert(places.end(), others_.begin(), others_.end());
      return places;
    }
    if (scope_.node) {
      places.resize(1);
      if (place_of(*scope_.node) != best_[0]) places.push_back(place_of(*scope_.node));
      return places;
    }
    places.resize(std::min(places.size(), k_tied_shown));
    if (!others_.empty()) places.push_back(others_[0]);
    return places;
  }

  /// The score of a node by a scorer, and how it comes about; nothing if the scorer is skipped.
  std::optional<std::pair<std::string, std::string>> reason(const WeightedScorer& scorer,
                                                            std::size_t place) const {
    for (const ScoreTrace& each : index_.nodes[placement_.feasible[place]].scores) {
      if (each.score->what != scorer.name) continue;
      return std::pair(std::to_string(value_of(each.score->values, Measure::weighted)),
                       parts_text(scorer.scorer, each.parts));
    }
    return std::nullopt;
  }

  /// How the scores come about: for each scorer a line for each shown node. Nodes with the same line share
  /// it.
  Section scores() const {
    const std::vector<std::size_t> places = shown_places();
    Section section{"How do the scores come about?", {{{"SCORER", "NODE", "SCORE", "WHY"}}}};
    for (const WeightedScorer& scorer : release_.scorers) {
      const std::string_view clause = clause_of(scorer.scorer, release_);
      std::vector<std::pair<std::string, std::string>> reasons;
      std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> with;
      for (const std::size_t place : places) {
        const auto found = reason(scorer, place);
        if (!found) continue;
        if (!with.contains(*found)) reasons.push_back(*found);
        with[*found].push_back(place);
      }
      if (reasons.empty()) {
        const SkippedScorer skipped = why_skipped(scorer.scorer);
        section.lines.push_back(
            {{weighted_name(scorer), "", "none", "skipped: " + std::string(skipped.why)}, skipped.clause});
      }
      for (const auto& each : reasons) {
        const bool is_all = with[each].size() == places.size() && places.size() > 1;
        section.lines.push_back(
            {{weighted_name(scorer), is_all ? "each" : names(with[each]), each.first, each.second}, clause});
      }
    }
    for (const std::size_t place : placement_.extender_scores.empty() ? std::vector<std::size_t>() : places) {
      section.lines.push_back({{"extenders", name(place), std::to_string(placement_.extender_scores[place]),
                                "scores of extenders, times their weights"},
                               "EXT-SCORE-1"});
    }
    if (places.size() < placement_.feasible.size())
      section.more = std::to_string(places.size()) + " of " +
                     count_of(placement_.feasible.size(), "feasible node") +
                     "; --node NAME shows another one, --all shows every one";
    return section;
  }

  Section changes() const {
    Section section{"What would move the pod to another node?", {}};
    if (!placement_.unknown_nodes.empty()) return section;
    const PlacementChanges changes = placement_changes(question_, release_, placement_);
    for (const WhatIf& change : changes.found) section.lines.push_back({{change.text}, change.clause});
    if (changes.tried == 0) return section;
    if (section.lines.empty())
      section.lines.push_back({{"none of the changes that were tried"}, index_.host->clause});
    section.more = "tried: " + count_of(changes.tried, "change") +
                   " of one weight, node, pod or term, each with a new scheduling cycle" +
                   (changes.is_cut ? "; more would take too long" : "");
    return section;
  }

  const Question& question_;
  const Release& release_;
  const Placement& placement_;
  const Scope& scope_;
  const TraceIndex index_;
  std::vector<ScoreColumn> columns_;  ///< those of scorers, and that of all extenders together
  std::vector<std::size_t> best_;     ///< places of the nodes with the highest total, the host first
  std::vector<std::size_t> others_;   ///< places of the other feasible nodes
};

}  // namespace

std::vector<Section> explain_placement(const Question& question, const Release& release,
                                       const Placement& placement, const Trace& trace, const Scope& scope) {
  return PlacementExplainer(question, release, placement, trace, scope).sections();
}

}  // namespace touchstone::oracle
