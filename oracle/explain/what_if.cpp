#include "oracle/explain/what_if.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

#include "oracle/explain/explainer.hpp"
#include "oracle/explain/wording.hpp"
#include "oracle/protocol/engines.hpp"
#include "reference/filters/filters.hpp"
#include "reference/preemption/preempt.hpp"

namespace touchstone::oracle {

namespace {

constexpr std::size_t k_tries_most = 8;

/// The largest priority of a user's PriorityClass. Larger values are reserved for the system.
constexpr Quantity k_priority_max = 1000000000;

/// One resource that is short on one node.
struct Shortage {
  NodeIndex node = 0;
  std::string resource;
  Quantity requested = 0;
  Quantity missing = 0;
  std::string_view clause;
};

/// Whether `a` lacks a smaller part of its request than `b`. Avoids products that could overflow.
bool closer(const Shortage& a, const Shortage& b) {
  constexpr Quantity k_beyond = std::numeric_limits<Quantity>::max();
  const auto per_mille = [](const Shortage& shortage) {
    const Quantity unit = shortage.requested / 1000;
    if (unit > 0) return shortage.missing / unit;
    if (shortage.requested == 0 || shortage.missing > k_beyond / 1000) return k_beyond;
    return shortage.missing * 1000 / shortage.requested;
  };
  return per_mille(a) < per_mille(b);
}

/// The resource that is short, if this shortage is the only finding of the step. Nominated pods are not
/// counted as findings.
std::optional<Shortage> only_shortage(NodeIndex node, const Step& step) {
  std::optional<Shortage> shortage;
  for (const Finding& finding : step.findings) {
    if (finding.clause == "PRE-NOMINATED-1") continue;
    if (!is_shortage(finding) || shortage) return std::nullopt;
    shortage = Shortage{node, finding.what, value_of(finding.values, Measure::requested),
                        shortage_of(finding), finding.clause};
  }
  return shortage;
}

class NearestChanges {
 public:
  NearestChanges(const Question& question, const Release& release, const Decision& decision,
                 const TraceIndex& steps)
      : question_(question), release_(release), decision_(decision), index_(steps) {}

  std::vector<WhatIf> find();

 private:
  std::string told(const optimized::Answer& answer) const;
  void ask(const Pod& changed, const std::string& condition, std::string_view clause);
  void put_shortage(const Step* NodeTrace::* step, Outcome wanted, const std::string& then);
  bool is_cured(const Shortage& shortage, Outcome wanted);
  void put_next_candidate();
  void put_waited_for();
  void put_priority();
  void put_ineligible();
  void put_unresolvable();
  void put_neighbours();

