#include "oracle/explain/explanation.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "oracle/compare/divergences.hpp"
#include "oracle/explain/explainer.hpp"
#include "oracle/explain/what_if.hpp"
#include "oracle/explain/wording.hpp"
#include "reference/preemption/preempt.hpp"

namespace touchstone::oracle {

namespace {

/// The findings of a step without amounts: "not enough cpu, memory; a host port is held".
std::string kinds_of(const Step& step) {
  if (step.findings.empty()) return step.what;
  std::vector<std::string> kinds;
  std::string_view previous;
  for (const Finding& finding : step.findings) {
    const bool goes_on = finding.clause == previous && finding.clause == "PRE-FIT-2";
    const std::string kind = kind_of(finding);
    if (goes_on) {
      kinds.back() += ", " + finding.what;
    } else if (kinds.empty() || kinds.back() != kind) {
      kinds.push_back(kind);
    }
    previous = finding.clause;
  }
  std::string text;
  for (const std::string& kind : kinds) text += (text.empty() ? "" : "; ") + kind;
  return text;
}

/// Whether evictions may cure a finding.
bool is_curable(const Finding& finding) {
  constexpr std::array<std::string_view, 5> k_curable = {"PRE-PORTS-1", "PRE-NOMINATED-1", "PRE-AFFINITY-4",
                                                         "PRE-AFFINITY-7", "PRE-SPREAD-7"};
  return is_shortage(finding) ||
         std::find(k_curable.begin(), k_curable.end(), finding.clause) != k_curable.end();
}

/// The clause that best explains the text of the event.
std::string_view clause_of_message(const Decision& decision, const Release& release) {
  if (decision.outcome == Outcome::error) return "PRE-MESSAGE-6";
  const bool another_plugin_erred =
      release.prefilter_rejection_errs && decision.message.ends_with("not found");
  return another_plugin_erred ? "PRE-PREFILTER-6" : "PRE-MESSAGE-1";
}

}  // namespace

/// The clause that decided a rejection. If a finding cannot be cured by evictions, it is the clause of that
/// finding.
std::string_view deciding_clause(const Step& step) {
  if (step.findings.empty()) return step.clause;
  for (const Finding& finding : step.findings) {
    if (!is_curable(finding)) return finding.clause;
  }
  return step.findings.front().clause;
}

Section Explainer::cut(Section section, const std::string& hint) const {
  if (!scope_.all && !scope_.node && section.lines.size() > k_lines_most + 1) {
    section.more = "and " + std::to_string(section.lines.size() - k_lines_most) + " more; " + hint;
    section.lines.resize(k_lines_most);
  }
  return section;
}

const reference::Cycle& Explainer::cycle() const {
  if (!cycle_) cycle_.emplace(question_, release_, none_);
  return *cycle_;
}

std::string Explainer::findings_text(const Step& step) const {
  if (step.findings.empty()) return step.what;
  std::string text;
  for (const Finding& finding : step.findings)
    text += (text.empty() ? "" : "; ") + text_of(cluster_, *step.node, finding);
  return text;
}

/// Why the pod does not wait for its own earlier preemption.
std::string Explainer::nothing_to_wait_for(const Step& step) const {
  const std::string& nominated = question_.pod.nominated_node_name;
  if (nominated.empty()) return "it has no nominated node to wait for";
  if (!step.node) return "its nominated node, " + nominated + ", is not in the cluster";
  if (step.clause == "PRE-ELIGIBLE-2")
    return "no eviction can help any more on its nominated node " + nominated + ", so it may preempt again";
  return release_.waits_for == WaitsFor::any_terminating
             ? "no pod of lower priority is terminating on its nominated node " + nominated
             : "no pod of lower priority is being deleted by a preemption on its nominated node " + nominated;
}

Section Explainer::eligibility() const {
  Section section{"Is the pod allowed to preempt?", {}};
  for (const Step* step : index_.eligibility) {
    std::string text;
    if (step->passed) {
      const bool has_policy = step->clause == "PRE-ELIGIBLE-1";
      text = (has_policy ? "yes: its preemptionPolicy is not Never, and " : "yes: ") +
             nothing_to_wait_for(*step);
    } else if (step->clause == "PRE-ELIGIBLE-1") {
      text = "no: its preemptionPolicy is Never";
    } else {
      text = "no: it waits for " + pod_text(*step->pod) + ", which is terminating on the nominated node " +
             name(*step->node);
    }
    section.lines.push_back({{text}, step->clause, step->passed ? Tone::good : Tone::bad});
  }
  return section;
}

/// Lists nodes with the step that rejected each of them. A few nodes are listed one by one; more are grouped
/// by their findings.
void Explainer::put_nodes(const std::vector<NodeIndex>& nodes, const Step* NodeTrace::* step,
                          bool with_evictions, Section& section) const {
  const auto put = [&](std::vector<std::string> cells, const std::string& evictions,
                       std::string_view clause) {
    if (with_evictions) cells.push_back(evictions);
    section.lines.push_back({std::move(cells), clause});
  };
  const auto evictions = [&](NodeIndex i) -> std::string {
    const Step* potential = index_.nodes[i].potential;
    return potential == nullptr ? "" : potential->passed ? "might help" : "cannot help";
  };
  const auto clause = [&](NodeIndex i) { return deciding_clause(*(index_.nodes[i].*step)); };
  if (nodes.size() <= k_nodes_one_by_one || scope_.all) {
    put({"NODE", "WHY"}, "EVICTIONS", "");
    for (const NodeIndex i : nodes)
      put({name(i), findings_text(*(index_.nodes[i].*step))}, evictions(i), clause(i));
    return;
  }
  std::map<std::pair<std::string, std::string>, std::vector<NodeIndex>> by_kind;
  for (const NodeIndex i : nodes) by_kind[{kinds_of(*(index_.nodes[i].*step)), evictions(i)}].push_back(i);
  std::vector<std::pair<std::string, std::vector<NodeIndex>>> groups;
  for (const auto& [kind, members] : by_kind) groups.emplace_back(kind.first, members);
  std::stable_sort(groups.begin(), groups.end(),
                   [](const auto& a, const auto& b) { return a.second.size() > b.second.size(); });
  put({"NODES", "WHY", "WHICH"}, "EVICTIONS", "");
  for (const auto& [kind, members] : groups) {
    std::vector<std::string> names;
    for (const NodeIndex i : members) names.push_back(name(i));
    put({std::to_string(members.size()), kind, names_of(names, k_names_most)}, evictions(members[0]),
        clause(members[0]));
  }
}

Section Explainer::as_it_is() const {
  Section section{decision_.outcome == Outcome::fits ? "Which nodes take the pod without evictions?"
                                                     : "Why does no node take the pod without evictions?",
                  {}};
  for (const Step* step : index_.attempt) section.lines.push_back({{step->what}, step->clause, Tone::bad});
  std::vector<std::string> fitting;
  std::vector<NodeIndex> others;
  bool with_evictions = false;
  for (NodeIndex i = 0; i < index_.nodes.size(); ++i) {
    const NodeTrace& steps = index_.nodes[i];
    if (steps.attempt == nullptr) continue;
    with_evictions = with_evictions || steps.potential != nullptr;
    steps.attempt->passed ? fitting.push_back(name(i)) : others.push_back(i);
  }
  if (!fitting.empty()) {
    const std::size_t most = scope_.all ? fitting.size() : k_lines_most;
    section.lines.push_back(
        {{count_of(fitting.size(), "node") + ": " + names_of(fitting, most) + "; preemption does not run"},
         "PRE-CYCLE-1",
         Tone::good});
  }
  if (!others.empty()) put_nodes(others, &NodeTrace::attempt, with_evictions, section);
  return cut(std::move(section), "--all shows them");
}

Section Explainer::beyond_help() const {
  Section section{"On which nodes is it not enough to evict all their pods of lower priority?", {}};
  std::vector<NodeIndex> nodes;
  for (NodeIndex i = 0; i < index_.nodes.size(); ++i) {
    if (index_.nodes[i].without_victims != nullptr && !index_.nodes[i].without_victims->passed)
      nodes.push_back(i);
  }
  if (!nodes.empty()) put_nodes(nodes, &NodeTrace::without_victims, false, section);
  return cut(std::move(section), "--all shows them");
}

Section Explainer::search() const {
  Section section{"Which potential nodes does the search visit?", {}};
  std::size_t potential = 0;
  for (const NodeTrace& steps : index_.nodes)
    potential += steps.potential != nullptr && steps.potential->passed;
  for (const Step* step : index_.search) {
    std::string text;
    if (step->clause == "PRE-SEARCH-2") {
      text = "a sample: the search looks for " +
             count_of(static_cast<std::size_t>(step->values[0].second), "candidate") + " among " +
             count_of(potential, "potential node");
    } else if (step->clause == "PRE-SEARCH-3") {
      text = "the search starts at " + name(*step->node) + ", number " +
             std::to_string(step->values[0].second) + " of the potential nodes, counted from 0";
    } else if (step->clause == "PRE-SEARCH-4") {
      text = "the search ends at " + name(*step->node) + ", after " +
             count_of(static_cast<std::size_t>(step->values[0].second), "node") +
             ": it has enough candidates, and at least one has no PDB violation";
    } else {
      text = name(*step->node) +
             " is a candidate, but its list is full (there is a list for candidates with PDB violations, and "
             "one for "
             "those without), so it is dropped";
    }
    section.lines.push_back({{text}, step->clause});
  }
  const Quantity quota = reference::candidate_quota(static_cast<Quantity>(potential), release_);
  if (index_.search.empty() && release_.candidate_sampling && quota < static_cast<Quantity>(potential)) {
    section.lines.push_back(
        {{"here all " + std::to_string(potential) +
          "; a live scheduler starts at a random node, stops at about " + std::to_string(quota) +
          " candidates, and may miss the best one (--offset N does the same)"},
         "PRE-SEARCH-2"});
  }
  return cut(std::move(section), "--all shows them");
}

Section Explainer::outcome() const {
  Section section{"What is the outcome?", {}};
  for (const Step* step : index_.outcome) {
    if (step->clause == "PRE-OUTCOME-1" && step->pod) {
      section.lines.push_back(
          {{"nominated pod " + pod_text(*step->pod) + " loses its nomination to " + name(*step->node)},
           step->clause});
    } else if (step->clause == "PRE-OUTCOME-1") {
      std::vector<std::string> victims;
      for (const PodIndex pod : decision_.candidates[decision_.chosen].victims)
        victims.push_back(pod_text(pod));
      section.lines.push_back({{"the pod is nominated to " + name(*step->node)}, step->clause, Tone::good});
      section.lines.push_back({{"evicted: " + names_of(victims, scope_.all ? victims.size() : k_lines_most)},
                               step->clause,
                               Tone::bad});
    } else {
      if (decision_.outcome == Outcome::error)
        section.lines.push_back(
            {{"the attempt ends in an error: " + decision_.reason}, step->clause, Tone::bad});
      const std::string& own = question_.pod.nominated_node_name;
      const bool cleared = decision_.nomination == Nomination::cleared;
      const std::string nomination = own.empty() ? ""
                                     : cleared   ? "; the pod's own nomination to " + own + " is cleared"
                                                 : "; the pod stays nominated to " + own;
      section.lines.push_back({{"nothing is evicted" + nomination}, step->clause, Tone::bad});
    }
  }
  if (!decision_.message.empty())
    section.lines.push_back(
        {{"text of the event: " + decision_.message}, clause_of_message(decision_, release_)});
  return section;
}

/// Reports evictions that do not help.
Section Explainer::aftermath() const {
  Section section{"Do the evictions help?", {}};
  if (decision_.outcome != Outcome::nominated) return section;
  const Candidate& chosen = decision_.candidates[decision_.chosen];
  for (const EvictionFinding& eviction : eviction_findings(question_, release_, chosen))
    section.lines.push_back({{text_of(question_, chosen, eviction)}, eviction.clause, Tone::bad});
  return section;
}

std::vector<Section> Explainer::sections() const {
  std::vector<Section> sections = {eligibility()};
  if (scope_.node) {
    sections.push_back(node(*scope_.node));
    sections.push_back(search());
  } else {
    sections.push_back(as_it_is());
    sections.push_back(search());
    sections.push_back(beyond_help());
    const std::vector<NodeIndex> candidates = best_first(cluster_, release_, decision_);
    const std::size_t told = scope_.all ? candidates.size() : std::min(candidates.size(), k_candidates_shown);
    for (std::size_t i = 0; i < told; ++i) sections.push_back(node(candidates[i]));
    sections.push_back(choice());
    if (candidates.size() > told) {
      sections.back().more =
          std::to_string(told) + " of " + std::to_string(candidates.size()) +
          " candidates are shown; --node NAME shows another candidate, --all shows every candidate";
    }
  }
  sections.push_back(outcome());
  sections.push_back(aftermath());
  sections.push_back({"What would change the outcome?", {}});
  for (const WhatIf& change : nearest_changes(question_, release_, decision_, index_))
    sections.back().lines.push_back({{change.text}, change.clause});
  std::erase_if(sections, [](const Section& section) { return section.lines.empty(); });
  return sections;
}

std::vector<Section> explain(const Question& question, const Release& release, const Decision& decision,
                             const Trace& trace, const Scope& scope) {
  return Explainer(question, release, decision, trace, scope).sections();
}

Json explanation_of(const std::vector<Section>& sections) {
  Json json = Json::array();
  for (const Section& section : sections) {
    Json& entry = json.emplace_back(Json{{"title", section.title}});
    entry["lines"] = Json::array();
    const Line* head = nullptr;
    for (const Line& line : section.lines) {
      if (line.clause.empty()) {
        head = &line;
        continue;
      }
      Json told;
      if (line.cells.size() == 1) {
        head = nullptr;
        told["text"] = line.cells[0];
      } else if (head == nullptr) {
        told["cells"] = line.cells;
      } else {
        for (std::size_t i = 0; i < line.cells.size(); ++i) told["row"][head->cells[i]] = line.cells[i];
      }
      told["clause"] = line.clause;
      entry["lines"].push_back(std::move(told));
    }
    if (!section.more.empty()) entry["more"] = section.more;
  }
  return json;
}

}  // namespace touchstone::oracle
