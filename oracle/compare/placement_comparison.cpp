#include "oracle/compare/placement_comparison.hpp"

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

/// The keys of an object.
std::set<std::string> keys_in(const Json& object) {
  std::set<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.insert(key);
  return keys;
}

/// The numbers of an object, by key.
Numbers numbers_in(const Json& object) {
  Numbers numbers;
  for (const auto& [key, number] : object.items()) numbers[key] = number.get<Quantity>();
  return numbers;
}

class PlacementComparison {
 public:
  PlacementComparison(const Json& given, const Json& ours) : given_(given), ours_(ours) {}

  void compare_feasible() { compare_nodes("feasible"); }

  void compare_scores(Scores scores) {
    for (const char* key : {"scores", "totals"}) compare_scored_nodes(key, scores);
    if (given_.contains("scores")) {
      const Json ours = ours_.value("scores", Json::object());
      for (const auto& [node, numbers] : given_["scores"].items())
        compare_numbers("scores." + node + ".", numbers_in(numbers),
                        numbers_in(ours.value(node, Json::object())), scores);
    }
    if (given_.contains("totals"))
      compare_numbers("totals.", numbers_in(given_["totals"]),
                      numbers_in(ours_.value("totals", Json::object())), scores);
  }

  void compare_choice() {
    compare_nodes("best");
    const std::set<std::string> best = nodes_in(ours_.value("best", Json::array()));
    const auto demand_best = [&](const std::string& key, const std::string& node) {
      if (!best.contains(node)) differ(key, Json(node), Json(best));
    };
    if (given_.contains("node")) demand_best("node", given_["node"]);
    for (const char* key : {"chosen", "observed"}) {
      if (!given_.contains(key)) continue;
      for (const auto& [node, count] : given_[key].items()) demand_best(key, node);
    }
  }

  std::vector<Difference> differences;
  std::vector<Difference> listed;  ///< scores of 0 that one side alone has: they change nothing else

 private:
  void differ(const std::string& key, const Json& given, const Json& ours) {
    differences.push_back({key, given.dump(), ours.dump()});
  }

  void compare_nodes(const char* key) {
    if (!given_.contains(key)) return;
    const std::set<std::string> given = nodes_in(given_[key]);
    const std::set<std::string> ours = nodes_in(ours_.value(key, Json::array()));
    if (given != ours) differ(key, Json(given), Json(ours));
  }

  /// Compares the nodes that have scores. If only some scores are named, other nodes may have them, too.
  void compare_scored_nodes(const char* key, Scores scores) {
    if (!given_.contains(key) || scores == Scores::named) return;
    const std::set<std::string> given = keys_in(given_[key]);
    const std::set<std::string> ours = keys_in(ours_.value(key, Json::object()));
    if (given != ours) differ(key, Json(given), Json(ours));
  }

  /// Compares numbers by name. The sum of what extenders add is no scorer: if it is 0, it may be absent.
  void compare_numbers(const std::string& prefix, const Numbers& given, const Numbers& ours, Scores scores) {
    const auto number_of = [](const Numbers& numbers, const std::string& name) {
      const auto found = numbers.find(name);
      return found == numbers.end() ? Json() : Json(found->second);
    };
    const auto or_zero = [](const Json& number) { return number.is_null() ? Json(0) : number; };
    std::set<std::string> names;
    for (const auto& [name, number] : given) names.insert(name);
    if (scores != Scores::named) {
      for (const auto& [name, number] : ours) names.insert(name);
    }
    for (const std::string& name : names) {
      const Json theirs = number_of(given, name);
      const Json own = number_of(ours, name);
      if (or_zero(theirs) != or_zero(own)) {
        differ(prefix + name, theirs, own);
      } else if (theirs != own && scores == Scores::all && name != "extenders") {
        listed.push_back({prefix + name, theirs.dump(), own.dump()});
      }
    }
  }

  const Json& given_;
  const Json& ours_;
};

}  // namespace

std::vector<Difference> placement_differences(const Json& given, const Json& ours, Scores scores) {
  PlacementComparison comparison(given, ours);
  comparison.compare_feasible();
  comparison.compare_scores(scores);
  comparison.compare_choice();
  std::vector<Difference> all = std::move(comparison.differences);
  all.insert(all.end(), comparison.listed.begin(), comparison.listed.end());
  return all;
}

}  // namespace touchstone::oracle
