#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "proofs/certificate.hpp"
#include "proofs/engine/solver.hpp"

namespace touchstone::proofs {

/// The obligations of a certificate. Z3 checks them one after the other, and each is written for any other
/// solver. Errors: an exception, as in proving::Solver, if Z3 leaves a question open.
class Obligations {
 public:
  /// `smt2` may be null.
  explicit Obligations(std::ostream* smt2);

  z3::context& context() { return solver_.context(); }
  z3::expr truth(bool value) { return context().bool_val(value); }
  z3::expr number(Quantity value) { return context().int_val(static_cast<std::int64_t>(value)); }
  /// A Boolean variable of that name. Requires: each name is declared once.
  z3::expr declare(const std::string& name);

  z3::expr all_of(const std::vector<z3::expr>& formulas);
  z3::expr any_of(const std::vector<z3::expr>& formulas);
  z3::expr sum_of(const std::vector<z3::expr>& terms);

  /// Values that satisfy the formulas. Requires: there are some, because the formulas are definitions that
  /// every cluster can satisfy. Errors: std::runtime_error if there are none.
  z3::model model_of(const std::vector<z3::expr>& formulas);

  /// Whether the obligation holds: no values satisfy all formulas of `against`, which describe a
  /// counterexample.
  bool hold(Obligation obligation, const std::vector<z3::expr>& against);

  const std::vector<Obligation>& asked() const { return asked_; }

 private:
  void write_down(const Obligation& obligation, const std::vector<z3::expr>& against);

  proving::Solver solver_;
  std::ostream* smt2_;
  std::vector<Obligation> asked_;
};

}  // namespace touchstone::proofs
