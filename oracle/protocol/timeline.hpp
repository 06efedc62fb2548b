#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kubernetes/text/json.hpp"
#include "oracle/protocol/answers.hpp"
#include "oracle/protocol/parts.hpp"
#include "reference/queue/play.hpp"
#include "spec/vocabulary/timeline.hpp"

/// The commands of spec/protocol.md about a scheduler over time.
namespace touchstone::oracle {

/// Whether a command is one about a scheduler, or a controller beside it, over time.
bool is_timeline_command(std::string_view command);

/// What `init` says.
struct Beginning {
  Release release;
  std::vector<std::string> notes;  ///< about the release
  Quantity now_ns = 0;
  Objects objects;
};

/// Reads `init`. Errors: throws kubernetes::InvalidInput.
Beginning read_beginning(const kubernetes::Value& line);

/// Reads a command other than `init`. Errors: throws kubernetes::InvalidInput.
TimelineCommand read_command(const kubernetes::Value& line, std::string_view command);

/// The reason for which a release is not modelled over time. Empty: it is.
std::string not_modelled_over_time(const Release& release);

/// One scheduler, or a controller beside it, over time, from `init` to the next `init`.
class Timeline {
 public:
  explicit Timeline(MakeModel make = reference::timeline_model) : make_(make) {}

  /// Answers a command, without `seq`. Requires: is_timeline_command(). Ensures: the world is unchanged after
  /// an error. Errors: throws kubernetes::InvalidInput.
  Json answer(const kubernetes::Value& line, std::string_view command);

 private:
  Json begin(const kubernetes::Value& line);
  Json answer_of_part(const kubernetes::Value& line);

  MakeModel make_;
  std::unique_ptr<TimelineModel> model_;
  std::unique_ptr<Part> part_;
  bool is_traced_ = false;  ///< answers have `clauses`
};

}  // namespace touchstone::oracle
