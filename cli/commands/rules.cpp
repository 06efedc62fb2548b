#include "spec/rules/rules.hpp"

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.hpp"
#include "cli/terminal/help.hpp"
#include "cli/terminal/output.hpp"
#include "oracle/protocol/protocol.hpp"

namespace touchstone::cli {

namespace {

struct RulesOptions {
  std::string clause;
  std::string output = "text";
};

std::string shortened(RuleNames names) {
  if (names.empty()) return "-";
  std::string text(names[0]);
  if (names.size() > 1) text += " +" + std::to_string(names.size() - 1);
  return text;
}

/// The theorems of a clause: "victims-are-minimal +2"; if there are none, the name of the reason.
std::string theorems_of(const Rule& rule) {
  if (!rule.theorems.empty() || rule.unproved.empty()) return shortened(rule.theorems);
  return "- (" + std::string(rule.unproved) + ")";
}

std::string_view reason_of(const Rule& rule) {
  for (const Unproved& reason : unproved()) {
    if (reason.name == rule.unproved) return reason.reason;
  }
  return "";
}

void print_matrix(const Terminal& terminal) {
  std::vector<Row> rows = {heading(terminal, {"CLAUSE", "RELEASES", "REFERENCE", "VECTORS", "PROPERTIES",
                                              "THEOREMS", "TESTS", "SEEDED FAULTS"})};
  for (const Rule& rule : rules()) {
    rows.push_back({std::string(rule.id), std::string(rule.releases), shortened(rule.functions),
                    std::to_string(rule.vectors), shortened(rule.properties), theorems_of(rule),
                    shortened(rule.tests), shortened(rule.faults)});
  }
  std::cout << table(terminal, rows) << "\n";
  const auto count = [](auto is) {
    return std::to_string(std::count_if(rules().begin(), rules().end(), is));
  };
  std::cout << rules().size()
            << " clauses: " << count([](const Rule& rule) { return !rule.theorems.empty(); })
            << " with a theorem, "
            << count([](const Rule& rule) { return rule.theorems.empty() && !rule.properties.empty(); })
            << " with only a property, " << count([](const Rule& rule) { return !rule.unproved.empty(); })
            << " with neither\n";
  for (const Unproved& reason : unproved()) std::cout << reason.name << ": " << reason.reason << "\n";
}

void print_rule(const Rule& rule, const Terminal& terminal) {
  std::cout << terminal.styled(Style::strong, rule.id) << "  " << rule.title << "\n" << rule.text << "\n\n";
  const auto list = [](std::string_view what, RuleNames names) {
    std::cout << what;
    for (const std::string_view name : names) std::cout << " " << name;
    std::cout << (names.empty() ? " none\n" : "\n");
  };
  list("Reference: ", rule.functions);
  std::cout << "Vectors:    " << rule.vectors << (rule.first_vectors.empty() ? "" : ", such as");
  for (const std::string_view name : rule.first_vectors) std::cout << " " << name;
  std::cout << "\n";
  list("Properties:", rule.properties);
  list("Theorems:  ", rule.theorems);
  if (!rule.unproved.empty()) std::cout << "Unproved:   " << reason_of(rule) << "\n";
  list("Tests:     ", rule.tests);
  std::cout << "Divergences:";
  for (std::size_t i = 0; i < rule.divergences.size(); ++i)
    std::cout << (i == 0 ? " " : "; ") << rule.divergences[i];
  std::cout << (rule.divergences.empty() ? " none\n" : "\n");
  list("Faults:    ", rule.faults);
}

oracle::Json json_of_rule(const Rule& rule) {
  return {{"clause", rule.id},
          {"title", rule.title},
          {"releases", rule.releases},
          {"text", rule.text},
          {"functions", rule.functions},
          {"vectors", rule.vectors},
          {"properties", rule.properties},
          {"theorems", rule.theorems},
          {"unproved", reason_of(rule)},
          {"tests", rule.tests},
          {"divergences", rule.divergences},
          {"faults", rule.faults}};
}

int run(const RulesOptions& options, const Terminal& terminal) {
  oracle::Json all = oracle::Json::array();
  for (const Rule& rule : rules()) {
    const std::string_view family = rule.id.substr(0, rule.id.rfind('-'));
    if (!options.clause.empty() && options.clause != rule.id && options.clause != family) continue;
    if (options.output == "text" && !options.clause.empty()) {
      if (!all.empty()) std::cout << "\n";
      print_rule(rule, terminal);
    }
    all.push_back(json_of_rule(rule));
  }
  if (all.empty()) {
    return print_error({"unknown-clause", options.clause,
                        "no such clause or family of clauses; touchstone rules lists them"}),
           k_exit_bad_input;
  }
  if (options.output == "json") print_json(all);
  if (options.output == "text" && options.clause.empty()) print_matrix(terminal);
  return k_exit_ok;
}

}  // namespace

void add_rules(CLI::App& app, Context& context) {
  CLI::App* command =
      app.add_subcommand("rules", "Show the clauses of the specification, with their code, tests and proofs");
  describe(*command, context.terminal,
           {.description =
                "Without a clause, prints a table of all clauses: the functions of the reference that "
                "implement each, the vectors, properties, theorems and tests that check it, and the faults "
                "seeded into it. With a clause, prints its text, its releases, its evidence, and everything "
                "that checks it. With a family such as PRE-PDB, prints the same for each of its clauses.",
            .examples = {{"List all clauses", "touchstone rules"},
                         {"Show how PDBs are counted from v1.19 to v1.36", "touchstone rules PRE-PDB-5"},
                         {"Show all clauses about victims", "touchstone rules PRE-VICTIM"},
                         {"Show a clause as JSON", "touchstone rules PRE-PDB-5 --output json"}},
            .exit_codes = {k_exit_ok, k_exit_bad_input},
            .see_also = {"touchstone releases --help", "spec/clauses/README.md"}});
  const auto options = std::make_shared<RulesOptions>();
  command->add_option("clause", options->clause, "A clause, such as PRE-PDB-5, or a family, such as PRE-PDB")
      ->type_name("CLAUSE");
  add_output_option(*command, options->output, {"text", "json"});
  command->callback([options, &context] { context.exit_code = run(*options, context.terminal); });
}

}  // namespace touchstone::cli
