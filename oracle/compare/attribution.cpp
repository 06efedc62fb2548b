#include "oracle/compare/attribution.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "oracle/compare/cause.hpp"
#include "oracle/compare/cause_of_placement.hpp"

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
  if (kind == "node" || kind == "observed" || kind == "admissible" || kind == "best") return "choice";
  if (const std::string scorer = scorer_in(difference); !scorer.empty()) return "scores of " + scorer;
  return kind == "totals" ? kind : difference.key;
}

bool is_scheduled(const Json& answer) { return answer.value("outcome", Json()) == "scheduled"; }

/// The reference's own answer to a question that was answered in another way.
class OwnAnswer {
 public:
  OwnAnswer(const Asked& asked, const Release& release, const Json& given)
      : asked_(asked),
        base_(release),
        release_(release_for(asked, release).value_or(release)),
        given_(given),
        answer_(answer_as(asked, release_, given)) {}

  const Json& answer() const { return answer_; }

  /// What the question needs and the reference does not model; empty: nothing.
  std::string not_modelled() const {
    return answer_.contains("skipped") ? answer_["skipped"].get<std::string>() : "";
  }

  std::vector<Difference> departures() const { return departures_of(given_, answer_, release_); }

  /// The clause of the step at which the given answer differs.
  std::string clause_of(const Difference& first) const {
    if (is_scheduled(answer_) || is_scheduled(given_))
      return clause_of_placement(asked_, release_, given_, first);
    return TracedDecision(asked_.question, release_, given_).clause_of(first, given_);
  }

  /// Whether the reference gives the answer when a row is toggled. Unless the row is expected, the toggled
  /// reference must also first differ from the reference where the answer does. This excludes rows that
  /// change something else and lead to the answer by chance.
  bool is_given_by(const Change& change, const Difference& first, bool is_expected) const {
    const std::optional<Release> toggled = release_for(asked_, with_toggled(base_, change));
    if (!toggled) return false;
    const Json other = answer_as(asked_, *toggled, given_);
    if (other == answer_ || other.contains("skipped")) return false;
    if (!departures_of(given_, other, *toggled).empty()) return false;
    if (is_expected) return true;
    const std::vector<Difference> departs = departures_of(other, answer_, release_);
    return !departs.empty() && place_of(departs.front(), other) == place_of(first, given_);
  }

 private:
  const Asked& asked_;
  const Release& base_;
  Release release_;
  const Json& given_;
  Json answer_;
};

}  // namespace

std::string explanation_of(const BrokenRule& broken, const Release& release) {
  if (broken.change == nullptr) return "";
  const bool has = has_change(*broken.change, release.version);
  return (has ? "without \"" : "with \"") + std::string(broken.change->name) + ": " +
         std::string(broken.change->value) + "\"";
}

BrokenRule broken_rule(const Asked& asked, const Release& release, const Release& given_release,
                       const Json& given, const std::vector<Difference>& differences) {
  const OwnAnswer own(asked, release, given);
  if (const std::string what = own.not_modelled(); !what.empty())
    return {"not modelled: " + what.substr(0, what.find(':'))};
  const Difference& first = differences.front();
  // An answer that the release itself may give is not explained by a toggled row.
  if (given.contains("outcome") && !own.departures().empty()) {
    for (const Change* change : nearest_first(release, given_release)) {
      const bool is_expected = lies_between(*change, release, given_release);
      if (own.is_given_by(*change, first, is_expected)) return {std::string(change->clause), change};
    }
  }
  return {own.clause_of(first)};
}

std::vector<BrokenRule> other_rules(const BrokenRule& broken, const Asked& asked, const Release& release,
                                    const Release& given_release, const Json& given) {
  constexpr std::size_t k_rules_most = 3;
  std::vector<BrokenRule> rules;
  if (!given.contains("outcome") || may_give(asked, release, given) != false) return rules;
  for (const Change* change : nearest_first(release, given_release)) {
    const auto is_known = [change](const BrokenRule& each) { return each.clause == change->clause; };
    if (is_known(broken) || std::any_of(rules.begin(), rules.end(), is_known)) continue;
    if (may_give(asked, with_toggled(release, *change), given) == true)
      rules.push_back({std::string(change->clause), change});
    if (rules.size() == k_rules_most) break;
  }
  return rules;
}

std::optional<bool> may_give(const Asked& asked, const Release& release, const Json& given) {
  if (!given.contains("outcome")) return std::nullopt;
  const std::optional<Release> configured = release_for(asked, release);
  if (!configured) return false;
  const Json ours = answer_as(asked, *configured, given);
  if (ours.contains("skipped")) return std::nullopt;
  return departures_of(given, ours, *configured).empty();
}

bool breaks(const BrokenRule& broken, const Asked& asked, const Release& release,
            const Release& given_release, const Json& given, const std::vector<Difference>& differences) {
  const OwnAnswer own(asked, release, given);
  if (!own.not_modelled().empty()) return false;
  const Difference& first = differences.front();
  if (broken.change == nullptr) return own.clause_of(first) == broken.clause;
  const bool is_expected = lies_between(*broken.change, release, given_release);
  return own.is_given_by(*broken.change, first, is_expected);
}

}  // namespace touchstone::oracle
