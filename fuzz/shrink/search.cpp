#include "fuzz/shrink/search.hpp"

#include <cassert>
#include <nlohmann/json.hpp>

#include "fuzz/hash.hpp"

namespace touchstone::fuzz {

Search::Search(Json question, const StillShows& still_shows, std::size_t limit, const GivesUp& gives_up)
    : question_(std::move(question)),
      size_(size_of(question_)),
      served_(question_),
      still_shows_(still_shows),
      limit_(limit),
      gives_up_(gives_up) {}

bool Search::take(Json candidate) {
  stopped_ = stopped_ || (gives_up_ && gives_up_());
  if (stopped_ || !is_smaller(candidate, size_) || !served_.allows(candidate)) return false;
  const std::string text = text_of(candidate);
  // Two texts with equal hash and length are taken for one text. Among a million texts, the chance of this is
  // 3 in 10^8. Then one move is missed, but no wrong move is made.
  const std::pair asked_for(fnv1a(text), text.size());
  // A taken question is not smaller than the current one, so only a refused question can come again.
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
