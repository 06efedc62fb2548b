#include "cli/text/diff_text.hpp"

#include <nlohmann/json.hpp>
#include <regex>

#include "cli/terminal/output.hpp"
#include "cli/terminal/text.hpp"
#include "oracle/compare/comparison.hpp"
#include "oracle/compare/difference_wording.hpp"
#include "oracle/explain/wording.hpp"
#include "spec/rules/rules.hpp"

namespace touchstone::cli {

namespace {

using oracle::Json;

std::size_t count_in(const Json& question, const char* key) {
  return question.value(key, Json::array()).size();
}

std::string no_witness_text(const fuzz::ChangesFound& found) {
  return "no cluster is known that shows it: searched " + std::to_string(found.vectors) + " vectors and " +
         std::to_string(found.generated) + " generated clusters";
}

std::string decision_in_words(const Json& answer) {
  const std::string outcome = answer.at("outcome");
  if (outcome == "scheduled") {
    const std::vector<std::string> best = answer.at("best");
    return "scheduled on " + oracle::names_of(best, 3);
  }
  if (outcome != "nominated") return outcome;
  std::string text;
  for (const Json& each : answer.at("admissible")) {
    const std::vector<std::string> victims = each.at("victims");
    text += (text.empty() ? "" : ", or ") + std::string("nominated to ") +
            each.at("node").get<std::string>() + ", evicting " + oracle::names_of(victims, 3);
  }
  return text;
}

std::string list_of(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += "  " + printable(name) + "\n";
  return text;
}

}  // namespace

std::pair<std::string, std::string> difference_in_words(const fuzz::ChangeWitness& witness,
                                                        const Release& from) {
  const std::vector<oracle::Difference> differences =
      oracle::compare({witness.to, true, true, {}}, witness.from, from).differences;
  if (differences.empty()) return {"answers otherwise", "answers otherwise"};
  const oracle::Difference& first = differences.front();
  return {oracle::difference_phrase(first, first.ours, witness.from),
          oracle::difference_phrase(first, first.given, witness.to)};
}

std::string size_of(const fuzz::ChangeWitness& witness) {
  return oracle::count_of(count_in(witness.question, "nodes"), "node") + ", " +
         oracle::count_of(count_in(witness.question, "pods") + 1, "pod");
}

std::vector<std::string> pull_requests_of(const Change& change) {
  static const std::regex k_number("kubernetes#([0-9]+)");
  const std::string evidence(change.evidence);
  std::vector<std::string> addresses;
  for (std::sregex_iterator it(evidence.begin(), evidence.end(), k_number), end; it != end; ++it)
    addresses.push_back("https://github.com/kubernetes/kubernetes/pull/" + (*it)[1].str());
  return addresses;
}

std::string text_of(const fuzz::ChangesFound& found, const fuzz::ChangeSearch& search,
                    const Terminal& terminal) {
  const std::string from = search.from.version.text();
  const std::string to = search.to.version.text();
  std::string text = "kube-scheduler " + from + " and " + to + ": " +
                     oracle::count_of(found.behaviours.size(), "behaviour") + " changed\n";
  for (const fuzz::ChangedBehaviour& each : found.behaviours) {
    const Change& change = *each.change;
    text += "\n" + terminal.styled(Style::strong, change.clause) + ", " +
            std::string(title_of(change.clause)) + "\n  " +
            (each.is_new ? to + " has" : to + " no longer has") + " \"" + std::string(change.name) + ": " +
            std::string(change.value) + "\"\n  evidence: " + std::string(change.evidence) + "\n";
    for (const std::string& address : pull_requests_of(change)) text += "  " + address + "\n";
    if (!each.witness) {
      text += "  " + no_witness_text(found) + "\n";
      continue;
    }
    const auto [ours, theirs] = difference_in_words(*each.witness, search.from);
    text += "  smallest cluster: " + size_of(*each.witness) + " (from " + printable(each.witness->source) +
            ")\n    " + from + " " + printable(ours) + "\n    " + to + " " + printable(theirs) + "\n";
  }
  return text;
}

Json json_of(const fuzz::ChangesFound& found, const fuzz::ChangeSearch& search) {
  Json json{{"from", search.from.version.text()},
            {"to", search.to.version.text()},
            {"searched", {{"vectors", found.vectors}, {"generated", found.generated}, {"seed", search.seed}}},
            {"behaviours", Json::array()}};
  for (const fuzz::ChangedBehaviour& each : found.behaviours) {
    const Change& change = *each.change;
    Json behaviour{{"clause", change.clause},
                   {"title", title_of(change.clause)},
                   {"switch", change.name},
                   {"value", change.value},
                   {"isNew", each.is_new},
                   {"evidence", change.evidence},
                   {"pullRequests", pull_requests_of(change)},
                   {"witness", nullptr}};
    if (each.witness) {
      const fuzz::ChangeWitness& witness = *each.witness;
      const auto [ours, theirs] = difference_in_words(witness, search.from);
      behaviour["witness"] = {{"command", oracle::name_of(witness.command)},
                              {"source", witness.source},
                              {"minimal", witness.minimal},
                              {"question", witness.question},
                              {"from", witness.from},
                              {"to", witness.to},
                              {"fromDoes", ours},
                              {"toDoes", theirs}};
    }
    json["behaviours"].push_back(std::move(behaviour));
  }
  return json;
}

std::string text_of(const oracle::ClusterDifference& difference, const std::string& from,
                    const std::string& to, const Terminal& terminal) {
  std::string text = oracle::count_of(difference.pods, "pending pod") + ": " +
                     std::to_string(difference.differ.size()) + " decided differently by " + from + " and " +
                     to + "\n";
  if (!difference.differ.empty()) {
    std::vector<Row> rows = {heading(terminal, {"POD", "PRIORITY", "SIDE", "DECISION"})};
    for (const oracle::PodDifference& each : difference.differ) {
      rows.push_back({printable(each.pod), std::to_string(each.priority), from,
                      printable(decision_in_words(each.from))});
      rows.push_back({"", "", to, printable(decision_in_words(each.to))});
    }
    text += "\n" + table(terminal, rows);
  }
  if (!difference.new_victims.empty())
    text += "\nRunning pods that only " + to + " may evict\n" + list_of(difference.new_victims);
  if (!difference.no_longer_victims.empty())
    text += "\nRunning pods that only " + from + " may evict\n" + list_of(difference.no_longer_victims);
  if (!difference.skipped.empty())
    text += "\nNot decided, because something is not modelled\n" + list_of(difference.skipped);
  return text;
}

Json json_of(const oracle::ClusterDifference& difference, const std::string& from, const std::string& to) {
  Json json{{"from", from},
            {"to", to},
            {"pods", difference.pods},
            {"differ", Json::array()},
            {"newVictims", difference.new_victims},
            {"noLongerVictims", difference.no_longer_victims},
            {"skipped", difference.skipped}};
  for (const oracle::PodDifference& each : difference.differ)
    json["differ"].push_back({{"pod", each.pod},
                              {"priority", each.priority},
                              {"from", each.from},
                              {"to", each.to},
                              {"victimsFrom", each.victims_from},
                              {"victimsTo", each.victims_to}});
  return json;
}

}  // namespace touchstone::cli
