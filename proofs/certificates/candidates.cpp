#include "proofs/certificates/candidates.hpp"

#include <algorithm>

namespace touchstone::proofs {

Candidates::Candidates(const reference::Cycle& cycle, Obligations& obligations)
    : cycle_(cycle), obligations_(obligations) {
  for (NodeIndex node = 0; node < cycle.nodes.size(); ++node) {
    nodes_.emplace_back(cycle, node, obligations);
    stays_.push_back(nodes_.back().declare("stays"));
    definitions_.push_back(nodes_.back().accounts());
    definitions_.back().push_back(nodes_.back().are_reprieved(stays_.back()).simplify());
  }
}

std::vector<NodeIndex> Candidates::feasible() const {
  std::vector<NodeIndex> found;
  for (const NodeClauses& node : nodes_) {
    if (node.has_room(node.all(true)).simplify().is_true()) found.push_back(node.index());
  }
  return found;
}

Candidates::Solved Candidates::solve(const NodeClauses& node) {
  const z3::model model = obligations_.model_of(definition(node.index()));
  const Stays& stays = stays_[node.index()];
  std::vector<std::size_t> victims;
  for (std::size_t i = 0; i < stays.size(); ++i) {
    if (!proving::holds_in(model, stays[i])) victims.push_back(i);
  }
  std::sort(victims.begin(), victims.end(), [&](std::size_t a, std::size_t b) {
    return a != b && proving::holds_in(model, node.is_listed_before(a, b));
  });
  Candidate candidate{.node = node.index(), .victims = {}};
  for (const std::size_t i : victims) candidate.victims.push_back(node.potential_victims()[i].pod);
  candidate.pdb_violations = proving::value_in(model, node.pdb_violations(stays));
  const KeyTerms keys = node.keys(stays);
  const auto number = [&model](const z3::expr& term) { return model.eval(term, true); };
  return {candidate,
          {number(keys.pdb_violations), number(keys.first_priority), number(keys.priority_sum),
           number(keys.victims), number(keys.earliest_start)}};
}

bool Candidates::beats(const Solved& a, const Solved& b) const {
  const std::vector<std::string_view> clauses = criteria(cycle_.release);
  return std::any_of(clauses.begin(), clauses.end(), [&](std::string_view criterion) {
    return is_better(a.keys, b.keys, criterion).simplify().is_true();
  });
}

std::optional<Candidate> Candidates::best() {
  std::optional<Solved> best;
  for (const NodeClauses& node : nodes_) {
    if (!node.is_candidate().simplify().is_true()) continue;
    const Solved solved = solve(node);
    if (!best || beats(solved, *best)) best.emplace(solved);
  }
  if (!best) return std::nullopt;
  return best->candidate;
}

}  // namespace touchstone::proofs
