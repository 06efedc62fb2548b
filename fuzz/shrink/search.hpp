#pragma once

#include <cstdint>
#include <set>
#include <utility>

#include "fuzz/shrink/shrink.hpp"
#include "fuzz/shrink/question_size.hpp"
#include "fuzz/shrink/served.hpp"

namespace touchstone::fuzz {

/// The smallest question found so far, and what was asked on the way.
class Search {
 public:
  /// `still_shows` must outlive this.
  Search(Json question, const StillShows& still_shows, std::size_t limit);

  const Json& question() const { return question_; }

  /// Takes a question in place of the one so far, if it is smaller and still shows. Ensures: false without
  /// asking where it is not smaller, lacks what an API server serves, was asked before, or no ask is left.
  bool take(Json candidate);

  /// Whether an ask was refused for the limit. From then on nothing is taken.
  bool stopped() const { return stopped_; }

  std::size_t asked() const { return refused_.size() + taken_; }

 private:
  Json question_;
  QuestionSize size_;
  Served served_;
  const StillShows& still_shows_;
  std::size_t limit_;
  std::size_t taken_ = 0;
  std::set<std::pair<std::uint64_t, std::size_t>> refused_;  ///< hash and length of texts
  bool stopped_ = false;
};

}  // namespace touchstone::fuzz
