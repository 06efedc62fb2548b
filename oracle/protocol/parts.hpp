#pragma once

#include <memory>
#include <set>
#include <string>

#include "kubernetes/text/json.hpp"
#include "oracle/protocol/answers.hpp"
#include "reference/controllers/budget_control.hpp"
#include "reference/controllers/election.hpp"

/// The controllers beside the scheduler, as subjects of the protocol: the disruption controller and leader
/// election. Times are nanoseconds since 1970.
namespace touchstone::oracle {

/// One controller over time.
class Part {
 public:
  virtual ~Part() = default;

  /// Answers a line, without `seq`; `init` is answered as `state`. Ensures: nothing changes after an error.
  /// Errors: throws kubernetes::InvalidInput.
  virtual Json answer(const kubernetes::Value& line) = 0;

  /// The clauses that decided the last line.
  virtual std::set<std::string> clauses() const = 0;
};

/// Begins the controller that `init` names. Errors: throws kubernetes::InvalidInput.
std::unique_ptr<Part> begin_part(const kubernetes::Value& init);

/// The reason for which a controller of a release is not modelled. Empty: it is.
std::string part_not_modelled(const std::string& part, Version version);

/// The same two for lines that are not yet texts. No value: `init` is not valid. Errors of a line are
/// answers with the key `error`.
std::unique_ptr<Part> part_of(const Json& init);
Json answer_to(const Json& line, Part& part);

/// What the random source gives for each number of `jitter`.
double jitter_of(std::size_t number);
inline constexpr std::size_t k_jitters = 4;

/// The latest time, and the longest step of a clock.
inline constexpr Quantity k_latest_ns = 4'000'000'000'000'000'000;
inline constexpr Quantity k_longest_step_ns = 86'400'000'000'000;

/// Reads how far a clock moves. Errors: throws kubernetes::InvalidInput (out-of-range, if that is after
/// k_latest_ns, too).
Quantity step_of(const kubernetes::Value& line, Quantity now_ns);

class ElectionPart final : public Part {
 public:
  explicit ElectionPart(const kubernetes::Value& init);
  Json answer(const kubernetes::Value& line) override;
  std::set<std::string> clauses() const override;
  const reference::Election& election() const { return election_; }

 private:
  reference::Election election_;
};

class DisruptionPart final : public Part {
 public:
  explicit DisruptionPart(const kubernetes::Value& init);
  Json answer(const kubernetes::Value& line) override;
  std::set<std::string> clauses() const override;
  const reference::BudgetControl& control() const { return control_; }

 private:
  std::optional<Error> step(const kubernetes::Value& line, std::string& outcome);

  reference::BudgetControl control_;
};

}  // namespace touchstone::oracle
