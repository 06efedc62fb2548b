#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/decision.hpp"
#include "spec/quantity.hpp"

namespace touchstone {

/// One thing that the reference found out, the clause that says so, and the values it looked at.
struct Step {
  std::string_view clause;  ///< an id of spec/preemption.md
  std::string what;         ///< a few words: "reprieved", "victim", "violating", ...
  std::optional<NodeIndex> node;
  std::optional<PodIndex> pod;
  std::vector<std::pair<std::string, Quantity>> values;
};

/// The reasons of a decision in the order in which they were found. A disabled trace records nothing.
class Trace {
 public:
  static Trace none() { return Trace(false); }
  static Trace full() { return Trace(true); }

  void add(Step step) {
    if (enabled_) steps_.push_back(std::move(step));
  }
  bool enabled() const { return enabled_; }
  const std::vector<Step>& steps() const { return steps_; }

 private:
  explicit Trace(bool enabled) : enabled_(enabled) {}
  bool enabled_;
  std::vector<Step> steps_;
};

}  // namespace touchstone
