#include "cli/text/decision_text.hpp"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/terminal/output.hpp"
#include "cli/terminal/text.hpp"
#include "oracle/explain/wording.hpp"
#include "reference/preemption/preempt.hpp"

namespace touchstone::cli {

namespace {

void print_candidates(const QuestionOptions& question_options, const Cluster& cluster,
                      const Decision& decision, const Release& release, const Terminal& terminal) {
  std::vector<std::size_t> order(decision.candidates.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::vector<reference::Rank> rank;
  for (const Candidate& candidate : decision.candidates)
    rank.push_back(reference::rank_of(cluster, candidate, release));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return reference::beats(rank[a], rank[b]); });
  Row names = {"  NODE", "PDB VIOLATIONS", "FIRST PRIORITY", "PRIORITY SUM", "VICTIMS"};
  if (release.choice_by_start_time) names.push_back("EARLIEST START");
  std::vector<Row> rows;
  for (const std::size_t i : order) {
    const bool admissible =
        std::find(decision.admissible.begin(), decision.admissible.end(), i) != decision.admissible.end();
    const char* mark = i == decision.chosen ? "chosen" : admissible ? "ties" : "";
    rows.push_back({"  " + printable(cluster.nodes[decision.candidates[i].node].name),
                    std::to_string(rank[i].pdb_violations), std::to_string(rank[i].first_priority),
                    std::to_string(rank[i].priority_sum), std::to_string(rank[i].victims)});
    const std::optional<Quantity>& start = rank[i].earliest_start;
    if (release.choice_by_start_time) rows.back().push_back(start ? oracle::time_of(*start) : "not started");
    rows.back().push_back(mark);
  }
  std::cout << "\n"
            << oracle::count_of(order.size(), "candidate") << ", best first\n"
            << cut_table(terminal, heading(terminal, names), rows,
                         question_options.all ? rows.size() : k_rows_most, k_show_all);
}

/// Prints the nodes that tie after the last criterion, as the optimized engine found them.
void print_tie(const QuestionOptions& question_options, const Cluster& cluster, const Decision& decision) {
  if (decision.admissible.size() > 1) {
    std::vector<std::string> names;
    for (const std::size_t i : decision.admissible)
      names.push_back(cluster.nodes[decision.candidates[i].node].name);
    std::cout << "\n"
              << oracle::count_of(names.size(), "node") << " tie; the scheduler may choose any of them: "
              << printable(oracle::names_of(names, question_options.all ? names.size() : k_rows_most))
              << "\n";
  }
  std::cout << "\nDecided by the optimized engine; --engine reference shows more, and takes longer\n";
}

}  // namespace

void print_reasons(const QuestionOptions& question_options, const Cluster& cluster, const std::string& title,
                   const std::map<NodeIndex, Status>& statuses, const Terminal& terminal) {
  std::map<std::string, std::size_t> by_reason;
  for (const auto& [node, status] : statuses) {
    std::string reason;
    for (const std::string& each : status.reasons) reason += (reason.empty() ? "" : ", ") + each;
    // Some releases name the node in the reason (PRE-VICTIM-2). Such reasons are counted as one.
    const std::string on_node = "found on node " + cluster.nodes[node].name + " ";
    if (const std::size_t at = reason.find(on_node); at != std::string::npos)
      reason.replace(at, on_node.size(), "found on node <node> ");
    if (status.code == Code::unschedulable_and_unresolvable) reason += " (no eviction can help)";
    ++by_reason[reason];
  }
  std::vector<std::pair<std::size_t, std::string>> sorted;
  for (const auto& [reason, count] : by_reason) sorted.emplace_back(count, reason);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  if (sorted.empty()) return;
  std::vector<Row> rows;
  for (const auto& [count, reason] : sorted)
    rows.push_back({"  " + oracle::count_of(count, "node"), printable(reason)});
  std::cout << "\n"
            << title << "\n"
            << cut_table(terminal, {}, rows, question_options.all ? rows.size() : k_rows_most, k_show_all);
}

DecisionDetails details_of(const LoadedQuestion& asked, const oracle::Decided& decided) {
  const Decision& decision = decided.decision;
  const Release& release = asked.named.release;
  if (decision.outcome != Outcome::nominated) return {};
  DecisionDetails details;
  if (decided.is_whole)
    details.any_order = reference::any_order(asked.question, release, oracle::k_any_order_limit);
  details.evictions =
      oracle::eviction_findings(asked.question, release, decision.candidates[decision.chosen]);
  return details;
}

void add_details(oracle::Json& json, const LoadedQuestion& asked, const oracle::Decided& decided,
                 const DecisionDetails& details) {
  if (decided.decision.outcome != Outcome::nominated) return;
  json["aftermath"] = oracle::aftermath_json(asked.question, details.evictions);
  if (decided.is_whole) json["anyOrder"] = oracle::any_order_of(asked.question.cluster, details.any_order);
}

void print_decision(const QuestionOptions& question_options, const LoadedQuestion& asked,
                    const oracle::Decided& decided, const DecisionDetails& details,
                    const Terminal& terminal) {
  const Question& question = asked.question;
  const Cluster& cluster = question.cluster;
  const Decision& decision = decided.decision;
  print_verdict(asked, decision, terminal);
  for (const oracle::EvictionFinding& eviction : details.evictions) {
    const std::string text = oracle::text_of(question, decision.candidates[decision.chosen], eviction);
    std::cout << terminal.styled(Style::bad, text) << "\n";
  }
  if (!decided.is_whole) print_tie(question_options, cluster, decision);
  if (decided.is_whole && !decision.candidates.empty())
    print_candidates(question_options, cluster, decision, asked.named.release, terminal);
  if (decision.outcome != Outcome::fits)
    print_reasons(question_options, cluster, "Why the pod fits no node without evictions", decision.filter,
                  terminal);
  print_reasons(question_options, cluster, "Why preemption does not help on other nodes", decision.dry_run,
                terminal);
  if (decision.outcome == Outcome::nominated && decided.is_whole)
    print_any_order(asked, details.any_order, question_options.all, terminal);
}

}  // namespace touchstone::cli