  const Question& question_;
  const Release& release_;
  const Decision& decision_;
  const TraceIndex& index_;
  optimized::Workers workers_{1};
  std::optional<optimized::Snapshot> snapshot_;  ///< of the cluster; created at its first use
  Trace none_ = Trace::none();
  std::optional<reference::Cycle> cycle_;  ///< of the question; created at its first use
  std::vector<WhatIf> changes_;
};

std::string NearestChanges::told(const optimized::Answer& answer) const {
  const auto name = [this](NodeIndex node) { return question_.cluster.nodes[node].name; };
  if (answer.outcome == Outcome::fits) return "the pod would fit on " + name(answer.feasible.front());
  return "the pod would preempt on " + name(answer.node) + ", evicting " +
         count_of(answer.victims.size(), "pod");
}

/// Decides for another pod in the same cluster, and reports the change if that pod gets a node. The optimized
/// engine decides, since about ten pods are tried; it gives the same answer as the reference.
void NearestChanges::ask(const Pod& changed, const std::string& condition, std::string_view clause) {
  if (!snapshot_) snapshot_.emplace(question_.cluster, release_);
  const optimized::Answer answer =
      optimized_answer(*snapshot_, {{}, changed, question_.offset, question_.quota}, workers_);
  if (answer.outcome != Outcome::fits && answer.outcome != Outcome::nominated) return;
  changes_.push_back({condition + " " + told(answer), clause});
}

/// Whether the node takes the pod, or is a candidate, once it has the missing amount. All other nodes stay in
/// the cluster, because some filters look at their pods.
bool NearestChanges::is_cured(const Shortage& shortage, Outcome wanted) {
  if (!cycle_) cycle_.emplace(question_, release_, none_);
  Node larger = question_.cluster.nodes[shortage.node];
  Quantity& allocatable = larger.allocatable[shortage.clause == "PRE-FIT-1" ? "pods" : shortage.resource];
  if (__builtin_add_overflow(allocatable, shortage.missing, &allocatable)) return false;
  reference::NodeState& state = cycle_->nodes[shortage.node];
  state.node = &larger;
  const bool is_cured = wanted == Outcome::fits
                            ? reference::run_filters_with_nominated_pods(*cycle_, state).ok()
                            : reference::select_victims(*cycle_, shortage.node, {}).status.ok();
  state.node = &question_.cluster.nodes[shortage.node];
  return is_cured;
}

/// Reports the node with the smallest shortage, among the nodes that lack only one resource.
void NearestChanges::put_shortage(const Step* NodeTrace::* step, Outcome wanted, const std::string& then) {
  std::vector<Shortage> shortages;
  for (NodeIndex i = 0; i < index_.nodes.size(); ++i) {
    const Step* found = index_.nodes[i].*step;
    if (found == nullptr || found->passed) continue;
    const auto shortage = only_shortage(i, *found);
    // If the whole request is missing, this node is not a near miss.
    if (shortage && (shortage->missing < shortage->requested || shortage->clause == "PRE-FIT-1"))
      shortages.push_back(*shortage);
  }
  std::stable_sort(shortages.begin(), shortages.end(), closer);
  if (shortages.size() > k_tries_most) shortages.resize(k_tries_most);
  for (const Shortage& shortage : shortages) {
    if (!is_cured(shortage, wanted)) continue;
    const std::string what =
        shortage.clause == "PRE-FIT-1"
            ? "space for " + count_of(static_cast<std::size_t>(shortage.missing), "more pod")
            : amount_of(shortage.resource, shortage.missing) + " more " + shortage.resource;
    changes_.push_back(
        {"with " + what + ", " + question_.cluster.nodes[shortage.node].name + " would " + then,
         shortage.clause});
    return;
  }
}

/// Reports the best candidate that is not in the last tie.
void NearestChanges::put_next_candidate() {
  const Step* next = nullptr;
  const Step* best = nullptr;
  std::optional<reference::Rank> next_rank;
  for (const Candidate& candidate : decision_.candidates) {
    const Step* choice = index_.nodes[candidate.node].choice;
    if (choice == nullptr) return;
    if (choice->passed) {
      best = choice;
      continue;
    }
    const reference::Rank rank = reference::rank_of(question_.cluster, candidate, release_);
    if (next_rank && !reference::beats(rank, *next_rank)) continue;
    next = choice;
    next_rank = rank;
  }
  if (next == nullptr) return;
  const bool ties = decision_.admissible.size() > 1;
  std::string text = question_.cluster.nodes[*next->node].name + " is the next best candidate" +
                     (ties ? ", after the tie" : "");
  for (const Criterion& criterion : node_criteria()) {
    if (criterion.clause != next->clause) continue;
    text += ": " + std::string(name_of(criterion.value)) + " " + value_text(*next, criterion) + ", against " +
            value_text(*best, criterion);
  }
  changes_.push_back({text, next->clause});
}

/// PRE-ELIGIBLE-3: decides for the same cluster without the terminating pods that the preemptor waits for.
void NearestChanges::put_waited_for() {
  Question later = question_;
  std::erase_if(later.cluster.pods, [this](const Pod& pod) {
    return pod.terminating && pod.node_name == question_.pod.nominated_node_name &&
           pod.priority < question_.pod.priority;
  });
  const optimized::Answer answer = optimized_answer(later, release_, workers_);
  if (answer.outcome == Outcome::fits || answer.outcome == Outcome::nominated)
    changes_.push_back({"once the terminating pods of lower priority on " +
                            question_.pod.nominated_node_name + " are gone, " + told(answer),
                        "PRE-ELIGIBLE-3"});
}

/// Reports the lowest higher priority with which the pod gets a node. Tries only priorities just above those
/// of other pods.
void NearestChanges::put_priority() {
  std::set<Quantity> priorities;
  for (const Pod& pod : question_.cluster.pods) {
    if (pod.priority >= question_.pod.priority && pod.priority < k_priority_max)
      priorities.insert(pod.priority + 1);
  }
  const std::size_t before = changes_.size();
  std::size_t tries = 0;
  for (const Quantity priority : priorities) {
    if (changes_.size() > before || ++tries > k_tries_most) return;
    Pod pod = question_.pod;
    pod.priority = priority;
    ask(pod, "with priority " + std::to_string(priority) + ",", "PRE-VICTIM-1");
  }
}

void NearestChanges::put_ineligible() {
  for (const Step* step : index_.eligibility) {
    if (step->clause == "PRE-ELIGIBLE-3") put_waited_for();
    if (step->clause != "PRE-ELIGIBLE-1") continue;
    Pod pod = question_.pod;
    pod.preemption_policy = "PreemptLowerPriority";
    ask(pod, "with preemptionPolicy PreemptLowerPriority,", "PRE-ELIGIBLE-1");
  }
}

void NearestChanges::put_unresolvable() {
  Pod tolerant = question_.pod;
  tolerant.tolerations.push_back({"", "Exists", "", ""});
  ask(tolerant, "with tolerations for every taint and for cordons,", "PRE-TAINT-2");
  if (question_.pod.node_selector.empty() && !question_.pod.node_affinity) return;
  Pod anywhere = question_.pod;
  anywhere.node_selector.clear();
  anywhere.node_affinity.reset();
  ask(anywhere, "without its node selector and node affinity,", "PRE-NODEAFFINITY-1");
}

/// Tries the pod without its affinity, and without its spread constraints.
void NearestChanges::put_neighbours() {
  Pod alone = question_.pod;
  alone.pod_affinity.clear();
  alone.pod_anti_affinity.clear();
  if (!question_.pod.pod_affinity.empty() || !question_.pod.pod_anti_affinity.empty())
    ask(alone, "without its affinity and anti-affinity to other pods,", "PRE-AFFINITY-2");
  Pod uneven = question_.pod;
  const auto is_hard = [](const TopologySpreadConstraint& constraint) {
    return constraint.when_unsatisfiable == "DoNotSchedule";
  };
  if (std::erase_if(uneven.topology_spread, is_hard) > 0)
    ask(uneven, "without its DoNotSchedule spread constraints,", "PRE-SPREAD-7");
}

std::vector<WhatIf> NearestChanges::find() {
  if (decision_.outcome == Outcome::fits || decision_.outcome == Outcome::error) return {};
  if (decision_.outcome == Outcome::nominated) put_next_candidate();
  if (decision_.outcome == Outcome::ineligible) put_ineligible();
  if (decision_.outcome == Outcome::none) {
    put_shortage(&NodeTrace::without_victims, Outcome::nominated, "be a candidate");
    put_priority();
    put_unresolvable();
    put_neighbours();
  }
  put_shortage(&NodeTrace::attempt, Outcome::fits, "take the pod without evictions");
  return std::move(changes_);
}

}  // namespace

std::vector<WhatIf> nearest_changes(const Question& question, const Release& release,
                                    const Decision& decision, const TraceIndex& steps) {
  return NearestChanges(question, release, decision, steps).find();
}

}  // namespace touchstone::oracle
