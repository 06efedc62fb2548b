#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <string_view>
#include <vector>

/// Where the real scheduler is not deterministic, the algorithm asks. One interface, four answers: the
/// canonical first alternative, a seeded sample, a replayed script, and every alternative in turn.
namespace touchstone {

class Choices {
 public:
  virtual ~Choices() = default;
  /// Picks one of n alternatives, numbered from 0. Requires n > 0. `where` names the choice for scripts and
  /// logs.
  virtual std::size_t pick(std::size_t n, std::string_view where) = 0;
};

/// Takes the first alternative, always: list order.
class CanonicalChoices final : public Choices {
 public:
  std::size_t pick(std::size_t n, std::string_view where) override;
};

/// Samples, each alternative equally likely; the same seed picks the same.
class SeededChoices final : public Choices {
 public:
  explicit SeededChoices(std::uint64_t seed) : random_(seed) {}
  std::size_t pick(std::size_t n, std::string_view where) override;

 private:
  std::mt19937_64 random_;
};

/// Replays a script; beyond its end takes the first alternative; an entry too large is the last one.
class ScriptedChoices final : public Choices {
 public:
  explicit ScriptedChoices(std::vector<std::size_t> script) : script_(std::move(script)) {}
  std::size_t pick(std::size_t n, std::string_view where) override;

 private:
  std::vector<std::size_t> script_;
  std::size_t next_ = 0;
};

/// Runs `body` again and again until every alternative of every choice was taken once, or `limit` runs were
/// made. Requires: body is deterministic but for what it picks. Ensures: returns true when nothing was left
/// out.
bool explore(const std::function<void(Choices&)>& body, std::size_t limit);

}  // namespace touchstone
