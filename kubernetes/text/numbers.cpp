#include "kubernetes/text/numbers.hpp"

#include <algorithm>
#include <cstddef>
#include <map>

namespace touchstone::kubernetes {

namespace {

/// Every integer of at most this many characters, sign included, fits int64.
constexpr std::size_t k_integer_size_max = 18;

std::size_t after_string(std::string_view json, std::size_t quote) {
  std::size_t at = quote + 1;
  while (at < json.size() && json[at] != '"') at += json[at] == '\\' ? 2 : 1;
  return std::min(at + 1, json.size());
}

std::size_t after_digits(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

/// Checks JSON's grammar of a number. A text that violates it stays in place, and simdjson rejects it.
bool is_number(std::string_view text) {
  std::size_t at = text.starts_with('-') ? 1 : 0;
  const std::size_t whole = after_digits(text, at);
  if (whole == at || (text[at] == '0' && whole > at + 1)) return false;
  at = whole;
  if (at < text.size() && text[at] == '.') {
    const std::size_t fraction = after_digits(text, at + 1);
    if (fraction == at + 1) return false;
    at = fraction;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    const std::size_t exponent = after_digits(text, at);
    if (exponent == at) return false;
    at = exponent;
  }
  return at == text.size();
}

bool is_short_integer(std::string_view text) {
  return text.size() <= k_integer_size_max && text.find_first_of(".eE") == std::string_view::npos;
}

}  // namespace

std::optional<std::string> replace_long_numbers(std::string_view json, std::vector<std::string>& numbers) {
  std::string out;
  std::map<std::string_view, std::size_t> index;
  std::size_t copied = 0;
  std::size_t at = 0;
  while (at < json.size()) {
    if (json[at] == '"') {
      at = after_string(json, at);
      continue;
    }
    if (!is_digit(json[at]) && json[at] != '-') {
      ++at;
      continue;
    }
    const std::size_t end = std::min(json.find_first_not_of("0123456789.eE+-", at), json.size());
    const std::string_view text = json.substr(at, end - at);
    if (!is_short_integer(text) && is_number(text)) {
      const auto [entry, is_new] = index.emplace(text, numbers.size());
      if (is_new) numbers.emplace_back(text);
      if (out.empty()) out.reserve(json.size() + 128);  // spare capacity for the parser's padding
      out.append(json.substr(copied, at - copied)).append(std::to_string(entry->second)).append(".0");
      copied = end;
    }
    at = end;
  }
  if (numbers.empty()) return std::nullopt;
  return out.append(json.substr(copied));
}

}  // namespace touchstone::kubernetes
