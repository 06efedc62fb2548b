#include "oracle/compare/comparison.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "oracle/compare/placement_comparison.hpp"

namespace touchstone::oracle {

namespace {

/// Reasons in a comparable order. The order counts, except for several extended resources: it comes from a
/// map. Their names all contain a '/'.
Json canonical_reasons(Json reasons) {
  const auto is_extended = [](const Json& reason) {
    return reason.get<std::string>().find('/') != std::string::npos;
  };
  std::stable_partition(reasons.begin(), reasons.end(),
                        [&](const Json& reason) { return !is_extended(reason); });
  std::sort(std::find_if(reasons.begin(), reasons.end(), is_extended), reasons.end());
  return reasons;
}

/// PRE-ATTACH-7: the reason texts of our statuses from which the release names any one. Empty if there is no
/// such choice.
std::set<std::string> texts_by_chance(const Json& ours) {
  std::set<std::string> texts;
  for (const char* key : {"filter", "dryRun"}) {
    const Json statuses = ours.value(key, Json::object());
    for (const Json& status : statuses) {
      const Json by_chance = status.value("anyReasonOf", Json::array());
      for (const Json& text : by_chance) texts.insert(text.get<std::string>());
    }
  }
  return texts;
}

/// Removes the counted texts from a part of a message, such as "2 d CSI driver is not installed on the node".
/// Appends the number of nodes that they were counted for.
std::string without_texts(std::string part, const std::set<std::string>& texts) {
  std::size_t nodes = 0;
  for (const std::string& text : texts) {
    const std::string counted = " " + text;
    for (std::size_t at = part.find(counted); at != std::string::npos; at = part.find(counted)) {
      std::size_t first = at;
      while (first > 0 && std::isdigit(static_cast<unsigned char>(part[first - 1])) != 0) --first;
      nodes += std::strtoul(part.c_str() + first, nullptr, 10);
      std::size_t end = at + counted.size();
      if (part.compare(end, 2, ", ") == 0) {
        end += 2;
      } else if (first >= 2 && part.compare(first - 2, 2, ", ") == 0) {
        first -= 2;
      }
      part.erase(first, end - first);
    }
  }
  return nodes == 0 ? part : part + " and " + std::to_string(nodes) + " by chance";
}

/// A message without the texts that the release chooses by chance.
std::string without_chance(const std::string& message, const std::set<std::string>& texts) {
  if (texts.empty()) return message;
  const std::size_t of_preemption = message.find("preemption: ");
  const std::string first = without_texts(message.substr(0, of_preemption), texts);
  return of_preemption == std::string::npos ? first
                                            : first + without_texts(message.substr(of_preemption), texts);
}

/// Whether a given status equals ours. Parts that the given status lacks are not compared. For nodes that a
/// PreFilter excluded, a recording has a text of the recorder; this text is not compared.
bool same_status(const Json& given, const Json& ours) {
  if (given.at("code") != ours.at("code")) return false;
  const Json reasons = given.value("reasons", Json());
  const Json our_reasons = ours.value("reasons", Json::array());
  if (reasons == Json::array({"node is filtered out by the prefilter result"})) return true;
  if (given.contains("plugin") && given["plugin"] != ours.value("plugin", Json())) return false;
  const Json by_chance = ours.value("anyReasonOf", Json::array());
  if (!by_chance.empty() && reasons.is_array() && reasons.size() == 1)
    return std::find(by_chance.begin(), by_chance.end(), reasons[0]) != by_chance.end();
  return reasons.is_null() || canonical_reasons(reasons) == canonical_reasons(our_reasons);
}

/// Whether a status says only that no eviction helps. Where the release has no status of a node
/// (PRE-PREFILTER-3, EXT-DROP-1), a subject may show what the scheduler takes the node for.
bool is_implied(const Json& status) {
  return status.at("code") == "UnschedulableAndUnresolvable" && !status.contains("plugin") &&
         status.value("reasons", Json::array()).empty();
}

class Comparison {
 public:
  Comparison(const Given& given, const Json& ours, const Release& release)
      : given_(given.answer), observed_(given.observed), ours_(ours), release_(release) {
    filter_complete_ = given.filter_complete;
    dry_run_complete_ = given.dry_run_complete;
    scores_ = given.scores;
  }

