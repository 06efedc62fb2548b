#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

/// The choices that the real scheduler makes by chance. Wherever it does, the algorithm calls
/// Choices::pick(). There are four ways to pick: always the first alternative, a random one by a seed
/// (seeded_choices.hpp), a replayed script, and every alternative in turn (explore()).
namespace touchstone {

class Choices {
 public:
  virtual ~Choices() = default;
  /// Picks one of `n` alternatives and returns its number, from 0 to n - 1. Requires: n > 0. `where` names
  /// the choice for scripts and logs.
  virtual std::size_t pick(std::size_t n, std::string_view where) = 0;
};

/// Always picks the first alternative: the first in list order.
class CanonicalChoices final : public Choices {
 public:
  std::size_t pick(std::size_t n, std::string_view where) override;
};

/// Replays a script of picks. An entry that is too large stands for the last alternative. After the end of
/// the script, picks the first alternative.
class ScriptedChoices final : public Choices {
 public:
  explicit ScriptedChoices(std::vector<std::size_t> script) : script_(std::move(script)) {}
  std::size_t pick(std::size_t n, std::string_view where) override;

 private:
  std::vector<std::size_t> script_;
  std::size_t next_ = 0;
};

/// Runs `body` once for each sequence of picks that it can make, but at most `limit` times. Requires: `body`
/// is deterministic apart from its picks. Ensures: returns true if every sequence was run.
bool explore(const std::function<void(Choices&)>& body, std::size_t limit);

}  // namespace touchstone
