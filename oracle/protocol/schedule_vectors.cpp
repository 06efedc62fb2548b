#include "oracle/protocol/schedule_vectors.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "oracle/protocol/answer_parts.hpp"

namespace touchstone::oracle {

namespace {

using Numbers = std::map<std::string, Quantity>;

std::set<std::string> nodes_in(const Json& list) {
  const std::vector<std::string> names = names_in(list);
  return {names.begin(), names.end()};
}

/// The numbers of an object, by key.
Numbers numbers_in(const Json& object) {
  Numbers numbers;
  for (const auto& [key, number] : object.items()) numbers[key] = number.get<Quantity>();
  return numbers;
}

/// Compares an answer of the reference with the expected answer, part by part.
class PlacementComparison {
 public:
  PlacementComparison(const Json& expected, const Json& found) : expected_(expected), found_(found) {}

  void compare_feasible() { compare_nodes("feasible"); }

  void compare_scores(Scores scores) {
    if (expected_.contains("scores")) {
      const Json ours = found_.value("scores", Json::object());
      for (const auto& [node, given] : expected_["scores"].items())
        compare_numbers("scores." + node + ".", numbers_in(given),
                        numbers_in(ours.value(node, Json::object())), scores);
    }
    if (expected_.contains("totals"))
      compare_numbers("totals.", numbers_in(expected_["totals"]),
                      numbers_in(found_.value("totals", Json::object())), scores);
  }

  void compare_choice() {
    compare_nodes("best");
    const std::set<std::string> best = nodes_in(found_.value("best", Json::array()));
    const auto demand_best = [&](const std::string& key, const std::string& node) {
      if (!best.contains(node)) differ(key, Json(node), Json(best));
    };
    if (expected_.contains("node")) demand_best("node", expected_["node"]);
    if (!expected_.contains("chosen")) return;
    for (const auto& [node, count] : expected_["chosen"].items()) demand_best("chosen", node);
  }

  std::vector<Difference> differences;

 private:
  void differ(const std::string& key, const Json& given, const Json& ours) {
    differences.push_back({key, given.dump(), ours.dump()});
  }

  void compare_nodes(const char* key) {
    if (!expected_.contains(key)) return;
    const std::set<std::string> given = nodes_in(expected_[key]);
    const std::set<std::string> ours = nodes_in(found_.value(key, Json::array()));
    if (given != ours) differ(key, Json(given), Json(ours));
  }

  /// Compares numbers by name. Unless only some are named, each of our numbers must be expected, or be 0.
  void compare_numbers(const std::string& prefix, const Numbers& given, const Numbers& ours, Scores scores) {
    const auto number_of = [](const Numbers& numbers, const std::string& name) {
      const auto found = numbers.find(name);
      return found == numbers.end() ? 0 : found->second;
    };
    std::set<std::string> names;
    for (const auto& [name, number] : given) names.insert(name);
    if (scores == Scores::all) {
      for (const auto& [name, number] : ours) names.insert(name);
    }
    for (const std::string& name : names) {
      if (number_of(given, name) != number_of(ours, name))
        differ(prefix + name, Json(number_of(given, name)), Json(number_of(ours, name)));
    }
  }

  const Json& expected_;
  const Json& found_;
};

}  // namespace

std::vector<Difference> schedule_differences(const Json& expected, const Json& found, const Release& release,
                                             Scores scores) {
  PlacementComparison comparison(expected, found);
  // A recording in which no node fits has no outcome: it ends with the search for nodes.
  if (expected.contains("outcome")) {
    Json shared = expected;
    shared.erase("feasible");
    comparison.differences = compare({shared, false, false, {}}, found, release).differences;
  }
  comparison.compare_feasible();
  if (found.at("outcome") != "scheduled") return std::move(comparison.differences);
  comparison.compare_scores(scores);
  comparison.compare_choice();
  return std::move(comparison.differences);
}

}  // namespace touchstone::oracle
