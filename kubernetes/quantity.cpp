#include "kubernetes/quantity.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace touchstone::kubernetes {

namespace {

/// A suffix multiplies by 10^ten * 2^two.
struct Scale {
  std::int64_t ten = 0;
  int two = 0;
};

struct Suffix {
  std::string_view text;
  Scale scale;
};

constexpr std::array<Suffix, 16> k_suffixes = {{
    {"", {}},
    {"n", {.ten = -9}},
    {"u", {.ten = -6}},
    {"m", {.ten = -3}},
    {"k", {.ten = 3}},
    {"M", {.ten = 6}},
    {"G", {.ten = 9}},
    {"T", {.ten = 12}},
    {"P", {.ten = 15}},
    {"E", {.ten = 18}},
    {"Ki", {.two = 10}},
    {"Mi", {.two = 20}},
    {"Gi", {.two = 30}},
    {"Ti", {.two = 40}},
    {"Pi", {.two = 50}},
    {"Ei", {.two = 60}},
}};

/// Far beyond what any text in memory can balance with digits, far below overflow of its own.
constexpr std::int64_t k_exponent_max = std::int64_t{1} << 48;

/// The digits of 10^19 - 1 still fit uint64.
constexpr std::int64_t k_digits_max = 19;

std::string_view take_digits(std::string_view& text) {
  const std::size_t length = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view digits = text.substr(0, length);
  text.remove_prefix(length);
  return digits;
}

std::optional<Scale> read_exponent(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  std::int64_t exponent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) return std::nullopt;
  if (error == std::errc::result_out_of_range) exponent = text[0] == '-' ? -k_exponent_max : k_exponent_max;
  return Scale{.ten = std::clamp(exponent, -k_exponent_max, k_exponent_max)};
}

std::optional<Scale> read_suffix(std::string_view text) {
  for (const Suffix& suffix : k_suffixes) {
    if (suffix.text == text) return suffix.scale;
  }
  if (text[0] == 'e' || text[0] == 'E') return read_exponent(text.substr(1));
  return std::nullopt;
}

/// Rounds `whole`.`fraction` * 10^ten * 2^two up; nothing beyond int64. Requires: two is 0 where ten is
/// negative.
std::optional<Quantity> rounded_up(std::string_view whole, std::string_view fraction, Scale scale) {
  const auto whole_size = static_cast<std::int64_t>(whole.size());
  const auto size = whole_size + static_cast<std::int64_t>(fraction.size());
  const auto digit = [&](std::int64_t i) -> std::uint64_t {
    if (i >= size) return 0;
    const char c = i < whole_size ? whole[static_cast<std::size_t>(i)]
                                  : fraction[static_cast<std::size_t>(i - whole_size)];
    return static_cast<std::uint64_t>(c - '0');
  };
  const std::int64_t point = whole_size + scale.ten;
  const std::uint64_t factor = std::uint64_t{1} << scale.two;

  std::int64_t first = 0;
  while (first < size && digit(first) == 0) ++first;
  if (first == size) return 0;
  if (point - first > k_digits_max) return std::nullopt;

  // Behind the point: long multiplication from the right; what is carried over the point is whole again.
  std::uint64_t carry = 0;
  bool inexact = false;
  for (std::int64_t i = size - 1; i >= std::max<std::int64_t>(point, 0); --i) {
    const std::uint64_t product = digit(i) * factor + carry;
    if (product % 10 != 0) inexact = true;
    carry = product / 10;
  }

  std::uint64_t value = 0;
  for (std::int64_t i = first; i < point; ++i) value = value * 10 + digit(i);
  if (__builtin_mul_overflow(value, factor, &value)) return std::nullopt;
  if (__builtin_add_overflow(value, carry + (inexact ? 1 : 0), &value)) return std::nullopt;
  if (value > static_cast<std::uint64_t>(std::numeric_limits<Quantity>::max())) return std::nullopt;
  return static_cast<Quantity>(value);
}

}  // namespace

Result<Quantity> parse_quantity(std::string_view text, Unit unit) {
  const Error malformed{"quantity-malformed", "", "expected a quantity such as 2, 100m or 1.5Gi"};
  if (text.empty()) return malformed;

  std::string_view rest = text;
  const bool negative = rest[0] == '-';
  if (negative || rest[0] == '+') rest.remove_prefix(1);
  const std::string_view whole = take_digits(rest);
  std::string_view fraction;
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    fraction = take_digits(rest);
  }
  std::optional<Scale> scale = read_suffix(rest);
  if (!scale || (whole.empty() && fraction.empty())) return malformed;

  if (unit == Unit::milli) scale->ten += 3;
  const std::optional<Quantity> value = rounded_up(whole, fraction, *scale);
  if (!value) return Error{"quantity-overflow", "", "expected a quantity within 64 bits"};
  return negative ? -*value : *value;
}

}  // namespace touchstone::kubernetes
