#include "proofs/prove.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "faults/fault.hpp"
#include "proofs/builds.hpp"
#include "proofs/engine/replay.hpp"
#include "proofs/second_solver.hpp"

namespace touchstone::proofs {

namespace {

using proving::Findings;
using proving::Kind;
using proving::Theorem;
using proving::Theorems;

/// The theorem at this place in another build. Errors: std::logic_error if its name is another one.
const Theorem& theorem_at(const Theorems& build, std::size_t place, const std::string& name) {
  if (place >= build.size() || build[place].name != name)
    throw std::logic_error("the builds of proofs/theorems are not of one text: " + name);
  return build[place];
}

/// All theorems in each of the builds, which have them in the same order.
std::vector<Versions> all_versions() {
  const Theorems symbolic = touchstone_symbolic::proofs::of_reference::all_theorems();
  const Theorems symbolic_variant = touchstone_symbolic::proofs::of_variant::all_theorems();
  const Theorems product = of_reference::all_theorems();
  const Theorems product_variant = of_variant::all_theorems();
  std::vector<Versions> versions;
  for (std::size_t i = 0; i < symbolic.size(); ++i) {
    const auto same_of = [&](const Theorems& build) { return theorem_at(build, i, symbolic[i].name); };
    versions.push_back({symbolic[i], same_of(symbolic_variant), same_of(product), same_of(product_variant)});
  }
  return versions;
}

const std::vector<Versions>& versions() {
  static const std::vector<Versions> k_versions = all_versions();
  return k_versions;
}

Statement statement_of(const Theorem& theorem) {
  return {theorem.name,    theorem.clauses,           theorem.statement, theorem.variants,
          theorem.without, theorem.broken != nullptr, theorem.tier,      theorem.kind};
}

/// Switches a fault on, in both builds of the faulty copy, while this object exists.
class FaultOnHere {
 public:
  explicit FaultOnHere(std::size_t number) { set(number); }
  ~FaultOnHere() { set(0); }
  FaultOnHere(const FaultOnHere&) = delete;
  FaultOnHere& operator=(const FaultOnHere&) = delete;

 private:
  static void set(std::size_t number) {
    of_variant::switch_fault(number);
    touchstone_symbolic::proofs::of_variant::switch_fault(number);
  }
};

/// The check of one theorem.
class Attempt {
 public:
  Attempt(const Versions& versions, const ProveSettings& settings, const std::atomic<bool>& stop)
      : versions_(versions), settings_(settings), stop_(stop) {
    proved_.statement = statement_of(versions.symbolic);
    proved_.solvers = solvers();
  }

  Proved run() {
    const auto begin = std::chrono::steady_clock::now();
    explore_reference();
    if (is_exhibit()) {
      show_exhibit();
    } else {
      show_witnesses();
      refute_variants();
    }
    proved_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return proved_;
  }

 private:
  const Theorem& symbolic() const { return versions_.symbolic; }
  const proving::Body& product() const { return versions_.product.body; }
  bool is_exhibit() const { return symbolic().kind == Kind::exhibit; }
  void red(std::string why) { proved_.red.push_back(std::move(why)); }

  proving::Settings settings() const {
    proving::Settings settings;
    settings.checks_overflow = symbolic().checks_overflow;
    settings.stop = &stop_;
    return settings;
  }

  void explore_reference() {
    proving::Settings exploration = settings();
    const std::filesystem::path file = settings_.dump / (symbolic().name + ".smt2");
    std::ofstream dump;
    if (!settings_.dump.empty()) {
      dump.open(file);
      exploration.dump = &dump;
    }
    exploration.is_exhaustive = !is_exhibit();
    exploration.stops_at_refutation = is_exhibit();
    exploration.on_path = [this](const proving::Model& model, const std::string& observed) {
      follow(model, observed);
    };
    proved_.findings = proving::explore(symbolic().body, exploration);
    dump.close();
    const Findings& findings = proved_.findings;
    if (!findings.failure.empty()) red(findings.failure);
    if (!is_exhibit()) {
      for (const proving::Refutation& refutation : findings.refutations)
        red("refuted: " + refutation.claim + ": " + text_of(refutation.model));
    }
    if (findings.claims.empty()) red("nothing is claimed");
    if (settings_.replays && has_second_solver() && !settings_.dump.empty() && findings.failure.empty())
      ask_second_solver(file);
  }

  void ask_second_solver(const std::filesystem::path& file) {
    const SecondOpinion opinion = second_opinion(file);
    // cvc5 checks every question that Z3 found unsatisfiable: claims that hold, alternatives that are
    // impossible, and cases that no path covers.
    if (!opinion.failure.empty()) red("cvc5: " + opinion.failure);
    if (opinion.disagreed > 0)
      red("cvc5 does not agree with " + std::to_string(opinion.disagreed) + " answers");
    if (opinion.agreed != proved_.findings.unsatisfiable)
      red("cvc5 was asked " + std::to_string(opinion.agreed) + " of " +
          std::to_string(proved_.findings.unsatisfiable) + " questions");
    proved_.second_solver = opinion.agreed;
  }

