#include "cli/text/placement_text.hpp"

#include <algorithm>
#include <iostream>

#include "cli/terminal/output.hpp"
#include "cli/terminal/text.hpp"
#include "cli/text/decision_text.hpp"
#include "oracle/explain/wording.hpp"

namespace touchstone::cli {

namespace {

/// A sentence that ends with its clause.
struct Cited {
  std::string_view text;
  std::string_view clause;
};

std::string cited_text(const Cited& cited, const Terminal& terminal) {
  return std::string(cited.text) + "  " +
         terminal.styled(Style::faint, "[" + std::string(cited.clause) + "]") + "\n";
}

/// The place in Placement::feasible of each node with the highest total.
std::vector<std::size_t> highest(const Placement& placement) {
  const Quantity most = *std::max_element(placement.totals.begin(), placement.totals.end());
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < placement.totals.size(); ++i) {
    if (placement.totals[i] == most) places.push_back(i);
  }
  return places;
}

/// Whether the release may choose the node at this place of Placement::feasible.
bool is_best(const Placement& placement, std::size_t place) {
  return std::find(placement.best.begin(), placement.best.end(), placement.feasible[place]) !=
         placement.best.end();
}

/// How the release chooses among nodes with the same total.
Cited choice_of(HostChoice choice, bool order_is_known) {
  switch (choice) {
    case HostChoice::last_name_in_turn:
      return {
          "The release sorts them by name, the last name first, and takes the next one at each choice. The "
          "input does not contain the counter of choices.",
          "CYC-HOST-1"};
    case HostChoice::in_turn:
      return {
          "The release takes the next one at each choice, in the order in which it finds them. The input "
          "contains neither the counter of choices nor that order.",
          "CYC-HOST-2"};
    case HostChoice::any:
      return {"The release chooses one of them at random.", "CYC-HOST-3"};
    case HostChoice::heap_root:
      break;
  }
  if (order_is_known)
    return {
        "The release builds a heap of the feasible nodes in the order in which it finds them, and takes its "
        "root.",
        "CYC-HOST-4"};
  return {
      "The release builds a heap of the feasible nodes in the order in which it finds them, and takes its "
      "root. --start N gives the order.",
      "CYC-HOST-4"};
}

/// Why the release took the host without comparing totals.
Cited reason_without_scores(const LoadedQuestion& asked, const Placement& placement) {
  const std::string& name = asked.question.cluster.nodes[*placement.host].name;
  if (asked.named.release.nominated_node_first && asked.question.pod.nominated_node_name == name)
    return {"The pod is nominated to this node and fits on it, so the release looks at no other node.",
            "CYC-NOMINATED-1"};
  if (asked.question.start)
    return {"The search found no other node, so the release scores none.", "CYC-ONE-1"};
  return {"The pod fits on no other node, so the release scores none.", "CYC-ONE-1"};
}

/// A scorer with its weight: "TaintToleration x3".
std::string weighted_name(const WeightedScorer& scorer) {
  return std::string(scorer.name) + " x" + std::to_string(scorer.weight);
}

bool is_equal_on_all(const ScoreColumn& column) {
  return std::all_of(column.scores.begin(), column.scores.end(),
                     [&column](Quantity score) { return score == column.scores.front(); });
}

/// The scorers of the release that were not run for this pod.
std::vector<std::string> skipped_scorers(const Release& release, const Placement& placement) {
  std::vector<std::string> names;
  for (const WeightedScorer& scorer : release.scorers) {
    const bool has_run = std::any_of(placement.scores.begin(), placement.scores.end(),
                                     [&](const ScoreColumn& column) { return column.scorer == scorer; });
    if (!has_run) names.push_back(weighted_name(scorer));
  }
  return names;
}

/// Prints the feasible nodes, with the scores that differ between them. Then the equal scores, and the
/// scorers that did not run. With --all, every scorer that ran is a column.
void print_scores(const QuestionOptions& question_options, const LoadedQuestion& asked,
                  const Placement& placement, const Terminal& terminal) {
  const std::size_t nodes = placement.feasible.size();
  std::vector<const ScoreColumn*> columns;
  std::vector<std::string> equal;
  for (const ScoreColumn& column : placement.scores) {
    if (nodes == 1 || question_options.all || !is_equal_on_all(column)) {
      columns.push_back(&column);
    } else {
      equal.push_back(weighted_name(column.scorer) + ": " + std::to_string(column.scores.front()));
    }
  }
  std::vector<std::size_t> order(nodes);
  for (std::size_t i = 0; i < nodes; ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (placement.totals[a] != placement.totals[b]) return placement.totals[a] > placement.totals[b];
    return is_best(placement, a) && !is_best(placement, b);
  });
  Row names = {"  NODE", "TOTAL"};
  for (const ScoreColumn* column : columns) names.push_back(weighted_name(column->scorer));
  if (!placement.extender_scores.empty()) names.emplace_back("extenders");
  std::vector<Row> rows;
  for (const std::size_t i : order) {
    const NodeIndex node = placement.feasible[i];
    rows.push_back(
        {"  " + printable(asked.question.cluster.nodes[node].name), std::to_string(placement.totals[i])});
    for (const ScoreColumn* column : columns) rows.back().push_back(std::to_string(column->scores[i]));
    if (!placement.extender_scores.empty())
      rows.back().push_back(std::to_string(placement.extender_scores[i]));
    const char* mark = placement.best.size() == 1 ? "chosen" : "ties";
    rows.back().push_back(is_best(placement, i) ? mark : "");
  }
  std::cout << "\n"
            << oracle::count_of(nodes, "feasible node")
            << ", highest total first (a column shows scores times the weight of the scorer)\n"
            << cut_table(terminal, heading(terminal, names), rows,
                         question_options.all ? rows.size() : k_rows_most, k_show_all);
  if (!equal.empty()) std::cout << "  equal on all nodes: " << oracle::names_of(equal, equal.size()) << "\n";
  const std::vector<std::string> skipped = skipped_scorers(asked.named.release, placement);
  if (!skipped.empty())
    std::cout << "  nothing to score: " << oracle::names_of(skipped, skipped.size()) << "\n";
}

