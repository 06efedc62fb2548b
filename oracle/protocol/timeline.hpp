#pragma once

#include <optional>
#include <string_view>

#include "kubernetes/text/json.hpp"
#include "oracle/protocol/answers.hpp"
#include "reference/queue/world.hpp"

/// The commands of spec/protocol.md about a scheduler over time.
namespace touchstone::oracle {

/// Whether a command is one about a scheduler over time.
bool is_timeline_command(std::string_view command);

/// One scheduler over time, from `init` to the next `init`.
class Timeline {
 public:
  /// Answers a command, without `seq`. Requires: is_timeline_command(). Ensures: the world is unchanged after
  /// an error. Errors: throws kubernetes::InvalidInput.
  Json answer(const kubernetes::Value& line, std::string_view command);

 private:
  std::optional<reference::World> world_;
  bool is_traced_ = false;  ///< answers have `clauses`
};

}  // namespace touchstone::oracle
