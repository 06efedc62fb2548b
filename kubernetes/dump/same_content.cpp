#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "kubernetes/text/place.hpp"

namespace touchstone::kubernetes {

namespace {

using simdjson::dom::element;
using simdjson::dom::element_type;
using Member = std::pair<std::string_view, element>;

/// Returns the members of an object sorted by key, without `except`; members with equal keys keep the order
/// of the text. Returns the elements of a list with empty keys, and nothing for any other value.
std::vector<Member> parts_of(element value, const std::vector<std::string_view>& except) {
  std::vector<Member> parts;
  simdjson::dom::array array;
  simdjson::dom::object object;
  if (value.get(array) == simdjson::SUCCESS) {
    for (const element each : array) parts.emplace_back("", each);
  } else if (value.get(object) == simdjson::SUCCESS) {
    for (const auto [key, each] : object) {
      if (std::find(except.begin(), except.end(), key) == except.end()) parts.emplace_back(key, each);
    }
    std::stable_sort(parts.begin(), parts.end(),
                     [](const Member& a, const Member& b) { return a.first < b.first; });
  }
  return parts;
}

}  // namespace

/// Compares Values and not only simdjson elements, because the text of a number is in its document. `open`
/// replaces recursion.
bool Value::same_content(const Value& other, const std::vector<std::string_view>& except) const {
  std::vector<std::pair<Value, Value>> open = {{*this, other}};
  for (bool is_first = true; !open.empty(); is_first = false) {
    const auto [a, b] = open.back();
    open.pop_back();
    const element_type type = element_at(a.element_).type();
    if (type != element_at(b.element_).type()) return false;
    if (type == element_type::BOOL && a.boolean() != b.boolean()) return false;
    const bool is_text =
        type == element_type::STRING || type == element_type::INT64 || type == element_type::DOUBLE;
    if (is_text && a.number_or_string() != b.number_or_string()) return false;

    const std::vector<std::string_view> skipped = is_first ? except : std::vector<std::string_view>();
    const std::vector<Member> mine = parts_of(element_at(a.element_), skipped);
    const std::vector<Member> theirs = parts_of(element_at(b.element_), skipped);
    if (mine.size() != theirs.size()) return false;
    for (std::size_t i = 0; i < mine.size(); ++i) {
      if (mine[i].first != theirs[i].first) return false;
      open.emplace_back(Value(a.document_, place_of(mine[i].second)),
                        Value(b.document_, place_of(theirs[i].second)));
    }
  }
  return true;
}

}  // namespace touchstone::kubernetes
