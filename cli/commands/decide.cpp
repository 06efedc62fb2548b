#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.hpp"
#include "cli/input/engine_option.hpp"
#include "cli/input/pod_question.hpp"
#include "cli/terminal/help.hpp"
#include "cli/terminal/output.hpp"
#include "cli/terminal/progress.hpp"
#include "cli/terminal/text.hpp"
#include "oracle/compare/divergences.hpp"
#include "oracle/explain/wording.hpp"
#include "oracle/protocol/engines.hpp"
#include "reference/preemption/preempt.hpp"

namespace touchstone::cli {

namespace {

struct DecideOptions {
  QuestionOptions question_options;
  std::string engine = k_engine_by_work;
};

constexpr std::string_view k_show_all = "--all shows all";

/// Prints how many nodes have each reason in their status, the most frequent first.
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

void print_candidates(const QuestionOptions& question_options, const Cluster& cluster,
                      const Decision& decision, const Release& release, const Terminal& terminal) {
  std::vector<std::size_t> order(decision.candidates.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::vector<reference::Rank> rank;
  for (const Candidate& candidate : decision.candidates)
    rank.push_back(reference::rank_of(cluster, candidate, release));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return reference::beats(rank[a], rank[b], release); });
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

/// Prints the differences between the engines. In this case no answer is given.
void print_engines(const std::vector<oracle::Difference>& differences) {
  for (const oracle::Difference& each : differences)
    print_error({"engines-differ", each.key,
                 "the optimized engine says " + each.given + ", the reference " + each.ours});
}

int run(const DecideOptions& options, const Terminal& terminal) {
  const QuestionOptions& question_options = options.question_options;
  const Result<LoadedQuestion> read = ask(question_options, terminal);
  if (!read) return print_error(read.error()), k_exit_bad_input;
  const LoadedQuestion& asked = read.value();
  const Question& question = asked.question;
  const Release& release = asked.named.release;

  const auto start = std::chrono::steady_clock::now();
  const oracle::Engine engine = engine_for(options.engine, question.cluster, {&question.pod});
  ProgressBar bar(terminal);
  bar.show(deciding_by(engine, question.cluster));
  Trace trace = Trace::none();
  const oracle::Decided decided =
      oracle::decide(question, release, engine, oracle::reference_decider(), trace);
  if (!decided.differences.empty())
    return bar.erase(), print_engines(decided.differences), k_exit_disagreement;
  const Decision& decision = decided.decision;
  const bool nominated = decision.outcome == Outcome::nominated;
  AnyOrder any_order;
  if (nominated && decided.is_whole)
    any_order = reference::any_order(question, release, oracle::k_any_order_limit);
  std::vector<oracle::EvictionFinding> findings;
  if (nominated)
    findings = oracle::eviction_findings(question, release, decision.candidates[decision.chosen]);
  const auto deciding = std::chrono::steady_clock::now() - start;
  bar.erase();

  if (question_options.output != "text") {
    oracle::Json json = answer_to(asked, decided);
    if (nominated) json["aftermath"] = oracle::aftermath_json(question, findings);
    if (nominated && decided.is_whole) json["anyOrder"] = oracle::any_order_of(question.cluster, any_order);
    print_document(question_options, json);
  } else {
    print_verdict(asked, decision, terminal);
    for (const oracle::EvictionFinding& eviction : findings) {
      const std::string text = oracle::text_of(question, decision.candidates[decision.chosen], eviction);
      std::cout << terminal.styled(Style::bad, text) << "\n";
    }
    if (!decided.is_whole) print_tie(question_options, question.cluster, decision);
    if (decided.is_whole && !decision.candidates.empty())
      print_candidates(question_options, question.cluster, decision, release, terminal);
    if (decision.outcome != Outcome::fits)
      print_reasons(question_options, question.cluster, "Why the pod fits no node without evictions",
                    decision.filter, terminal);
    print_reasons(question_options, question.cluster, "Why preemption does not help on other nodes",
                  decision.dry_run, terminal);
    if (nominated && decided.is_whole) print_any_order(asked, any_order, question_options.all, terminal);
  }
  print_stats(question_options, asked, deciding);
  return decision.outcome == Outcome::skipped ? k_exit_not_modelled : k_exit_ok;
}

}  // namespace

void add_decide(CLI::App& app, Context& context) {
  CLI::App* command =
      app.add_subcommand("decide", "Show where a pending pod would preempt, and which pods it would evict");
  const auto options = std::make_shared<DecideOptions>();
  add_question_options(*command, options->question_options);
  add_engine_option(*command, options->engine, true);
  describe(*command, context.terminal,
           {.description = "Shows the decision of the release with all lists in the order of the input. A "
                           "dump does not contain the order that a live scheduler uses. So decide also shows "
                           "what a live scheduler may decide. It also reports evictions that do not help. "
                           "After the evictions, the release's own filters still reject the pod (futile), or "
                           "they accept the pod beside one of the victims (needless).\n\n"
                           "If the reference would take more than about a second, the optimized engine "
                           "decides. It shows the decision and the nodes that tie with it. To see the other "
                           "candidates, and the reasons of the other nodes, use --engine reference.\n\n" +
                           std::string(k_input_description),
            .examples = {{"Decide for a pending pod of the cluster",
                          "touchstone decide -f examples/training-job.json --pod prod/web-0 --release v1.34"},
                         {"Show every answer that a live scheduler may give, as YAML",
                          "touchstone decide -f examples/training-job.json --pod prod/web-0 --output yaml"},
                         {"Decide for a pod that is not in the cluster yet",
                          "touchstone decide -f examples/training-job.json --pod-file examples/new-pod.yaml"},
                         {"Decide with both engines; a difference is an error",
                          "touchstone decide -f examples/training-job.json --pod prod/web-0 --engine both"}},
            .exit_codes = {k_exit_ok, k_exit_disagreement, k_exit_bad_input, k_exit_not_modelled},
            .see_also = {"touchstone explain", "touchstone releases"}});
  command->callback([options, &context] { context.exit_code = run(*options, context.terminal); });
}

}  // namespace touchstone::cli
