#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "proofs/certificate.hpp"
#include "proofs/engine/solver.hpp"

namespace touchstone::proofs {

/// What has to hold for a certificate, asked of Z3 one after the other and written down for any solver.
/// Errors: what the solver leaves open is an exception, as in proving::Solver.
class Obligations {
 public:
  /// `smt2` may be null.
  explicit Obligations(std::ostream* smt2);

  z3::context& context() { return solver_.context(); }
  z3::expr truth(bool value) { return context().bool_val(value); }
  z3::expr number(Quantity value) { return context().int_val(static_cast<std::int64_t>(value)); }
  /// A Boolean of that name. Requires: asked for once.
  z3::expr declare(const std::string& name);

  z3::expr all_of(const std::vector<z3::expr>& formulas);
  z3::expr any_of(const std::vector<z3::expr>& formulas);
  z3::expr sum_of(const std::vector<z3::expr>& terms);

  /// What satisfies the formulas. Requires: something does; all that they define is defined for every
  /// cluster.
  z3::model model_of(const std::vector<z3::expr>& formulas);

  /// Whether nothing satisfies what speaks against the obligation, all formulas at once.
  bool hold(Obligation obligation, const std::vector<z3::expr>& against);

  const std::vector<Obligation>& asked() const { return asked_; }

 private:
  void write_down(const Obligation& obligation, const std::vector<z3::expr>& against);

  proving::Solver solver_;
  std::ostream* smt2_;
  std::vector<Obligation> asked_;
};

}  // namespace touchstone::proofs
