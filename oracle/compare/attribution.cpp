#include "oracle/compare/attribution.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "oracle/compare/cause.hpp"

namespace touchstone::oracle {

namespace {

/// Whether exactly one of two releases has a change.
bool lies_between(const Change& change, const Release& release, const Release& given_release) {
  return has_change(change, release.version) != has_change(change, given_release.version);
}

/// The rows of the release table, most likely explanation first. Rows that lie between the two releases come
/// first. Then come the rows that `release` has, the latest first, and then the rows that it does not have.
std::vector<const Change*> nearest_first(const Release& release, const Release& given_release) {
  std::vector<const Change*> rows;
  for (const Change& change : release_table()) {
    if (!is_over_time(change) && has_change(change, release.version)) rows.insert(rows.begin(), &change);
  }
  for (const Change& change : release_table()) {
    if (!is_over_time(change) && !has_change(change, release.version)) rows.push_back(&change);
  }
  std::stable_partition(rows.begin(), rows.end(),
                        [&](const Change* row) { return lies_between(*row, release, given_release); });
  return rows;
}

/// The differences of an answer from a decision, in the parts that the answer has.
std::vector<Difference> departures_of(const Json& given, const Json& ours, const Release& release) {
  const Given known{given, given.contains("filter"), given.contains("dryRun"), {}};
  return compare(known, ours, release).differences;
}

/// The place of a difference. Different keys for the same part of a decision give the same place.
std::string place_of(const Difference& difference, const Json& given) {
  const std::string kind = difference.key.substr(0, difference.key.find('.'));
  if (kind == "dryRun" || kind == "candidates")
    return "dry run of " + difference.key.substr(difference.key.find('.') + 1);
  if (kind == "victims" || kind == "numPDBViolations")
    return "dry run of " + given.value("node", std::string());
  if (kind == "node" || kind == "observed" || kind == "admissible") return "choice";
  return difference.key;
}

/// Whether the reference gives an answer when a row is toggled. Unless the row is expected, the toggled
/// reference must also first differ from the reference where the answer does. This excludes rows that change
/// something else and lead to the answer by chance.
bool gives(const Change& change, const TracedDecision& own, const Question& question, const Release& release,
           const Json& given, const Difference& first, bool is_expected) {
  const Release toggled = with_toggled(release, change);
  const Decision other = decide_as(question, toggled, given);
  if (other == own.decision() || other.outcome == Outcome::skipped) return false;
  const Json answer = answer_of(question.cluster, other);
  if (!departures_of(given, answer, toggled).empty()) return false;
  if (is_expected) return true;
  const std::vector<Difference> departs = departures_of(answer, own.answer(), release);
  return !departs.empty() && place_of(departs.front(), answer) == place_of(first, given);
}

}  // namespace

std::string explanation_of(const BrokenRule& broken, const Release& release) {
  if (broken.change == nullptr) return "";
  const bool has = has_change(*broken.change, release.version);
  return (has ? "without \"" : "with \"") + std::string(broken.change->name) + ": " +
         std::string(broken.change->value) + "\"";
}

BrokenRule broken_rule(const Question& question, const Release& release, const Release& given_release,
                       const Json& given, const std::vector<Difference>& differences) {
  const TracedDecision own(question, release, given);
  const Decision& decision = own.decision();
  if (decision.outcome == Outcome::skipped)
    return {"not modelled: " + decision.reason.substr(0, decision.reason.find(':'))};
  const Difference& first = differences.front();
  // An answer that the release itself may give is not explained by a toggled row.
  if (given.contains("outcome") && !departures_of(given, own.answer(), release).empty()) {
    for (const Change* change : nearest_first(release, given_release)) {
      const bool is_expected = lies_between(*change, release, given_release);
      if (gives(*change, own, question, release, given, first, is_expected))
        return {std::string(change->clause), change};
    }
  }
  return {own.clause_of(first, given)};
}

std::vector<BrokenRule> other_rules(const BrokenRule& broken, const Question& question,
                                    const Release& release, const Release& given_release, const Json& given) {
  constexpr std::size_t k_rules_most = 3;
  std::vector<BrokenRule> rules;
  if (!given.contains("outcome") || may_give(question, release, given) != false) return rules;
  for (const Change* change : nearest_first(release, given_release)) {
    const auto is_known = [change](const BrokenRule& each) { return each.clause == change->clause; };
    if (is_known(broken) || std::any_of(rules.begin(), rules.end(), is_known)) continue;
    if (may_give(question, with_toggled(release, *change), given) == true)
      rules.push_back({std::string(change->clause), change});
    if (rules.size() == k_rules_most) break;
  }
  return rules;
}

std::optional<bool> may_give(const Question& question, const Release& release, const Json& given) {
  const Decision decision = decide_as(question, release, given);
  if (decision.outcome == Outcome::skipped) return std::nullopt;
  return departures_of(given, answer_of(question.cluster, decision), release).empty();
}

bool breaks(const BrokenRule& broken, const Question& question, const Release& release,
            const Release& given_release, const Json& given, const std::vector<Difference>& differences) {
  const TracedDecision own(question, release, given);
  if (own.decision().outcome == Outcome::skipped) return false;
  const Difference& first = differences.front();
  if (broken.change == nullptr) return own.clause_of(first, given) == broken.clause;
  const bool is_expected = lies_between(*broken.change, release, given_release);
  return gives(*broken.change, own, question, release, given, first, is_expected);
}

}  // namespace touchstone::oracle
