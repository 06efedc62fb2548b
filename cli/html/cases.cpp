#include "cli/html/cases.hpp"

#include <nlohmann/json.hpp>

#include "cli/html/page.hpp"
#include "cli/html/picture.hpp"
#include "oracle/explain/explainer.hpp"
#include "oracle/explain/wording.hpp"
#include "oracle/protocol/placement_answer.hpp"

namespace touchstone::cli {

namespace {

using oracle::Json;

/// One sentence about a decision.
std::string sentence_of(const Cluster& cluster, const Decision& decision) {
  if (decision.outcome == Outcome::nominated) {
    const Candidate& chosen = decision.candidates[decision.chosen];
    return "The pod fits on no node. The scheduler preempts on " + cluster.nodes[chosen.node].name +
           ", and evicts " + oracle::count_of(chosen.victims.size(), "pod") + " with " +
           oracle::count_of(static_cast<std::size_t>(chosen.pdb_violations), "PDB violation") + ".";
  }
  if (decision.outcome == Outcome::fits)
    return "The pod fits on " + oracle::count_of(decision.feasible.size(), "node") + ".";
  if (decision.outcome == Outcome::none) return "The pod fits on no node, and preemption helps on none.";
  if (decision.outcome == Outcome::ineligible)
    return "The pod fits on no node, and may not preempt: " + decision.reason;
  if (decision.outcome == Outcome::error) return "The cycle ends with an error: " + decision.reason;
  return "Not modelled: " + decision.reason;
}

std::string sentence_of(const Cluster& cluster, const Placement& placement) {
  if (!placement.host) return sentence_of(cluster, placement.decision);
  const std::string& host = cluster.nodes[*placement.host].name;
  if (placement.best.size() > 1)
    return "The pod is scheduled on one of " + oracle::count_of(placement.best.size(), "node") +
           " that tie, here " + host + ".";
  if (placement.totals.empty()) return "The pod is scheduled on " + host + ". No node is scored.";
  return "The pod is scheduled on " + host + ", which has the highest total.";
}

Json steps_of(const std::vector<oracle::Section>& sections) {
  Json steps = Json::array();
  for (const oracle::Section& section : sections) {
    Json lines = Json::array();
    for (const oracle::Line& line : section.lines) {
      std::string text;
      for (const std::string& cell : line.cells) text += (text.empty() ? "" : "  |  ") + cell;
      lines.push_back({{"text", text}, {"clause", line.clause}});
    }
    steps.push_back({{"title", section.title}, {"lines", lines}});
  }
  return steps;
}

/// Writes a page with one case, which has its answer already.
std::optional<Error> write_page(const std::string& file, const std::string& command,
                                const LoadedQuestion& asked, Json shown) {
  const Cluster& cluster = asked.question.cluster;
  shown["name"] = asked.question.pod.full_name();
  shown["notes"] = asked.notes;
  return write_html(file, {{"title", "touchstone " + command + ": " + asked.question.pod.full_name()},
                           {"subtitle", "release " + asked.named.release.version.text() + ", " +
                                            oracle::count_of(cluster.nodes.size(), "node") + ", " +
                                            oracle::count_of(cluster.pods.size(), "pod")},
                           {"cases", Json::array({std::move(shown)})}});
}

const char* state_of(Outcome outcome) {
  return outcome == Outcome::fits || outcome == Outcome::nominated ? "good" : "other";
}

}  // namespace

void add_html_option(CLI::App& command, std::string& file) {
  command.add_option("--html", file, "Also write the answer as a page with pictures of the nodes")
      ->type_name("FILE");
}

std::optional<Error> write_decision_page(const std::string& file, const std::string& command,
                                         const LoadedQuestion& asked, const oracle::Decided& decided,
                                         const std::vector<oracle::Section>& explanation) {
  if (file.empty()) return std::nullopt;
  const Decision& decision = decided.decision;
  const Release& release = asked.named.release;
  Json shown{{"state", state_of(decision.outcome)},
             {"verdict", oracle::name_of(decision.outcome)},
             {"text", sentence_of(asked.question.cluster, decision)},
             {"picture",
              picture_of(asked.question, release, nodes_of_interest(asked.question, release, decision))},
             {"ladder", ladder_of(asked.question, release, decision)},
             {"ours", answer_to(asked, decided)}};
  if (!explanation.empty()) shown["steps"] = steps_of(explanation);
  return write_page(file, command, asked, std::move(shown));
}

std::optional<Error> write_placement_page(const std::string& file, const std::string& command,
                                          const LoadedQuestion& asked, const Placement& placement,
                                          const std::vector<oracle::Section>& explanation) {
  if (file.empty()) return std::nullopt;
  const Release& release = asked.named.release;
  const Json answer = oracle::placement_answer(asked.question.cluster, placement);
  Json shown{{"state", state_of(placement.decision.outcome)},
             {"verdict", answer.value("outcome", "skipped")},
             {"text", sentence_of(asked.question.cluster, placement)},
             {"picture",
              picture_of(asked.question, release, nodes_of_interest(asked.question, release, placement))},
             {"ladder", ladder_of(asked.question, release, placement.decision)},
             {"ours", answer}};
  if (!explanation.empty()) shown["steps"] = steps_of(explanation);
  return write_page(file, command, asked, std::move(shown));
}

}  // namespace touchstone::cli
