#include "kubernetes/text/quantity.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace touchstone::kubernetes {

namespace {

/// A suffix multiplies by 10^ten * 2^two. Kubernetes keeps only 32 bits of an exponent.
struct Scale {
  std::int32_t ten = 0;
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

/// Every number of at most 19 digits fits uint64.
constexpr std::int64_t k_digits_max = 19;

Error malformed() { return {"quantity-malformed", "", "expected a quantity such as 2, 100m or 1.5Gi"}; }

std::string_view take_digits(std::string_view& text) {
  const std::size_t length = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view digits = text.substr(0, length);
  text.remove_prefix(length);
  return digits;
}

/// Reads an exponent. It must fit 64 bits; then only its lower 32 bits count: 1e4294967296 is 1.
std::optional<Scale> read_exponent(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  std::int64_t exponent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return Scale{.ten = static_cast<std::int32_t>(exponent)};
}

std::optional<Scale> read_suffix(std::string_view text) {
  for (const Suffix& suffix : k_suffixes) {
    if (suffix.text == text) return suffix.scale;
  }
  if (text[0] == 'e' || text[0] == 'E') return read_exponent(text.substr(1));
  return std::nullopt;
}

/// True if a number without digits is malformed. Kubernetes takes it for 0 while it computes in int64, and
/// for malformed once it needs more than int64. The suffix decides which.
bool needs_digits(Scale scale) { return scale.two >= 50 || scale.ten < -9; }

/// Rounds `digits` * 10^ten * 2^two up to an integer. Returns nothing beyond int64.
/// Requires: if `two` is not 0, then -ten is at most the number of digits.
std::optional<Quantity> rounded_up(std::string_view digits, std::int64_t ten, int two) {
  const auto size = static_cast<std::int64_t>(digits.size());
  const auto digit = [&](std::int64_t i) -> std::uint64_t {
    return i < size ? static_cast<std::uint64_t>(digits[static_cast<std::size_t>(i)] - '0') : 0;
  };
  const std::int64_t point = size + ten;
  const std::uint64_t factor = std::uint64_t{1} << two;

  const std::size_t leading_zeros = digits.find_first_not_of('0');
  if (leading_zeros == std::string_view::npos) return 0;
  const auto first = static_cast<std::int64_t>(leading_zeros);
  if (point - first > k_digits_max) return std::nullopt;

  // Digits behind the point: long multiplication from the right. The last carry belongs to the whole part.
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
  if (text.empty()) return malformed();

  std::string_view rest = text;
  const bool negative = rest[0] == '-';
  if (negative || rest[0] == '+') rest.remove_prefix(1);
  std::string digits(take_digits(rest));
  std::size_t places = 0;
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    const std::string_view fraction = take_digits(rest);
    digits += fraction;
    places = fraction.size();
  }
  const std::optional<Scale> scale = read_suffix(rest);
  if (!scale || (digits.empty() && needs_digits(*scale))) return malformed();

  // Kubernetes subtracts the number of decimal places in 32 bits, too.
  std::int64_t ten = static_cast<std::int32_t>(scale->ten - static_cast<std::int64_t>(places));
  if (unit == Unit::milli) ten += 3;
  const std::optional<Quantity> value = rounded_up(digits, ten, scale->two);
  if (negative && value != 0) return Error{"quantity-negative", "", "expected no negative quantity"};
  if (!value) return Error{"quantity-overflow", "", "expected a quantity within 64 bits"};
  return *value;
}

}  // namespace touchstone::kubernetes
