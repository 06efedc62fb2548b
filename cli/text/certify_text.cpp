#include "cli/text/certify_text.hpp"

#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/terminal/output.hpp"
#include "cli/terminal/text.hpp"
#include "oracle/explain/wording.hpp"

namespace touchstone::cli {

namespace {

using proofs::Certificate;
using proofs::GivenDecision;
using proofs::Obligation;
using proofs::Verdict;

constexpr std::size_t k_most_names_shown = 10;

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::certified:
      return "certified";
    case Verdict::refuted:
      return "refuted";
    case Verdict::beyond_reach:
      return "beyondReach";
    case Verdict::unknown:
      break;
  }
  return "unknown";
}

std::vector<std::string> names_of_nodes(const Cluster& cluster, const std::vector<NodeIndex>& nodes) {
  std::vector<std::string> names;
  for (const NodeIndex node : nodes) names.push_back(cluster.nodes[node].name);
  return names;
}

std::vector<std::string> names_of_pods(const Cluster& cluster, const std::vector<PodIndex>& pods) {
  std::vector<std::string> names;
  for (const PodIndex pod : pods) names.push_back(cluster.pods[pod].full_name());
  return names;
}

/// "nominated: node n1, evicting default/a, 0 PDB violations"
std::string text_of(const Cluster& cluster, const GivenDecision& answer) {
  std::string text(oracle::name_of(answer.outcome));
  if (answer.feasible)
    text += ": " + oracle::names_of(names_of_nodes(cluster, *answer.feasible), k_most_names_shown);
  if (answer.outcome != Outcome::nominated) return text;
  text += ": node " + cluster.nodes[answer.node].name + ", evicting " +
          oracle::names_of(names_of_pods(cluster, answer.victims), k_most_names_shown);
  if (answer.pdb_violations)
    text += ", " + oracle::count_of(static_cast<std::size_t>(*answer.pdb_violations), "PDB violation");
  return text;
}

/// Rows for obligations. Consecutive obligations of one clause are one row.
std::vector<Row> rows_of(const std::vector<Obligation>& obligations) {
  std::vector<Row> rows;
  std::size_t count = 0;
  for (std::size_t i = 0; i < obligations.size(); ++i) {
    ++count;
    if (i + 1 < obligations.size() && obligations[i + 1].clause == obligations[i].clause) continue;
    const std::string more = count > 1 ? ", and " + std::to_string(count - 1) + " similar" : "";
    rows.push_back({"  " + obligations[i].clause, printable(obligations[i].what) + more});
    count = 0;
  }
  return rows;
}

oracle::Json json_of_decision(const Cluster& cluster, const GivenDecision& answer) {
  oracle::Json json{{"outcome", oracle::name_of(answer.outcome)}};
  if (answer.feasible) json["feasible"] = names_of_nodes(cluster, *answer.feasible);
  if (answer.outcome != Outcome::nominated) return json;
  json["node"] = cluster.nodes[answer.node].name;
  json["victims"] = names_of_pods(cluster, answer.victims);
  if (answer.pdb_violations) json["numPDBViolations"] = *answer.pdb_violations;
  return json;
}

}  // namespace

Decision decision_as_given(const GivenDecision& given) {
  Decision decision;
  decision.outcome = given.outcome;
  decision.reason = "as given";
  decision.feasible = given.feasible.value_or(std::vector<NodeIndex>{});
  if (given.outcome == Outcome::nominated)
    decision.candidates = {{given.node, given.victims, given.pdb_violations.value_or(0)}};
  return decision;
}

void print_certificate(const LoadedQuestion& asked, const Certificate& certificate, const std::string& solver,
                       const Terminal& terminal) {
  const std::vector<Obligation>& obligations = certificate.obligations;
  switch (certificate.verdict) {
    case Verdict::certified:
      std::cout << "\n"
                << terminal.styled(Style::good, "certified") << ": proved by " << solver << " ("
                << oracle::count_of(obligations.size(), "obligation") << ")\n"
                << table(terminal, rows_of(obligations));
      break;
    case Verdict::refuted: {
      const std::string detail = certificate.detail.empty() ? "" : "; " + certificate.detail;
      const Obligation& failed = obligations.back();
      std::cout << "\n"
                << terminal.styled(Style::bad, "refuted")
                << ": this does not hold: " << printable(failed.what + detail) << "  "
                << terminal.styled(Style::faint, "[" + failed.clause + "]") << "\n"
                << "better: " << printable(text_of(asked.question.cluster, *certificate.better)) << "\n";
      break;
    }
    case Verdict::beyond_reach:
      std::cout << "\n"
                << terminal.styled(Style::warning, "beyond reach") << ": " << printable(certificate.reason)
                << "\n";
      break;
    case Verdict::unknown:
      std::cout << "\n"
                << terminal.styled(Style::bad, "unknown") << ": " << solver
                << " found no answer: " << printable(certificate.reason) << "\n";
      break;
  }
}

oracle::Json certificate_json(const LoadedQuestion& asked, const std::optional<GivenDecision>& given,
                              const Certificate& certificate, const std::string& solver) {
  const Cluster& cluster = asked.question.cluster;
  oracle::Json json{{"pod", asked.question.pod.full_name()},
                    {"release", asked.named.release.version.text()},
                    {"evidence", asked.named.evidence}};
  if (!asked.notes.empty()) json["notes"] = asked.notes;
  if (given) json["decision"] = json_of_decision(cluster, *given);
  json["verdict"] = name_of(certificate.verdict);
  json["solver"] = solver;
  if (certificate.verdict == Verdict::refuted) {
    json["clause"] = certificate.obligations.back().clause;
    json["detail"] = certificate.detail;
    json["better"] = json_of_decision(cluster, *certificate.better);
  }
  if (!certificate.reason.empty()) json["reason"] = certificate.reason;
  json["obligations"] = oracle::Json::array();
  for (const Obligation& obligation : certificate.obligations)
    json["obligations"].push_back({{"clause", obligation.clause}, {"what", obligation.what}});
  return json;
}

}  // namespace touchstone::cli
