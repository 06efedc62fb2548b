#include <set>

#include "oracle/explain/explainer.hpp"
#include "oracle/explain/wording.hpp"
#include "reference/filters/filters.hpp"
#include "reference/preemption/preempt.hpp"
#include "spec/vocabulary/properties.hpp"

/// Explains one node: its dry run, step by step.
namespace touchstone::oracle {

/// Shows each check of a potential victim against a PDB.
void Explainer::put_budgets(const NodeTrace& steps, Section& section) const {
  const bool consumes = release_.pdb_budget != PdbBudget::threshold;
  if (!steps.budgets.empty())
    section.lines.push_back(
        {{"which evictions would violate a PDB, counted from the most important pod on:"}, "PRE-PDB-1"});
  std::size_t allowed = 0;
  for (const Step* step : steps.budgets) {
    if (step->passed && is_cut_at(++allowed)) continue;
    const std::string left = std::to_string(step->values[0].second) + (consumes ? " left" : " allowed");
    const std::string what = step->passed ? (consumes ? "evicting it would use one" : "may be evicted")
                                          : "evicting it would violate the PDB";
    section.lines.push_back({{"PDB " + step->what, left, pod_text(*step->pod), what},
                             step->clause,
                             step->passed ? Tone::plain : Tone::bad});
  }
}

/// Whether the list order decides between two pods: both are unstarted and equally important.
bool Explainer::order_of_list_matters(const NodeTrace& steps) const {
  if (!release_.importance_by_start_time) return false;
  for (std::size_t i = 1; i < steps.reprieves.size(); ++i) {
    const Pod& before = cluster_.pods[*steps.reprieves[i - 1]->pod];
    const Pod& pod = cluster_.pods[*steps.reprieves[i]->pod];
    const bool unstarted = !before.start_time_ns && !pod.start_time_ns;
    if (unstarted && reference::equally_important(before, pod, release_)) return true;
  }
  return false;
}

/// Shows all victims, and the first of the pods that stay.
void Explainer::put_reprieves(const NodeTrace& steps, Section& section) const {
  std::size_t staying = 0;
  const bool some_violate =
      std::any_of(steps.budgets.begin(), steps.budgets.end(), [](const Step* step) { return !step->passed; });
  if (!steps.reprieves.empty())
    section.lines.push_back({{std::string("put back (reprieved) one by one") +
                              (some_violate ? ", first those whose eviction violates a PDB" : "") +
                              "; a pod stays if the preemptor still fits:"},
                             "PRE-VICTIM-6"});
  if (order_of_list_matters(steps)) {
    const bool reversed = release_.unstarted_order == UnstartedOrder::reversed;
    section.lines.push_back(
        {{std::string("pods of equal priority that have not started come in ") +
          (reversed ? "the reverse of the order" : "the order") + " in which the node lists them:"},
         "PRE-VICTIM-5"});
  }
  for (const Step* step : steps.reprieves) {
    if (step->passed && is_cut_at(++staying)) continue;
    const Pod& pod = cluster_.pods[*step->pod];
    const std::string start = !release_.importance_by_start_time ? ""
                              : pod.start_time_ns                ? "started " + time_of(*pod.start_time_ns)
                                                                 : "not started";
    const std::string terminating = pod.terminating ? " (terminating)" : "";
    section.lines.push_back(
        {{pod.full_name(), "priority " + std::to_string(pod.priority), start,
          step->passed ? "stays" + terminating
                       : "is a victim" + terminating + "; if it stayed: " + findings_text(*step)},
         step->clause,
         step->passed ? Tone::good : Tone::bad});
  }
  if (is_cut_at(staying)) {
    const std::size_t more = staying - k_lines_most;
    section.more =
        count_of(more, "more pod") + (more == 1 ? " stays" : " stay") + "; --node or --all shows all";
  }
}

/// The victims that violate a PDB only because the release also counts pods that are not evicted.
std::set<PodIndex> Explainer::violating_on_paper(NodeIndex node, const std::set<PodIndex>& violating) const {
  std::vector<reference::PodOnNode> victims;
  for (const Step* step : index_.nodes[node].reprieves) {
    if (!step->passed) victims.push_back({*step->pod, &cluster_.pods[*step->pod]});
  }
  reference::sort_by_importance(victims, release_);
  const std::vector<bool> really = reference::pdb_violations(cycle(), victims);
  std::set<PodIndex> on_paper;
  for (std::size_t i = 0; i < victims.size(); ++i) {
    if (!really[i] && violating.contains(victims[i].pod)) on_paper.insert(victims[i].pod);
  }
  return on_paper;
}

/// The victims if PDBs did not change the order of the reprieves.
std::set<PodIndex> Explainer::victims_by_importance(NodeIndex node) const {
  reference::NodeState state = cycle().nodes[node];
  std::vector<reference::PodOnNode> pods = reference::potential_victims(cycle(), node);
  for (const reference::PodOnNode& pod : pods) state.remove(pod, release_);
  reference::sort_by_importance(pods, release_);
  std::set<PodIndex> victims;
  for (const reference::PodOnNode& pod : pods) {
    state.put_back(pod, release_);
    if (reference::run_filters_with_nominated_pods(cycle(), state).ok()) continue;
    state.remove(pod, release_);
    victims.insert(pod.pod);
  }
  return victims;
}

/// Adds remarks on surprising results: violations that only exist on paper, pods evicted to spare less
/// important ones, and host ports that several pods hold.
void Explainer::put_remarks(NodeIndex node, Section& section) const {
  const NodeTrace& steps = index_.nodes[node];
  std::set<PodIndex> violating;
  for (const Step* step : steps.budgets) {
    if (!step->passed) violating.insert(*step->pod);
  }
  if (!violating.empty()) {
    for (const PodIndex pod : violating_on_paper(node, violating)) {
      section.lines.push_back({{"if only the victims counted, evicting " + pod_text(pod) +
                                " would violate no PDB; the release also counts pods that stay"},
                               steps.budgets.front()->clause,
                               Tone::bad});
    }
    const std::set<PodIndex> by_importance = victims_by_importance(node);
    for (const Step* victim : steps.reprieves) {
      if (victim->passed || violating.contains(*victim->pod) || by_importance.contains(*victim->pod))
        continue;
      section.lines.push_back(
          {{pod_text(*victim->pod) + " is a victim only because pods that a PDB protects are reprieved "
                                     "first; by importance alone it would stay"},
           victim->clause,
           Tone::bad});
    }
  }
  const bool is_candidate = steps.candidate != nullptr && steps.candidate->passed;
  const bool wants_ports = !reference::host_ports(question_.pod, release_).empty();
  if (is_candidate && wants_ports && holds_port_twice(cluster_, node, release_)) {
    section.lines.push_back({{"several pods on this node hold the same host port, and the release frees it "
                              "when it evicts one of them: the pod may not really fit"},
                             "PRE-PORTS-2",
                             Tone::bad});
  }
}

Section Explainer::node(NodeIndex node) const {
  const NodeTrace& steps = index_.nodes[node];
  Section section{"Node " + name(node), {}};
  if (steps.candidate != nullptr && steps.candidate->passed) {
    section.title +=
        ": evicting " +
        count_of(static_cast<std::size_t>(value_of(steps.candidate->values, Measure::victims)), "pod") +
        ", " +
        count_of(static_cast<std::size_t>(value_of(steps.candidate->values, Measure::pdb_violations)),
                 "PDB violation");
  }
  if (decision_.outcome == Outcome::nominated && decision_.candidates[decision_.chosen].node == node)
    section.title += " (chosen)";

  if (const Step* step = steps.attempt) {
    const std::string text = step->passed ? "without evictions, the node takes the pod"
                                          : "without evictions: " + findings_text(*step);
    section.lines.push_back({{text}, deciding_clause(*step)});
  }
  if (steps.potential != nullptr && !steps.potential->passed)
    section.lines.push_back({{"no eviction can help"}, steps.potential->clause, Tone::bad});
  if (const Step* step = steps.without_victims) {
    const bool removed = !step->values.empty() && step->values[0].second > 0;
    const std::string without =
        removed ? "without the pods of lower priority (" +
                      count_of(static_cast<std::size_t>(step->values[0].second), "pod") + "): "
                : "";
    section.lines.push_back({{without + (step->passed ? "the preemptor would fit" : findings_text(*step))},
                             step->clause,
                             step->passed ? Tone::good : Tone::bad});
  }
  put_budgets(steps, section);
  put_reprieves(steps, section);
  put_remarks(node, section);
  if (steps.candidate != nullptr && !steps.candidate->passed)
    section.lines.push_back({{steps.candidate->what}, steps.candidate->clause, Tone::bad});
  const bool visited = steps.without_victims != nullptr;
  if (!index_.search.empty() && !visited && steps.potential != nullptr && steps.potential->passed)
    section.lines.push_back(
        {{"not visited: the search started after this node, or ended before it"}, "PRE-SEARCH-4", Tone::bad});
  if (steps.choice != nullptr) {
    const NodeIndex chosen = decision_.candidates[decision_.chosen].node;
    if (steps.choice->passed && decision_.outcome == Outcome::nominated && chosen != node)
      section.lines.push_back(
          {{"ties with " + name(chosen) + " and may be chosen instead"}, "PRE-NODE-6", Tone::good});
    for (const Criterion& criterion : node_criteria()) {
      if (steps.choice->passed || steps.choice->clause != criterion.clause) continue;
      section.lines.push_back({{"not chosen: " + std::string(name_of(criterion.value)) + " " +
                                value_text(*steps.choice, criterion)},
                               criterion.clause,
                               Tone::bad});
    }
  }
  return section;
}

}  // namespace touchstone::oracle
