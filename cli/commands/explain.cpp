#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.hpp"
#include "cli/html/cases.hpp"
#include "cli/input/engine_option.hpp"
#include "cli/input/extenders.hpp"
#include "cli/input/pod_question.hpp"
#include "cli/terminal/help.hpp"
#include "cli/terminal/output.hpp"
#include "cli/terminal/progress.hpp"
#include "cli/terminal/text.hpp"
#include "cli/text/caveats.hpp"
#include "cli/text/placement_text.hpp"
#include "oracle/compare/divergences.hpp"
#include "oracle/explain/explain_placement.hpp"
#include "oracle/explain/explanation.hpp"
#include "oracle/explain/shown_decision.hpp"
#include "oracle/protocol/placement_answer.hpp"
#include "oracle/work.hpp"
#include "reference/cycle/schedule.hpp"

namespace touchstone::cli {

namespace {

struct ExplainOptions {
  QuestionOptions question_options;
  std::string node;
};

/// Prints lines. Consecutive lines with several cells are one table.
void print_lines(const std::vector<oracle::Line>& lines, const Terminal& terminal) {
  for (auto first = lines.begin(); first != lines.end();) {
    const auto is_table = [](const oracle::Line& line) { return line.cells.size() > 1; };
    const auto last = is_table(*first) ? std::find_if_not(first, lines.end(), is_table) : first + 1;
    std::vector<Row> rows;
    for (auto line = first; line != last; ++line) {
      Row row;
      for (const std::string& cell : line->cells) {
        const std::string indent = row.empty() ? "  " : "";
        if (line->clause.empty()) {
          row.push_back(indent + terminal.styled(Style::strong, cell));
        } else if (line->tone == oracle::Tone::plain) {
          row.push_back(indent + printable(cell));
        } else {
          const Style style = line->tone == oracle::Tone::good ? Style::good : Style::bad;
          row.push_back(indent + terminal.styled(style, cell));
        }
      }
      if (!line->clause.empty())
        row.back() += "  " + terminal.styled(Style::faint, "[" + std::string(line->clause) + "]");
      rows.push_back(std::move(row));
    }
    std::cout << table(terminal, rows);
    first = last;
  }
}

/// Schedules the pod, and adds the sections about its node. Returns the placement; without a host if a score
/// is not modelled or errs, which a section then says. `trace` becomes that of the whole cycle.
Placement explain_placement(LoadedQuestion& asked, const oracle::Scope& scope, Trace& trace,
                            std::vector<oracle::Section>& sections) {
  trace = Trace::full();
  const Release& release = asked.named.release;
  Placement placement = reference::schedule(asked.question, release, trace);
  if (!placement.host) {
    const bool errs = placement.decision.outcome == Outcome::error;
    sections.push_back({"Why does the pod go to no node?",
                        {{{(errs ? "a score errs: " : "not modelled: ") + placement.decision.reason},
                          errs ? "CYC-PROFILE-1" : "SCORE-SET-1",
                          oracle::Tone::bad}}});
    return placement;
  }
  show_unknown_nodes(placement, asked);
  for (oracle::Section& section : oracle::explain_placement(asked.question, release, placement, trace, scope))
    sections.push_back(std::move(section));
  return placement;
}

int run(const ExplainOptions& options, const Terminal& terminal) {
  const QuestionOptions& question_options = options.question_options;
  Result<LoadedQuestion> read = ask(question_options, terminal);
  if (!read) return print_error(read.error()), k_exit_bad_input;
  LoadedQuestion asked = std::move(read).value();
  const Cluster& cluster = asked.question.cluster;
  const Release& release = asked.named.release;

  for (std::string& remark : remarks_of(asked.question, release)) asked.notes.push_back(std::move(remark));

  oracle::Scope scope{question_options.all, {}};
  if (!options.node.empty()) {
    const auto found = std::find_if(cluster.nodes.begin(), cluster.nodes.end(),
                                    [&](const Node& node) { return node.name == options.node; });
    if (found == cluster.nodes.end())
      return print_error({"unknown-node", "--node", "no node " + options.node + " in the cluster"}),
             k_exit_bad_input;
    scope.node = static_cast<NodeIndex>(found - cluster.nodes.begin());
  }

  ask_extenders(asked, [&asked](const Question& each) {
    return reference::schedule(each, asked.named.release).decision.unanswered;
  });

  const auto start = std::chrono::steady_clock::now();
  Trace trace = Trace::full();
  const oracle::Engine engine = asked.question.extenders.empty()
                                    ? oracle::engine_by_work(cluster, {&asked.question.pod})
                                    : oracle::Engine::reference;
  ProgressBar bar(terminal);
  bar.show(deciding_by(engine, cluster));
  const Decision decision = oracle::shown_decision(asked.question, release, scope, engine, trace);
  const bool skipped = decision.outcome == Outcome::skipped;
  std::vector<oracle::Section> sections;
  if (!skipped) sections = oracle::explain(asked.question, release, decision, trace, scope);
  const Placement placement =
      decision.outcome == Outcome::fits ? explain_placement(asked, scope, trace, sections) : Placement();
  const auto deciding = std::chrono::steady_clock::now() - start;
  bar.erase();

  if (question_options.output != "text") {
    oracle::Json json = placement.host ? question_json(asked) : answer_to(asked, {decision});
    if (placement.host) json.update(oracle::placement_answer(cluster, placement));
    if (decision.outcome == Outcome::nominated) {
      json["aftermath"] = oracle::aftermath_json(
          asked.question, oracle::eviction_findings(asked.question, release, decision.candidates[decision.chosen]));
    }
    json["explanation"] = oracle::explanation_of(sections);
    if (question_options.all) json["trace"] = oracle::trace_of(cluster, trace);
    print_document(question_options, json);
  } else {
    if (placement.host) {
      print_question(asked, terminal);
      print_host(question_options, asked, placement, terminal);
    } else {
      print_verdict(asked, decision, terminal);
    }
    for (const oracle::Section& section : sections) {
      std::cout << "\n" << terminal.styled(Style::strong, section.title) << "\n";
      print_lines(section.lines, terminal);
      if (!section.more.empty()) std::cout << terminal.styled(Style::faint, "  " + section.more) << "\n";
    }
  }
  print_stats(question_options, asked, deciding);
  const bool score_skipped = placement.decision.outcome == Outcome::skipped;
  const auto failed =
      placement.host ? write_placement_page(question_options.html, "explain", asked, placement, sections)
                     : write_decision_page(question_options.html, "explain", asked, {decision}, sections);
  if (failed) return print_error(*failed), k_exit_bad_input;
  return skipped || score_skipped ? k_exit_not_modelled : k_exit_ok;
}

}  // namespace

void add_explain(CLI::App& app, Context& context) {
  CLI::App* command =
      app.add_subcommand("explain", "Show each step of the decision, with the clause that decides it");
  const auto options = std::make_shared<ExplainOptions>();
  add_question_options(*command, options->question_options);
  add_scheduler_options(*command, options->question_options.scheduler);
  add_start_option(*command, options->question_options.scheduler);
  add_html_option(*command, options->question_options.html);
  command->add_option("--node", options->node, "Explain only this node, in full")->type_name("NODE");
  describe(
      *command, context.terminal,
      {.description = "If the pod fits, shows which scorers decide on which node it is scheduled, and by how "
                      "much, how each score comes about, and which changes would move the pod to another "
                      "node. If it fits on one node alone, or on its nominated node, says why no node is "
                      "scored.\n\n"
                      "Otherwise shows whether the pod may preempt, why no node takes it, and where "
                      "evictions might help. For each candidate, shows the victims, and the pods that a PDB "
                      "protects. Then "
                      "shows how the scheduler chooses a candidate, and which changes would give another "
                      "outcome. Every step ends with its clause; touchstone rules shows its text. In a large "
                      "cluster the optimized engine finds the candidates, and the reference computes victims "
                      "only for the nodes that are shown. --all shows every candidate, and takes longer."
                      "\n\n" +
                      std::string(k_input_description),
       .examples = {{"Explain a decision",
                     "touchstone explain -f examples/training-job.json --pod prod/web-0 --release v1.34"},
                    {"Explain one node in full",
                     "touchstone explain -f examples/training-job.json --pod prod/web-0 --node gpu-a"},
                    {"Explain which scorers decide for a pod that fits",
                     "touchstone explain -f examples/scores/two-zones.yaml --pod shop/web-3"},
                    {"Explain a PDB violation that is counted but does not happen",
                     "touchstone explain -f examples/situations/budget-on-paper.yaml --release v1.34"},
                    {"Show the text of a clause in brackets", "touchstone rules PRE-PDB-5"}},
       .exit_codes = {k_exit_ok, k_exit_bad_input, k_exit_not_modelled},
       .see_also = {"touchstone schedule", "touchstone decide", "touchstone rules", "docs/explain.md",
                    "spec/clauses/README.md"}});
  command->callback([options, &context] { context.exit_code = run(*options, context.terminal); });
}

}  // namespace touchstone::cli
