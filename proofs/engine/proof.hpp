#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "proofs/engine/integer.hpp"

namespace proving {

/// The interface between the body of a theorem and the prover. The same text of a body is compiled twice.
/// Over Integer, a number stands for all integers, and an explorer runs the body once for each path. Over
/// int64_t, the numbers come from a model, and one run shows what the product does with them.
class Proof {
 public:
  virtual ~Proof() = default;

  /// A number of the theorem: any integer. Requires: a run uses each name once.
  template <typename Quantity>
  Quantity number(const std::string& name) {
    if constexpr (std::is_same_v<Quantity, Integer>) {
      return symbol(name);
    } else {
      return value(name);
    }
  }

  /// Assumes that `truth` holds. Reports name the assumption by `label`. A run ends where it is false.
  virtual void assume(std::string_view label, Truth truth) = 0;
  /// Claims that `truth` holds on every path.
  virtual void claim(std::string_view what, Truth truth) = 0;
  /// Requires that `truth` is possible on some path, so that the theorem is not vacuous.
  virtual void witness(std::string_view what, Truth truth) = 0;
  /// Records a result of the body that is concrete on each path. The product must record the same.
  virtual void observe(std::string_view what) = 0;

  /// Chooses one of n alternatives, 0 to n - 1. A model has the choice as a number of this name.
  template <typename Quantity>
  std::size_t choose(const std::string& name, std::size_t n) {
    const Quantity chosen = number<Quantity>(name);
    assume(k_choices, both(chosen >= Quantity(0), chosen < Quantity(n)));
    std::size_t k = 0;
    while (k + 1 < n && chosen != Quantity(k)) ++k;
    return k;
  }

  /// The label of the assumption that choose() makes.
  static constexpr std::string_view k_choices = "a choice is one of its alternatives";

 protected:
  virtual Integer symbol(const std::string& name) = 0;
  virtual std::int64_t value(const std::string& name) = 0;
};

using Body = std::function<void(Proof&)>;

}  // namespace proving
