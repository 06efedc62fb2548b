#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "oracle/protocol/protocol.hpp"

/// When a question is smaller than another.
namespace touchstone::fuzz {

__extension__ using Magnitude = unsigned __int128;

/// A total order on texts in which there is no endless descent: fewer values first, then smaller numbers,
/// then fewer names, fewer of them other than the plainest, and the shorter and then the lower text.
struct QuestionSize {
  std::size_t values = 0;  ///< elements and members, at any depth
  Magnitude amounts = 0;   ///< magnitude_of each, added
  std::size_t names = 0;
  std::size_t names_not_plainest = 0;
  std::size_t bytes = 0;
  std::string text;

  auto operator<=>(const QuestionSize&) const = default;
};

QuestionSize size_of(const oracle::Json& question);

/// Whether size_of(question) < size, without measuring all of it where a part tells.
bool is_smaller(const oracle::Json& question, const QuestionSize& size);

/// The question in a line. Ensures: the same for equal questions only, but for bytes that are no UTF-8.
std::string text_of(const oracle::Json& question);

}  // namespace touchstone::fuzz