  /// Compares in the order of a decision, so the first difference is where the two answers first differ.
  Compared result() {
    const bool crashed = given_.at("outcome") == "error";
    const bool nominates_all_the_same =
        crashed && given_.contains("candidates") && ours_.at("outcome") == "nominated";
    const bool errs = (crashed && !nominates_all_the_same) || ours_.at("outcome") == "error";
    if (!errs) compare_statuses("filter", filter_complete_);
    if (!nominates_all_the_same) demand("outcome", given_.at("outcome"), ours_.at("outcome"));
    const bool same_outcome = nominates_all_the_same || given_.at("outcome") == ours_.at("outcome");
    if (same_outcome && !errs) compare_decisions();
    if (same_outcome && errs) compare_if_known("nomination");
    compare_message();
    return compared_;
  }

 private:
  void demand(const std::string& key, const Json& given, const Json& ours) {
    if (given != ours) compared_.differences.push_back({key, given.dump(), ours.dump()});
  }

  /// Compares the parts after the first pass. Requires: the same outcome.
  void compare_decisions() {
    if (ours_.at("outcome") == "scheduled") return compare_placements();
    compare_if_known("feasible");
    if (release_.version.minor >= 24) compare_if_known("ineligible");
    compare_statuses("dryRun", dry_run_complete_);
    if (given_.contains("candidates") && ours_.contains("candidates")) compare_candidates();
    compare_choice();
    if (ours_.contains("anyOrder")) compare_as_sets("anyOrder");  // else the question did not ask for it
    compare_if_known("nomination");
    // The nominations that are cleared depend on the node.
    const bool same_node = !given_.contains("node") || given_["node"] == ours_.value("node", Json());
    if (same_node) compare_as_sets("clears");
  }

  void compare_placements() {
    for (Difference& each : placement_differences(given_, ours_, scores_))
      compared_.differences.push_back(std::move(each));
    compare_if_known("nextStart");
  }

  void compare_if_known(const std::string& key) {
    if (given_.contains(key) && !given_.at(key).is_null())
      demand(key, given_.at(key), ours_.value(key, Json()));
  }

  void compare_message() {
    const auto has_text = [](const Json& answer) {
      return answer.contains("message") && answer.at("message").is_string();
    };
    if (!has_text(given_) || !has_text(ours_)) return compare_if_known("message");
    const std::set<std::string> texts = texts_by_chance(ours_);
    const std::string given = without_chance(given_.at("message"), texts);
    const std::vector<std::string> right = right_messages();
    const bool is_right = std::any_of(right.begin(), right.end(), [&](const std::string& message) {
      return without_chance(message, texts) == given;
    });
    if (!is_right) demand("message", given_.at("message"), ours_.at("message"));
  }

  /// EXT-UNKNOWN-3, EXT-PREEMPT-3: the message with each reason that may be given.
  std::vector<std::string> messages_by_reason(const std::string& ours) const {
    std::vector<std::string> messages = {ours};
    const std::string reason = ours_.value("reason", "");
    const std::size_t at = ours.find(reason);
    for (const Json& other : ours_.value("otherReasons", Json::array())) {
      if (at != std::string::npos)
        messages.push_back(std::string(ours).replace(at, reason.size(), other.get<std::string>()));
    }
    return messages;
  }

  /// PRE-MESSAGE-5: the messages that are right. In a tie, a message may name another node: the node that the
  /// given answer chose, or any node of the tie if the answer has no node.
  std::vector<std::string> right_messages() const {
    const std::string ours = ours_.at("message");
    const auto names_a_node = [](const Json& answer) {
      return answer.is_object() && answer.contains("node") && answer.at("node").is_string();
    };
    const Json admissible = ours_.value("admissible", Json::array());
    if (!names_a_node(ours_) || !admissible.is_array()) return messages_by_reason(ours);
    const auto named = [](const Json& answer) {
      return "on node " + answer.at("node").get<std::string>() + ", preempting " +
             std::to_string(answer.value("victims", Json::array()).size()) + " victims";
    };
    const std::string phrase = named(ours_);
    const std::size_t at = ours.find(phrase);
    std::vector<std::string> messages;
    for (const Json& answer : admissible) {
      if (!names_a_node(answer)) continue;
      if (given_.contains("node") && given_.at("node") != answer.at("node")) continue;
      std::string message = ours;
      if (at != std::string::npos) message.replace(at, phrase.size(), named(answer));
      messages.push_back(std::move(message));
    }
    if (messages.empty())
      messages.push_back(ours);  // another difference reports that the node is not admissible
    return messages;
  }

  void compare_as_sets(const std::string& key) {
    Json given = given_.value(key, Json());
    Json ours = ours_.value(key, Json());
    if (given.is_null()) return;
    for (Json* set : {&given, &ours}) {
      if (set->is_array()) std::sort(set->begin(), set->end());
    }
    demand(key, given, ours);
  }

