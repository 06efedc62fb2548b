#include "kubernetes/objects/known_fields.hpp"

#include <charconv>
#include <deque>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "kubernetes/configuration/configuration_fields.hpp"

namespace touchstone::kubernetes {

namespace {

struct Field {
  std::string_view type;  ///< empty: the value of the field is not checked
  int since_minor = 0;
};

using Fields = std::map<std::string_view, Field>;
using Types = std::map<std::string_view, Fields>;

/// Removes the text before `end`, and `end` itself, from `text`. Returns the text before `end`.
std::string_view taken(std::string_view& text, char end) {
  const std::size_t size = text.find(end);
  const std::string_view first = text.substr(0, size);
  text.remove_prefix(size == std::string_view::npos ? text.size() : size + 1);
  return first;
}

/// Adds the types of a table such as k_known_fields.
void add_types(std::string_view text, Types& types) {
  Fields* fields = nullptr;
  while (!text.empty()) {
    std::string_view line = taken(text, '\n');
    while (!line.empty()) {
      std::string_view word = taken(line, ' ');
      if (word.ends_with(':')) {
        word.remove_suffix(1);
        fields = &types[word];
      } else if (!word.empty()) {
        std::string_view name = taken(word, '@');
        Field field;
        std::from_chars(word.data(), word.data() + word.size(), field.since_minor);
        const std::string_view key = taken(name, '=');
        field.type = name;
        fields->emplace(key, field);
      }
    }
  }
}

Types known_types() {
  Types types;
  add_types(k_known_fields, types);
  add_types(k_configuration_fields, types);
  return types;
}

[[noreturn]] void fail(const Value& member, std::string_view type, const Field* later) {
  const std::string since = later == nullptr ? "" : " before v1." + std::to_string(later->since_minor);
  member.fail("unknown-field", "expected a field of " + std::string(type) + ", found " +
                                   std::string(member.key()) + ", which it does not have" + since);
}

}  // namespace

void refuse_unknown_fields(const Value& object, std::string_view type, const Version& release) {
  const Types types = known_types();
  // A deque, because each value points to the value around it.
  std::deque<std::pair<Value, std::string_view>> open = {{object, type}};
  for (std::size_t i = 0; i < open.size(); ++i) {
    const auto& [value, name] = open[i];
    if (value.is_null()) continue;
    if (value.is_list()) {
      for (const Value element : value.elements()) open.emplace_back(element, name);
      continue;
    }
    const Fields& fields = types.at(name);
    std::set<std::string_view> seen;
    for (const Value member : value.members()) {
      const auto known = fields.find(member.key());
      if (known == fields.end()) fail(member, name, nullptr);
      if (known->second.since_minor > release.minor) fail(member, name, &known->second);
      if (!seen.insert(member.key()).second) member.fail("duplicate-key", "expected this key once");
      if (!known->second.type.empty()) open.emplace_back(member, known->second.type);
    }
  }
}

}  // namespace touchstone::kubernetes
