#include "fuzz/campaign/verdict.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace touchstone::fuzz {

namespace {

/// Adds `best` to the left side's placement if that key is missing: the nodes that it chose in its runs, or
/// its node. Returns false after too few runs.
bool derive_best(Json& answer) {
  if (answer.contains("best")) return true;
  answer["best"] = Json::array({answer["node"]});
  if (!answer.contains("observed")) return true;
  answer["best"] = Json::array();
  std::size_t runs = 0;
  for (const auto& [node, count] : answer["observed"].items()) {
    answer["best"].push_back(node);
    runs += count.get<std::size_t>();
  }
  return runs >= oracle::runs_enough(answer.value("feasible", Json::array()).size());
}

/// Adds `admissible` to the left side's answer if that key is missing. If the left side reports `observed`,
/// the admissible nodes are those that it chose in its runs. After too few runs, they are not known yet, and
/// the function returns false. Without `observed`, only the node of the answer is admissible.
bool derive_admissible(Json& answer) {
  if (answer["outcome"] == "scheduled") return derive_best(answer);

  if (answer.contains("admissible") || !answer.contains("node")) return true;
  const auto choice_of = [&answer](const std::string& node) {
    Json one{{"node", node}};
    if (answer.contains("candidates") && answer["candidates"].contains(node))
      one.update(answer["candidates"][node]);
    return one;
  };
  if (!answer.contains("observed")) {
    Json one = choice_of(answer["node"]);
    for (const char* key : {"victims", "numPDBViolations"}) {
      if (answer.contains(key)) one[key] = answer[key];
    }
    answer["admissible"] = Json::array({one});
    return true;
  }
  std::size_t runs = 0;
  for (const auto& [node, count] : answer["observed"].items()) runs += count.get<std::size_t>();
  const std::size_t candidates = answer.contains("candidates") ? answer["candidates"].size() : 1;
  if (runs < oracle::runs_enough(candidates)) return false;
  answer["admissible"] = Json::array();
  for (const auto& [node, count] : answer["observed"].items())
    answer["admissible"].push_back(choice_of(node));
  return true;
}

oracle::Observed observed_of(const Json& answer) {
  oracle::Observed observed;
  if (!answer.contains("observed")) return observed;
  for (const auto& [node, count] : answer["observed"].items()) {
    observed.nodes.insert(node);
    observed.runs += count.get<std::size_t>();
  }
  return observed;
}

Verdict differ(std::string kind, const Json& given, const Json& ours) {
  return {Judgement::differ, kind, {{kind, given.dump(), ours.dump()}}, 0};
}

bool is_list_of_text(const Json& list) {
  return list.is_array() &&
         std::all_of(list.begin(), list.end(), [](const Json& element) { return element.is_string(); });
}

/// Whether a value is an object of integers that fit into a Quantity.
bool has_numbers(const Json& object) {
  const auto is_quantity = [](const Json& number) {
    return number.is_number_integer() &&
           !(number.is_number_unsigned() &&
             number.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX));
  };
  return object.is_object() && std::all_of(object.begin(), object.end(), is_quantity);
}

/// Whether the parts of a placement that are compared have the expected types.
bool is_well_formed_placement(const Json& answer) {
  for (const char* key : {"feasible", "best"}) {
    if (answer.contains(key) && !is_list_of_text(answer[key])) return false;
  }
  if (answer.contains("totals") && !has_numbers(answer["totals"])) return false;
  if (answer["outcome"] == "scheduled" && !answer.contains("node")) return false;
  if (!answer.contains("scores")) return true;
  return answer["scores"].is_object() &&
         std::all_of(answer["scores"].begin(), answer["scores"].end(), has_numbers);
}

/// The verdict on an answer that says for each node whether the pod fits. `ours`: a decision.
Verdict judge_fits(const Json& fits, const Json& ours, const std::set<std::string>& features,
                   const Release& release) {
  if (ours["outcome"] == "error") return {Judgement::skipped, "the release ends in an error", {}, 0};
  Verdict verdict;
  verdict.nodes = oracle::compare_verdicts(fits, ours, features, release);
  const oracle::NodeVerdicts& nodes = verdict.nodes;
  if (!nodes.differences.empty()) {
    verdict.judgement = Judgement::differ;
    verdict.kind = "answers";
    verdict.differences = nodes.differences;
  } else if (nodes.agree == 0) {
    verdict.judgement = Judgement::skipped;
    verdict.kind = nodes.skipped.empty() ? "no nodes" : "no node is judged";
  }
  return verdict;
}

/// Why the subject rejects a node, in its own words; or that it accepts it.
std::string reason_of(const oracle::Difference& difference) {
  const Json verdict = Json::parse(difference.given);
  if (verdict.is_null()) return "accepted";
  const Json reasons = verdict.value("reasons", Json::array());
  return "rejected" + (reasons.empty() ? "" : ": " + reasons[0].get<std::string>());
}

}  // namespace

std::string Verdict::signature() const {
  if (!nodes.differences.empty()) return kind + " " + reason_of(differences.front());
  const std::string key = differences.empty() ? "" : differences.front().key;
  return kind + " " + key.substr(0, key.find('.'));
}

