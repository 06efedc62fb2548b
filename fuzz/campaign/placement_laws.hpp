#pragma once

#include "fuzz/campaign/laws.hpp"

/// Laws of whole cycles that judge one engine without another one. Each law relates the placements of two
/// questions, or of two configurations. It holds vacuously if a node does not fit or the cycle is skipped.
namespace touchstone::fuzz {

/// CYC-SEES-1: the requests, labels and terms of a nominated pod of the lowest priority, and of a pod that
/// has ended, change nothing.
bool depends_on_unseen_pods(const oracle::Decider& decider, const Question& question, const Release& release);

/// CYC-ORDER-1: the names of nodes and pods change nothing.
bool placement_depends_on_names(const oracle::Decider& decider, const Question& question,
                                const Release& release);

/// The order in which pods and, if the question has no start, nodes are listed changes nothing but the order
/// of nodes. Requires: images have one size (SCORE-IMAGE-1).
bool placement_depends_on_order(const oracle::Decider& decider, const Question& question,
                                const Release& release);

/// CYC-TOTAL-1: another weight of one scorer changes its column in proportion, and no other column.
bool weight_changes_more(const oracle::Decider& decider, const Question& question, const Release& release);

/// SCORE-NODEAFFINITY-1, SCORE-AFFINITY-1: a preferred term that no node satisfies, or that matches no pod,
/// changes no total.
bool depends_on_empty_preferences(const oracle::Decider& decider, const Question& question,
                                  const Release& release);

/// SCORE-TAINT-1: if the pod tolerates each taint PreferNoSchedule, TaintToleration gives each node the
/// highest score, and no other scorer changes.
bool depends_on_tolerated_taints(const oracle::Decider& decider, const Question& question,
                                 const Release& release);

/// CYC-SEARCH-2: a start beyond the number of nodes counts modulo that number. Below 100 nodes, a start
/// changes neither the feasible nodes nor a score. Requires: the release has scorers.
bool depends_on_start(const oracle::Decider& decider, const Question& question, const Release& release);

/// A node that is not feasible and has no images changes no column but that of ImageLocality.
bool placement_depends_on_cordoned_node(const oracle::Decider& decider, const Question& question,
                                        const Release& release);

/// SCORE-SPREAD-4, SCORE-SELECTOR-1: a terminating pod with the labels of the pod changes no score of
/// PodTopologySpread or SelectorSpread.
bool terminating_pod_keeps_away(const oracle::Decider& decider, const Question& question,
                                const Release& release);

/// SCORE-IMAGE-1: if one more node has an image, no node's score becomes lower, and only that of
/// ImageLocality changes. Requires: images have one size.
bool image_lowers_score(const oracle::Decider& decider, const Question& question, const Release& release);

/// All of these laws, and those of spec/vocabulary/placement_properties.hpp, that an engine breaks.
std::vector<BrokenLaw> broken_by_placement(const oracle::Decider& decider, const Question& question,
                                           const Release& release);

}  // namespace touchstone::fuzz
