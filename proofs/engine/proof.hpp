#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "proofs/engine/integer.hpp"

namespace proving {

/// What a theorem's body talks to. The same text is compiled twice: over Integer, where a number stands for
/// all integers and an explorer runs the body once a path; and over int64_t, where the numbers are those of a
/// model and one run shows what the product does with them.
class Proof {
 public:
  virtual ~Proof() = default;

  /// A number of the theorem, any integer. Requires: no two of one name in a run.
  template <typename Quantity>
  Quantity number(const std::string& name) {
    if constexpr (std::is_same_v<Quantity, Integer>) {
      return symbol(name);
    } else {
      return value(name);
    }
  }

  /// What the theorem takes for granted, and by what name a report says so. A run ends where it is false.
  virtual void assume(std::string_view label, Truth truth) = 0;
  /// What has to hold on every path.
  virtual void claim(std::string_view what, Truth truth) = 0;
  /// What has to be possible on some path, so that the theorem speaks of something.
  virtual void witness(std::string_view what, Truth truth) = 0;
  /// Something that the body found out, concrete on each path: the product has to find the same.
  virtual void observe(std::string_view what) = 0;

  /// One of n alternatives, 0 to n - 1, which a model knows by a number of this name.
  template <typename Quantity>
  std::size_t choose(const std::string& name, std::size_t n) {
    const Quantity chosen = number<Quantity>(name);
    assume(k_choices, both(chosen >= Quantity(0), chosen < Quantity(n)));
    std::size_t k = 0;
    while (k + 1 < n && chosen != Quantity(k)) ++k;
    return k;
  }

  /// The label of what choose() assumes.
  static constexpr std::string_view k_choices = "a choice is one of its alternatives";

 protected:
  virtual Integer symbol(const std::string& name) = 0;
  virtual std::int64_t value(const std::string& name) = 0;
};

using Body = std::function<void(Proof&)>;

}  // namespace proving