bool is_well_formed(const Json& answer) {
  const auto is_object = [&answer](const char* key) {
    return !answer.contains(key) || answer.at(key).is_object();
  };
  const auto statuses_are = [&](const char* key) {
    if (!is_object(key)) return false;
    if (!answer.contains(key)) return true;
    for (const Json& status : answer.at(key)) {
      if (!status.is_object() || !status.contains("code") || !status["code"].is_string()) return false;
      if (status.contains("reasons") && !is_list_of_text(status["reasons"])) return false;
    }
    return true;
  };
  if (!answer.contains("outcome") || !answer["outcome"].is_string()) return false;
  if (answer.contains("node") && !answer["node"].is_string()) return false;
  if (!is_object("candidates") || !is_object("observed")) return false;
  if (answer.contains("candidates")) {
    for (const Json& candidate : answer["candidates"]) {
      if (!candidate.is_object() || !candidate.contains("victims") || !is_list_of_text(candidate["victims"]))
        return false;
    }
  }
  if (answer.contains("observed")) {
    for (const Json& count : answer["observed"]) {
      if (!count.is_number_unsigned()) return false;
    }
  }
  if (answer.contains("admissible")) {
    if (!answer["admissible"].is_array()) return false;
    for (const Json& each : answer["admissible"]) {
      if (!each.is_object() || !each.contains("node") || !each["node"].is_string()) return false;
    }
  }
  if (answer["outcome"] == "nominated" &&
      !(answer.contains("node") && answer.contains("victims") && is_list_of_text(answer["victims"])))
    return false;
  return is_well_formed_placement(answer) && statuses_are("filter") && statuses_are("dryRun");
}

Verdict judge(const Reply& left, const Reply& right, const Release& release, LeftAnswers left_answers,
              const std::set<std::string>& features) {
  if (left.failure || right.failure) {
    const oracle::Failure& failure = right.failure ? *right.failure : *left.failure;
    const std::string side = right.failure ? "" : "left ";
    return {Judgement::differ,
            side + std::string(oracle::code_of(failure.kind)),
            {{side + std::string(oracle::code_of(failure.kind)), Json(failure.detail).dump(), "null"}},
            0};
  }
  for (const Reply* reply : {&right, &left}) {
    if (!reply->passing) continue;
    const std::string kind = "not repeated: " + std::string(reply == &left ? "left " : "") +
                             std::string(oracle::code_of(reply->passing->kind));
    return {Judgement::differ, kind, {{kind, Json(reply->passing->detail).dump(), "null"}}, 0};
  }
  const auto says = [](const Reply& reply, const char* key) {
    return reply.answer.is_object() && reply.answer.contains(key);
  };
  const auto skipped = [](const std::string& by, const Json& what) {
    const std::string text = what.is_string() ? what.get<std::string>() : what.dump();
    return Verdict{Judgement::skipped, by + text.substr(0, text.find(':')), {}, 0};
  };
  // A subject that leaves a question out says nothing about it, so it cannot differ from one that refuses it.
  if (says(left, "error") && says(right, "skipped"))
    return skipped("by the subject: ", right.answer["skipped"]);
  if (says(left, "error") || says(right, "error"))
    return differ("error", right.answer.value("error", Json()), left.answer.value("error", Json()));
  const bool on_nodes = says(right, "fits") && !says(right, "skipped");
  if (on_nodes && !oracle::are_verdicts(right.answer["fits"]))
    return differ("malformed answer", right.answer, nullptr);
  if (!on_nodes && !says(right, "skipped") && !is_well_formed(right.answer))
    return differ("malformed answer", right.answer, nullptr);
  if (!says(left, "skipped") && !is_well_formed(left.answer))
    return differ("malformed answer", nullptr, left.answer);
  for (const Reply* reply : {&right, &left}) {
    for (const auto& [key, value] : reply->answer.items()) {
      if (!oracle::is_answer_key(key))
        return reply == &right ? differ("unknown key", key, nullptr) : differ("unknown key", nullptr, key);
    }
  }
  for (const Reply* reply : {&left, &right}) {
    if (says(*reply, "skipped"))
      return skipped(reply == &right ? "by the subject: " : "", reply->answer["skipped"]);
  }

  if (on_nodes) return judge_fits(right.answer["fits"], left.answer, features, release);
  Json ours = left.answer;
  Json given = right.answer;
  // In a recording, candidates beside an error mean that the scheduler crashed after the choice.
  if (given["outcome"] == "error") given.erase("candidates");
  if (!derive_admissible(ours)) return {Judgement::agree, "", {}, 1};
  if (left_answers == LeftAnswers::in_part) {
    for (const char* key : {"feasible", "filter", "dryRun", "ineligible", "nomination", "clears", "message",
                            "scores", "totals", "best"}) {
      if (!left.answer.contains(key) || left.answer[key].is_null()) given.erase(key);
    }
  }
  const auto complete = [&](const char* key) {
    return given.contains(key) || (features.contains(key) && ours.contains(key));
  };
  oracle::Compared compared =
      oracle::compare({given, complete("filter"), complete("dryRun"), observed_of(given)}, ours, release);
  if (given["outcome"] == "nominated" && features.contains("nomination") && !given.contains("nomination") &&
      ours.contains("nomination"))
    compared.differences.push_back({"nomination", "null", ours["nomination"].dump()});
  const Json message = ours.value("message", Json(""));
  if (features.contains("message") && !given.contains("message") && message != "" &&
      given["outcome"] != "error")
    compared.differences.push_back({"message", "null", ours["message"].dump()});
  Verdict verdict;
  verdict.unseen = compared.unseen;
  if (compared.differences.empty()) return verdict;
  verdict.judgement = Judgement::differ;
  verdict.kind = "answers";
  verdict.differences = std::move(compared.differences);
  return verdict;
}

}  // namespace touchstone::fuzz
