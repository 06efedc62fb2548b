#include "cli/json/faults_json.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "faults/timeline_judges.hpp"
#include "faults/trial_json.hpp"
#include "kubernetes/text/bytes.hpp"
#include "oracle/saved_numbers.hpp"
#include "proofs/prove.hpp"

namespace touchstone::cli {

namespace {

using faults::Judged;
using oracle::Json;

/// The element of `all` with this name. Throws Json::exception if there is none.
template <typename Known>
auto known(const Json& name, const Known& all, const auto& name_of) {
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const auto& each) { return name_of(each) == name.get<std::string>(); });
  if (found == all.end()) throw Json::out_of_range::create(403, "unknown name " + name.dump(), &name);
  return found;
}

Json json_of_judged(const Judged& judged) {
  if (!judged.not_there.empty()) return {{"skipped", judged.not_there}};
  Json json{{"detected", judged.detected()}, {"trials", Json::array()}};
  for (const faults::Trial& trial : judged.trials) json["trials"].push_back(faults::json_of(trial));
  if (const std::optional<faults::Median> median = judged.median())
    json["median"] = {{"cases", median->cases}, {"seconds", median->seconds}};
  return json;
}

Json json_of_result(const faults::FaultResult& result) {
  const faults::Fault& fault = *result.fault;
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

Judged judged_of(const std::string& judge, const Json& json) {
  const auto itself = [](std::string_view name) { return name; };
  std::vector<std::string_view> judges(faults::k_judge_names.begin(), faults::k_judge_names.end());
  for (const std::string_view name : faults::k_timeline_judge_names) judges.push_back(name);
  Judged judged{*known(judge, judges, itself), json.value("skipped", ""), {}};
  if (!judged.not_there.empty()) return judged;
  for (const Json& trial : json.at("trials")) judged.trials.push_back(faults::trial_of(trial));
  return judged;
}

faults::FaultResult result_of(const Json& json) {
  const auto id_of = [](const faults::Fault& fault) { return fault.id; };
  const bool is_over_time =
      std::any_of(faults::timeline_faults().begin(), faults::timeline_faults().end(),
                  [&](const faults::Fault& fault) { return fault.id == json.at("id").get<std::string>(); });
  const std::vector<faults::Fault>& all = is_over_time ? faults::timeline_faults() : faults::faults();
  faults::FaultResult result{&*known(json.at("id"), all, id_of), {}};
  for (const auto& [judge, judged] : json.at("judges").items())
    result.judged.push_back(judged_of(judge, judged));
  return result;
}

}  // namespace

Json json_of(const std::vector<faults::FaultResult>& results) {
  Json json{{"faults", Json::array()}, {"failures", faults::failures_of(results)}};
  for (const faults::FaultResult& result : results) json["faults"].push_back(json_of_result(result));
  return json;
}

Result<std::vector<faults::FaultResult>> read_faults(const std::string& file) {
  const Result<std::string> text = kubernetes::read_bytes(file, kubernetes::Progress());
  if (!text) return text.error();
  try {
    const Json json = Json::parse(text.value());
    std::vector<faults::FaultResult> results;
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

std::optional<Error> write_faults(const std::string& file, const std::vector<faults::FaultResult>& results) {
  return kubernetes::write_bytes(file, json_of(results).dump(2) + "\n");
}

std::vector<std::string> refuted_by(std::string_view fault) {
  std::vector<std::string> names;
  for (const proofs::Statement& statement : proofs::statements()) {
    if (std::find(statement.variants.begin(), statement.variants.end(), fault) != statement.variants.end())
      names.push_back(statement.name);
  }
  return names;
}

}  // namespace touchstone::cli
