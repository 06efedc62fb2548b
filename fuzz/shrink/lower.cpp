#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <set>

#include "fuzz/shrink/lowering.hpp"
#include "fuzz/shrink/moves.hpp"

namespace touchstone::fuzz {

namespace {

using Indices = Lowering::Indices;
using Values = std::vector<Quantity>;

/// The numbers of a group, lowered all at once.
class Group {
 public:
  Group(Lowering& lowering, const Indices& indices)
      : lowering_(lowering), indices_(indices), whole_(lowering.amount(indices[0]).whole()) {}

  bool lower() {
    if (all(0) || all(whole_)) return true;
    bool any = ranked(0) || ranked(1) || ranked_about_zero();
    any |= lowered_to_zero();
    return divided() || any;
  }

 private:
  Values values() const { return lowering_.values(indices_); }
  bool set(const Values& values) { return lowering_.set(indices_, values); }
  bool all(Quantity value) { return set(Values(indices_.size(), value)); }

  template <typename Change>
  bool change(Change change) {
    Values changed = values();
    for (Quantity& value : changed) value = change(value);
    return set(changed);
  }

  bool ranked(Quantity first) {
    const Values now = values();
    const std::set<Quantity> distinct(now.begin(), now.end());
    std::map<Quantity, Quantity> rank;
    for (const Quantity value : distinct) rank[value] = whole_ * first++;
    return change([&](Quantity value) { return rank[value]; });
  }

  /// Replaces numbers by their ranks around 0. An absent number counts as 0, so 0 stays 0.
  bool ranked_about_zero() {
    const Values now = values();
    std::set<Quantity> distinct(now.begin(), now.end());
    distinct.insert(0);
    Quantity below = -static_cast<Quantity>(std::distance(distinct.begin(), distinct.find(0)));
    std::map<Quantity, Quantity> rank;
    for (const Quantity value : distinct) rank[value] = whole_ * below++;
    return change([&](Quantity value) { return rank[value]; });
  }

  bool lowered_to_zero() {
    const Values now = values();
    const Quantity least = *std::min_element(now.begin(), now.end());
    if (least <= 0) return false;
    return change([&](Quantity value) { return value - least; });
  }

  /// Divides by the common divisor, which keeps all sums. If that fails, divides more coarsely and rounds to
  /// whole units.
  bool divided() {
    const Values now = values();
    Quantity divisor = 0;
    Quantity most = 0;
    for (const Quantity value : now) {
      if (value == std::numeric_limits<Quantity>::min()) return false;
      divisor = std::gcd(divisor, value);
      most = std::max(most, std::abs(value));
    }
    if (divisor == 0) return false;
    bool any = divided_by(divisor, 0);
    if (!any) any = divided_by(whole_, 0) || divided_by(whole_, whole_ - 1);
    for (Quantity by = most; by > 1 && !any; by /= 4) any = divided_by(by, 0) || divided_by(by, by - 1);
    return any;
  }

  bool divided_by(Quantity by, Quantity added) {
    Values divided = values();
    for (Quantity& value : divided) {
      // Rounds up if that does not overflow; numbers below 0 are rounded towards 0.
      if (value > 0 && value <= std::numeric_limits<Quantity>::max() - added) value += added;
      if (__builtin_mul_overflow(value / by, whole_, &value)) return false;
    }
    return set(divided);
  }

  Lowering& lowering_;
  const Indices& indices_;
  Quantity whole_;
};

/// Equal numbers, lowered as one number.
class Equal {
 public:
  Equal(Lowering& lowering, const Indices& indices)
      : lowering_(lowering), indices_(indices), whole_(lowering.amount(indices[0]).whole()) {}

  bool lower() {
    bool any = set(0) || set(whole_);
    any |= unsigned_again();
    any |= to_whole();
    any |= bisected(now() % whole_ == 0 ? whole_ : 1);
    // The same value, in case it can be written more plainly.
    return set(now()) || any;
  }

  Quantity now() const { return lowering_.amount(indices_[0]).value; }
  bool set(Quantity value) { return lowering_.set(indices_, Values(indices_.size(), value)); }

 private:
  bool unsigned_again() {
    if (now() >= 0) return false;
    return (now() > std::numeric_limits<Quantity>::min() && set(-now())) || set(-whole_);
  }

  bool to_whole() {
    if (now() % whole_ == 0) return false;
    const Quantity down = now() / whole_ * whole_;
    return set(down) || (down <= std::numeric_limits<Quantity>::max() - whole_ && set(down + whole_));
  }

  /// Searches by bisection for the number nearest to 0 that still shows, in steps. This assumes that all
  /// numbers farther from 0 show, too. If neither the half nor one step less shows, it stops: the search
  /// would cost a dozen calls for each number that has to stay.
  bool bisected(Quantity step) {
    bool any = false;
    while (set(now() / step / 2 * step) || set(now() - (now() > 0 ? step : -step))) {
      any = true;
      Quantity fails = 0;
      while (now() / step - fails > 1 || now() / step - fails < -1) {
        const Quantity half = fails + (now() / step - fails) / 2;
        if (!set(half * step)) fails = half;
      }
    }
    return any;
  }

  Lowering& lowering_;
  const Indices& indices_;
  Quantity whole_;
};

}  // namespace

bool lower_groups(Search& search) {
  Lowering lowering(search);
  bool any = false;
  for (const Indices& indices : lowering.groups()) any |= Group(lowering, indices).lower();
  return any;
}

bool lower_amounts(Search& search) {
  constexpr std::size_t k_likes_most = 8;
  Lowering lowering(search);
  bool any = false;
  for (const Indices& group : lowering.groups()) {
    const std::vector<Quantity> values = lowering.values(group);
    const std::set<Quantity> distinct(values.begin(), values.end());
    for (const Indices& unit : lowering.units(group)) {
      if (search.stopped()) return any;
      // Equal numbers may differ now, after each was lowered alone.
      if (lowering.amount(unit.front()).value != lowering.amount(unit.back()).value) continue;
      Equal equal(lowering, unit);
      any |= equal.lower();
      if (distinct.size() > k_likes_most) continue;
      for (const Quantity like : distinct) any |= equal.set(like);
    }
  }
  return any;
}

}  // namespace touchstone::fuzz
