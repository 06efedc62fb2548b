#include "fuzz/behaviour/behaviour_counts.hpp"

#include <array>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

namespace touchstone::fuzz {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t k_digits = 16;

/// The largest count that a file may contain. A sum over many merged files then cannot overflow.
constexpr std::uint64_t k_count_most = std::numeric_limits<std::uint32_t>::max();

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

void BehaviourCounts::add(std::uint64_t signature, std::uint64_t times) {
  std::uint64_t& count = counts_[signature];
  const auto before = frequencies_.find(count);
  if (before != frequencies_.end() && --before->second == 0) frequencies_.erase(before);
  count += times;
  ++frequencies_[count];
}

void BehaviourCounts::merge(const BehaviourCounts& other) {
  for (const auto& [signature, count] : other.counts_) add(signature, count);
}

BehaviourCounts BehaviourCounts::brief() const {
  BehaviourCounts brief;
  brief.frequencies_ = frequencies_;
  return brief;
}

std::uint64_t BehaviourCounts::cases() const {
  std::uint64_t total = 0;
  for (const auto& [count, behaviours] : frequencies_) total += count * behaviours;
  return total;
}

std::size_t BehaviourCounts::seen() const {
  std::size_t total = 0;
  for (const auto& [count, behaviours] : frequencies_) total += behaviours;
  return total;
}

std::size_t BehaviourCounts::singletons() const {
  const auto once = frequencies_.find(1);
  return once == frequencies_.end() ? 0 : once->second;
}

double BehaviourCounts::next_new() const {
  const std::uint64_t all = cases();
  return all == 0 ? 1.0 : static_cast<double>(singletons()) / static_cast<double>(all);
}

Json BehaviourCounts::to_json() const {
  Json list = Json::array();
  if (is_brief()) {
    for (const auto& [count, behaviours] : frequencies_) list.push_back(Json::array({count, behaviours}));
    return {{"frequencies", list}};
  }
  for (const auto& [signature, count] : counts_) list.push_back(Json::array({written(signature), count}));
  return list;
}

Result<BehaviourCounts> BehaviourCounts::from_json(const Json& json) {
  const auto is_count = [](const Json& count) {
    return count.is_number_unsigned() && count.get<std::uint64_t>() > 0 &&
           count.get<std::uint64_t>() <= k_count_most;
  };
  const auto malformed = [](const std::string& where, const char* what) {
    return Error{"behaviours-malformed", where, what};
  };
  BehaviourCounts behaviours;
  if (json.is_object() && json.size() == 1 && json.contains("frequencies") &&
      json["frequencies"].is_array()) {
    for (const Json& pair : json["frequencies"]) {
      if (!pair.is_array() || pair.size() != 2 || !is_count(pair[0]) || !is_count(pair[1]) ||
          !behaviours.frequencies_.emplace(pair[0], pair[1]).second)
        return malformed("frequencies", "expected lists of a count, each once, and how many behaviours");
    }
    return behaviours;
  }
  if (!json.is_array())
    return malformed("", "expected a list of signatures with counts, or their frequencies");
  for (const Json& pair : json) {
    if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string())
      return malformed("", "expected lists of a signature and a count");
    const std::string name = pair[0];
    std::uint64_t signature = 0;
    if (!read(name, signature) || behaviours.counts_.contains(signature))
      return malformed(name, "expected a signature of 16 hexadecimal digits, once");
    if (!is_count(pair[1])) return malformed(name, "expected a count of at least 1");
    behaviours.add(signature, pair[1].get<std::uint64_t>());
  }
  return behaviours;
}

}  // namespace touchstone::fuzz
