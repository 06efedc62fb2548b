#include "proofs/engine/terms.hpp"

#include <array>
#include <stdexcept>

namespace proving {

namespace {

thread_local Terms* current = nullptr;

Terms& here() {
  if (current == nullptr) throw std::logic_error("a term outside of an exploration");
  return *current;
}

z3::expr term(Integer integer) { return here().expression(integer); }

/// The quotient of a division by a term, as a new integer. A quotient by a term is not linear, but whether it
/// is at most a constant is linear. Values up to 10, 99 and 100 are defined exactly: those of scores. Nothing
/// more is known of other values, so a proof holds for more than the true quotient. Requires: b > 0.
Integer quotient(Integer a, Integer b) {
  constexpr std::array<int, 13> k_known = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 99, 100};
  if (b <= Integer(0)) throw std::logic_error("a quotient by what is not positive");
  if (a < Integer(0)) return Integer(0) - quotient(Integer(0) - a, b);
  const Integer quotient = here().unknown();
  Truth definition = quotient >= Integer(0);
  for (const int k : k_known) {
    const Truth is_at_most = quotient <= Integer(k);
    const Truth says_so = a < b * Integer(k + 1);
    definition = both(definition, both(implies(is_at_most, says_so), implies(says_so, is_at_most)));
  }
  here().define(definition);
  return quotient;
}

/// The result of arithmetic.
Integer made(const z3::expr& term) {
  const Integer result = here().integer(term);
  here().computed(result);
  return result;
}

}  // namespace

Terms::Current::Current(Terms& terms) {
  if (current != nullptr) throw std::logic_error("an exploration inside of another");
  current = &terms;
}
Terms::Current::~Current() { current = nullptr; }

std::uint32_t Terms::keep(const z3::expr& term) {
  terms_.push_back(term);
  return static_cast<std::uint32_t>(terms_.size());
}

Integer Terms::integer(const z3::expr& term) {
  std::int64_t value = 0;
  return term.is_numeral_i64(value) ? Integer(value) : Integer::term(keep(term));
}

Truth Terms::truth(const z3::expr& formula) {
  if (formula.is_true() || formula.is_false()) return formula.is_true();
  return Truth::term(keep(formula));
}

z3::expr Terms::expression(Integer integer) {
  return integer.is_constant() ? context().int_val(integer.constant()) : terms_.at(integer.term() - 1);
}

z3::expr Terms::expression(Truth truth) {
  return truth.is_literal() ? context().bool_val(truth) : terms_.at(truth.term() - 1);
}

bool Truth::decided() const { return here().decide(*this); }

Truth both(Truth a, Truth b) {
  if (a.is_literal()) return a ? b : Truth(false);
  if (b.is_literal()) return b ? a : Truth(false);
  return here().truth(here().expression(a) && here().expression(b));
}

Truth either(Truth a, Truth b) { return negation(both(negation(a), negation(b))); }

Truth negation(Truth a) {
  if (a.is_literal()) return !static_cast<bool>(a);
  return here().truth(!here().expression(a));
}

Integer Integer::term(std::uint32_t term) {
  Integer integer;
  integer.term_ = term;
  return integer;
}

std::int64_t Integer::enumerated() const { return here().enumerate(*this); }

Integer& Integer::operator+=(Integer other) { return *this = *this + other; }
Integer& Integer::operator-=(Integer other) { return *this = *this - other; }
Integer& Integer::operator++() { return *this += 1; }
Integer Integer::operator++(int) {
  const Integer before = *this;
  *this += 1;
  return before;
}

Integer operator+(Integer a, Integer b) {
  std::int64_t sum = 0;
  if (a.is_constant() && b.is_constant() && !__builtin_add_overflow(a.constant(), b.constant(), &sum))
    return sum;
  if (a.is_constant() && a.constant() == 0) return b;
  if (b.is_constant() && b.constant() == 0) return a;
  return made((term(a) + term(b)).simplify());
}

Integer operator-(Integer a, Integer b) {
  std::int64_t difference = 0;
  if (a.is_constant() && b.is_constant() && !__builtin_sub_overflow(a.constant(), b.constant(), &difference))
    return difference;
  if (b.is_constant() && b.constant() == 0) return a;
  return made((term(a) - term(b)).simplify());
}

Integer operator-(Integer a) { return Integer(0) - a; }

Integer operator*(Integer a, Integer b) {
  if (!a.is_constant() && !b.is_constant()) a = static_cast<std::int64_t>(a);
  return made((term(a) * term(b)).simplify());
}

Integer detail::divided(Integer a, Integer b) {
  if (!b.is_constant()) return quotient(a, b);
  if (b.constant() <= 0) throw std::logic_error("a quotient by what is not positive");
  // Z3 rounds down, and C++ rounds towards 0. Both are equal if the dividend is not negative.
  if (a >= Integer(0)) return made(term(a) / term(b));
  return made(-(-term(a) / term(b)));
}

Integer operator~(Integer a) { return Integer(-1) - a; }

Integer operator&(Integer a, Integer mask) {
  const bool is_mask = mask.is_constant() && (mask.constant() == 0 || mask.constant() == -1);
  if (!is_mask) throw std::logic_error("bits of a term");
  return mask.constant() == 0 ? Integer(0) : a;
}

JoinedBits operator|(Integer a, Integer b) { return JoinedBits(either(a < Integer(0), b < Integer(0))); }
JoinedBits operator|(JoinedBits a, Integer b) { return JoinedBits(either(a.is_negative_, b < Integer(0))); }
Truth operator<(JoinedBits a, Integer zero) {
  if (!zero.is_constant() || zero.constant() != 0) throw std::logic_error("bits of terms");
  return a.is_negative_;
}

Truth detail::compared(Comparison comparison, Integer a, Integer b) {
  const z3::expr left = term(a);
  const z3::expr right = term(b);
  const z3::expr formula = comparison == Comparison::less      ? left < right
                           : comparison == Comparison::at_most ? left <= right
                                                               : left == right;
  return here().truth(formula.simplify());
}

}  // namespace proving
