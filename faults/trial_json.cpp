#include "faults/trial_json.hpp"

#include <nlohmann/json.hpp>

#include "oracle/saved_numbers.hpp"

namespace touchstone::faults {

oracle::Json json_of(const Trial& trial) {
  oracle::Json json{{"seconds", trial.seconds}};
  if (trial.reached) json["reached"] = *trial.reached;
  if (trial.triggered) json["triggered"] = *trial.triggered;
  if (trial.detected) json["detected"] = *trial.detected;
  if (!trial.failed.empty()) json["failed"] = trial.failed;
  return json;
}

Trial trial_of(const oracle::Json& json) {
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

}  // namespace touchstone::faults
