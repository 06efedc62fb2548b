#include "cli/json/prove_json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "oracle/saved_numbers.hpp"

namespace touchstone::cli {

namespace {

using oracle::Json;
using proofs::Proved;
using proofs::Statement;

oracle::Json json_of_model(const proving::Model& model) {
  oracle::Json json = oracle::Json::object();
  for (const auto& [name, value] : model.numbers) json[name] = value;
  return json;
}

Proved proved_of(const Json& json) {
  const auto is_named = [name = json.at("theorem").get<std::string>()](const Statement& statement) {
    return statement.name == name;
  };
  const auto known = std::find_if(proofs::statements().begin(), proofs::statements().end(), is_named);
  if (known == proofs::statements().end())
    throw std::runtime_error("no theorem \"" + json.at("theorem").get<std::string>() + "\"");
  Proved proved;
  proved.statement = *known;
  proved.red = json.at("red").get<std::vector<std::string>>();
  proved.findings.paths = oracle::count_at(json, "paths");
  proved.findings.obligations = oracle::count_at(json, "claims");
  proved.findings.unsatisfiable = oracle::count_at(json, "obligations");
  proved.findings.rlimit = oracle::count_at(json, "rlimit");
  proved.seconds = oracle::seconds_at(json, "seconds");
  proved.replayed = oracle::count_at(json, "replayed");
  proved.solvers = json.at("solvers").get<std::vector<std::string>>();
  if (!json.at("secondSolver").is_null()) proved.second_solver = oracle::count_at(json, "secondSolver");
  for (const Json& variant : json.at("refutedVariants"))
    proved.variants.push_back({variant.at("fault"), {variant.at("claim"), {}}});
  return proved;
}

}  // namespace

std::string_view kind_of(const Statement& statement) {
  return statement.kind == proving::Kind::exhibit ? "exhibit" : "theorem";
}

std::string_view tier_of(const Statement& statement) {
  return statement.tier == proving::Tier::quick ? "quick" : "full";
}

std::string_view result_of(const Proved& proved) {
  if (!proved.red.empty()) return "RED";
  return proved.statement.kind == proving::Kind::exhibit ? "shown" : "proved";
}

oracle::Json json_of(const Statement& statement) {
  return {{"theorem", statement.name},   {"kind", kind_of(statement)}, {"clauses", statement.clauses},
          {"statement", statement.text}, {"tier", tier_of(statement)}, {"variants", statement.variants},
          {"without", statement.without}};
}

oracle::Json json_of(const Proved& proved) {
  const proving::Findings& findings = proved.findings;
  oracle::Json json = json_of(proved.statement);
  json["result"] = result_of(proved);
  json["solvers"] = proved.solvers;
  json["red"] = proved.red;
  json["paths"] = findings.paths;
  json["claims"] = findings.obligations;
  json["literalClaims"] = findings.trivial;
  json["obligations"] = findings.unsatisfiable;
  json["rlimit"] = findings.rlimit;
  json["seconds"] = proved.seconds;
  json["replayed"] = proved.replayed;
  json["beyond64Bits"] = proved.beyond;
  json["assumptions"] = findings.assumptions;
  json["assumptionsUsed"] = findings.used;
  json["secondSolver"] = proved.second_solver ? oracle::Json(*proved.second_solver) : oracle::Json();
  json["witnesses"] = oracle::Json::object();
  for (const auto& [name, model] : findings.witnesses) json["witnesses"][name] = json_of_model(model);
  json["refutations"] = oracle::Json::object();
  for (const auto& [claim, model] : findings.refutations) json["refutations"][claim] = json_of_model(model);
  json["refutedVariants"] = oracle::Json::array();
  for (const auto& [fault, refutation] : proved.variants) {
    json["refutedVariants"].push_back(
        {{"fault", fault}, {"claim", refutation.claim}, {"model", json_of_model(refutation.model)}});
  }
  return json;
}

oracle::Json json_of(const std::vector<proofs::ScenePaths>& results) {
  oracle::Json json = oracle::Json::array();
  for (std::size_t i = 0; i < results.size(); ++i) {
    const proofs::Scene& scene = proofs::scenes()[i];
    json.push_back({{"scene", scene.name},
                    {"statement", scene.statement},
                    {"release", proofs::release_of_scenes().version.text()},
                    {"paths", results[i].paths.size()},
                    {"behaviours", results[i].behaviours().size()},
                    {"obligations", results[i].findings.unsatisfiable},
                    {"red", results[i].red}});
  }
  return json;
}

Result<std::vector<Proved>> read_proved(const std::string& text, const std::string& file) {
  try {
    std::vector<Proved> results;
    for (const Json& row : Json::parse(text)) results.push_back(proved_of(row));
    if (results.empty())
      return Error{"proofs-malformed", file, "expected what touchstone prove --all -o json prints"};
    return results;
  } catch (const Json::exception& broken) {
    return Error{"proofs-malformed", file, oracle::complaint_of(broken)};
  } catch (const std::runtime_error& unknown) {
    return Error{"proofs-malformed", file, unknown.what()};
  }
}

}  // namespace touchstone::cli
