#include "proofs/certificates/obligations.hpp"

#include <ostream>
#include <stdexcept>

namespace touchstone::proofs {

namespace {

/// Cost limit of one question, in Z3's own unit. It suffices for the sizes of k_certificate_nodes_most and
/// k_certificate_victims_most.
constexpr unsigned k_rlimit = 50'000'000;

z3::expr_vector vector_of(z3::context& context, const std::vector<z3::expr>& terms) {
  z3::expr_vector vector(context);
  for (const z3::expr& term : terms) vector.push_back(term);
  return vector;
}

}  // namespace

Obligations::Obligations(std::ostream* smt2) : solver_(k_rlimit, nullptr), smt2_(smt2) {
  if (smt2_ != nullptr)
    *smt2_ << "; Each check-sat is one obligation, and has to find unsat. cvc5 wants --incremental.\n"
              "(set-option :global-declarations true)\n(set-logic QF_LIA)\n";
}

z3::expr Obligations::declare(const std::string& name) {
  if (smt2_ != nullptr) *smt2_ << "(declare-const |" << name << "| Bool)\n";
  return context().bool_const(name.c_str());
}

// The operators `and`, `or` and `+` of SMT-LIB need at least two operands.
z3::expr Obligations::all_of(const std::vector<z3::expr>& formulas) {
  if (formulas.size() == 1) return formulas.front();
  return formulas.empty() ? truth(true) : z3::mk_and(vector_of(context(), formulas));
}

z3::expr Obligations::any_of(const std::vector<z3::expr>& formulas) {
  if (formulas.size() == 1) return formulas.front();
  return formulas.empty() ? truth(false) : z3::mk_or(vector_of(context(), formulas));
}

z3::expr Obligations::sum_of(const std::vector<z3::expr>& terms) {
  if (terms.size() == 1) return terms.front();
  return terms.empty() ? number(0) : z3::sum(vector_of(context(), terms));
}

z3::model Obligations::model_of(const std::vector<z3::expr>& formulas) {
  const proving::Solver::Level level(solver_);
  for (const z3::expr& formula : formulas) solver_.add(formula);
  const std::optional<z3::model> model = solver_.find_model("who stays");
  if (!model) throw std::runtime_error("the clauses contradict each other");
  return *model;
}

bool Obligations::hold(Obligation obligation, const std::vector<z3::expr>& against) {
  if (smt2_ != nullptr) write_down(obligation, against);
  const std::string what = obligation.clause + ": " + obligation.what;
  asked_.push_back(std::move(obligation));
  const proving::Solver::Level level(solver_);
  for (const z3::expr& formula : against) solver_.add(formula);
  return solver_.obligation_holds(what);
}

void Obligations::write_down(const Obligation& obligation, const std::vector<z3::expr>& against) {
  *smt2_ << "\n; " << obligation.clause << ": " << obligation.what << "; expected: unsat\n(push 1)\n";
  for (const z3::expr& formula : against) *smt2_ << "(assert " << formula << ")\n";
  *smt2_ << "(check-sat)\n(pop 1)\n";
}

}  // namespace touchstone::proofs
