#include "kubernetes/text/yaml_scalar.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <locale>
#include <optional>
#include <sstream>

#include "kubernetes/text/numbers.hpp"

namespace touchstone::kubernetes {

namespace {

struct Word {
  ScalarKind kind;
  std::string_view json;
  std::array<std::string_view, 3> spellings;
};

constexpr std::size_t k_word_size_max = 5;

constexpr std::array<Word, 14> k_words = {{
    {ScalarKind::null, "null", {"~", "~", "~"}},
    {ScalarKind::null, "null", {"null", "Null", "NULL"}},
    {ScalarKind::boolean, "true", {"true", "True", "TRUE"}},
    {ScalarKind::boolean, "true", {"yes", "Yes", "YES"}},
    {ScalarKind::boolean, "true", {"on", "On", "ON"}},
    {ScalarKind::boolean, "true", {"y", "Y", "Y"}},
    {ScalarKind::boolean, "false", {"false", "False", "FALSE"}},
    {ScalarKind::boolean, "false", {"no", "No", "NO"}},
    {ScalarKind::boolean, "false", {"off", "Off", "OFF"}},
    {ScalarKind::boolean, "false", {"n", "N", "N"}},
    {ScalarKind::not_finite, "", {".nan", ".NaN", ".NAN"}},
    {ScalarKind::not_finite, "", {".inf", ".Inf", ".INF"}},
    {ScalarKind::not_finite, "", {"+.inf", "+.Inf", "+.INF"}},
    {ScalarKind::not_finite, "", {"-.inf", "-.Inf", "-.INF"}},
}};

struct Prefix {
  std::string_view text;
  int base;
};

constexpr std::array<Prefix, 7> k_prefixes = {
    {{"0x", 16}, {"0X", 16}, {"0o", 8}, {"0O", 8}, {"0b", 2}, {"0B", 2}, {"0", 8}}};

std::size_t digits_at(std::string_view text, std::size_t at) {
  const std::size_t begin = at;
  while (at < text.size() && is_digit(text[at])) ++at;
  return at - begin;
}

/// The parts of a decimal number, as views into its text.
struct Decimal {
  std::string_view whole;
  std::string_view fraction;
  std::string_view exponent;  ///< with its e
};

/// Splits digits with or without a point and an exponent; 1. and .5 are numbers. Returns nothing for other
/// texts.
std::optional<Decimal> decimal(std::string_view text) {
  Decimal parts;
  parts.whole = text.substr(0, digits_at(text, 0));
  text.remove_prefix(parts.whole.size());
  if (text.starts_with('.')) {
    parts.fraction = text.substr(1, digits_at(text, 1));
    text.remove_prefix(1 + parts.fraction.size());
  }
  if (parts.whole.empty() && parts.fraction.empty()) return std::nullopt;
  if (text.empty()) return parts;
  const std::size_t sign = text.substr(1).find_first_of("+-") == 0 ? 1 : 0;
  const bool is_exponent = text[0] == 'e' || text[0] == 'E';
  if (!is_exponent || text.size() == 1 + sign || digits_at(text, 1 + sign) != text.size() - 1 - sign) {
    return std::nullopt;
  }
  parts.exponent = text;
  return parts;
}

std::string json_of(bool is_negative, const Decimal& parts) {
  std::string json = is_negative ? "-" : "";
  const std::size_t first = std::min(parts.whole.find_first_not_of('0'), parts.whole.size());
  json.append(parts.whole.substr(first));
  if (first == parts.whole.size()) json += '0';
  if (!parts.fraction.empty()) json.append(".").append(parts.fraction);
  return json.append(parts.exponent);
}

/// True if a number is outside the range of double. For kubectl such a text is a string, for example the hash
/// 12e3456.
bool overflows(const std::string& json) {
  // A shorter number without an exponent cannot overflow: the largest double has 309 digits.
  if (json.size() < 309 && json.find_first_of("eE") == std::string::npos) return false;
  std::istringstream in(json);
  in.imbue(std::locale::classic());
  double value = 0;
  return !(in >> value);
}

/// Converts an integer of 64 bits to decimal. Returns nothing for other texts.
std::optional<std::string> integer(std::string_view sign, std::string_view digits) {
  int base = 10;
  for (const Prefix& prefix : k_prefixes) {
    if (digits.size() == 1 || !digits.starts_with(prefix.text)) continue;
    base = prefix.base;
    digits.remove_prefix(prefix.text.size());
    break;
  }
  std::uint64_t magnitude = 0;
  const char* const end = digits.data() + digits.size();
  const auto [after, error] = std::from_chars(digits.data(), end, magnitude, base);
  if (error != std::errc{} || after != end) return std::nullopt;
  constexpr std::uint64_t k_positive_max = std::numeric_limits<std::int64_t>::max();
  if (!sign.empty() && magnitude > k_positive_max + (sign == "-" ? 1 : 0)) return std::nullopt;
  return (sign == "-" && magnitude != 0 ? "-" : "") + std::to_string(magnitude);
}

/// Go's rule for underscores in numbers. kubectl applies it only to texts that begin with a point.
bool underscores_separate_digits(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') continue;
    const bool between = i > 0 && i + 1 < text.size() && is_digit(text[i - 1]) && is_digit(text[i + 1]);
    if (!between) return false;
  }
  return true;
}

/// Resolves a scalar that may be a number. Requires: `text` begins with a digit, a sign or a point.
Scalar number_or_string(std::string_view text) {
  const Scalar string{ScalarKind::string, ""};
  if (text[0] == '.' && !underscores_separate_digits(text)) return string;
  std::string plain(text);
  std::erase(plain, '_');
  std::string_view digits = plain;
  const std::string_view sign = digits.substr(0, digits.find_first_not_of("+-") == 1 ? 1 : 0);
  digits.remove_prefix(sign.size());

  if (std::optional<std::string> json = integer(sign, digits)) return {ScalarKind::integer, *std::move(json)};
  const std::optional<Decimal> parts = decimal(digits);
  if (!parts) return string;
  std::string json = json_of(sign == "-", *parts);
  if (overflows(json)) return string;
  return {ScalarKind::decimal, std::move(json)};
}

}  // namespace

