#include <algorithm>
#include <iostream>
#include <memory>

#include "cli/input/pod_question.hpp"
#include "cli/commands/commands.hpp"
#include "cli/input/engine_option.hpp"
#include "cli/terminal/help.hpp"
#include "cli/terminal/output.hpp"
#include "cli/terminal/progress.hpp"
#include "cli/terminal/text.hpp"
#include "oracle/compare/divergences.hpp"
#include "oracle/protocol/engines.hpp"
#include "oracle/explain/wording.hpp"
#include "reference/preemption/preempt.hpp"

namespace touchstone::cli {

namespace {

struct DecideOptions {
  Asking asking;
  std::string engine = k_engine_by_work;
};

constexpr std::string_view k_show_all = "--all shows all";

/// Nodes by the reasons that their status gives, most frequent first.
void print_reasons(const Asking& asking, const Cluster& cluster, const std::string& title,
                   const std::map<NodeIndex, Status>& statuses, const Terminal& terminal) {
  std::map<std::string, std::size_t> by_reason;
  for (const auto& [node, status] : statuses) {
    std::string reason;
    for (const std::string& each : status.reasons) reason += (reason.empty() ? "" : ", ") + each;
    // Some releases name the node in the reason (PRE-VICTIM-2); nodes are counted here.
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
            << cut_table(terminal, {}, rows, asking.all ? rows.size() : k_rows_most, k_show_all);
}

void print_candidates(const Asking& asking, const Cluster& cluster, const Decision& decision,
                      const Release& release, const Terminal& terminal) {
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
            << cut_table(terminal, heading(terminal, names), rows, asking.all ? rows.size() : k_rows_most,
                         k_show_all);
}

/// The nodes that the last criterion leaves, by the optimized engine.
void print_tie(const Asking& asking, const Cluster& cluster, const Decision& decision) {
  if (decision.admissible.size() > 1) {
    std::vector<std::string> names;
    for (const std::size_t i : decision.admissible)
      names.push_back(cluster.nodes[decision.candidates[i].node].name);
    std::cout << "\n"
              << oracle::count_of(names.size(), "node") << " tie, any of which may be taken: "
              << printable(oracle::names_of(names, asking.all ? names.size() : k_rows_most)) << "\n";
  }
  std::cout << "\nDecided by the optimized engine; --engine reference tells more, and takes longer\n";
}

/// No answer is given where the engines differ.
void print_engines(const std::vector<oracle::Difference>& differences) {
  for (const oracle::Difference& each : differences)
    print_error({"engines-differ", each.key,
                 "the optimized engine says " + each.given + ", the reference " + each.ours});
}

int run(const DecideOptions& options, const Terminal& terminal) {
  const Asking& asking = options.asking;
  const Result<Asked> read = ask(asking, terminal);
  if (!read) return print_error(read.error()), k_exit_bad_input;
  const Asked& asked = read.value();
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
  std::vector<oracle::Trouble> troubles;
  if (nominated) troubles = oracle::troubles_of(question, release, decision.candidates[decision.chosen]);
  const auto deciding = std::chrono::steady_clock::now() - start;
  bar.erase();

  if (asking.output != "text") {
    oracle::Json json = answer_to(asked, decided);
    if (nominated) json["aftermath"] = oracle::aftermath_json(question, troubles);
    if (nominated && decided.is_whole) json["anyOrder"] = oracle::any_order_of(question.cluster, any_order);
    print_document(asking, json);
  } else {
    print_verdict(asked, decision, terminal);
    for (const oracle::Trouble& trouble : troubles) {
      const std::string text = oracle::text_of(question, decision.candidates[decision.chosen], trouble);
      std::cout << terminal.styled(Style::bad, text) << "\n";
    }
    if (!decided.is_whole) print_tie(asking, question.cluster, decision);
    if (decided.is_whole && !decision.candidates.empty())
      print_candidates(asking, question.cluster, decision, release, terminal);
    if (decision.outcome != Outcome::fits)
      print_reasons(asking, question.cluster, "Why the pod fits no node as it is", decision.filter, terminal);
    print_reasons(asking, question.cluster, "Why preemption does not help on other nodes", decision.dry_run,
                  terminal);
    if (nominated && decided.is_whole) print_any_order(asked, any_order, asking.all, terminal);
  }
  print_stats(asking, asked, deciding);
  return decision.outcome == Outcome::skipped ? k_exit_not_modelled : k_exit_ok;
}

}  // namespace

void add_decide(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand(
      "decide", "Tell which node a pending pod would preempt on, and who would be evicted");
  const auto options = std::make_shared<DecideOptions>();
  add_asking_options(*command, options->asking);
  add_engine_option(*command, options->engine, true);
  describe(
      *command, context.terminal,
      {.description =
           "The answer is that of the release with the lists in the order of the input, and, beside it, what "
           "a live scheduler may do, since a dump does not tell the order of its lists. It says so, too, "
           "where "
           "the evictions do not help: the release evicts, but its filters, asked afresh without the "
           "victims, "
           "still reject the pod (futile), or take it beside one of them (needless).\n\n"
           "Where the reference would take more than about a second, the optimized engine decides: it names "
           "the decision and the nodes that tie with it, and neither the candidates that lose nor why other "
           "nodes do not help, which --engine reference does.\n\n" +
           std::string(k_input_description),
       .examples = {{"A cluster, and a pod of it that waits",
                     "touchstone decide -f examples/training-job.json --pod prod/web-0 --release v1.34"},
                    {"Every answer that a live scheduler may give, for scripts",
                     "touchstone decide -f examples/training-job.json --pod prod/web-0 --output yaml"},
                    {"A pod that is not in the cluster yet",
                     "touchstone decide -f examples/training-job.json --pod-file examples/new-pod.yaml"},
                    {"By both engines, which have to agree",
                     "touchstone decide -f examples/training-job.json --pod prod/web-0 --engine both"}},
       .exit_codes = {k_exit_ok, k_exit_disagreement, k_exit_bad_input, k_exit_not_modelled},
       .see_also = {"touchstone explain", "touchstone releases"}});
  command->callback([options, &context] { context.exit_code = run(*options, context.terminal); });
}

}  // namespace touchstone::cli
