#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "fuzz/shrink/question_size.hpp"
#include "fuzz/shrink/served.hpp"
#include "fuzz/shrink/shrink.hpp"

namespace touchstone::fuzz {

/// The smallest question found so far, and the questions that were tried.
class Search {
 public:
  /// Requires: `still_shows` and `gives_up` outlive this object. `gives_up` may be empty.
  Search(Json question, const StillShows& still_shows, std::size_t limit, const GivesUp& gives_up);

  const Json& question() const { return question_; }

  /// Replaces the question by a candidate that is smaller and still shows. Ensures: returns false without
  /// calling `still_shows` if the candidate is not smaller, lacks what an API server serves, or was refused
  /// before, or if the limit is reached or `gives_up` holds.
  bool take(Json candidate);

  /// Whether the limit or `gives_up` refused a candidate. From then on, no candidate is taken.
  bool stopped() const { return stopped_; }

  std::size_t asked() const { return refused_.size() + taken_; }

 private:
  Json question_;
  QuestionSize size_;
  RequiredMembers served_;
  const StillShows& still_shows_;
  std::size_t limit_;
  const GivesUp& gives_up_;
  std::size_t taken_ = 0;
  std::set<std::pair<std::uint64_t, std::size_t>> refused_;  ///< hash and length of texts
  bool stopped_ = false;
};

}  // namespace touchstone::fuzz
