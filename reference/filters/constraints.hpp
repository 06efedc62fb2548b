#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reference/preemption/cycle.hpp"

/// Topology spread constraints, as the filter and the scorer read them.
namespace touchstone::reference {

using Constraint = TopologySpreadConstraint;

/// The constraints with this `action` (DoNotSchedule or ScheduleAnyway) that hold for the preemptor: its own
/// ones. If it has none of any action, the default ones, with the preemptor's merged selector; none if that
/// is missing. Clauses: PRE-SPREAD-1, SCORE-SPREAD-1, SCORE-SPREAD-2.
std::vector<Constraint> constraints_of(const Cycle& cycle, std::string_view action);

/// The value of a label; empty where the node does not have it.
std::string domain_of(const Node& node, const std::string& key);

/// Whether a node has the topology keys of all constraints. Clauses: PRE-SPREAD-3, SCORE-SPREAD-3.
bool has_all_keys(const Node& node, const std::vector<Constraint>& constraints);

/// Whether a node is one of those over which a constraint spreads. Clauses: PRE-SPREAD-3, SCORE-SPREAD-4.
bool includes(const Constraint& constraint, const NodeState& node, const Cycle& cycle);

/// Whether a constraint's selector matches labels. Clauses: PRE-SPREAD-2.
bool selects(const Constraint& constraint, const Labels& labels, const Cycle& cycle);

/// Whether a constraint counts a pod: by its namespace and its labels. Clauses: PRE-SPREAD-2.
bool concerns(const Constraint& constraint, const Pod& pod, const Cycle& cycle);

/// The number of pods on a node that a constraint counts. The filter begins with it. Clauses: PRE-SPREAD-4,
/// SCORE-SPREAD-4.
Quantity counted_pods(const Constraint& constraint, const NodeState& node, const Cycle& cycle);

/// The constraints that count together with constraint number `which`, including itself. Clauses:
/// PRE-SPREAD-5, SCORE-SPREAD-4.
std::vector<Constraint> counted_together(const std::vector<Constraint>& constraints, std::size_t which,
                                         const Release& release);

}  // namespace touchstone::reference
