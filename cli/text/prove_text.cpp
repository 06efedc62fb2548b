#include "cli/text/prove_text.hpp"

#include <algorithm>

#include "cli/json/prove_json.hpp"
#include "cli/terminal/output.hpp"

namespace touchstone::cli {

namespace {

using proofs::Proved;
using proofs::Statement;

std::string variant_of(const Statement& statement) {
  if (statement.has_broken_claim) return "a claim that is too strong";
  if (!statement.without.empty()) return "without: " + statement.without;
  if (statement.variants.empty()) return "-";
  const std::string more =
      statement.variants.size() > 1 ? " +" + std::to_string(statement.variants.size() - 1) : "";
  return statement.variants.front() + more;
}

std::string sum_of(const std::vector<Proved>& results) {
  std::size_t paths = 0, obligations = 0, agreed = 0, variants = 0, red = 0;
  for (const Proved& proved : results) {
    paths += proved.findings.paths;
    obligations += proved.findings.unsatisfiable;
    agreed += proved.second_solver.value_or(0);
    variants += proved.variants.size();
    red += proved.red.empty() ? 0u : 1u;
  }
  std::string solvers;
  if (!results.empty()) {
    for (const std::string& name : results.front().solvers) solvers += (solvers.empty() ? "" : ", ") + name;
  }
  return std::to_string(results.size()) + " theorems and exhibits, " + std::to_string(red) +
         " red: " + std::to_string(paths) + " paths, " + std::to_string(variants) + " broken variants refuted, " +
         std::to_string(obligations) + " obligations, of which the second solver proved " +
         std::to_string(agreed) + " (" + solvers + ")\n";
}

std::string lines_of(std::string_view what, const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += std::string(what) + line + "\n";
  return text;
}

}  // namespace

std::string text_of(const std::vector<const Statement*>& statements, const Terminal& terminal) {
  std::vector<Row> rows = {heading(terminal, {"THEOREM", "CLAUSE", "TIER", "BROKEN VARIANT", "STATEMENT"})};
  for (const Statement* statement : statements) {
    rows.push_back({statement->name, statement->clauses.front(), std::string(tier_of(*statement)),
                    statement->kind == proving::Kind::exhibit ? "exhibit" : variant_of(*statement),
                    statement->text});
  }
  return table(terminal, rows);
}

std::string text_of(const std::vector<Proved>& results, const Terminal& terminal) {
  std::vector<Row> rows = {heading(terminal, {"THEOREM", "CLAUSE", "PATHS", "CLAIMS", "OBLIGATIONS", "CVC5",
                                              "RLIMIT", "REPLAYED", "RESULT"})};
  std::string red;
  for (const Proved& proved : results) {
    const proving::Findings& findings = proved.findings;
    rows.push_back({proved.statement.name, proved.statement.clauses.front(), std::to_string(findings.paths),
                    std::to_string(findings.obligations), std::to_string(findings.unsatisfiable),
                    proved.second_solver ? std::to_string(*proved.second_solver) : "-",
                    std::to_string(findings.rlimit), std::to_string(proved.replayed),
                    std::string(result_of(proved))});
    red += lines_of(proved.statement.name + ": ", proved.red);
  }
  return table(terminal, rows) + "\n" + red + sum_of(results);
}

std::string text_of(const std::vector<proofs::ScenePaths>& results, const Terminal& terminal) {
  std::vector<Row> rows = {heading(terminal, {"SCENE", "PATHS", "BEHAVIOURS", "RESULT", "CONTENT"})};
  std::string red;
  std::size_t paths = 0;
  std::set<std::uint64_t> behaviours;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const proofs::Scene& scene = proofs::scenes()[i];
    const proofs::ScenePaths& result = results[i];
    rows.push_back({scene.name, std::to_string(result.paths.size()),
                    std::to_string(result.behaviours().size()), result.red.empty() ? "all" : "RED",
                    scene.statement});
    red += lines_of(scene.name + ": ", result.red);
    paths += result.paths.size();
    behaviours.merge(result.behaviours());
  }
  return table(terminal, rows) + "\n" + red + std::to_string(paths) + " paths of " +
         proofs::release_of_scenes().version.text() + " and " + std::to_string(behaviours.size()) +
         " behaviours in " + std::to_string(results.size()) + " scenes (" + proofs::solvers().front() + ")\n";
}

std::string text_of(const Proved& proved, const Terminal& terminal) {
  const Statement& statement = proved.statement;
  const proving::Findings& findings = proved.findings;
  std::string text = std::string(terminal.styled(Style::strong, statement.name)) + "  " +
                     std::string(result_of(proved)) + "\n" + statement.text + "\n\n";
  for (const std::string& clause : statement.clauses) text += "Clause:      " + clause + "\n";
  for (const std::string& label : findings.assumptions)
    text += "Assumed:     " + label + (findings.used.contains(label) ? "" : " (not needed)") + "\n";
  text += "Paths:       " + std::to_string(findings.paths) + "; the product was run on " +
          std::to_string(proved.replayed) + " of them and gave the same answers\n";
  text += "Claims:      " + std::to_string(findings.obligations) + ", and " +
          std::to_string(findings.trivial) + " that are trivially true on their path\n";
  text += "Obligations: " + std::to_string(findings.unsatisfiable) + ", rlimit " +
          std::to_string(findings.rlimit);
  if (proved.second_solver) text += "; cvc5 proved " + std::to_string(*proved.second_solver);
  text += "\n";
  for (const auto& [name, model] : findings.witnesses)
    text += "Witness:     " + name + ": " + proofs::text_of(model) + "\n";
  for (const auto& [claim, model] : findings.refutations)
    text += "Refuted:     " + claim + ": " + proofs::text_of(model) + "\n";
  for (const auto& [fault, refutation] : proved.variants)
    text += "Broken variant: " + (fault.empty() ? variant_of(statement) : fault) + ": refuted: \"" +
            refutation.claim + "\": " + proofs::text_of(refutation.model) + "\n";
  return text + lines_of("RED:         ", proved.red);
}

}  // namespace touchstone::cli
