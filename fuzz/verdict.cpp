#include "fuzz/verdict.hpp"

namespace touchstone::fuzz {

namespace {

/// What one side observed, where its answer has no `admissible`: all that it may answer, as far as many runs
/// tell.
void derive_admissible(Json& answer) {
  if (answer.contains("admissible") || !answer.contains("observed") || !answer.contains("candidates")) return;
  std::size_t runs = 0;
  for (const auto& [node, count] : answer["observed"].items()) runs += count.get<std::size_t>();
  if (runs < oracle::runs_enough(answer["candidates"].size())) return;
  answer["admissible"] = Json::array();
  for (const auto& [node, count] : answer["observed"].items()) {
    Json one{{"node", node}};
    if (answer["candidates"].contains(node)) one.update(answer["candidates"][node]);
    answer["admissible"].push_back(std::move(one));
  }
}

/// Whether the parts of an answer that are looked at have their types; a subject may send anything.
bool is_well_formed(const Json& answer) {
  const auto is_object = [&answer](const char* key) {
    return !answer.contains(key) || answer.at(key).is_object();
  };
  const auto statuses_are = [&](const char* key) {
    if (!is_object(key)) return false;
    if (!answer.contains(key)) return true;
    for (const Json& status : answer.at(key)) {
      if (!status.is_object() || !status.contains("code") || !status["code"].is_string()) return false;
      if (!status.contains("reasons")) continue;
      if (!status["reasons"].is_array()) return false;
      for (const Json& reason : status["reasons"]) {
        if (!reason.is_string()) return false;
      }
    }
    return true;
  };
  if (!answer.contains("outcome") || !answer["outcome"].is_string()) return false;
  if (answer.contains("node") && !answer["node"].is_string()) return false;
  if (!is_object("candidates") || !is_object("observed")) return false;
  if (answer.contains("candidates")) {
    for (const Json& candidate : answer["candidates"]) {
      if (!candidate.is_object() || !candidate.contains("victims") || !candidate["victims"].is_array())
        return false;
      for (const Json& victim : candidate["victims"]) {
        if (!victim.is_string()) return false;
      }
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
  if (answer["outcome"] == "nominated" && !answer.contains("node")) return false;
  return statuses_are("filter") && statuses_are("dryRun");
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

}  // namespace

std::string Verdict::signature() const {
  const std::string key = differences.empty() ? "" : differences.front().key;
  return kind + " " + key.substr(0, key.find('.'));
}

Verdict judge(const Reply& left, const Reply& right, const Release& release, LeftAnswers left_answers) {
  if (left.failure || right.failure) {
    const oracle::Failure& failure = right.failure ? *right.failure : *left.failure;
    const std::string side = right.failure ? "" : "left ";
    return {Judgement::differ,
            side + std::string(oracle::code_of(failure.kind)),
            {{side + std::string(oracle::code_of(failure.kind)), Json(failure.detail).dump(), "null"}},
            0};
  }
  for (const Reply* reply : {&left, &right}) {
    if (!reply->answer.contains("skipped")) continue;
    const Json& what = reply->answer["skipped"];
    const std::string text = what.is_string() ? what.get<std::string>() : what.dump();
    return {Judgement::skipped, text.substr(0, text.find(':')), {}, 0};
  }
  if (left.answer.contains("error") || right.answer.contains("error"))
    return differ("error", right.answer.value("error", Json()), left.answer.value("error", Json()));
  if (!is_well_formed(right.answer)) return differ("malformed answer", right.answer, nullptr);
  if (!is_well_formed(left.answer)) return differ("malformed answer", nullptr, left.answer);

  Json ours = left.answer;
  derive_admissible(ours);
  Json given = right.answer;
  if (left_answers == LeftAnswers::in_part) {
    for (const char* key :
         {"feasible", "filter", "dryRun", "ineligible", "nomination", "clears", "message"}) {
      if (!ours.contains(key) || ours[key].is_null()) given.erase(key);
    }
  }
  oracle::Compared compared = oracle::compare(
      {given, given.contains("filter"), given.contains("dryRun"), observed_of(given)}, ours, release);
  Verdict verdict;
  verdict.unseen = compared.unseen;
  if (compared.differences.empty()) return verdict;
  verdict.judgement = Judgement::differ;
  verdict.kind = "answers";
  verdict.differences = std::move(compared.differences);
  return verdict;
}

}  // namespace touchstone::fuzz
