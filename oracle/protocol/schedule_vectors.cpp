#include "oracle/protocol/schedule_vectors.hpp"

#include <nlohmann/json.hpp>

#include "oracle/compare/placement_comparison.hpp"

namespace touchstone::oracle {

std::vector<Difference> schedule_differences(const Json& expected, const Json& found, const Release& release,
                                             Scores scores) {
  const bool is_scheduled = found.at("outcome") == "scheduled";
  // A recording in which no node fits has no outcome: it ends with the search for nodes.
  if (!expected.contains("outcome") && is_scheduled) return placement_differences(expected, found, scores);
  std::vector<Difference> differences;
  Json shared = expected;
  if (!is_scheduled) shared.erase("feasible");
  if (expected.contains("outcome"))
    differences = compare({shared, shared.contains("filter"), false, {}, scores}, found, release).differences;
  const Json feasible = is_scheduled ? Json::array() : expected.value("feasible", Json::array());
  if (!feasible.empty()) differences.push_back({"feasible", feasible.dump(), "[]"});
  return differences;
}

}  // namespace touchstone::oracle
