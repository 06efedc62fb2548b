#include "oracle/compare/difference_wording.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "oracle/compare/cause_of_placement.hpp"
#include "oracle/explain/wording.hpp"

namespace touchstone::oracle {

namespace {

constexpr std::size_t k_names_told = 6;

std::string plain(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// A list of names: "default/a, default/b". `last` stands before the last name.
std::string listed(const Json& list, const std::string& none, const std::string& last = ", ") {
  if (!list.is_array()) return list.is_null() ? none : plain(list);
  if (list.empty()) return none;
  std::vector<std::string> names;
  for (const Json& name : list) names.push_back(plain(name));
  if (names.size() > k_names_told) return names_of(names, k_names_told);
  std::string text = names[0];
  for (std::size_t i = 1; i < names.size(); ++i) text += (i + 1 == names.size() ? last : ", ") + names[i];
  return text;
}

std::string reasons_given(const Json& status) {
  const Json reasons = status.is_object() ? status.value("reasons", Json()) : Json();
  const std::string plugin = status.is_object() ? plain(status.value("plugin", Json(""))) : "";
  std::string text = listed(reasons, "");
  if (!text.empty()) text = "\"" + text + "\"";
  if (status.is_object() && status.contains("code"))
    text += (text.empty() ? "" : " ") + std::string("(") + plain(status["code"]) +
            (plugin.empty() ? "" : ", " + plugin) + ")";
  return text.empty() ? "" : ": " + text;
}

std::string outcome_deed(const Json& outcome, const Json& answer) {
  const Json none = nullptr;
  if (outcome == "nominated")
    return "nominates the pod to " + plain(answer.value("node", Json("a node"))) + " and evicts " +
           listed(answer.value("victims", none), "no pod");
  if (outcome == "fits")
    return "finds that the pod fits on " + listed(answer.value("feasible", none), "a node");
  if (outcome == "none") return "finds no node where evictions help";
  if (outcome == "ineligible") return "says that the pod may not preempt";
  if (outcome == "error") {
    const Json reason = answer.value("reason", none);
    return "ends in an error" + (reason.is_string() ? ": \"" + plain(reason) + "\"" : std::string());
  }
  return "gives the outcome " + plain(outcome);
}

std::string candidate_deed(const Json& candidate, const std::string& node) {
  if (!candidate.is_object()) return "finds no candidate on " + node;
  const Json violations = candidate.value("numPDBViolations", Json());
  return "evicts " + listed(candidate.value("victims", Json()), "no pod") + " from " + node +
         (violations.is_number_unsigned()
              ? " with " + count_of(violations.get<std::size_t>(), "PDB violation")
              : "");
}

}  // namespace

bool differ_in_order_alone(const Difference& difference) {
  Json given = Json::parse(difference.given);
  Json ours = Json::parse(difference.ours);
  for (Json* value : {&given, &ours}) {
    Json& victims = value->is_object() ? (*value)["victims"] : *value;
    if (!victims.is_array()) return false;
    std::sort(victims.begin(), victims.end());
  }
  return given == ours;
}

std::string difference_phrase(const Difference& difference, const std::string& value_text,
                              const Json& answer) {
  const Json value = Json::parse(value_text);
  const std::size_t dot = difference.key.find('.');
  const std::string kind = difference.key.substr(0, dot);
  const std::string node =
      dot == std::string::npos ? plain(answer.value("node", Json("a node"))) : difference.key.substr(dot + 1);
  const bool is_missing = value.is_null();
  if (kind == "outcome") return outcome_deed(value, answer);
  if (kind == "filter")
    return is_missing ? "does not reject " + node + " without evictions"
                      : "rejects " + node + " without evictions" + reasons_given(value);
  if (kind == "feasible") return "finds that the pod fits on " + listed(value, "no node");
  if (kind == "dryRun") {
    const Json candidates = answer.value("candidates", Json::object());
    if (is_missing && candidates.contains(node)) return candidate_deed(candidates[node], node);
    return is_missing ? "gives no result of evictions on " + node
                      : "finds no candidate on " + node + reasons_given(value);
  }
  if (kind == "candidates") return candidate_deed(value, node);
  if (kind == "victims") return "evicts " + listed(value, "no pod") + " from " + node;
  if (kind == "numPDBViolations") return "counts " + plain(value) + " PDB violations on " + node;
  if (kind == "node" || kind == "observed") return "chooses " + listed(value, "no node", " or ");
  if (kind == "admissible" && dot != std::string::npos)
    return is_missing ? "never chooses " + node
                      : "may choose " + candidate_deed(value, node).replace(0, 6, "to evict");
  if (kind == "admissible") return "chooses " + listed(value, "no node", " or ") + " too";
  if (kind == "nomination")
    return is_missing ? "does not report the pod's own nomination"
                      : "leaves the pod's own nomination " + plain(value);
  if (kind == "nextStart") return "begins the next search at " + plain(value);
  if (kind == "scores" && !scorer_in(difference).empty()) {
    const std::string scorer = scorer_in(difference);
    const std::string scored = node.substr(0, node.size() - scorer.size() - 1);
    return is_missing ? "gives " + scored + " no score of " + scorer
                      : "gives " + scored + " the score " + plain(value) + " of " + scorer;
  }
  if (kind == "clears") return "clears the nominations of " + listed(value, "no pod");
  if (kind == "message" || kind == "ineligible")
    return is_missing ? "gives no text" : "says \"" + plain(value) + "\"";
  return "answers " + plain(value) + " as " + difference.key;
}

}  // namespace touchstone::oracle
