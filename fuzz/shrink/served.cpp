#include "fuzz/shrink/served.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

namespace touchstone::fuzz {

namespace {

/// A member that every object of a list has. "*" stands for each element of a list that is not empty; in a
/// path behind "?", also of none: if something on the way is absent, so is the member. There, it is not 0 or
/// "".
struct Member {
  const char* list;  ///< of the question; "pods" includes the preemptor
  std::vector<std::string> path;
};

constexpr const char* k_required = "requiredDuringSchedulingIgnoredDuringExecution";

const std::vector<Member>& members() {
  static const std::vector<Member> k_members = {
      {"nodes", {"status", "allocatable"}},
      {"pods", {"metadata", "namespace"}},
      {"pods", {"spec", "priority"}},
      {"pods", {"spec", "containers", "*", "name"}},
      {"pods", {"?", "spec", "affinity", "podAffinity", k_required, "*", "topologyKey"}},
      {"pods", {"?", "spec", "affinity", "podAntiAffinity", k_required, "*", "topologyKey"}},
      {"pods", {"?", "spec", "topologySpreadConstraints", "*", "maxSkew"}},
      {"pods", {"?", "spec", "topologySpreadConstraints", "*", "topologyKey"}},
      {"pods", {"?", "spec", "topologySpreadConstraints", "*", "whenUnsatisfiable"}},
      {"pods", {"?", "spec", "volumes", "*", "name"}},
      {"pdbs", {"metadata", "namespace"}},
      {"pdbs", {"spec"}},
      {"pdbs", {"status", "disruptionsAllowed"}},
      {"services", {"metadata", "namespace"}},
      {"services", {"spec"}},
      {"replicationControllers", {"metadata", "namespace"}},
      {"replicationControllers", {"spec"}},
      {"replicaSets", {"metadata", "namespace"}},
      {"replicaSets", {"spec", "selector"}},
      {"statefulSets", {"metadata", "namespace"}},
      {"statefulSets", {"spec", "selector"}},
  };
  return k_members;
}

bool is_zero(const Json& value) { return value == 0 || value == ""; }

bool has(const Json& object, const std::vector<std::string>& path) {
  const bool is_optional = path.front() == "?";
  std::vector<const Json*> values = {&object};
  for (auto key = path.begin() + (is_optional ? 1 : 0); key != path.end(); ++key) {
    const bool is_last = key + 1 == path.end();
    std::vector<const Json*> inner;
    for (const Json* value : values) {
      if (*key == "*" && value->is_array() && !value->empty()) {
        for (const Json& element : *value) inner.push_back(&element);
      } else if (*key != "*" && value->is_object() && value->contains(*key)) {
        inner.push_back(&(*value)[*key]);
      } else if (!is_optional || is_last) {
        return false;
      }
    }
    values = std::move(inner);
  }
  return !is_optional ||
         std::none_of(values.begin(), values.end(), [](const Json* value) { return is_zero(*value); });
}

bool every_object_has(const Json& question, const Member& member) {
  if (!question.is_object()) return true;
  const auto list = question.find(member.list);
  if (list != question.end() && list->is_array() &&
      !std::all_of(list->begin(), list->end(),
                   [&member](const Json& object) { return has(object, member.path); }))
    return false;
  const bool is_of_pods = member.list == std::string("pods");
  return !is_of_pods || !question.contains("pod") || has(question["pod"], member.path);
}

/// The required affinity terms and the spread constraints of a question's pods.
std::vector<const Json*> terms_of(const Json& question) {
  std::vector<const Json*> terms;
  const auto add = [&terms](const Json& pod, const Json::json_pointer& path) {
    if (!pod.contains(path) || !pod[path].is_array()) return;
    for (const Json& term : pod[path]) terms.push_back(&term);
  };
  const auto add_all = [&add](const Json& pod) {
    const Json::json_pointer affinity("/spec/affinity");
    add(pod, affinity / "podAffinity" / k_required);
    add(pod, affinity / "podAntiAffinity" / k_required);
    add(pod, Json::json_pointer("/spec/topologySpreadConstraints"));
  };
  if (question.contains("pods")) {
    for (const Json& pod : question["pods"]) add_all(pod);
  }
  if (question.contains("pod")) add_all(question["pod"]);
  return terms;
}

bool every_term_selects(const Json& question) {
  const std::vector<const Json*> terms = terms_of(question);
  return std::all_of(terms.begin(), terms.end(), [](const Json* term) {
    return term->contains("labelSelector") && !(*term)["labelSelector"].empty();
  });
}

bool every_node_has_the_keys(const Json& question) {
  if (!question.contains("nodes")) return true;
  for (const Json* term : terms_of(question)) {
    if (!term->contains("topologyKey") || !(*term)["topologyKey"].is_string()) continue;
    const Json::json_pointer label =
        Json::json_pointer("/metadata/labels") / (*term)["topologyKey"].get<std::string>();
    for (const Json& node : question["nodes"]) {
      if (!node.contains(label)) return false;
    }
  }
  return true;
}

}  // namespace

RequiredMembers::RequiredMembers(const Json& question) {
  for (std::size_t i = 0; i < members().size(); ++i) {
    if (every_object_has(question, members()[i])) kept_.push_back(i);
  }
}

bool RequiredMembers::allows(const Json& smaller) const {
  return std::all_of(kept_.begin(), kept_.end(),
                     [&smaller](std::size_t i) { return every_object_has(smaller, members()[i]); });
}

bool keeps_labels(const Json& question, const Json& smaller) {
  return (!every_term_selects(question) || every_term_selects(smaller)) &&
         (!every_node_has_the_keys(question) || every_node_has_the_keys(smaller));
}

}  // namespace touchstone::fuzz
