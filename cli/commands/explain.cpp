#include <algorithm>
#include <iostream>
#include <memory>

#include "cli/input/pod_question.hpp"
#include "cli/text/caveats.hpp"
#include "cli/commands/commands.hpp"
#include "cli/input/engine_option.hpp"
#include "cli/terminal/help.hpp"
#include "cli/terminal/output.hpp"
#include "cli/terminal/progress.hpp"
#include "cli/terminal/text.hpp"
#include "oracle/compare/divergences.hpp"
#include "oracle/explain/explanation.hpp"
#include "oracle/explain/shown_decision.hpp"
#include "oracle/work.hpp"

namespace touchstone::cli {

namespace {

struct ExplainOptions {
  Asking asking;
  std::string node;
};

/// Lines of one cell stand alone; those of several that follow each other are a table.
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

int run(const ExplainOptions& options, const Terminal& terminal) {
  const Asking& asking = options.asking;
  Result<Asked> read = ask(asking, terminal);
  if (!read) return print_error(read.error()), k_exit_bad_input;
  Asked asked = std::move(read).value();
  const Cluster& cluster = asked.question.cluster;
  const Release& release = asked.named.release;

  for (std::string& remark : remarks_of(asked.question, release)) asked.notes.push_back(std::move(remark));

  oracle::Scope scope{asking.all, {}};
  if (!options.node.empty()) {
    const auto found = std::find_if(cluster.nodes.begin(), cluster.nodes.end(),
                                    [&](const Node& node) { return node.name == options.node; });
    if (found == cluster.nodes.end())
      return print_error({"unknown-node", "--node", "no node " + options.node + " in the cluster"}),
             k_exit_bad_input;
    scope.node = static_cast<NodeIndex>(found - cluster.nodes.begin());
  }

  const auto start = std::chrono::steady_clock::now();
  Trace trace = Trace::full();
  const oracle::Engine engine = oracle::engine_by_work(cluster, {&asked.question.pod});
  ProgressBar bar(terminal);
  bar.show(deciding_by(engine, cluster));
  const Decision decision = oracle::shown_decision(asked.question, release, scope, engine, trace);
  const bool skipped = decision.outcome == Outcome::skipped;
  std::vector<oracle::Section> sections;
  if (!skipped) sections = oracle::explain(asked.question, release, decision, trace, scope);
  const auto deciding = std::chrono::steady_clock::now() - start;
  bar.erase();

  if (asking.output != "text") {
    oracle::Json json = answer_to(asked, {decision});
    if (decision.outcome == Outcome::nominated) {
      json["aftermath"] = oracle::aftermath_json(
          asked.question, oracle::troubles_of(asked.question, release, decision.candidates[decision.chosen]));
    }
    json["explanation"] = oracle::explanation_of(sections);
    if (asking.all) json["trace"] = oracle::trace_of(cluster, trace);
    print_document(asking, json);
  } else {
    print_verdict(asked, decision, terminal);
    for (const oracle::Section& section : sections) {
      std::cout << "\n" << terminal.styled(Style::strong, section.title) << "\n";
      print_lines(section.lines, terminal);
      if (!section.more.empty()) std::cout << terminal.styled(Style::faint, "  " + section.more) << "\n";
    }
  }
  print_stats(asking, asked, deciding);
  return skipped ? k_exit_not_modelled : k_exit_ok;
}

}  // namespace

void add_explain(CLI::App& app, Context& context) {
  CLI::App* command =
      app.add_subcommand("explain", "Tell why: each step of the decision, with the clause that it rests on");
  const auto options = std::make_shared<ExplainOptions>();
  add_asking_options(*command, options->asking);
  command->add_option("--node", options->node, "Explain this node alone, in full")->type_name("NODE");
  describe(
      *command, context.terminal,
      {.description =
           "Tells why the pod may preempt or not, why no node takes it, where evictions might help, who "
           "would "
           "have to go from each candidate and whom a PDB protects, how the choice was made, and what would "
           "have to change for another outcome. Every line ends with its clause, which touchstone rules "
           "shows. In a large cluster the optimized engine finds the candidates, and the reference searches "
           "for victims only on the nodes that are shown; --all shows every candidate, which takes longer."
           "\n\n" +
           std::string(k_input_description),
       .examples = {{"Why the pod goes where it goes",
                     "touchstone explain -f examples/training-job.json --pod prod/web-0 --release v1.34"},
                    {"One node in full",
                     "touchstone explain -f examples/training-job.json --pod prod/web-0 --node gpu-a"},
                    {"A budget that is spent on paper",
                     "touchstone explain -f examples/situations/budget-on-paper.yaml --release v1.34"},
                    {"What a clause in brackets says", "touchstone rules PRE-PDB-5"}},
       .exit_codes = {k_exit_ok, k_exit_bad_input, k_exit_not_modelled},
       .see_also = {"touchstone decide", "touchstone rules", "spec/clauses/README.md"}});
  command->callback([options, &context] { context.exit_code = run(*options, context.terminal); });
}

}  // namespace touchstone::cli
