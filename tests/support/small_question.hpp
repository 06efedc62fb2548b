#pragma once

#include <cstdint>
#include <ostream>
#include <vector>

#include "spec/choices.hpp"
#include "spec/cluster.hpp"

namespace touchstone::tests {

/// Makes a small question out of choices: any choices make a valid one, and first alternatives the plainest.
/// Few values of each kind, so that ties, exact fits and shared budgets are frequent. `most_pods` bounds the
/// pods of a node.
Question small_question(Choices& choices, std::size_t most_nodes, std::size_t most_pods);

/// Choices out of bytes, for RapidCheck: a byte picks modulo the alternatives, and after the last one the
/// first is taken.
class ByteChoices final : public Choices {
 public:
  explicit ByteChoices(std::vector<std::uint8_t> bytes) : bytes_(std::move(bytes)) {}
  std::size_t pick(std::size_t n, std::string_view) override {
    return next_ < bytes_.size() ? bytes_[next_++] % n : 0;
  }

 private:
  std::vector<std::uint8_t> bytes_;
  std::size_t next_ = 0;
};

/// Prints a question so that a person can follow a failure.
void print(std::ostream& out, const Question& question);

}  // namespace touchstone::tests
