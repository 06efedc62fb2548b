#include <algorithm>
#include <cstdlib>

#include "fuzz/shrink/lowering.hpp"
#include "fuzz/shrink/moves.hpp"

namespace touchstone::fuzz {

namespace {

using Indices = Lowering::Indices;

/// The number of units of a group that are tried in pairs. Sets of equal numbers come before single numbers.
constexpr std::size_t k_units_most = 10;

/// Doubling a number up to this one does not overflow.
constexpr Quantity k_far = Quantity{1} << 61;

bool overlap(const Indices& a, const Indices& b) {
  return std::any_of(a.begin(), a.end(),
                     [&](std::size_t i) { return std::find(b.begin(), b.end(), i) != b.end(); });
}

class Pair {
 public:
  Pair(Lowering& lowering, const Indices& a, const Indices& b) : lowering_(lowering), a_(a), b_(b) {}

  /// Lowers both numbers by the same amount. If the sets differ in size, also lowers both sums by the same
  /// amount.
  bool lower() {
    bool any = by_as_much(1, 1);
    if (a_.size() != b_.size())
      any |= by_as_much(static_cast<Quantity>(b_.size()), static_cast<Quantity>(a_.size()));
    while (halved()) any = true;
    return any;
  }

 private:
  Quantity first(const Indices& indices) const { return lowering_.amount(indices[0]).value; }

  bool set(Quantity a, Quantity b) {
    Indices both = a_;
    both.insert(both.end(), b_.begin(), b_.end());
    std::vector<Quantity> values(a_.size(), a);
    values.resize(both.size(), b);
    return lowering_.set(both, values);
  }

  /// The step: a whole unit while both numbers are whole. 3 cores less 1 millicore are longer to read.
  Quantity step() const {
    const Quantity whole = lowering_.amount(a_[0]).whole();
    return first(a_) % whole == 0 && first(b_) % whole == 0 ? whole : 1;
  }

  /// Lowers by the largest possible amount, by half of it, and by one step. After each step that works, the
  /// amount is doubled as long as that works.
  bool by_as_much(Quantity weight_a, Quantity weight_b) {
    const auto lowered = [&](Quantity by) {
      return by != 0 && std::abs(by) <= std::abs(most(weight_a, weight_b)) &&
             set(first(a_) - by * step() * weight_a, first(b_) - by * step() * weight_b);
    };
    const Quantity all = most(weight_a, weight_b);
    bool any = lowered(all) || lowered(all / 2);
    const Quantity one = all > 0 ? 1 : -1;
    while (lowered(one)) {
      any = true;
      for (Quantity by = 2 * one; std::abs(by) < k_far && lowered(by);) by *= 2;
    }
    return any;
  }

  /// The largest possible amount, in steps. Two numbers below 0 are raised. Two numbers of different signs
  /// do not change, because one would grow.
  Quantity most(Quantity weight_a, Quantity weight_b) const {
    const auto [least, most] = std::minmax({first(a_) / weight_a, first(b_) / weight_b});
    if (least < -k_far) return 0;
    return (least > 0 ? least : std::min<Quantity>(most, 0)) / step();
  }

  bool halved() {
    const Quantity by = step();
    return set(first(a_) / by / 2 * by, first(b_) / by / 2 * by);
  }

  Lowering& lowering_;
  const Indices& a_;
  const Indices& b_;
};

bool all_equal(const Lowering& lowering, const Indices& unit) {
  const std::vector<Quantity> values = lowering.values(unit);
  return std::all_of(values.begin(), values.end(), [&](Quantity value) { return value == values[0]; });
}

}  // namespace

bool lower_pairs(Search& search) {
  Lowering lowering(search);
  bool any = false;
  for (const Indices& group : lowering.groups()) {
    std::vector<Indices> units = lowering.units(group);
    units.resize(std::min(units.size(), k_units_most));
    for (std::size_t i = 0; i < units.size(); ++i) {
      for (std::size_t j = i + 1; j < units.size() && !search.stopped(); ++j) {
        if (overlap(units[i], units[j]) || !all_equal(lowering, units[i]) || !all_equal(lowering, units[j]))
          continue;
        any |= Pair(lowering, units[i], units[j]).lower();
      }
    }
  }
  return any;
}

}  // namespace touchstone::fuzz
