#include "fuzz/species.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string>

namespace touchstone::fuzz {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t k_digits = 16;

std::string written(std::uint64_t signature) {
  std::array<char, k_digits> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), signature, 16).ptr;
  const std::string text(digits.data(), end);
  return std::string(k_digits - text.size(), '0') + text;
}

/// Reads what written() writes.
bool read(const std::string& text, std::uint64_t& signature) {
  if (text.size() != k_digits || text.find_first_not_of("0123456789abcdef") != std::string::npos)
    return false;
  return std::from_chars(text.data(), text.data() + text.size(), signature, 16).ec == std::errc();
}

}  // namespace

void Species::merge(const Species& other) {
  for (const auto& [signature, count] : other.counts_) counts_[signature] += count;
}

std::uint64_t Species::cases() const {
  std::uint64_t total = 0;
  for (const auto& [signature, count] : counts_) total += count;
  return total;
}

std::size_t Species::singletons() const {
  return static_cast<std::size_t>(
      std::count_if(counts_.begin(), counts_.end(), [](const auto& entry) { return entry.second == 1; }));
}

double Species::next_new() const {
  return counts_.empty() ? 1.0 : static_cast<double>(singletons()) / static_cast<double>(cases());
}

Json Species::to_json() const {
  Json json = Json::array();
  for (const auto& [signature, count] : counts_) json.push_back(Json::array({written(signature), count}));
  return json;
}

Result<Species> Species::from_json(const Json& json) {
  // A sum of counts must not run over, however many files are merged.
  constexpr std::uint64_t k_most = std::numeric_limits<std::uint32_t>::max() * std::uint64_t{1'000'000};
  if (!json.is_array()) return Error{"species-malformed", "", "expected a list of signatures with counts"};
  Species species;
  for (const Json& pair : json) {
    if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string())
      return Error{"species-malformed", "", "expected lists of a signature and a count"};
    const std::string name = pair[0];
    const Json& count = pair[1];
    std::uint64_t signature = 0;
    if (!read(name, signature) || species.counts_.contains(signature))
      return Error{"species-malformed", name, "expected a signature of 16 hexadecimal digits, once"};
    if (!count.is_number_unsigned() || count.get<std::uint64_t>() == 0 || count.get<std::uint64_t>() > k_most)
      return Error{"species-malformed", name, "expected a count of at least 1"};
    species.counts_[signature] = count.get<std::uint64_t>();
  }
  return species;
}

}  // namespace touchstone::fuzz