/// With --start, prints how many nodes the search did not visit.
void print_not_visited(const LoadedQuestion& asked, const Placement& placement) {
  const std::size_t visited = placement.feasible.size() + placement.decision.filter.size();
  const std::size_t all = asked.question.cluster.nodes.size();
  if (!asked.question.start || placement.totals.empty() || visited >= all) return;
  std::cout << "\nThe search began at index " << *asked.question.start << ", and ended before it visited "
            << oracle::count_of(all - visited, "node") << "\n";
}

}  // namespace

void print_host(const QuestionOptions& question_options, const LoadedQuestion& asked,
                const Placement& placement, const Terminal& terminal) {
  const auto name = [&asked](NodeIndex node) { return asked.question.cluster.nodes[node].name; };
  const auto names = [&](const std::vector<std::string>& all) {
    return printable(oracle::names_of(all, question_options.all ? all.size() : k_rows_most));
  };
  std::cout << terminal.styled(Style::good, "scheduled") << ": ";
  if (placement.totals.empty()) {
    std::cout << "node " << printable(name(*placement.host)) << "\n"
              << cited_text(reason_without_scores(asked, placement), terminal);
    return;
  }
  const std::vector<std::size_t> tied = highest(placement);
  const std::string total = std::to_string(placement.totals[tied.front()]);
  if (placement.best.size() == 1) {
    std::cout << "node " << printable(name(*placement.host)) << ", with the highest total, " << total << "\n";
  } else {
    std::vector<std::string> best;
    for (const NodeIndex node : placement.best) best.push_back(name(node));
    std::cout << "one of " << names(best) << ", each with the highest total, " << total << "\n";
  }
  if (tied.size() == 1) return;
  if (placement.best.size() == 1) {
    std::vector<std::string> equal;
    for (const std::size_t place : tied) equal.push_back(name(placement.feasible[place]));
    std::cout << oracle::count_of(equal.size(), "node") << " have this total: " << names(equal) << "\n";
  }
  std::cout << cited_text(choice_of(asked.named.release.host_choice, placement.best.size() == 1), terminal);
}

void print_placement(const QuestionOptions& question_options, const LoadedQuestion& asked,
                     const Placement& placement, const Terminal& terminal) {
  print_question(asked, terminal);
  print_host(question_options, asked, placement, terminal);
  if (!placement.totals.empty()) print_scores(question_options, asked, placement, terminal);
  print_reasons(question_options, asked.question.cluster, "Why the pod does not fit on other nodes",
                placement.decision.filter, terminal);
  print_not_visited(asked, placement);
}

}  // namespace touchstone::cli
