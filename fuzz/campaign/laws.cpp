#include "fuzz/campaign/laws.hpp"

#include <algorithm>

#include "fuzz/campaign/renamed.hpp"

namespace touchstone::fuzz {

namespace {

/// Clears the texts that contain names of objects: reasons of old releases, and the message of new releases.
void remove_words(Decision& decision) {
  decision.reason.clear();
  decision.message.clear();
  for (auto* statuses : {&decision.filter, &decision.dry_run}) {
    for (auto& [node, status] : *statuses) status.reasons.clear();
  }
}

}  // namespace

Decision decide(const oracle::Decider& decider, const Question& question, const Release& release) {
  Trace trace = Trace::none();
  return decider.preempt(question, release, trace);
}

Placement schedule(const oracle::Decider& decider, const Question& question, const Release& release) {
  Trace trace = Trace::none();
  return decider.schedule(question, release, trace);
}

std::vector<BrokenLaw> broken_by_decision(const oracle::Decider& decider, const Question& question,
                                          const Release& release, const Decision& decision) {
  const auto fits = [&](const Cluster& cluster, const Pod& pod, NodeIndex node) {
    return decider.fits(release, cluster, pod, node);
  };
  return broken_laws(question, release, decision, fits);
}

bool depends_on_names(const oracle::Decider& decider, const Question& question, const Release& release) {
  Decision before = decide(decider, question, release);
  Decision after = decide(decider, with_renamed(question), release);
  remove_words(before);
  remove_words(after);
  return before != after;
}

bool depends_on_cordoned_node(const oracle::Decider& decider, const Question& question,
                              const Release& release) {
  // The cluster must have a node (PRE-CYCLE-2), and the pod must not tolerate the added node
  // (PRE-UNSCHEDULABLE-1).
  if (question.cluster.nodes.empty()) return false;
  Question smaller = question;
  smaller.pod.tolerations.clear();
  Question larger = smaller;
  Node node;
  node.name = "cordoned";
  node.unschedulable = true;
  larger.cluster.nodes.push_back(node);
  Decision before = decide(decider, smaller, release);
  Decision after = decide(decider, larger, release);
  // PRE-PREFILTER-3, PRE-PREFILTER-4: a node without a status gets a dry run, which finds no candidate
  // there.
  after.filter.erase(smaller.cluster.nodes.size());
  after.dry_run.erase(smaller.cluster.nodes.size());
  before.message = after.message;  // the message counts the added node
  return before != after;
}

bool misses_admissible(const oracle::Decider& decider, const Question& question, const Release& release) {
  const Decision decision = decide(decider, question, release);
  if (decision.outcome != Outcome::nominated) return false;
  constexpr std::size_t k_limit = 2000;
  const AnyOrder any_order = decider.any_order(question, release, k_limit);
  if (!any_order.unknown.empty()) return false;
  return std::any_of(decision.admissible.begin(), decision.admissible.end(), [&](std::size_t i) {
    Candidate answer = decision.candidates[i];
    std::sort(answer.victims.begin(), answer.victims.end());
    return std::find(any_order.answers.begin(), any_order.answers.end(), answer) == any_order.answers.end();
  });
}

std::vector<BrokenLaw> broken_by(const oracle::Decider& decider, const Question& question,
                                 const Release& release) {
  std::vector<BrokenLaw> broken =
      broken_by_decision(decider, question, release, decide(decider, question, release));
  if (depends_on_names(decider, question, release))
    broken.push_back({"PRE-NODE-6", "the decision changes when objects are renamed"});
  if (depends_on_cordoned_node(decider, question, release))
    broken.push_back(
        {"PRE-POTENTIAL-1", "the decision changes when a node is added that cannot be a candidate"});
  if (misses_admissible(decider, question, release))
    broken.push_back({"PRE-ANYORDER-1", "an answer is admissible in the given order, but in no order"});
  return broken;
}

}  // namespace touchstone::fuzz
