#include "proofs/certificate.hpp"

#include <algorithm>

#include "proofs/certificates/candidates.hpp"
#include "proofs/certificates/eligibility.hpp"
#include "proofs/certificates/reach.hpp"

namespace touchstone::proofs {

namespace {

using reference::Cycle;

/// What a rival would have to be better in this criterion, as text.
std::string advantage(std::string_view criterion) {
  if (criterion == "PRE-NODE-1") return "fewer PDB violations";
  if (criterion == "PRE-NODE-2") return "a first victim of lower priority";
  if (criterion == "PRE-NODE-3") return "a smaller sum of priorities";
  if (criterion == "PRE-NODE-4") return "fewer victims";
  return "a later earliest start";
}

/// Checks one decision against the clauses, in the order in which a decision is taken.
class Certifier {
 public:
  Certifier(const Cycle& cycle, const GivenDecision& given, std::ostream* smt2)
      : cycle_(cycle), given_(given), obligations_(smt2), candidates_(cycle, obligations_) {}

  Certificate run() {
    Certificate certificate;
    const bool holds = outcome_holds();
    certificate.verdict = holds ? Verdict::certified : Verdict::refuted;
    certificate.obligations = obligations_.asked();
    if (holds) return certificate;
    certificate.detail = detail_;
    certificate.better = right_answer();
    return certificate;
  }

 private:
  bool outcome_holds() {
    switch (given_.outcome) {
      case Outcome::error:
        return has_no_node();
      case Outcome::fits:
        return has_nodes() && fits_as_it_is();
      case Outcome::ineligible:
        return has_nodes() && fits_nowhere() && may_not_preempt();
      case Outcome::none:
        return has_nodes() && fits_nowhere() && may_preempt() && has_no_candidate();
      case Outcome::nominated:
        return has_nodes() && fits_nowhere() && may_preempt() && victims_are_potential() && leaves_room() &&
               stays_who_can() && counts_violations() && lists_in_order() && is_not_beaten();
      case Outcome::skipped:
        break;
    }
    return false;
  }

  bool hold(std::string_view clause, std::string what, const std::vector<z3::expr>& against,
            std::string detail = "") {
    if (obligations_.hold({std::string(clause), std::move(what)}, against)) return true;
    detail_ = std::move(detail);
    return false;
  }

  // ---- before preemption ----

  bool has_nodes() {
    return hold("PRE-CYCLE-2", "the cluster has a node", {obligations_.truth(cycle_.nodes.empty())});
  }

  bool has_no_node() {
    return hold("PRE-CYCLE-2", "the attempt errs, since the cluster has no node",
                {obligations_.truth(!cycle_.nodes.empty())});
  }

  bool fits_nowhere() {
    for (const NodeClauses& node : candidates_.nodes()) {
      if (!hold("PRE-CYCLE-1", "node " + name(node) + " does not take the pod as it is",
                {node.has_room(node.all(true))}))
        return false;
    }
    return true;
  }

  bool fits_as_it_is() {
    std::vector<z3::expr> fits;
    for (const NodeClauses& node : candidates_.nodes()) fits.push_back(node.has_room(node.all(true)));
    if (!hold("PRE-CYCLE-1", "some node takes the pod as it is", {!obligations_.any_of(fits)})) return false;
    if (!given_.feasible) return true;
    for (const NodeClauses& node : candidates_.nodes()) {
      const std::vector<NodeIndex>& feasible = *given_.feasible;
      const bool is_named = std::find(feasible.begin(), feasible.end(), node.index()) != feasible.end();
      const z3::expr fits_here = fits[node.index()];
      const std::string what = is_named ? " takes the pod as it is" : " does not take the pod as it is";
      if (!hold("PRE-CYCLE-1", "node " + name(node) + what, {is_named ? !fits_here : fits_here}))
        return false;
    }
    return true;
  }

  bool may_preempt() {
    const Obstacles found = obstacles(cycle_);
    return hold("PRE-ELIGIBLE-1", "the pod's preemptionPolicy is not Never, or does not count",
                {obligations_.truth(found.policy_is_never)}) &&
           hold("PRE-ELIGIBLE-3", "the pod waits for no victim on its nominated node",
                {obligations_.truth(found.waits_for_victim)});
  }

  bool may_not_preempt() {
    const bool has_nomination = cycle_.nominated_node.has_value() || !cycle_.release.preemption_policy;
    return hold(has_nomination ? "PRE-ELIGIBLE-3" : "PRE-ELIGIBLE-1", "the pod may not preempt",
                {obligations_.truth(!obstacles(cycle_).any())});
  }

  bool has_no_candidate() {
    for (const NodeClauses& node : candidates_.nodes()) {
      if (!hold("PRE-OUTCOME-3", "node " + name(node) + " is no candidate", {node.is_candidate()}))
        return false;
    }
    return true;
  }

  // ---- the victims ----

  const NodeClauses& chosen() const { return candidates_.nodes()[given_.node]; }
  Stays given_stays() const { return chosen().all_but(given_.victims); }

  /// The index of a given victim among the potential victims. Requires: victims_are_potential().
  std::size_t place_of(PodIndex victim) const {
    const auto& pods = chosen().potential_victims();
    return static_cast<std::size_t>(
        std::find_if(pods.begin(), pods.end(), [&](const auto& pod) { return pod.pod == victim; }) -
        pods.begin());
  }

  bool victims_are_potential() {
    for (const PodIndex victim : given_.victims) {
      const Pod& pod = cycle_.cluster.pods[victim];
      const auto& pods = cycle_.nodes[given_.node].pods;
      const bool is_on_node =
          std::any_of(pods.begin(), pods.end(), [&](const auto& other) { return other.pod == victim; });
      const z3::expr is_lower = obligations_.number(pod.priority) < obligations_.number(cycle_.pod.priority);
      if (!hold("PRE-VICTIM-1", "victim " + pod.full_name() + " is on the node and of lower priority",
                {!(obligations_.truth(is_on_node) && is_lower)},
                is_on_node ? "its priority is " + std::to_string(pod.priority) : "it is not on the node"))
        return false;
    }
    return true;
  }

