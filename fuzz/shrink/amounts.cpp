#include "fuzz/shrink/amounts.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "fuzz/shrink/names.hpp"
#include "kubernetes/text/quantity.hpp"
#include "kubernetes/text/time.hpp"

namespace touchstone::fuzz {

namespace {

using kubernetes::parse_quantity;
using kubernetes::parse_time;
using kubernetes::Unit;

constexpr Quantity k_most = std::numeric_limits<Quantity>::max();
constexpr Quantity k_second = 1'000'000'000;

std::optional<Quantity> digits_of(const std::string& text) {
  Quantity value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Writes a time in seconds, with the fraction if it is not 0.
std::string text_of_time(Quantity ns) {
  using namespace std::chrono;
  const Quantity second = ns / k_second - (ns % k_second < 0 ? 1 : 0);
  const Quantity fraction = ns - second * k_second;
  const sys_seconds at{seconds{second}};
  const sys_days day = floor<days>(at);
  const year_month_day date{day};
  const hh_mm_ss time{at - day};
  const auto padded = [](Quantity value, std::size_t width) {
    const std::string digits = std::to_string(value);
    return std::string(width - std::min(width, digits.size()), '0') + digits;
  };
  std::string text = padded(int{date.year()}, 4) + "-" + padded(unsigned{date.month()}, 2) + "-" +
                     padded(unsigned{date.day()}, 2) + "T" + padded(time.hours().count(), 2) + ":" +
                     padded(time.minutes().count(), 2) + ":" + padded(time.seconds().count(), 2);
  if (fraction != 0) {
    text += "." + padded(fraction, 9);
    text.erase(text.find_last_not_of('0') + 1);
  }
  return text + "Z";
}

std::string text_of_quantity(Quantity value) {
  constexpr std::array<const char*, 5> k_suffixes = {"", "Ki", "Mi", "Gi", "Ti"};
  std::size_t power = 0;
  for (; value != 0 && value % 1024 == 0 && power + 1 < k_suffixes.size(); ++power) value /= 1024;
  return std::to_string(value) + k_suffixes[power];
}

std::optional<Amount> read(const Place& place) {
  const auto& [path, value] = place;
  const std::string& key = path.back().key;
  if (value->is_number_integer()) {
    const bool huge =
        value->is_number_unsigned() && value->get<std::uint64_t>() > static_cast<std::uint64_t>(k_most);
    return Amount{path, Writing::integer, key, huge ? k_most : value->get<Quantity>()};
  }
  if (!value->is_string()) return std::nullopt;
  const auto& text = value->get_ref<const std::string&>();
  if (is_resource_map(parent_key(path))) {
    const bool cpu = key == "cpu";
    const Result<Quantity> quantity = parse_quantity(text, cpu ? Unit::milli : Unit::whole);
    if (!quantity) return std::nullopt;
    return Amount{path, cpu ? Writing::cpu : Writing::quantity, key, quantity.value()};
  }
  if (is_name(path)) return std::nullopt;
  if (const auto digits = digits_of(text)) return Amount{path, Writing::digits, "digits", *digits};
  const Result<Quantity> time = parse_time(text);
  if (!time) return std::nullopt;
  return Amount{path, Writing::time, "time", time.value()};
}

}  // namespace

Quantity Amount::whole() const {
  if (writing == Writing::cpu) return 1000;
  return writing == Writing::time ? k_second : 1;
}

std::vector<Amount> amounts_of(const Json& document) {
  std::vector<Amount> amounts;
  for (const Place& place : places_of(document)) {
    if (auto amount = read(place)) amounts.push_back(std::move(*amount));
  }
  return amounts;
}

Json written(const Amount& amount, Quantity value) {
  switch (amount.writing) {
    case Writing::integer:
      return value;
    case Writing::digits:
      return std::to_string(value);
    case Writing::cpu:
      return value % 1000 == 0 ? std::to_string(value / 1000) : std::to_string(value) + "m";
    case Writing::quantity:
      return text_of_quantity(value);
    case Writing::time:
      break;
  }
  return text_of_time(value);
}

std::uint64_t magnitude_of(const Amount& amount) {
  const Quantity shown = amount.value % amount.whole() == 0 ? amount.value / amount.whole() : amount.value;
  return shown < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(shown) : static_cast<std::uint64_t>(shown);
}

}  // namespace touchstone::fuzz
