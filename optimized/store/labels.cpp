#include "optimized/store/labels.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

/// Conversion and matching of selectors. Whether a requirement is valid is decided once, from its text.
namespace touchstone::optimized {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_letter(char c) { return is_lower(c) || (c >= 'A' && c <= 'Z'); }

/// Whether a text is a label name: 1 to 63 letters, digits, '-', '_' or '.'. The first and the last character
/// are a letter or a digit.
bool is_name(std::string_view text) {
  constexpr std::size_t k_bytes_most = 63;
  const auto is_end = [](char c) { return is_letter(c) || is_digit(c); };
  const auto is_inner = [&](char c) { return is_end(c) || c == '-' || c == '_' || c == '.'; };
  if (text.empty() || text.size() > k_bytes_most || !is_end(text.front()) || !is_end(text.back()))
    return false;
  return std::all_of(text.begin(), text.end(), is_inner);
}

/// Whether a text is a DNS subdomain of at most 253 characters: parts joined by single dots. A part has
/// lower-case letters, digits and inner dashes.
bool is_domain(std::string_view text) {
  constexpr std::size_t k_bytes_most = 253;
  if (text.size() > k_bytes_most) return false;
  const auto is_end = [](char c) { return is_lower(c) || is_digit(c); };
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::string_view rest = text.substr(begin);
    const std::string_view part = rest.substr(0, rest.find('.'));
    if (part.empty() || !is_end(part.front()) || !is_end(part.back())) return false;
    if (!std::all_of(part.begin(), part.end(), [&](char c) { return is_end(c) || c == '-'; })) return false;
    begin += part.size() + 1;
  }
  return true;
}

bool is_key(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return is_name(text);
  return is_domain(text.substr(0, slash)) && is_name(text.substr(slash + 1));
}

bool is_value(const std::string& text) { return text.empty() || is_name(text); }

std::optional<std::int64_t> integer(std::string_view text) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

bool contains(const std::vector<Symbol>& values, Symbol value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

}  // namespace

bool is_valid_field(const Requirement& field) {
  return (field.op == "In" || field.op == "NotIn") && field.values.size() == 1;
}

bool holds_without_value(const Requirement& field) {
  return is_valid_field(field) && field.values[0].empty() == (field.op == "In");
}

std::vector<Label> numbered(const Labels& labels, const Numbering& number) {
  std::vector<Label> result;
  result.reserve(labels.size());
  for (const auto& [key, value] : labels) result.emplace_back(number(key), number(value));
  std::sort(result.begin(), result.end());
  return result;
}

Symbol value_of(LabelSpan labels, Symbol key) {
  const auto found = std::lower_bound(labels.begin(), labels.end(), key,
                                      [](const Label& label, Symbol wanted) { return label.first < wanted; });
  return found != labels.end() && found->first == key ? found->second : k_unknown_symbol;
}

Selector Selector::nothing() {
  Selector selector;
  selector.is_valid_ = false;
  return selector;
}

Selector Selector::of_term(const std::vector<Requirement>& requirements, const Numbering& number) {
  Selector selector;
  for (const Requirement& requirement : requirements) selector.add(requirement, number);
  return selector;
}

Selector Selector::of_labels(const LabelSelector& labels, const Numbering& number) {
  Selector selector = of_term(labels.match_expressions, number);
  for (const auto& [key, value] : labels.match_labels) selector.add({key, "In", {value}}, number);
  const auto is_for_nodes = [](const Test& test) { return test.op == Op::above || test.op == Op::below; };
  if (std::any_of(selector.tests_.begin(), selector.tests_.end(), is_for_nodes)) selector.is_valid_ = false;
  return selector;
}

void Selector::add(const Requirement& requirement, const Numbering& number) {
  const std::vector<std::string>& values = requirement.values;
  Test test;
  const auto takes = [&](std::string_view word, Op op, bool has_right_values) {
    if (requirement.op != word) return false;
    test.op = op;
    return has_right_values;
  };
  const std::optional<std::int64_t> bound = values.size() == 1 ? integer(values[0]) : std::nullopt;
  const bool is_known = takes("In", Op::in, !values.empty()) || takes("NotIn", Op::not_in, !values.empty()) ||
                        takes("Exists", Op::exists, values.empty()) ||
                        takes("DoesNotExist", Op::does_not_exist, values.empty()) ||
                        takes("Gt", Op::above, bound.has_value()) ||
                        takes("Lt", Op::below, bound.has_value());
  if (!is_known || !is_key(requirement.key) || !std::all_of(values.begin(), values.end(), is_value))
    is_valid_ = false;
  test.key = number(requirement.key);
  for (const std::string& value : values) test.values.push_back(number(value));
  test.bound = bound.value_or(0);
  tests_.push_back(std::move(test));
}

bool Selector::holds(const Test& test, LabelSpan labels, const Symbols& symbols) {
  const Symbol value = value_of(labels, test.key);
  const bool is_there = value != k_unknown_symbol;
  switch (test.op) {
    case Op::in:
      return is_there && contains(test.values, value);
    case Op::not_in:
      return !is_there || !contains(test.values, value);
    case Op::exists:
      return is_there;
    case Op::does_not_exist:
      return !is_there;
    case Op::above:
    case Op::below:
      break;
  }
  const std::optional<std::int64_t> have = is_there ? integer(symbols.text(value)) : std::nullopt;
  if (!have) return false;
  return test.op == Op::above ? *have > test.bound : *have < test.bound;
}

bool Selector::matches(LabelSpan labels, const Symbols& symbols) const {
  return is_valid_ && std::all_of(tests_.begin(), tests_.end(),
                                  [&](const Test& test) { return holds(test, labels, symbols); });
}

}  // namespace touchstone::optimized
