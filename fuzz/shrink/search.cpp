#include "fuzz/shrink/search.hpp"

#include <cassert>

namespace touchstone::fuzz {

namespace {

/// FNV-1a, the same on every machine. Two texts of a length that share it are taken for one: among a million
/// texts, with a chance of 3 in 10^8; a move is then missed, no wrong one made.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char byte : text) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211U;
  return hash;
}

}  // namespace

Search::Search(Json question, const StillShows& still_shows, std::size_t limit)
    : question_(std::move(question)),
      size_(size_of(question_)),
      served_(question_),
      still_shows_(still_shows),
      limit_(limit) {}

bool Search::take(Json candidate) {
  if (stopped_ || !is_smaller(candidate, size_) || !served_.allows(candidate)) return false;
  const std::string text = text_of(candidate);
  const std::pair asked_for(hash_of(text), text.size());
  // What was taken is never smaller than what it became, so only the refused can come again.
  if (refused_.contains(asked_for)) return false;
  if (asked() >= limit_) {
    stopped_ = true;
    return false;
  }
  if (!still_shows_(candidate)) {
    refused_.insert(asked_for);
    return false;
  }
  ++taken_;
  question_ = std::move(candidate);
  size_ = size_of(question_);
  assert(size_.text == text);
  return true;
}

}  // namespace touchstone::fuzz