  void compare_candidates() {
    std::map<std::string, Json> given = given_.at("candidates");
    const std::map<std::string, Json> ours = ours_.at("candidates");
    for (const auto& [node, candidate] : ours) {
      const auto found = given.find(node);
      if (found == given.end()) {
        demand("candidates." + node, Json(), candidate);
        continue;
      }
      Json known = candidate;
      if (!found->second.contains("numPDBViolations")) known.erase("numPDBViolations");
      demand("candidates." + node, found->second, known);
      given.erase(found);
    }
    for (const auto& [node, candidate] : given) demand("candidates." + node, candidate, Json());
  }

  /// Checks that each choice is admissible, and that enough runs chose every admissible node.
  void compare_choice() {
    if (!ours_.contains("admissible")) return;
    std::map<std::string, Json> admissible;
    for (const Json& answer : ours_.at("admissible")) admissible[answer.at("node")] = answer;
    std::set<std::string> nodes;
    for (const auto& [node, answer] : admissible) nodes.insert(node);

    if (given_.contains("node")) compare_decision(admissible, nodes);
    if (given_.contains("admissible") && given_.at("admissible").is_array()) compare_tie(admissible);
    for (const std::string& node : observed_.nodes) {
      if (!nodes.contains(node)) demand("observed", Json(node), Json(nodes));
    }
    if (observed_.runs == 0) return;
    for (const std::string& node : nodes) {
      if (observed_.nodes.contains(node)) continue;
      if (observed_.runs < runs_enough(nodes.size())) {
        ++compared_.unseen;
      } else {
        demand("admissible", Json(observed_.nodes), Json(node));
      }
    }
  }

  /// Compares the lists of admissible answers. A given list must be complete. Only those parts of an entry
  /// that it has are compared.
  void compare_tie(std::map<std::string, Json> admissible) {
    for (const Json& answer : given_.at("admissible")) {
      const std::string node = answer.at("node");
      const auto ours = admissible.find(node);
      if (ours == admissible.end()) {
        demand("admissible." + node, answer, Json());
        continue;
      }
      Json same = ours->second;
      same.update(answer);
      demand("admissible." + node, same, ours->second);
      admissible.erase(ours);
    }
    for (const auto& [node, answer] : admissible) demand("admissible." + node, Json(), answer);
  }

  /// Compares the victims before the node, even the victims of a node that is not admissible.
  void compare_decision(const std::map<std::string, Json>& admissible, const std::set<std::string>& nodes) {
    const std::string node = given_.at("node");
    const auto answer = admissible.find(node);
    const Json known = answer != admissible.end()
                           ? answer->second
                           : ours_.value("candidates", Json::object()).value(node, Json::object());
    for (const char* key : {"victims", "numPDBViolations"}) {
      if (given_.contains(key) && known.contains(key)) demand(key, given_.at(key), known.at(key));
    }
    if (answer == admissible.end()) demand("node", given_.at("node"), Json(nodes));
  }

  void compare_statuses(const std::string& key, bool complete) {
    const std::map<std::string, Json> given = given_.value(key, Json::object());
    const std::map<std::string, Json> ours = ours_.value(key, Json::object());
    const Json feasible = ours_.value("feasible", Json::array());
    for (const auto& [node, status] : given) {
      const auto mine = ours.find(node);
      const bool fits = std::find(feasible.begin(), feasible.end(), Json(node)) != feasible.end();
      if (mine == ours.end() && !fits && is_implied(status)) continue;
      if (mine == ours.end()) {
        demand(key + "." + node, status, Json());
      } else if (!same_status(status, mine->second)) {
        demand(key + "." + node, status, mine->second);
      }
    }
    for (const auto& [node, status] : ours) {
      if (complete && !given.contains(node)) demand(key + "." + node, Json(), status);
    }
  }

  const Json& given_;
  const Observed& observed_;
  const Json& ours_;
  const Release& release_;
  bool filter_complete_ = true;
  bool dry_run_complete_ = true;
  Scores scores_ = Scores::all;
  Compared compared_;
};

}  // namespace

std::size_t runs_enough(std::size_t members) {
  constexpr std::size_t k_slots = 8;
  return k_runs_enough * ((members + k_slots - 1) / k_slots);
}

Compared compare(const Given& given, const Json& ours, const Release& release) {
  return Comparison(given, ours, release).result();
}

}  // namespace touchstone::oracle
