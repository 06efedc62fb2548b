#pragma once

#include <compare>
#include <concepts>
#include <cstdint>
#include <limits>

/// Symbolic numbers and truth values. Decision code runs unchanged when it is compiled over Integer in place
/// of int64_t (proofs/symbolic/). Where the code asks whether a Truth holds, the explorer of this thread
/// (proofs/engine/explorer.hpp) answers. A later run gets the other answer.
namespace proving {

/// A literal, or a formula that is not decided yet. Conversion to bool decides it, which may fork the run.
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

/// Logical connectives. They build formulas and decide nothing.
Truth both(Truth a, Truth b);
Truth either(Truth a, Truth b);
Truth negation(Truth a);
inline Truth implies(Truth a, Truth b) { return either(negation(a), b); }

template <typename T>
concept MachineInteger = std::integral<T> && !std::same_as<T, bool>;

/// An integer of any size: a constant, or a term over the numbers of a theorem. Trivially copyable, as
/// int64_t is. A term is valid only during the run of the body that made it.
class Integer {
 public:
  constexpr Integer() = default;
  template <MachineInteger T>
  constexpr Integer(T value) : value_(static_cast<std::int64_t>(value)) {}
  static Integer term(std::uint32_t term);

  constexpr bool is_constant() const { return term_ == 0; }
  constexpr std::int64_t constant() const { return value_; }
  constexpr std::uint32_t term() const { return term_; }

  /// The value as a machine integer. For a term, the explorer tries each possible value in a run of its own.
  /// Requires: a term has finitely many values.
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
/// If both factors are terms, the values of the first are enumerated. Requires: the first has finitely many.
Integer operator*(Integer a, Integer b);
namespace detail {
Integer divided(Integer a, Integer b);
}
/// The quotient, rounded towards 0 as in C++. If the divisor is a term, a quotient of at most 10, of 99 and
/// of 100 is exact; of another one only its order among these is known. Requires: a positive divisor.
constexpr Integer operator/(Integer a, Integer b) {
  if (a.is_constant() && b.is_constant()) return a.constant() / b.constant();
  return detail::divided(a, b);
}
Integer operator~(Integer a);
/// `a` if the mask is -1, and 0 if it is 0. Requires: the mask is one of these two constants.
Integer operator&(Integer a, Integer mask);

/// The bitwise OR of integers. Only its sign is known: whether one of the integers is negative.
class JoinedBits {
 public:
  explicit JoinedBits(Truth is_negative) : is_negative_(is_negative) {}
  friend JoinedBits operator|(JoinedBits a, Integer b);
  /// Whether the OR is negative. Requires: `zero` is the constant 0.
  friend Truth operator<(JoinedBits a, Integer zero);

 private:
  Truth is_negative_;
};
JoinedBits operator|(Integer a, Integer b);

/// Requires: `a` is a constant.
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
/// Decides the comparison, because a std::strong_ordering cannot be symbolic.
inline std::strong_ordering operator<=>(Integer a, Integer b) {
  if (a < b) return std::strong_ordering::less;
  return a == b ? std::strong_ordering::equal : std::strong_ordering::greater;
}

}  // namespace proving

/// The limits of int64_t. An Integer has no limits; code that asks for them means those of the product.
template <>
class std::numeric_limits<proving::Integer> : public std::numeric_limits<std::int64_t> {
 public:
  static constexpr proving::Integer min() { return std::numeric_limits<std::int64_t>::min(); }
  static constexpr proving::Integer max() { return std::numeric_limits<std::int64_t>::max(); }
  static constexpr proving::Integer lowest() { return min(); }
};