  bool leaves_room() {
    std::string missing;
    for (const Need& need : chosen().needs(given_stays())) {
      if (!need.is_met.simplify().is_true()) missing = need.what + " [" + need.clause + "]";
      if (!missing.empty()) break;
    }
    return hold("PRE-VICTIM-3", "the pod fits beside those that stay", {!chosen().has_room(given_stays())},
                missing);
  }

  /// PRE-VICTIM-4 to PRE-VICTIM-6: no greater set of pods that leaves room could have stayed.
  bool stays_who_can() {
    const Stays others = chosen().declare("could stay");
    std::vector<z3::expr> against = chosen().accounts();
    against.push_back(chosen().has_room(others));
    against.push_back(chosen().is_greater(others, given_stays()));
    return hold("PRE-VICTIM-6", "no other pods that leave room come before those that stay", against);
  }

  bool counts_violations() {
    if (!given_.pdb_violations) return true;
    std::vector<z3::expr> against = chosen().accounts();
    against.push_back(chosen().pdb_violations(given_stays()) != obligations_.number(*given_.pdb_violations));
    return hold("PRE-PDB-8", "of the victims, " + std::to_string(*given_.pdb_violations) + " violate a PDB",
                against);
  }

  bool lists_in_order() {
    for (std::size_t i = 0; i + 1 < given_.victims.size(); ++i) {
      const PodIndex first = given_.victims[i];
      const PodIndex second = given_.victims[i + 1];
      std::vector<z3::expr> against = chosen().accounts();
      against.push_back(!chosen().is_listed_before(place_of(first), place_of(second)));
      if (!hold("PRE-VICTIM-7",
                "victim " + cycle_.cluster.pods[first].full_name() + " is listed before " +
                    cycle_.cluster.pods[second].full_name(),
                against))
        return false;
    }
    return true;
  }

  // ---- the choice ----

  /// Checks the victims of a rival node. They are defined pod by pod; no greater set of pods that leaves room
  /// may exist. Errors: std::logic_error if one does.
  void check_reprieve(const NodeClauses& rival) {
    const Stays others = rival.declare("could stay");
    std::vector<z3::expr> against = candidates_.definition(rival.index());
    against.push_back(rival.is_candidate());
    against.push_back(rival.has_room(others));
    against.push_back(rival.is_greater(others, candidates_.stays(rival.index())));
    const std::string what = "on node " + name(rival) + " no other pods come before those that stay";
    if (!obligations_.hold({"PRE-VICTIM-6", what}, against))
      throw std::logic_error("the clauses contradict each other on node " + name(rival));
  }

  std::vector<const NodeClauses*> rivals() const {
    std::vector<const NodeClauses*> found;
    for (const NodeClauses& node : candidates_.nodes()) {
      if (node.index() != given_.node && !node.potential_victims().empty()) found.push_back(&node);
    }
    return found;
  }

  bool is_not_beaten() {
    std::vector<KeyTerms> keys_of_rivals;
    for (const NodeClauses* rival : rivals()) {
      check_reprieve(*rival);
      keys_of_rivals.push_back(rival->keys(candidates_.stays(rival->index())));
    }
    const KeyTerms keys = chosen().keys(given_stays());
    for (const std::string_view criterion : criteria(cycle_.release)) {
      auto rival_keys = keys_of_rivals.begin();
      for (const NodeClauses* rival : rivals()) {
        std::vector<z3::expr> against = candidates_.definition(rival->index());
        against.insert(against.end(), chosen().accounts().begin(), chosen().accounts().end());
        against.push_back(rival->is_candidate());
        against.push_back(is_better(*rival_keys++, keys, criterion).simplify());
        if (!hold(criterion, "node " + name(*rival) + " does not have " + advantage(criterion), against))
          return false;
      }
    }
    return true;
  }

  GivenDecision right_answer() {
    if (cycle_.nodes.empty()) return {.outcome = Outcome::error};
    const std::vector<NodeIndex> feasible = candidates_.feasible();
    if (!feasible.empty()) return {.outcome = Outcome::fits, .feasible = feasible};
    if (obstacles(cycle_).any()) return {.outcome = Outcome::ineligible};
    const std::optional<Candidate> best = candidates_.best();
    if (!best) return {.outcome = Outcome::none};
    return {.outcome = Outcome::nominated,
            .node = best->node,
            .victims = best->victims,
            .pdb_violations = best->pdb_violations};
  }

  std::string name(const NodeClauses& node) const { return cycle_.cluster.nodes[node.index()].name; }

  const Cycle& cycle_;
  const GivenDecision& given_;
  Obligations obligations_;
  Candidates candidates_;
  std::string detail_;
};

}  // namespace

std::string out_of_reach(const Question& question, const Release& release) {
  Trace trace = Trace::none();
  return beyond_reach(Cycle(question, release, trace), question);
}

Certificate certify(const Question& question, const Release& release, const GivenDecision& given,
                    std::ostream* smt2) {
  Trace trace = Trace::none();
  const Cycle cycle(question, release, trace);
  if (std::string reason = beyond_reach(cycle, question); !reason.empty())
    return {.verdict = Verdict::beyond_reach, .reason = std::move(reason)};
  try {
    return Certifier(cycle, given, smt2).run();
  } catch (const std::exception& open) {  // also z3::exception
    return {.verdict = Verdict::unknown, .reason = open.what()};
  }
}

}  // namespace touchstone::proofs
