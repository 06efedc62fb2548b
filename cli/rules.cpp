#include "spec/rules.hpp"

#include <iostream>
#include <memory>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "oracle/protocol.hpp"

namespace touchstone::cli {

namespace {

struct Options {
  std::string clause;
  std::string output = "text";
};

std::string shortened(const std::vector<std::string_view>& names) {
  if (names.empty()) return "-";
  std::string text(names[0]);
  if (names.size() > 1) text += " +" + std::to_string(names.size() - 1);
  return text;
}

void print_matrix() {
  std::vector<std::vector<std::string>> rows = {
      {"CLAUSE", "RELEASES", "REFERENCE", "VECTORS", "PROPERTIES", "TESTS"}};
  for (const Rule& rule : rules()) {
    rows.push_back({std::string(rule.id), std::string(rule.releases), shortened(rule.functions),
                    std::to_string(rule.vectors), shortened(rule.properties), shortened(rule.tests)});
  }
  std::cout << table(rows);
}

void print_rule(const Rule& rule) {
  std::cout << rule.id << "  " << rule.title << "\n" << rule.text << "\n\n";
  const auto list = [](std::string_view what, const std::vector<std::string_view>& names) {
    std::cout << what;
    for (const std::string_view name : names) std::cout << " " << name;
    std::cout << (names.empty() ? " none\n" : "\n");
  };
  list("Reference: ", rule.functions);
  std::cout << "Vectors:    " << rule.vectors << (rule.first_vectors.empty() ? "" : ", such as");
  for (const std::string_view name : rule.first_vectors) std::cout << " " << name;
  std::cout << "\n";
  list("Properties:", rule.properties);
  list("Tests:     ", rule.tests);
}

oracle::Json json_of(const Rule& rule) {
  return {{"clause", rule.id},
          {"title", rule.title},
          {"releases", rule.releases},
          {"text", rule.text},
          {"functions", rule.functions},
          {"vectors", rule.vectors},
          {"properties", rule.properties},
          {"tests", rule.tests}};
}

int run(const Options& options) {
  oracle::Json all = oracle::Json::array();
  for (const Rule& rule : rules()) {
    if (!options.clause.empty() && rule.id != options.clause) continue;
    all.push_back(json_of(rule));
    if (options.output == "text" && !options.clause.empty()) print_rule(rule);
  }
  if (all.empty()) {
    return print_error({"unknown-clause", options.clause, "no such clause; touchstone rules lists them"}),
           k_exit_bad_input;
  }
  if (options.output == "json") std::cout << all.dump(2) << "\n";
  if (options.output == "text" && options.clause.empty()) print_matrix();
  return k_exit_ok;
}

}  // namespace

void add_rules(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "rules", "Show the clauses of the specification, and what implements and shows each");
  command->footer(
      "Without a clause: the matrix clause x reference function x vectors x properties x tests.\n\nExample: "
      "touchstone rules PRE-PDB-3");
  const auto options = std::make_shared<Options>();
  command->add_option("clause", options->clause, "One clause, such as PRE-PDB-3");
  add_output_option(*command, options->output);
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace touchstone::cli
