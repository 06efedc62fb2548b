#pragma once

#include <cctype>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "oracle/protocol/protocol.hpp"

/// All questions that are smaller by one step, found without the shrinker's code. They check the shrinker.
namespace touchstone::tests {

using oracle::Json;

inline bool names_an_object(const std::string& pointer) {
  return pointer.ends_with("/metadata/name") || pointer.ends_with("/metadata");
}

/// Whether an API server serves this value with every object of its kind.
inline bool is_always_served(const std::string& pointer) {
  static const std::regex k_served(
      "/pod(s/[0-9]+)?/(metadata/namespace|spec|spec/priority|spec/containers(/0|/[0-9]+/name)?)"
      "|/pdbs/[0-9]+/(metadata/namespace|spec|status|status/disruptionsAllowed)"
      "|/nodes/[0-9]+/status(/allocatable)?");
  return std::regex_match(pointer, k_served);
}

/// JSON pointers of all values, including containers.
inline std::set<std::string> pointers(const Json& question) {
  std::set<std::string> all;
  const Json flat = question.flatten();
  for (const auto& [text, value] : flat.items()) {
    for (Json::json_pointer pointer(text); !pointer.empty(); pointer.pop_back())
      all.insert(pointer.to_string());
  }
  return all;
}

/// Lower values for a number: one less, and its half. Texts such as "500m" keep their suffix.
inline std::vector<Json> lower(const Json& value) {
  if (value.is_number_integer()) {
    const auto number = value.get<std::int64_t>();
    if (number == 0) return {};
    return {number > 0 ? number - 1 : number + 1, number / 2};
  }
  if (!value.is_string()) return {};
  const auto text = value.get<std::string>();
  std::size_t digits = 0;
  while (digits < text.size() && std::isdigit(static_cast<unsigned char>(text[digits])) != 0) ++digits;
  const std::string suffix = text.substr(digits);
  if (digits == 0 || digits > 15 || !std::set<std::string>{"", "m", "Ki", "Mi", "Gi"}.contains(suffix))
    return {};
  const std::int64_t number = std::stoll(text.substr(0, digits));
  if (number == 0) return {};
  return {std::to_string(number - 1) + suffix, std::to_string(number / 2) + suffix};
}

/// Questions with one element or member less, or with one number lowered by one or to its half.
inline std::vector<Json> smaller_by_one(const Json& question) {
  std::vector<Json> all;
  for (const std::string& pointer : pointers(question)) {
    if (!names_an_object(pointer) && !is_always_served(pointer))
      all.push_back(question.patch(Json::array({{{"op", "remove"}, {"path", pointer}}})));
    for (const Json& value : lower(question[Json::json_pointer(pointer)])) {
      all.push_back(question);
      all.back()[Json::json_pointer(pointer)] = value;
    }
  }
  return all;
}

}  // namespace touchstone::tests
