#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>

#include "spec/vocabulary/result.hpp"

/// Counts of behaviours, and the Good-Turing estimate of how much a generator has not shown yet. The
/// estimate is valid only for independent cases, such as those of numbered_scenario().
namespace touchstone::fuzz {

class BehaviourCounts {
 public:
  /// Counts a behaviour. Requires: not in brief. Complexity: logarithmic in the number of behaviours. The
  /// other functions stay cheap, so that progress may be shown often.
  void add(std::uint64_t signature, std::uint64_t times = 1);

  /// Adds the counts of another object. Requires: neither is in brief.
  void merge(const BehaviourCounts& other);

  /// The frequency of frequencies alone: how many behaviours were seen once, twice, and so on. The estimate
  /// needs no more, and the result takes a hundredth of the space. Nothing can be added to the result.
  BehaviourCounts brief() const;
  bool is_brief() const { return counts_.empty() && !frequencies_.empty(); }

  std::uint64_t cases() const;
  std::size_t seen() const;  ///< the number of different behaviours
  /// Requires: not in brief.
  bool has(std::uint64_t signature) const { return counts_.contains(signature); }
  std::size_t singletons() const;  ///< the behaviours that were seen once

  /// The estimated probability that the next case shows a new behaviour: singletons / cases; 1 before any
  /// case.
  double next_new() const;

  bool operator==(const BehaviourCounts&) const = default;

  /// Writes [["<signature in 16 hexadecimal digits>", count], ...]. This is a list because reading or
  /// writing an ordered object takes time quadratic in the number of its members. In brief: {"frequencies":
  /// [[count, behaviours], ...]}.
  nlohmann::ordered_json to_json() const;

  /// Reads what to_json() writes. Errors: behaviours-malformed, with the malformed member as path.
  static Result<BehaviourCounts> from_json(const nlohmann::ordered_json& json);

 private:
  std::map<std::uint64_t, std::uint64_t> counts_;       ///< by signature; empty in brief
  std::map<std::uint64_t, std::uint64_t> frequencies_;  ///< number of behaviours for each count
};

}  // namespace touchstone::fuzz
