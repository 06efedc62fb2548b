#include "reference/filters/labels.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace touchstone::reference {

namespace {

bool is_alphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/// Whether a text can be the name of a label key, or a label value that is not empty: 1 to 63 letters,
/// digits, '-', '_' and '.', of which the first and the last are letters or digits.
bool is_label_word(std::string_view text) {
  if (text.empty() || text.size() > 63) return false;
  if (!is_alphanumeric(text.front()) || !is_alphanumeric(text.back())) return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return is_alphanumeric(c) || c == '-' || c == '_' || c == '.'; });
}

bool is_label_value(std::string_view text) { return text.empty() || is_label_word(text); }

/// Whether a text can be the prefix of a label key: DNS labels joined by dots, at most 253 characters. A DNS
/// label has lower-case letters, digits and inner dashes.
bool is_dns_subdomain(std::string_view text) {
  if (text.empty() || text.size() > 253) return false;
  char before = '.';
  for (const char c : text) {
    const bool inner = is_alphanumeric(c) && !(c >= 'A' && c <= 'Z');
    if (!inner && c != '-' && c != '.') return false;
    if (c == '-' && before == '.') return false;
    if (c == '.' && (before == '.' || before == '-')) return false;
    before = c;
  }
  return before != '.' && before != '-';
}

bool is_label_key(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return is_label_word(text);
  return is_dns_subdomain(text.substr(0, slash)) && is_label_word(text.substr(slash + 1));
}

std::optional<std::int64_t> integer(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool has_value(const Requirement& requirement, const std::string& value) {
  return std::find(requirement.values.begin(), requirement.values.end(), value) != requirement.values.end();
}

/// PRE-NODEAFFINITY-3
bool is_valid_requirement(const Requirement& requirement) {
  if (!is_label_key(requirement.key)) return false;
  if (!std::all_of(requirement.values.begin(), requirement.values.end(), is_label_value)) return false;
  const std::string& op = requirement.op;
  if (op == "In" || op == "NotIn") return !requirement.values.empty();
  if (op == "Exists" || op == "DoesNotExist") return requirement.values.empty();
  if (op == "Gt" || op == "Lt") return requirement.values.size() == 1 && integer(requirement.values[0]);
  return false;
}

/// PRE-NODEAFFINITY-3. Requires: the requirement is valid.
bool holds(const Requirement& requirement, const Labels& labels) {
  const auto label = labels.find(requirement.key);
  const bool present = label != labels.end();
  if (requirement.op == "Exists") return present;
  if (requirement.op == "DoesNotExist") return !present;
  if (requirement.op == "NotIn") return !present || !has_value(requirement, label->second);
  if (!present) return false;
  if (requirement.op == "In") return has_value(requirement, label->second);
  const std::optional<std::int64_t> have = integer(label->second);
  if (!have) return false;
  const std::int64_t bound = *integer(requirement.values[0]);
  return requirement.op == "Gt" ? *have > bound : *have < bound;
}

}  // namespace

bool matches(const std::vector<Requirement>& requirements, const Labels& labels) {
  const auto valid = [](const Requirement& requirement) { return is_valid_requirement(requirement); };
  if (!std::all_of(requirements.begin(), requirements.end(), valid)) return false;
  return std::all_of(requirements.begin(), requirements.end(),
                     [&labels](const Requirement& requirement) { return holds(requirement, labels); });
}

bool is_valid_field(const Requirement& requirement) {
  return requirement.values.size() == 1 && (requirement.op == "In" || requirement.op == "NotIn");
}

bool field_holds(const Requirement& requirement, const std::string& node_name) {
  if (!is_valid_field(requirement)) return false;
  const std::string value = requirement.key == "metadata.name" ? node_name : "";
  const bool is_equal = value == requirement.values[0];
  return requirement.op == "In" ? is_equal : !is_equal;
}

bool is_valid(const LabelSelector& selector) {
  const auto is_label = [](const auto& label) {
    return is_label_key(label.first) && is_label_value(label.second);
  };
  const auto is_for_pods = [](const Requirement& requirement) {
    return requirement.op != "Gt" && requirement.op != "Lt" && is_valid_requirement(requirement);
  };
  return std::all_of(selector.match_labels.begin(), selector.match_labels.end(), is_label) &&
         std::all_of(selector.match_expressions.begin(), selector.match_expressions.end(), is_for_pods);
}

bool matches(const LabelSelector& selector, const Labels& labels) {
  const auto is_there = [&labels](const auto& label) {
    const auto found = labels.find(label.first);
    return found != labels.end() && found->second == label.second;
  };
  return is_valid(selector) &&
         std::all_of(selector.match_labels.begin(), selector.match_labels.end(), is_there) &&
         matches(selector.match_expressions, labels);
}

bool is_empty(const LabelSelector& selector) {
  return selector.match_labels.empty() && selector.match_expressions.empty();
}

}  // namespace touchstone::reference
