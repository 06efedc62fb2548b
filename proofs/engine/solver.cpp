#include "proofs/engine/solver.hpp"

#include <ostream>
#include <stdexcept>

namespace proving {

Solver::Solver(unsigned rlimit, std::ostream* dump)
    : solver_(context_, "QF_LIA"), dump_(dump), labels_(context_) {
  z3::params params(context_);
  params.set("rlimit", rlimit);
  // Otherwise Z3 handles SIGINT itself: it answers unknown, and the rest of the program does not see the
  // signal.
  params.set("ctrl_c", false);
  solver_.set(params);
  if (dump_ != nullptr) *dump_ << "(set-option :global-declarations true)\n(set-logic QF_LIA)\n";
}

z3::expr Solver::declare(const std::string& name) {
  const auto known = by_name_.find(name);
  if (known != by_name_.end()) return known->second;
  if (dump_ != nullptr) *dump_ << "(declare-const |" << name << "| Int)\n";
  return by_name_.emplace(name, context_.int_const(name.c_str())).first->second;
}

void Solver::push() {
  solver_.push();
  levels_.push_back(added_.size());
}

void Solver::pop() {
  solver_.pop();
  added_.resize(levels_.back(), context_.bool_val(true));
  if (written_levels_ == levels_.size()) {
    *dump_ << "(pop 1)\n";
    --written_levels_;
    written_ = added_.size();
  }
  levels_.pop_back();
}

void Solver::add(const z3::expr& formula) {
  solver_.add(formula);
  added_.push_back(formula);
}

void Solver::assume(std::string_view label, const z3::expr& formula) {
  const std::string name(label);
  auto known = by_label_.find(name);
  if (known == by_label_.end()) {
    known = by_label_.emplace(name, context_.bool_const(("assumed: " + name).c_str())).first;
    labels_.push_back(known->second);
  }
  solver_.add(z3::implies(known->second, formula));
  added_.push_back(formula);
}

std::optional<z3::model> Solver::find_model(std::string_view why) {
  const z3::check_result result = solver_.check(labels_);
  if (result == z3::sat) return solver_.get_model();
  if (result == z3::unknown)
    throw std::runtime_error("unknown: " + std::string(why) + ": " + solver_.reason_unknown());
  for (const z3::expr& label : solver_.unsat_core()) {
    for (const auto& [name, known] : by_label_) {
      if (z3::eq(known, label)) used_.insert(name);
    }
  }
  ++unsatisfiable_;
  write_down(why);
  return std::nullopt;
}

void Solver::write_down(std::string_view what) {
  if (dump_ == nullptr) return;
  for (; written_ < added_.size() || written_levels_ < levels_.size(); ++written_) {
    for (; written_levels_ < levels_.size() && levels_[written_levels_] == written_; ++written_levels_)
      *dump_ << "(push 1)\n";
    if (written_ == added_.size()) break;
    *dump_ << "(assert " << added_[written_] << ")\n";
  }
  *dump_ << "(check-sat) ; " << what << "\n";
}

bool Solver::is_possible(const z3::expr& formula) {
  solver_.push();
  solver_.add(formula);
  const z3::check_result result = solver_.check(labels_);
  solver_.pop();
  return result == z3::sat;
}

z3::model Solver::smallest(const std::vector<z3::expr>& terms) {
  const Level level(*this);
  for (const z3::expr& term : terms) {
    const auto within = [&](std::int64_t bound) {
      return term >= context_.int_val(-bound) && term <= context_.int_val(bound);
    };
    std::int64_t least = 0;  // no smaller bound is possible
    std::int64_t most = 0;   // this bound is possible
    while (!is_possible(within(most))) {
      least = most + 1;
      most = most == 0 ? 1 : most * 2;
      if (most > std::int64_t{1} << 61) break;
    }
    if (most > std::int64_t{1} << 61) continue;
    while (least < most) {
      const std::int64_t middle = least + (most - least) / 2;
      if (is_possible(within(middle))) {
        most = middle;
      } else {
        least = middle + 1;
      }
    }
    solver_.add(term == context_.int_val(is_possible(term == context_.int_val(most)) ? most : -most));
  }
  if (solver_.check(labels_) != z3::sat) throw std::runtime_error("unknown: numbers for a model");
  return solver_.get_model();
}

std::uint64_t Solver::spent() {
  const z3::stats statistics = solver_.statistics();
  for (unsigned i = 0; i < statistics.size(); ++i) {
    if (statistics.key(i) == "rlimit count") return statistics.uint_value(i);
  }
  return 0;
}

bool holds_in(const z3::model& model, const z3::expr& formula) { return model.eval(formula, true).is_true(); }

std::int64_t value_in(const z3::model& model, const z3::expr& term) {
  std::int64_t value = 0;
  if (!model.eval(term, true).is_numeral_i64(value))
    throw std::runtime_error("a number of more than 64 bits");
  return value;
}

}  // namespace proving
