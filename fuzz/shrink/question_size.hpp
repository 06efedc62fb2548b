#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "oracle/protocol/protocol.hpp"

/// The order by which one question is smaller than another.
namespace touchstone::fuzz {

__extension__ using Magnitude = unsigned __int128;

/// A total order on texts without infinite descent. Smaller is: fewer values, then smaller numbers, then
/// fewer names, then fewer names that are not the plainest, then fewer bytes, then the lower text.
struct QuestionSize {
  std::size_t values = 0;  ///< elements and members, at any depth
  Magnitude amounts = 0;   ///< the sum of magnitude_of() over all numbers
  std::size_t names = 0;
  std::size_t names_not_plainest = 0;
  std::size_t bytes = 0;
  std::string text;

  auto operator<=>(const QuestionSize&) const = default;
};

QuestionSize size_of(const oracle::Json& question);

/// Whether size_of(question) < size. If the numbers of values differ, nothing else is measured.
bool is_smaller(const oracle::Json& question, const QuestionSize& size);

/// The question on one line. Ensures: different questions have different texts, except for bytes that are
/// not UTF-8.
std::string text_of(const oracle::Json& question);

}  // namespace touchstone::fuzz
