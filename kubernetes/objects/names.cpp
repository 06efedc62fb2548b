#include "kubernetes/objects/names.hpp"

#include <algorithm>

namespace touchstone::kubernetes {

namespace {

constexpr std::size_t k_label_max = 63;
constexpr std::size_t k_subdomain_max = 253;

bool is_lower_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
bool is_alphanumeric(char c) { return is_lower_or_digit(c) || (c >= 'A' && c <= 'Z'); }

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= k_label_max && is_alphanumeric(text.front()) &&
         is_alphanumeric(text.back()) && std::all_of(text.begin(), text.end(), [](char c) {
           return is_alphanumeric(c) || c == '-' || c == '_' || c == '.';
         });
}

/// A label of a subdomain. Only the whole subdomain has a maximum length.
bool is_part(std::string_view text) {
  return !text.empty() && is_lower_or_digit(text.front()) && is_lower_or_digit(text.back()) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_lower_or_digit(c) || c == '-'; });
}

}  // namespace

bool is_dns_label(std::string_view text) { return text.size() <= k_label_max && is_part(text); }

bool is_dns_subdomain(std::string_view text) {
  if (text.size() > k_subdomain_max) return false;
  for (std::size_t dot = text.find('.'); dot != std::string_view::npos; dot = text.find('.')) {
    if (!is_part(text.substr(0, dot))) return false;
    text.remove_prefix(dot + 1);
  }
  return is_part(text);
}

bool is_qualified_name(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return is_name(text);
  return is_dns_subdomain(text.substr(0, slash)) && is_name(text.substr(slash + 1));
}

bool is_label_value(std::string_view text) { return text.empty() || is_name(text); }

}  // namespace touchstone::kubernetes
