#include "proofs/engine/explorer.hpp"

#include <z3++.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "proofs/engine/solver.hpp"
#include "proofs/engine/terms.hpp"

namespace proving {

namespace {

/// Ends a run whose assumptions are not met.
struct Abandoned {};

/// Runs the body once for each path. A run repeats the decisions of the last run up to the latest one that is
/// still open, and takes the other alternative there. The solver has a level for each of these decisions that
/// is not forced, and for each assumption between them.
class Explorer final : public Proof, public Terms {
 public:
  explicit Explorer(const Settings& settings)
      : settings_(settings), solver_(settings.rlimit, settings.dump) {}

  Findings run(const Body& body) {
    const Current here(*this);
    try {
      do {
        if (settings_.stop != nullptr && *settings_.stop) throw std::runtime_error("interrupted");
        if (findings_.paths >= settings_.paths_most) throw std::runtime_error("more paths than the limit");
        run_once(body);
        if (settings_.stops_at_refutation && !findings_.refutations.empty()) break;
      } while (back_up());
      if (findings_.paths == 0) throw std::runtime_error("no path meets the assumptions");
      if (settings_.is_exhaustive && !conditions_.empty()) show_exhaustive();
    } catch (const z3::exception& error) {
      findings_.failure = std::string("the solver: ") + error.msg();
    } catch (const std::exception& error) {
      findings_.failure = error.what();
    }
    for (const std::string& label : solver_.used_labels()) findings_.used.insert(label);
    for (const auto& [name, model] : findings_.witnesses) findings_.missing.erase(name);
    findings_.rlimit = solver_.spent();
    findings_.unsatisfiable = solver_.unsatisfiable();
    return findings_;
  }

  void assume(std::string_view label, Truth truth) override {
    if (label == settings_.without) return;
    findings_.assumptions.insert(std::string(label));
    if (truth.is_literal()) {
      if (truth) return;
      findings_.used.insert(std::string(label));
      throw Abandoned();
    }
    const z3::expr formula = expression(truth);
    if (is_replaying(formula)) return;
    solver_.push();
    solver_.assume(label, formula);
    if (!model_ || !holds_in(*model_, formula)) {
      model_ = solver_.find_model();
      if (!model_) {
        solver_.pop();
        throw Abandoned();
      }
    }
    entries_.push_back({formula.hash(), true, false, true, {}, {}});
    ++next_;
  }

  void claim(std::string_view what, Truth truth) override {
    bool& was_asked = findings_.claims[std::string(what)];
    if (truth.is_literal() && truth) {
      ++findings_.trivial;
      return;
    }
    // The run still repeats earlier decisions, so an earlier run has checked this claim.
    if (next_ < entries_.size()) return;
    was_asked = true;
    ++findings_.obligations;
    const z3::expr refuted = !expression(truth);
    const Solver::Level level(solver_);
    solver_.add(refuted);
    if (solver_.obligation_holds(what)) return;
    for (const Refutation& known : findings_.refutations) {
      if (known.claim == what) return;
    }
    findings_.refutations.push_back({std::string(what), smallest_model()});
  }

  void witness(std::string_view what, Truth truth) override {
    findings_.missing.insert(std::string(what));
    if (next_ < entries_.size() || findings_.witnesses.contains(std::string(what))) return;
    if (truth.is_literal() && !truth) return;
    const Solver::Level level(solver_);
    solver_.add(expression(truth));
    if (solver_.find_model()) findings_.witnesses[std::string(what)] = smallest_model();
  }

  void observe(std::string_view what) override { observed_ += std::string(what) + "\n"; }

  bool decide(Truth truth) override { return decide(expression(truth), 0); }

  std::int64_t enumerate(Integer integer) override {
    const z3::expr term = expression(integer);
    for (;;) {
      const std::int64_t value = next_ < entries_.size() ? entries_[next_].value : value_in(*model_, term);
      if (decide(term == solver_.context().int_val(value), value)) return value;
    }
  }

  void computed(Integer result) override {
    if (!settings_.checks_overflow) return;
    const auto limits = std::numeric_limits<Integer>();
    claim("every number fits 64 bits", both(result >= limits.min(), result <= limits.max()));
  }

  Integer unknown() override { return integer(solver_.declare("unknown " + std::to_string(++unknowns_))); }
  void define(Truth truth) override {
    if (truth.is_literal() && truth) return;
    const z3::expr formula = expression(truth);
    if (is_replaying(formula)) return;
    solver_.push();
    solver_.add(formula);
    model_ = solver_.find_model("definition");
    if (!model_) throw std::logic_error("a definition that nothing meets");
    entries_.push_back({formula.hash(), true, false, true, {}, {}});
    ++next_;
  }

  z3::context& context() override { return solver_.context(); }

