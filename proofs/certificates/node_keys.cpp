#include <algorithm>
#include <array>
#include <limits>

#include "proofs/certificates/node_clauses.hpp"

/// The values of a candidate in the criteria of the choice.
namespace touchstone::proofs {

namespace {

/// PRE-NODE-3: the number that is added to each priority.
constexpr Quantity k_priority_addend = 2147483648;

}  // namespace

template <typename Before>
std::vector<z3::expr> NodeClauses::first_to_go(const Stays& stays, Before before) const {
  std::vector<z3::expr> first;
  for (std::size_t i = 0; i < lower_.size(); ++i) {
    std::vector<z3::expr> parts = {!stays[i]};
    for (std::size_t j = 0; j < lower_.size(); ++j) {
      if (i != j) parts.push_back(z3::implies(!stays[j], before(i, j)));
    }
    first.push_back(obligations_.all_of(parts));
  }
  return first;
}

z3::expr NodeClauses::value_where(const std::vector<z3::expr>& formulas, const std::vector<z3::expr>& values,
                                  z3::expr otherwise) const {
  for (std::size_t i = 0; i < formulas.size(); ++i) otherwise = z3::ite(formulas[i], values[i], otherwise);
  return otherwise;
}

z3::expr NodeClauses::first_priority(const Stays& stays) const {  // PRE-NODE-2
  std::vector<z3::expr> priorities;
  for (const reference::PodOnNode& pod : lower_)
    priorities.push_back(obligations_.number(pod.object->priority));
  const std::vector<z3::expr> first =
      first_to_go(stays, [this](std::size_t a, std::size_t b) { return is_listed_before(a, b); });
  return value_where(first, priorities, obligations_.number(0));
}

z3::expr NodeClauses::earliest_start(const Stays& stays) const {  // PRE-NODE-5
  const z3::expr later_than_any = obligations_.number(std::numeric_limits<Quantity>::max()) + 1;
  std::vector<z3::expr> starts;
  for (const reference::PodOnNode& pod : lower_) {
    const std::optional<Quantity>& start = pod.object->start_time_ns;
    starts.push_back(start ? obligations_.number(*start) : later_than_any);
  }
  const auto is_before = [&](std::size_t a, std::size_t b) {
    const z3::expr priority = obligations_.number(lower_[a].object->priority);
    const z3::expr other_priority = obligations_.number(lower_[b].object->priority);
    const z3::expr is_earlier = starts[a] <= starts[b];
    return priority > other_priority || (priority == other_priority && is_earlier);
  };
  return value_where(first_to_go(stays, is_before), starts, later_than_any);
}

KeyTerms NodeClauses::keys(const Stays& stays) const {
  std::vector<z3::expr> priorities;
  std::vector<z3::expr> victims;
  const z3::expr none = obligations_.number(0);
  for (std::size_t i = 0; i < lower_.size(); ++i) {
    const z3::expr priority = obligations_.number(lower_[i].object->priority);
    priorities.push_back(z3::ite(stays[i], none, priority + obligations_.number(k_priority_addend)));
    victims.push_back(z3::ite(stays[i], none, obligations_.number(1)));
  }
  return {pdb_violations(stays), first_priority(stays), obligations_.sum_of(priorities),
          obligations_.sum_of(victims), earliest_start(stays)};
}

std::vector<std::string_view> criteria(const Release& release) {
  std::vector<std::string_view> clauses = {"PRE-NODE-1", "PRE-NODE-2", "PRE-NODE-3", "PRE-NODE-4"};
  if (release.choice_by_start_time) clauses.push_back("PRE-NODE-5");
  return clauses;
}

z3::expr is_better(const KeyTerms& a, const KeyTerms& b, std::string_view criterion) {
  struct Step {
    std::string_view clause;
    z3::expr better;
    z3::expr equal;
  };
  const std::array<Step, 5> steps = {{
      {"PRE-NODE-1", a.pdb_violations < b.pdb_violations, a.pdb_violations == b.pdb_violations},
      {"PRE-NODE-2", a.first_priority < b.first_priority, a.first_priority == b.first_priority},
      {"PRE-NODE-3", a.priority_sum < b.priority_sum, a.priority_sum == b.priority_sum},
      {"PRE-NODE-4", a.victims < b.victims, a.victims == b.victims},
      {"PRE-NODE-5", a.earliest_start > b.earliest_start, a.earliest_start == b.earliest_start},
  }};
  z3::expr equal_before = a.victims.ctx().bool_val(true);
  for (const Step& step : steps) {
    if (step.clause == criterion) return equal_before && step.better;
    equal_before = equal_before && step.equal;
  }
  return a.victims.ctx().bool_val(false);
}

}  // namespace touchstone::proofs
