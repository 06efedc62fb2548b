#include "cli/faults_json.hpp"

#include <algorithm>

#include "kubernetes/bytes.hpp"
#include "oracle/kept.hpp"
#include "proofs/prove.hpp"

namespace touchstone::cli {

namespace {

using fuzz::Judged;
using fuzz::Trial;
using oracle::Json;

/// Requires: there is one. Throws Json::exception otherwise.
template <typename Known>
auto known(const Json& name, const Known& all, const auto& name_of) {
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const auto& each) { return name_of(each) == name.get<std::string>(); });
  if (found == all.end()) throw Json::out_of_range::create(403, "unknown name " + name.dump(), &name);
  return found;
}

Json json_of_trial(const Trial& trial) {
  Json json{{"seconds", trial.seconds}};
  if (trial.reached) json["reached"] = *trial.reached;
  if (trial.triggered) json["triggered"] = *trial.triggered;
  if (trial.detected) json["detected"] = *trial.detected;
  if (!trial.failed.empty()) json["failed"] = trial.failed;
  return json;
}

Json json_of_judged(const Judged& judged) {
  if (!judged.not_there.empty()) return {{"skipped", judged.not_there}};
  Json json{{"detected", judged.detected()}, {"trials", Json::array()}};
  for (const Trial& trial : judged.trials) json["trials"].push_back(json_of_trial(trial));
  if (const std::optional<fuzz::Median> median = judged.median())
    json["median"] = {{"cases", median->cases}, {"seconds", median->seconds}};
  return json;
}

Json json_of_result(const fuzz::FaultResult& result) {
  const fuzz::Fault& fault = *result.fault;
  Json json{{"id", fault.id},
            {"title", fault.title},
            {"clause", fault.clause},
            {"source", fault.source},
            {"release", fault.release},
            {"reached", result.reached()},
            {"triggered", result.triggered()},
            {"detected", result.detected()},
            {"theorems", refuted_by(fault.id)},
            {"judges", Json::object()}};
  if (!fault.unseen.empty()) json["unseen"] = fault.unseen;
  for (const Judged& judged : result.judged)
    json["judges"][std::string(judged.judge)] = json_of_judged(judged);
  return json;
}

Trial trial_of(const Json& json) {
  Trial trial;
  const auto read = [&json](const char* key, std::optional<std::uint64_t>& into) {
    if (json.contains(key)) into = oracle::count_at(json, key);
  };
  read("reached", trial.reached);
  read("triggered", trial.triggered);
  read("detected", trial.detected);
  trial.seconds = oracle::seconds_at(json, "seconds");
  trial.failed = json.value("failed", "");
  return trial;
}

Judged judged_of(const std::string& judge, const Json& json) {
  const auto itself = [](std::string_view name) { return name; };
  Judged judged{*known(judge, fuzz::k_judge_names, itself), json.value("skipped", ""), {}};
  if (!judged.not_there.empty()) return judged;
  for (const Json& trial : json.at("trials")) judged.trials.push_back(trial_of(trial));
  return judged;
}

fuzz::FaultResult result_of(const Json& json) {
  const auto id_of = [](const fuzz::Fault& fault) { return fault.id; };
  fuzz::FaultResult result{&*known(json.at("id"), fuzz::faults(), id_of), {}};
  for (const auto& [judge, judged] : json.at("judges").items())
    result.judged.push_back(judged_of(judge, judged));
  return result;
}

}  // namespace

Json json_of(const std::vector<fuzz::FaultResult>& results) {
  Json json{{"faults", Json::array()}, {"failures", fuzz::failures_of(results)}};
  for (const fuzz::FaultResult& result : results) json["faults"].push_back(json_of_result(result));
  return json;
}

Result<std::vector<fuzz::FaultResult>> read_faults(const std::string& file) {
  const Result<std::string> text = kubernetes::read_bytes(file, kubernetes::Progress());
  if (!text) return text.error();
  try {
    const Json json = Json::parse(text.value());
    std::vector<fuzz::FaultResult> results;
    for (const Json& result : json.at("faults")) {
      results.push_back(result_of(result));
      if (results.back().judged.size() != results.front().judged.size())
        return Error{"faults-malformed", file, "expected as many judges of each fault"};
    }
    if (results.empty())
      return Error{"faults-malformed", file, "expected what touchstone faults -o json prints"};
    return results;
  } catch (const Json::exception& broken) {
    return Error{"faults-malformed", file, oracle::complaint_of(broken)};
  }
}

std::vector<std::string> refuted_by(std::string_view fault) {
  std::vector<std::string> names;
  for (const proofs::Statement& statement : proofs::statements()) {
    if (std::find(statement.twins.begin(), statement.twins.end(), fault) != statement.twins.end())
      names.push_back(statement.name);
  }
  return names;
}

}  // namespace touchstone::cli
