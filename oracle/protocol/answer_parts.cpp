#include "oracle/protocol/answer_parts.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace touchstone::oracle {

std::vector<std::string> names_in(const Json& list) {
  std::vector<std::string> names;
  for (const Json& name : list) {
    if (name.is_string()) names.push_back(name.get<std::string>());
  }
  return names;
}

std::vector<std::string> victims_in(const Json& candidate) {
  return candidate.is_object() ? names_in(candidate.value("victims", Json())) : std::vector<std::string>();
}

Quantity number_in(const Json& value) { return value.is_number_integer() ? value.get<Quantity>() : -1; }

Quantity violations_in(const Json& candidate) {
  return candidate.is_object() ? number_in(candidate.value("numPDBViolations", Json())) : -1;
}

const Candidate* candidate_on(const Decision& decision, NodeIndex node) {
  const auto found = std::find_if(decision.candidates.begin(), decision.candidates.end(),
                                  [node](const Candidate& each) { return each.node == node; });
  return found == decision.candidates.end() ? nullptr : &*found;
}

Json given_on(const Json& given, const std::string& node) {
  const Json candidates = given.value("candidates", Json::object());
  if (candidates.contains(node)) return candidates[node];
  return given.value("node", Json()) == node ? given : Json();
}

}  // namespace touchstone::oracle
