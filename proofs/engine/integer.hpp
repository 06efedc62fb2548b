#pragma once

#include <compare>
#include <concepts>
#include <cstdint>
#include <limits>

/// Numbers and truths as a proof computes with them. Code that decides, compiled over Integer in place of
/// int64_t (proofs/symbolic/), runs unchanged: where it asks whether a Truth holds, the explorer of this
/// thread (proofs/engine/explorer.hpp) answers, and comes back later for the other answer.
namespace proving {

/// A literal, or a formula that is not decided yet. As a bool it is decided: that may fork the run.
class Truth {
 public:
  constexpr Truth(bool literal) : literal_(literal) {}
  static Truth term(std::uint32_t term) { return Truth(false, term); }

  constexpr bool is_literal() const { return term_ == 0; }
  constexpr std::uint32_t term() const { return term_; }
  constexpr operator bool() const { return term_ == 0 ? literal_ : decided(); }

 private:
  Truth(bool literal, std::uint32_t term) : literal_(literal), term_(term) {}
  bool decided() const;

  bool literal_;
  std::uint32_t term_ = 0;  ///< 0: a literal
};

/// Connectives that decide nothing.
Truth both(Truth a, Truth b);
Truth either(Truth a, Truth b);
Truth negation(Truth a);
inline Truth implies(Truth a, Truth b) { return either(negation(a), b); }

template <typename T>
concept MachineInteger = std::integral<T> && !std::same_as<T, bool>;

/// An integer of any size: a constant, or a term over the numbers of a theorem. Trivially copyable, as
/// int64_t is; a term is good for one run of the body that made it.
class Integer {
 public:
  constexpr Integer() = default;
  template <MachineInteger T>
  constexpr Integer(T value) : value_(static_cast<std::int64_t>(value)) {}
  static Integer term(std::uint32_t term);

  constexpr bool is_constant() const { return term_ == 0; }
  constexpr std::int64_t constant() const { return value_; }
  constexpr std::uint32_t term() const { return term_; }

  /// The number itself. Of a term: one value after the other, a run for each. Requires: finitely many.
  template <MachineInteger T>
  explicit operator T() const {
    return static_cast<T>(is_constant() ? value_ : enumerated());
  }

  Integer& operator+=(Integer other);
  Integer& operator-=(Integer other);
  Integer& operator++();
  Integer operator++(int);

 private:
  std::int64_t enumerated() const;

  std::int64_t value_ = 0;
  std::uint32_t term_ = 0;  ///< 0: a constant
};

Integer operator+(Integer a, Integer b);
Integer operator-(Integer a, Integer b);
Integer operator-(Integer a);
/// Of two terms, the first is enumerated. Requires: it has finitely many values then.
Integer operator*(Integer a, Integer b);
namespace detail {
Integer divided(Integer a, Integer b);
}
/// As C++ divides: towards 0; by a term, no less is known of a quotient up to 8 than that it is one.
/// Requires: a positive divisor, and by a term a dividend that is not negative.
constexpr Integer operator/(Integer a, Integer b) {
  if (a.is_constant() && b.is_constant()) return a.constant() / b.constant();
  return detail::divided(a, b);
}
Integer operator~(Integer a);
/// All of `a` or nothing of it. Requires: the mask is a constant, -1 or 0.
Integer operator&(Integer a, Integer mask);

/// What is known of integers whose bits are joined: whether one of them is negative.
class JoinedBits {
 public:
  explicit JoinedBits(Truth is_negative) : is_negative_(is_negative) {}
  friend JoinedBits operator|(JoinedBits a, Integer b);
  /// Requires: the number is the constant 0.
  friend Truth operator<(JoinedBits a, Integer zero);

 private:
  Truth is_negative_;
};
JoinedBits operator|(Integer a, Integer b);

/// Requires: constants.
constexpr Integer operator<<(Integer a, int bits) { return Integer(a.constant() << bits); }

namespace detail {
enum class Comparison { less, at_most, equal };
Truth compared(Comparison comparison, Integer a, Integer b);
}  // namespace detail

constexpr Truth operator<(Integer a, Integer b) {
  if (a.is_constant() && b.is_constant()) return a.constant() < b.constant();
  return detail::compared(detail::Comparison::less, a, b);
}
constexpr Truth operator<=(Integer a, Integer b) {
  if (a.is_constant() && b.is_constant()) return a.constant() <= b.constant();
  return detail::compared(detail::Comparison::at_most, a, b);
}
constexpr Truth operator>(Integer a, Integer b) { return b < a; }
constexpr Truth operator>=(Integer a, Integer b) { return b <= a; }
constexpr Truth operator==(Integer a, Integer b) {
  if (a.is_constant() && b.is_constant()) return a.constant() == b.constant();
  return detail::compared(detail::Comparison::equal, a, b);
}
constexpr Truth operator!=(Integer a, Integer b) {
  if (a.is_constant() && b.is_constant()) return a.constant() != b.constant();
  return negation(detail::compared(detail::Comparison::equal, a, b));
}
/// Decides: an ordering cannot be kept open.
inline std::strong_ordering operator<=>(Integer a, Integer b) {
  if (a < b) return std::strong_ordering::less;
  return a == b ? std::strong_ordering::equal : std::strong_ordering::greater;
}

}  // namespace proving

/// Of int64_t: an Integer has no limits, and code that asks for some means those of the product.
template <>
class std::numeric_limits<proving::Integer> : public std::numeric_limits<std::int64_t> {
 public:
  static constexpr proving::Integer min() { return std::numeric_limits<std::int64_t>::min(); }
  static constexpr proving::Integer max() { return std::numeric_limits<std::int64_t>::max(); }
  static constexpr proving::Integer lowest() { return min(); }
};
