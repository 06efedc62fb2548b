#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>

#include "spec/vocabulary/result.hpp"

/// How much of what a generator can show has been seen: the estimate of Good and Turing. It holds for
/// independent cases only, such as those of numbered_scenario().
namespace touchstone::fuzz {

class BehaviourCounts {
 public:
  /// Requires: not in brief. Complexity: logarithmic in the behaviours, so that progress may be shown often.
  void add(std::uint64_t signature, std::uint64_t times = 1);

  /// The counts of both together. Requires: neither is in brief.
  void merge(const BehaviourCounts& other);

  /// How many behaviours were seen how often, without telling which: all that the estimate needs, in a hundredth
  /// of the space. Nothing can be added to it.
  BehaviourCounts brief() const;
  bool is_brief() const { return counts_.empty() && !frequencies_.empty(); }

  std::uint64_t cases() const;
  std::size_t seen() const;        ///< how many behaviours
  /// Requires: not in brief.
  bool has(std::uint64_t signature) const { return counts_.contains(signature); }
  std::size_t singletons() const;  ///< how many of them once

  /// The probability that the next case is of a new behaviours, about: singletons / cases; 1 before any case.
  double next_new() const;

  bool operator==(const BehaviourCounts&) const = default;

  /// [["<signature in 16 hexadecimal digits>", count], ...]: a list, since to read or write an ordered object
  /// of so many members takes time quadratic in their number. In brief: {"frequencies": [[count, behaviours],
  /// ...]}.
  nlohmann::ordered_json to_json() const;

  /// Errors: behaviours-malformed, with the member at fault as path.
  static Result<BehaviourCounts> from_json(const nlohmann::ordered_json& json);

 private:
  std::map<std::uint64_t, std::uint64_t> counts_;       ///< by signature; empty in brief
  std::map<std::uint64_t, std::uint64_t> frequencies_;  ///< how many behaviours were seen how often
};

}  // namespace touchstone::fuzz