Scalar resolve(std::string_view text) {
  if (text.empty()) return {ScalarKind::null, "null"};
  if (text.size() <= k_word_size_max) {
    for (const Word& word : k_words) {
      const auto& spellings = word.spellings;
      if (std::find(spellings.begin(), spellings.end(), text) == spellings.end()) continue;
      return {word.kind, std::string(word.json)};
    }
  }
  const bool may_be_number = is_digit(text[0]) || text[0] == '+' || text[0] == '-' || text[0] == '.';
  return may_be_number ? number_or_string(text) : Scalar{ScalarKind::string, ""};
}

std::string key_of_number(std::string_view json) {
  if (resolve(json).kind == ScalarKind::integer) return std::string(json);
  double value = 0;  // from_chars leaves 0 for a number that is too small
  std::from_chars(json.data(), json.data() + json.size(), value);
  if (std::abs(value) > std::numeric_limits<float>::max()) return value < 0 ? "-.inf" : ".inf";
  std::array<char, 32> key;
  const auto [end, error] = std::to_chars(key.data(), key.data() + key.size(), static_cast<float>(value),
                                          std::chars_format::general);
  assert(error == std::errc{});
  return {key.data(), end};
}

bool is_timestamp(std::string_view text) {
  const std::string_view date = text.substr(0, text.find_first_of("Tt "));
  const std::size_t month = date.find('-');
  const std::size_t day = date.find('-', month + 1);
  if (month != 4 || day == std::string_view::npos) return false;
  const auto is_short = [](std::size_t size) { return size == 1 || size == 2; };
  return is_short(day - month - 1) && is_short(date.size() - day - 1) &&
         date.find_first_not_of("0123456789-") == std::string_view::npos;
}

bool is_base_60(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && is_digit(text[0]) && text.find(':') != std::string_view::npos &&
         text.find_first_not_of("0123456789_:.") == std::string_view::npos;
}

}  // namespace touchstone::kubernetes