  /// Runs the product with the numbers of a path, and compares what it observes.
  void follow(const proving::Model& model, const std::string& observed) {
    if (!model.is_exact) {
      ++proved_.beyond;
      return;
    }
    const proving::Replayed replayed = proving::replay(product(), model);
    if (!replayed.failure.empty()) return red("replay: " + replayed.failure + ": " + text_of(model));
    if (replayed.observed != observed)
      return red("the product differs: " + text_of(model) + ": " + replayed.observed + " for " + observed);
    if (!is_exhibit() && !replayed.refuted.empty())
      return red("the product refutes: " + *replayed.refuted.begin() + ": " + text_of(model));
    ++proved_.replayed;
  }

  void show_exhibit() {
    if (proved_.findings.refutations.empty()) return red("an exhibit that is not there: the claim holds");
    for (const proving::Refutation& refutation : proved_.findings.refutations) {
      if (!proving::replay(product(), refutation.model).refuted.contains(refutation.claim))
        red("the product does not show the exhibit: " + refutation.claim);
    }
  }

  void show_witnesses() {
    const Findings& findings = proved_.findings;
    if (findings.witnesses.empty()) red("no witness");
    for (const std::string& name : findings.missing) red("no witness: " + name);
    for (const auto& [name, model] : findings.witnesses) {
      if (!proving::replay(product(), model).witnessed.contains(name))
        red("the product does not show the witness: " + name + ": " + text_of(model));
    }
  }

  void refute_variants() {
    const Theorem& theorem = symbolic();
    if (theorem.variants.empty() && theorem.without.empty() && theorem.broken == nullptr)
      return red("no broken variant");
    if (theorem.variants.empty()) return refute_variant("");
    for (const std::string& fault : theorem.variants) {
      if (!stop_) refute_variant(fault);
    }
  }

  void refute_variant(const std::string& fault) {
    const std::string name = fault.empty() ? "broken variant" : "broken variant " + fault;
    const bool has_broken_claim = symbolic().broken != nullptr;
    const auto body_of = [&](const Theorem& theorem) {
      return has_broken_claim ? theorem.broken : theorem.body;
    };
    proving::Settings exploration = settings();
    exploration.stops_at_refutation = true;
    exploration.without = symbolic().without;
    const std::optional<std::size_t> number = number_of(fault);
    if (!number) return red("there is no fault " + fault);
    const FaultOnHere on(*number);
    const Findings findings = proving::explore(body_of(versions_.symbolic_variant), exploration);
    if (!findings.failure.empty()) return red(name + ": " + findings.failure);
    if (findings.refutations.empty()) return red(name + " is not refuted");
    proved_.variants.push_back({fault, findings.refutations.front()});
    // This refutation is a number beyond int64, which the product cannot compute.
    if (symbolic().checks_overflow) return;
    const auto& [claim, model] = findings.refutations.front();
    if (!proving::replay(body_of(versions_.product_variant), model, exploration.without).refuted.contains(claim))
      red(name + ": the product does not show what refutes it: " + text_of(model));
    if ((*number != 0 || has_broken_claim) && !proving::replay(product(), model).refuted.empty())
      red(name + ": the product refutes the theorem, too: " + text_of(model));
  }

  /// The number of a fault; 0 if no fault is to be switched on; empty if there is no such fault.
  static std::optional<std::size_t> number_of(const std::string& id) {
    if (id.empty()) return 0;
    for (const faults::Fault& fault : faults::faults()) {
      if (fault.id == id) return fault.number;
    }
    return std::nullopt;
  }

  const Versions& versions_;
  const ProveSettings& settings_;
  const std::atomic<bool>& stop_;
  Proved proved_;
};

}  // namespace

const std::vector<Statement>& statements() {
  static const std::vector<Statement> k_statements = [] {
    std::vector<Statement> all;
    for (const Versions& of : versions()) all.push_back(statement_of(of.symbolic));
    return all;
  }();
  return k_statements;
}

std::string text_of(const proving::Model& model) {
  std::string text;
  for (const auto& [name, value] : model.numbers)
    text += (text.empty() ? "" : ", ") + name + " " + std::to_string(value);
  return text;
}

std::vector<std::string> solvers() {
  std::vector<std::string> names = {proving::solver_version()};
  if (has_second_solver()) names.push_back(second_solver_version());
  return names;
}

Proved check(const Versions& versions, const ProveSettings& settings, const std::atomic<bool>& stop) {
  return Attempt(versions, settings, stop).run();
}

std::vector<Proved> prove(const std::vector<const Statement*>& which, const ProveSettings& settings,
                          const std::atomic<bool>& stop, const std::function<void(const Proved&)>& done) {
  std::vector<std::optional<Proved>> results(which.size());
  std::atomic<std::size_t> next = 0;
  std::mutex telling;
  const auto work = [&] {
    // From the last to the first: the longest theorems are among the last, and would delay the end.
    for (std::size_t begun = next++; begun < which.size() && !stop; begun = next++) {
      const std::size_t i = which.size() - 1 - begun;
      Proved proved =
          check(versions()[static_cast<std::size_t>(which[i] - statements().data())], settings, stop);
      if (stop) return;
      const std::lock_guard lock(telling);
      done(proved);
      results[i] = std::move(proved);
    }
  };
  std::vector<std::thread> others;
  for (std::size_t i = 1; i < std::min(settings.jobs, which.size()); ++i) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
  std::vector<Proved> proved;
  for (std::optional<Proved>& result : results) {
    if (result) proved.push_back(std::move(*result));
  }
  return proved;
}

}  // namespace touchstone::proofs
