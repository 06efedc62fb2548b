#include "oracle/saved_numbers.hpp"

#include <nlohmann/json.hpp>

namespace touchstone::oracle {

namespace {

[[noreturn]] void refuse(const std::string& key, const char* expected, const Json& found) {
  throw Json::out_of_range::create(
      403, key + ": expected " + expected + ", found " + found.dump().substr(0, 40), &found);
}

std::uint64_t checked_count(const Json& json, const std::string& key) {
  constexpr std::uint64_t k_most = std::uint64_t{1} << 53;
  const bool is_negative =
      !json.is_number_unsigned() && json.is_number_integer() && json.get<std::int64_t>() < 0;
  if (!json.is_number_integer() || is_negative || json.get<std::uint64_t>() > k_most)
    refuse(key, "a whole number from 0 to 2^53", json);
  return json.get<std::uint64_t>();
}

}  // namespace

std::uint64_t count_at(const Json& json, const std::string& key) { return checked_count(json.at(key), key); }

std::map<std::string, std::uint64_t> counts_at(const Json& json, const std::string& key) {
  const Json& found = json.at(key);
  if (!found.is_object()) refuse(key, "an object of counts", found);
  std::map<std::string, std::uint64_t> counts;
  for (const auto& [name, count] : found.items()) counts[name] = checked_count(count, key + "." + name);
  return counts;
}

std::set<std::uint64_t> numbers_at(const Json& json, const std::string& key) {
  const Json& found = json.at(key);
  if (!found.is_array()) refuse(key, "a list of numbers", found);
  std::set<std::uint64_t> numbers;
  for (const Json& number : found) {
    if (!numbers.insert(checked_count(number, key)).second) refuse(key, "each number once", number);
  }
  return numbers;
}

double seconds_at(const Json& json, const std::string& key) {
  constexpr double k_most = 1e9;
  const Json& found = json.at(key);
  if (!found.is_number() || found.get<double>() < 0 || found.get<double>() > k_most)
    refuse(key, "seconds from 0 to 10^9", found);
  return found.get<double>();
}

}  // namespace touchstone::oracle
