#pragma once

#include <cstddef>
#include <vector>

#include "oracle/protocol/protocol.hpp"

/// What an API server serves with every object of a kind, such as a pod's containers. Subjects may rely on
/// it.
namespace touchstone::fuzz {

using oracle::Json;

/// Which of these members every object of a question has. Smaller questions have to keep them.
class Served {
 public:
  explicit Served(const Json& question);

  /// Whether every object of the smaller question still has them.
  bool allows(const Json& smaller) const;

 private:
  std::vector<std::size_t> kept_;  ///< indices of the members in the table of served.cpp
};

}  // namespace touchstone::fuzz