 protected:
  Integer symbol(const std::string& name) override {
    if (!names_.insert(name).second) throw std::logic_error("a theorem has two numbers " + name);
    order_.push_back(name);
    return integer(solver_.declare(name));
  }
  std::int64_t value(const std::string&) override {
    throw std::logic_error("a theorem over symbols asked for int64_t");
  }

 private:
  /// A decision, an assumption or a definition of the current run.
  struct Entry {
    unsigned hash;  ///< of the formula; the next run must have the same one here
    bool taken;
    bool is_open;                          ///< the other alternative has not been taken yet
    bool has_level;                        ///< false for a forced decision, which adds no formula
    std::optional<z3::model> other_model;  ///< numbers with which the other alternative begins
    std::optional<z3::expr> formula;       ///< of a decision that is not forced
    std::int64_t value = 0;                ///< the value that enumerate() tried
  };

  void run_once(const Body& body) {
    clear_terms();
    names_.clear();
    order_.clear();
    observed_.clear();
    next_ = 0;
    unknowns_ = 0;
    if (!model_) model_ = solver_.find_model();
    try {
      body(*this);
    } catch (const Abandoned&) {
      return;
    }
    if (next_ != entries_.size()) throw std::logic_error("two runs of the body differ");
    ++findings_.paths;
    if (settings_.on_path) settings_.on_path(numbers_of(*model_), observed_);
  }

  bool is_replaying(const z3::expr& formula) {
    if (next_ == entries_.size()) return false;
    if (entries_[next_].hash != formula.hash()) throw std::logic_error("two runs of the body differ");
    ++next_;
    return true;
  }

  bool decide(const z3::expr& formula, std::int64_t value) {
    if (is_replaying(formula)) return entries_[next_ - 1].taken;
    const bool known = holds_in(*model_, formula);
    std::optional<z3::model> other;
    {
      const Solver::Level level(solver_);
      solver_.add(known ? !formula : formula);
      other = solver_.find_model("alternative");
    }
    ++next_;
    if (!other) {
      ++findings_.prunings;
      entries_.push_back({formula.hash(), known, false, false, {}, {}, value});
      return known;
    }
    if (!known) std::swap(model_, other);
    entries_.push_back({formula.hash(), true, true, true, other, formula, value});
    solver_.push();
    solver_.add(formula);
    return true;
  }

  /// Takes the other alternative of the latest open decision. Returns false if no decision is open.
  bool back_up() {
    if (settings_.is_exhaustive) keep_condition();
    while (!entries_.empty()) {
      Entry& last = entries_.back();
      if (last.has_level) solver_.pop();
      if (last.is_open) break;
      entries_.pop_back();
    }
    if (entries_.empty()) return false;
    Entry& last = entries_.back();
    last.is_open = false;
    last.taken = false;
    model_ = std::exchange(last.other_model, std::nullopt);
    solver_.push();
    solver_.add(!*last.formula);
    return true;
  }

  void keep_condition() {
    z3::expr condition = context().bool_val(true);
    for (const Entry& entry : entries_) {
      if (entry.formula) condition = condition && (entry.taken ? *entry.formula : !*entry.formula);
    }
    conditions_.push_back(condition);
  }

  void show_exhaustive() {
    const Solver::Level level(solver_);
    for (const z3::expr& condition : conditions_) solver_.add(!condition);
    if (!solver_.obligation_holds("paths")) throw std::logic_error("the paths leave something out");
  }

  /// Numbers that satisfy what the solver has now. Each is as small as the ones before it allow.
  Model smallest_model() {
    std::vector<z3::expr> terms;
    for (const std::string& name : order_) terms.push_back(solver_.declare(name));
    return numbers_of(solver_.smallest(terms));
  }

  Model numbers_of(const z3::model& model) {
    Model result;
    for (const std::string& name : order_) {
      const z3::expr number = model.eval(solver_.declare(name), true);
      std::int64_t value = 0;
      if (number.is_numeral_i64(value)) {
        result.numbers.emplace_back(name, value);
      } else {
        result.is_exact = false;
      }
    }
    return result;
  }

  const Settings& settings_;
  Solver solver_;
  Findings findings_;
  std::vector<Entry> entries_;
  std::size_t next_ = 0;            ///< index of the next entry of the run
  std::optional<z3::model> model_;  ///< numbers that satisfy what the solver has
  std::set<std::string> names_;     ///< of this run
  std::vector<std::string> order_;
  std::string observed_;
  std::size_t unknowns_ = 0;
  std::vector<z3::expr> conditions_;  ///< of all paths, with is_exhaustive
};

}  // namespace

Findings explore(const Body& body, const Settings& settings) { return Explorer(settings).run(body); }

std::string solver_version() {
  unsigned major = 0, minor = 0, build = 0, revision = 0;
  Z3_get_version(&major, &minor, &build, &revision);
  return "z3 " + std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(build);
}

}  // namespace proving
