#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "spec/releases/release.hpp"
#include "spec/vocabulary/cluster.hpp"

namespace touchstone::optimized {

/// Numbers for zone keys: the region and the zone of a node. Clauses: CYC-ORDER-1.
class Zones {
 public:
  /// The number of a node without a region and a zone.
  static constexpr std::uint32_t k_none = 0;

  /// The number of the zone that these labels name, by the rules of a release.
  std::uint32_t number_of(const Labels& labels, const Release& release);
  std::uint32_t count() const { return static_cast<std::uint32_t>(numbers_.size()) + 1; }

 private:
  std::map<std::string, std::uint32_t> numbers_;
};

}  // namespace touchstone::optimized
