#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "fuzz/shrink/amounts.hpp"
#include "fuzz/shrink/moves.hpp"
#include "fuzz/shrink/places.hpp"

namespace touchstone::fuzz {

namespace {

bool has_list(const Json& question, const char* key) {
  return question.is_object() && question.contains(key) && question[key].is_array();
}

/// Amounts below a path, by resource.
using Usage = std::map<std::string, Quantity>;

bool starts_with(const Path& path, const Path& with) {
  return path.size() > with.size() && std::equal(with.begin(), with.end(), path.begin());
}

/// What a pod uses on its node: its requests, and 1 of `pods`. Empty if a sum overflows.
Usage usage_of(const std::vector<Amount>& amounts, std::size_t pod) {
  Usage usage = {{"pods", 1}};
  const Path path = {{"pods", 0, false}, {"pods", pod, true}};
  for (const Amount& amount : amounts) {
    if (!starts_with(amount.path, path) || parent_key(amount.path) != "requests") continue;
    Quantity& taken = usage[amount.group];
    if (__builtin_add_overflow(taken, amount.value, &taken)) return {};
  }
  return usage;
}

/// The question without a pod, and without the amounts that the pod uses on its node.
Json without_pod(const Json& question, const std::vector<Amount>& amounts, std::size_t pod,
                 std::size_t node) {
  const Usage usage = usage_of(amounts, pod);
  Json other = question;
  const Path allocatable = {
      {"nodes", 0, false}, {"nodes", node, true}, {"status", 0, false}, {"allocatable", 0, false}};
  for (const Amount& amount : amounts) {
    const auto taken = usage.find(amount.group);
    if (!starts_with(amount.path, allocatable) || taken == usage.end()) continue;
    at(other, amount.path) = written(amount, std::max<Quantity>(amount.value - taken->second, 0));
  }
  other["pods"].erase(pod);
  return other;
}

/// Adds a number to the priorities of all pods and of the preemptor. A priority of 0 is left out.
Json raised(Json question, Quantity by) {
  std::vector<Json*> pods = {&question["pod"]};
  for (Json& pod : question["pods"]) pods.push_back(&pod);
  for (Json* pod : pods) {
    if (!pod->is_object()) continue;
    Json& spec = (*pod)["spec"];
    if (!spec.is_object()) spec = Json::object();
    const bool has = spec.contains("priority") && spec["priority"].is_number_integer();
    const Quantity priority = (has ? spec["priority"].get<Quantity>() : 0) + by;
    spec["priority"] = priority;
    if (priority == 0) spec.erase("priority");
    if (spec.empty()) pod->erase("spec");
  }
  return question;
}

}  // namespace

bool drop_pods_with_room(Search& search) {
  if (!has_list(search.question(), "nodes") || !has_list(search.question(), "pods")) return false;
  bool any = false;
  std::vector<Amount> amounts = amounts_of(search.question());
  for (std::size_t pod = search.question()["pods"].size(); pod-- > 0 && !search.stopped();) {
    const Json& question = search.question();
    const std::string name = text_at(question["pods"][pod], {"spec", "nodeName"});
    std::size_t node = 0;
    while (node < question["nodes"].size() && text_at(question["nodes"][node], {"metadata", "name"}) != name)
      ++node;
    if (name.empty() || node == question["nodes"].size()) continue;
    if (!search.take(without_pod(question, amounts, pod, node))) continue;
    amounts = amounts_of(search.question());
    any = true;
  }
  return any;
}

bool raise_priorities(Search& search) {
  if (!has_list(search.question(), "pods") || !search.question().contains("pod")) return false;
  Quantity least = 0;
  for (const Amount& amount : amounts_of(search.question())) {
    constexpr Quantity k_least = -(Quantity{1} << 31);
    if (amount.group == "priority" && (amount.value < k_least || amount.value > -k_least)) return false;
    if (amount.group == "priority") least = std::min(least, amount.value);
  }
  return least < 0 && search.take(raised(search.question(), -least));
}

}  // namespace touchstone::fuzz
