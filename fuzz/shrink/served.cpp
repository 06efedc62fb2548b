#include "fuzz/shrink/served.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

namespace touchstone::fuzz {

namespace {

/// A member that every object of a list has. "*" stands for each element of a list that is not empty.
struct Member {
  const char* list;  ///< of the question; "pods" includes the preemptor
  std::vector<std::string> path;
};

const std::vector<Member>& members() {
  static const std::vector<Member> k_members = {
      {"nodes", {"status", "allocatable"}},
      {"pods", {"metadata", "namespace"}},
      {"pods", {"spec", "priority"}},
      {"pods", {"spec", "containers", "*", "name"}},
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

bool has(const Json& object, const std::vector<std::string>& path) {
  std::vector<const Json*> values = {&object};
  for (const std::string& key : path) {
    std::vector<const Json*> inner;
    for (const Json* value : values) {
      if (key == "*") {
        if (!value->is_array() || value->empty()) return false;
        for (const Json& element : *value) inner.push_back(&element);
      } else {
        if (!value->is_object() || !value->contains(key)) return false;
        inner.push_back(&(*value)[key]);
      }
    }
    values = std::move(inner);
  }
  return true;
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

}  // namespace touchstone::fuzz
