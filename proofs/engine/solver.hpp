#pragma once

#include <z3++.h>

#include <iosfwd>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace proving {

/// Z3 for linear integer arithmetic without quantifiers. It throws an exception if the answer is neither sat
/// nor unsat. Every unsatisfiable question goes to the dump, so that another solver can check it.
class Solver {
 public:
  /// `rlimit`: cost limit of one question, in Z3's own unit. `dump` may be null.
  Solver(unsigned rlimit, std::ostream* dump);

  z3::context& context() { return context_; }
  z3::expr declare(const std::string& name);

  void push();
  void pop();
  void add(const z3::expr& formula);
  /// Adds a formula that holds by assumption. used_labels() can then report its label.
  void assume(std::string_view label, const z3::expr& formula);

  /// Values that satisfy every formula that was added; empty if there are none. `why` names the question in
  /// the dump.
  std::optional<z3::model> find_model(std::string_view why = "assumption");
  /// Whether no values satisfy every formula that was added.
  bool obligation_holds(std::string_view what) { return !find_model(what); }
  /// A model in which the first term has the least absolute value, then the second, and so on. A term whose
  /// least absolute value is above 2^61 is not minimized. Requires: there is a model.
  z3::model smallest(const std::vector<z3::expr>& terms);

  /// The labels of assumptions that were in some unsatisfiable core.
  const std::set<std::string>& used_labels() const { return used_; }
  /// The number of questions without a solution.
  std::size_t unsatisfiable() const { return unsatisfiable_; }
  /// The cost of all questions, in Z3's own unit.
  std::uint64_t spent();

  /// A level of the solver: pushed by the constructor, popped by the destructor.
  class Level {
   public:
    explicit Level(Solver& solver) : solver_(solver) { solver_.push(); }
    ~Level() { solver_.pop(); }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Solver& solver_;
  };

 private:
  void write_down(std::string_view what);
  bool is_possible(const z3::expr& formula);

  z3::context context_;
  z3::solver solver_;
  std::ostream* dump_;
  z3::expr_vector labels_;  ///< one Boolean for each assumption
  std::map<std::string, z3::expr> by_label_;
  std::map<std::string, z3::expr> by_name_;
  std::set<std::string> used_;
  std::size_t unsatisfiable_ = 0;
  std::vector<z3::expr> added_;      ///< formulas that the solver has, without labels
  std::vector<std::size_t> levels_;  ///< the size of added_ when each level began
  // How much of added_ and levels_ the dump has. Only an unsatisfiable question brings the dump up to date.
  std::size_t written_ = 0;
  std::size_t written_levels_ = 0;
};

bool holds_in(const z3::model& model, const z3::expr& formula);
/// The value of a term. Errors: std::runtime_error if it does not fit 64 bits.
std::int64_t value_in(const z3::model& model, const z3::expr& term);

}  // namespace proving
