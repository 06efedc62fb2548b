#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "reference/queue/budget_control.hpp"
#include "reference/queue/election.hpp"

/// The controllers beside the scheduler, as subjects of the protocol: the disruption controller and leader
/// election. Times are nanoseconds since 1970.
namespace touchstone::oracle {

using PartJson = nlohmann::json;

/// A part over time. The first line is `init`.
class Part {
 public:
  virtual ~Part() = default;

  /// The answer to a line, without `seq`. Errors are answers with the key `error`; nothing changes then.
  /// Requires: the line is well-formed, as generated. Throws: PartJson::exception and std::out_of_range.
  virtual PartJson answer(const PartJson& line) = 0;

  /// The clauses that decided the last line.
  virtual std::set<std::string> clauses() const = 0;
};

/// True for the name of a part.
bool is_part(const std::string& name);

/// The part that an `init` is about. No value: the line names none, or a release that is not known.
std::unique_ptr<Part> part_of(const PartJson& init);

/// What the random source gives for each number of `jitter`.
double jitter_of(std::size_t number);
inline constexpr std::size_t k_jitters = 4;

class ElectionPart final : public Part {
 public:
  explicit ElectionPart(const PartJson& init);
  PartJson answer(const PartJson& line) override;
  std::set<std::string> clauses() const override;
  const reference::Election& election() const { return election_; }

 private:
  reference::Election election_;
};

class DisruptionPart final : public Part {
 public:
  explicit DisruptionPart(const PartJson& init);
  PartJson answer(const PartJson& line) override;
  std::set<std::string> clauses() const override;
  const reference::BudgetControl& control() const { return control_; }

 private:
  std::optional<Error> step(const PartJson& line, std::string& outcome);

  reference::BudgetControl control_;
};

}  // namespace touchstone::oracle
