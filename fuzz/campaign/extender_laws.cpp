#include "fuzz/campaign/extender_laws.hpp"

#include <algorithm>

namespace touchstone::fuzz {

namespace {

constexpr Quantity k_highest_score = 10;

Question with(Question question, Extender extender) {
  question.extenders.push_back(std::move(extender));
  return question;
}

/// An extender with all verbs but bindVerb. It answers with names of nodes, and fails.
Extender failing() {
  Extender extender;
  extender.filter_verb = "filter";
  extender.prioritize_verb = "prioritize";
  extender.preempt_verb = "preempt";
  extender.weight = 1;
  extender.node_cache_capable = true;
  extender.filter = {.error = "", .nodes = {}};
  extender.prioritize = {.error = "", .nodes = {}};
  extender.preempt = {.error = "", .nodes = {}};
  return extender;
}

/// An extender that lets all nodes pass but one.
Extender passing_all_but(const Question& question, const Node* rejected) {
  Extender extender;
  extender.filter_verb = "filter";
  extender.node_cache_capable = true;
  extender.filter.emplace();
  for (const Node& node : question.cluster.nodes)
    extender.filter->nodes[node.name].verdict =
        &node == rejected ? ExtenderVerdict::failed : ExtenderVerdict::passes;
  return extender;
}

/// Whether an extender names a node that the cluster does not have.
bool names_unknown_nodes(const Question& question) {
  const auto is_unknown = [&question](const auto& entry) {
    return std::none_of(question.cluster.nodes.begin(), question.cluster.nodes.end(),
                        [&entry](const Node& node) { return node.name == entry.first; });
  };
  const auto names_one = [&is_unknown](const auto& table) {
    return table && std::any_of(table->nodes.begin(), table->nodes.end(), is_unknown);
  };
  return std::any_of(question.extenders.begin(), question.extenders.end(), [&](const Extender& extender) {
    return names_one(extender.filter) || names_one(extender.preempt);
  });
}

bool some_filter_fails(const Question& question) {
  return std::any_of(question.extenders.begin(), question.extenders.end(),
                     [](const Extender& extender) { return extender.filter && extender.filter->error; });
}

bool is_nominated(const Question& question) { return !question.pod.nominated_node_name.empty(); }

/// CYC-HOST-4: a node that an extender scores, even with 0, may be the host before others.
Placement without_choice(Placement placement) {
  placement.best.clear();
  placement.host.reset();
  placement.extender_scores.clear();
  return placement;
}

Placement without_scores_of_extenders(Placement placement) {
  const std::vector<Quantity>& scores = placement.extender_scores;
  if (std::all_of(scores.begin(), scores.end(), [](Quantity score) { return score == 0; }))
    placement.extender_scores.clear();
  return placement;
}

bool differs(const oracle::Decider& decider, const Question& before, const Question& after,
             const Release& release) {
  return without_scores_of_extenders(schedule(decider, before, release)) !=
         without_scores_of_extenders(schedule(decider, after, release));
}

std::vector<NodeIndex> feasible_nodes(const oracle::Decider& decider, const Question& question,
                                      const Release& release) {
  std::vector<NodeIndex> nodes = schedule(decider, question, release).feasible;
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

}  // namespace

bool heeds_uninterested_extender(const oracle::Decider& decider, const Question& question,
                                 const Release& release) {
  if (release.extender_preemption != ExtenderPreemption::asks_if_interested) return false;
  Extender extender = failing();
  extender.managed_resources.push_back({"example.com/not-named", false});
  return differs(decider, question, with(question, extender), release);
}

bool heeds_ignorable_failure(const oracle::Decider& decider, const Question& question,
                             const Release& release) {
  if (!release.extenders_may_be_ignored || names_unknown_nodes(question)) return false;
  Extender extender = failing();
  extender.ignorable = true;
  return differs(decider, question, with(question, extender), release);
}

bool heeds_passing_extender(const oracle::Decider& decider, const Question& question,
                            const Release& release) {
  if (names_unknown_nodes(question)) return false;
  const Question after = with(question, passing_all_but(question, nullptr));
  return without_choice(schedule(decider, question, release)) !=
         without_choice(schedule(decider, after, release));
}

bool feasible_nodes_depend_on_order(const oracle::Decider& decider, const Question& question,
                                    const Release& release) {
  if (names_unknown_nodes(question) || some_filter_fails(question) || is_nominated(question)) return false;
  Question reversed = question;
  std::reverse(reversed.extenders.begin(), reversed.extenders.end());
  return feasible_nodes(decider, question, release) != feasible_nodes(decider, reversed, release);
}

bool keeps_rejected_node(const oracle::Decider& decider, const Question& question, const Release& release) {
  if (names_unknown_nodes(question) || is_nominated(question) || question.cluster.nodes.empty()) return false;
  std::vector<NodeIndex> before = feasible_nodes(decider, question, release);
  const Question after = with(question, passing_all_but(question, &question.cluster.nodes.front()));
  std::erase(before, NodeIndex(0));
  return feasible_nodes(decider, after, release) != before;
}

bool adds_another_score(const oracle::Decider& decider, const Question& question, const Release& release) {
  constexpr Quantity k_weight = 3;
  Extender extender;
  extender.prioritize_verb = "prioritize";
  extender.weight = k_weight;
  extender.prioritize.emplace();
  for (const Node& node : question.cluster.nodes) extender.prioritize->nodes[node.name] = k_highest_score;
  if (names_unknown_nodes(question)) return false;
  const Placement before = schedule(decider, question, release);
  const Placement after = schedule(decider, with(question, extender), release);
  // A release without scorers and extenders gives each node 1 (CYC-TOTAL-1).
  if (before.totals.empty() || before.scores.empty()) return false;
  std::vector<Quantity> expected = before.totals;
  for (Quantity& total : expected) total += k_weight * release.highest_score;
  return after.totals != expected;
}

bool heeds_keeping_extender(const oracle::Decider& decider, const Question& question,
                            const Release& release) {
  if (!release.extender_violations_count || names_unknown_nodes(question)) return false;
  const Placement before = schedule(decider, question, release);
  const std::vector<Candidate>& candidates = before.decision.candidates;
  if (std::any_of(candidates.begin(), candidates.end(),
                  [](const Candidate& candidate) { return candidate.victims.empty(); }))
    return false;
  Extender extender;
  extender.preempt_verb = "preempt";
  extender.ignorable = true;  // so that it is asked last
  extender.preempt.emplace();
  for (const Node& node : question.cluster.nodes) extender.preempt->nodes[node.name].kept = true;
  return without_choice(schedule(decider, with(question, extender), release)) != without_choice(before);
}

std::vector<BrokenLaw> broken_by_extenders(const oracle::Decider& decider, const Question& question,
                                           const Release& release) {
  std::vector<BrokenLaw> broken;
  const auto demand = [&](bool is_broken, std::string_view clause, const char* text) {
    if (is_broken) broken.push_back({clause, text});
  };
  demand(heeds_uninterested_extender(decider, question, release), "EXT-INTEREST-1",
         "an extender that is not interested changes the placement");
  demand(heeds_ignorable_failure(decider, question, release), "EXT-ERROR-1",
         "an ignorable extender that fails changes the placement");
  demand(heeds_passing_extender(decider, question, release), "EXT-FILTER-1",
         "an extender that lets every node pass changes the placement");
  demand(feasible_nodes_depend_on_order(decider, question, release), "EXT-FILTER-1",
         "the order of extenders changes the feasible nodes");
  demand(keeps_rejected_node(decider, question, release), "EXT-FILTER-2",
         "an extender that rejects one node changes more than this node, or less");
  demand(adds_another_score(decider, question, release), "EXT-SCORE-1",
         "the score of an extender is not added to each total");
  demand(heeds_keeping_extender(decider, question, release), "EXT-PREEMPT-2",
         "an extender that keeps each candidate changes the decision");
  return broken;
}

}  // namespace touchstone::fuzz
