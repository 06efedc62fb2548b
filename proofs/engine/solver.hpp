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

/// Z3 over linear integers without quantifiers, as a proof asks it: an answer that is neither yes nor no is
/// an exception. Everything that it finds unsatisfiable is written down for another solver to find the same.
class Solver {
 public:
  /// `rlimit`: what one question may cost. `dump` may be null.
  Solver(unsigned rlimit, std::ostream* dump);

  z3::context& context() { return context_; }
  z3::expr declare(const std::string& name);

  void push();
  void pop();
  void add(const z3::expr& formula);
  /// Adds what holds by an assumption, so that unused_labels() can tell of it.
  void assume(std::string_view label, const z3::expr& formula);

  /// Numbers for all that was added; none: there are none. `why`, of a dump: what was asked.
  std::optional<z3::model> find_model(std::string_view why = "assumption");
  /// Whether there are none.
  bool obligation_holds(std::string_view what) { return !find_model(what); }
  /// Numbers of which the first have the least absolute values, then the next. Requires: there are some.
  z3::model smallest(const std::vector<z3::expr>& terms);

  /// The labels of assumptions that were in the core of something unsatisfiable.
  const std::set<std::string>& used_labels() const { return used_; }
  /// How many questions had no solution.
  std::size_t unsatisfiable() const { return unsatisfiable_; }
  /// What all questions cost.
  std::uint64_t spent();

  /// A level as long as it lives.
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
  z3::expr_vector labels_;  ///< a Boolean that stands for each assumption
  std::map<std::string, z3::expr> by_label_;
  std::map<std::string, z3::expr> by_name_;
  std::set<std::string> used_;
  std::size_t unsatisfiable_ = 0;
  std::vector<z3::expr> added_;      ///< what the solver has, without labels
  std::vector<std::size_t> levels_;  ///< how many that were when each level began
  // Of both, what the dump has: what was not asked anything unsatisfiable is not in it.
  std::size_t written_ = 0;
  std::size_t written_levels_ = 0;
};

bool holds_in(const z3::model& model, const z3::expr& formula);
/// Requires: it has 64 bits.
std::int64_t value_in(const z3::model& model, const z3::expr& term);

}  // namespace proving
