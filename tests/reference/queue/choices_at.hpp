#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spec/vocabulary/choices.hpp"

/// Choices that record how many alternatives one clause offers. They pick the first alternative of all other
/// clauses.
namespace touchstone::tests {

/// Picks the last alternative of one clause. With an empty clause, picks the first alternative everywhere.
class LastChoiceAt final : public Choices {
 public:
  explicit LastChoiceAt(std::string clause) : clause_(std::move(clause)) {}
  std::size_t pick(std::size_t n, std::string_view where) override {
    if (where != clause_) return 0;
    counts.push_back(n);
    return n - 1;
  }
  std::vector<std::size_t> counts;  ///< how many alternatives that clause had, each time

 private:
  std::string clause_;
};

/// Picks the first alternative of every clause.
class FirstChoiceAt final : public Choices {
 public:
  explicit FirstChoiceAt(std::string clause) : clause_(std::move(clause)) {}
  std::size_t pick(std::size_t n, std::string_view where) override {
    if (where == clause_) counts.push_back(n);
    return 0;
  }
  std::vector<std::size_t> counts;  ///< how many alternatives that clause had, each time

 private:
  std::string clause_;
};

}  // namespace touchstone::tests
