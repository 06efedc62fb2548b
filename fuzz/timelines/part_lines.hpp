#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "fuzz/generate/draw.hpp"
#include "oracle/protocol/parts.hpp"

/// What the generated timelines of all controllers share.
namespace touchstone::fuzz {

constexpr Quantity k_part_begin_ns = 1'767'225'600'000'000'000;  ///< 2026-01-01T00:00:00Z

/// The lines of one timeline. The model plays each, so that the next one can be drawn from its state.
class PartLines {
 public:
  /// Requires: `init` is valid.
  explicit PartLines(const Json& init) : model_(oracle::part_of(init)), lines_{init} {
    oracle::answer_to(init, *model_);
  }

  const oracle::Part& model() const { return *model_; }

  /// Draws the rest of the timeline, and returns all of it. A line that is null, or that the model refuses, is
  /// left out.
  template <typename Next>
  std::vector<Json> drawn(Draw& draw, const Next& next) && {
    const std::size_t count = 4 + draw.below(57);
    for (std::size_t tries = 0; tries < 4 * count && lines_.size() <= count; ++tries) {
      Json line = next();
      if (!line.is_null() && !oracle::answer_to(line, *model_).contains("error")) lines_.push_back(std::move(line));
    }
    return std::move(lines_);
  }

 private:
  std::unique_ptr<oracle::Part> model_;
  std::vector<Json> lines_;
};

}  // namespace touchstone::fuzz
