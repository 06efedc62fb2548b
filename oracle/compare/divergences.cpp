#include "oracle/compare/divergences.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "oracle/explain/wording.hpp"
#include "spec/vocabulary/properties.hpp"

namespace touchstone::oracle {

namespace {

bool is_hard(const TopologySpreadConstraint& constraint) {
  return constraint.when_unsatisfiable == "DoNotSchedule";
}

bool port_held_twice(const Question& question, const Release& release, const Candidate& candidate) {
  return holds_port_twice(question.cluster, candidate.node, release);
}

bool terminating_victim(const Question& question, const Release&, const Candidate& candidate) {
  return std::any_of(candidate.victims.begin(), candidate.victims.end(),
                     [&](PodIndex victim) { return question.cluster.pods[victim].terminating; });
}

bool empty_selector(const Question& question, const Release& release, const Candidate&) {
  const auto& constraints = question.pod.topology_spread;
  return release.spread_empty_selector_counts_none &&
         std::any_of(constraints.begin(), constraints.end(), [](const TopologySpreadConstraint& constraint) {
           const auto& selector = constraint.label_selector;
           return is_hard(constraint) && selector && selector->match_labels.empty() &&
                  selector->match_expressions.empty();
         });
}

bool two_of_one_key(const Question& question, const Release& release, const Candidate&) {
  if (release.spread_counts != SpreadCounts::by_key_last) return false;
  std::vector<std::string> keys;
  for (const TopologySpreadConstraint& constraint : question.pod.topology_spread) {
    if (is_hard(constraint)) keys.push_back(constraint.topology_key);
  }
  std::sort(keys.begin(), keys.end());
  return std::adjacent_find(keys.begin(), keys.end()) != keys.end();
}

bool preemptor_namespace_counts(const Question&, const Release& release, const Candidate&) {
  return release.affinity_counts_by_preemptor_ns;
}

bool several_terms_as_one(const Question& question, const Release& release, const Candidate&) {
  return release.affinity_bookkeeping == AffinityBookkeeping::sets_of_pods &&
         question.pod.pod_anti_affinity.size() > 1;
}

/// Whether a pod names a claim that the preemptor also names. Namespaces are not compared.
bool names_a_claim(const Pod& pod, const Pod& preemptor) {
  return std::any_of(pod.volumes.begin(), pod.volumes.end(), [&preemptor](const Volume& volume) {
    const VolumeSource& source = volume.source;
    return source.kind == "persistentVolumeClaim" &&
           std::any_of(preemptor.volumes.begin(), preemptor.volumes.end(), [&source](const Volume& own) {
             return own.source.kind == source.kind && own.source.id == source.id;
           });
  });
}

bool namesake_victim(const Question& question, const Release&, const Candidate& candidate) {
  return std::any_of(candidate.victims.begin(), candidate.victims.end(), [&question](PodIndex victim) {
    const Pod& pod = question.cluster.pods[victim];
    return pod.ns != question.pod.ns && names_a_claim(pod, question.pod);
  });
}

bool claim_of_two(const Question& question, const Release&, const Candidate&) {
  return std::count_if(question.cluster.pods.begin(), question.cluster.pods.end(),
                       [&question](const Pod& pod) {
                         return pod.ns == question.pod.ns && names_a_claim(pod, question.pod);
                       }) > 1;
}

/// The plug-in of the filter that a clause belongs to; empty for a clause of no single filter.
std::string_view plugin_of_clause(std::string_view clause) {
  const FilterFacts* filter = filter_of_clause(clause);
  return filter == nullptr ? "" : filter->plugin;
}

EvictionFinding eviction_finding(const Question& question, const Release& release, const Candidate& candidate,
                                 IneffectiveEviction kind, std::vector<PodIndex> victims,
                                 const std::vector<Finding>& findings) {
  const std::string_view clause = findings.front().clause;
  EvictionFinding eviction{kind, std::move(victims), clause, plugin_of_clause(clause), "", nullptr};
  for (const Finding& finding : findings) {
    eviction.because +=
        (eviction.because.empty() ? "" : "; ") + text_of(question.cluster, candidate.node, finding);
  }
  for (const Divergence& divergence : divergences()) {
    if (divergence.kind != kind || divergence.clause != clause) continue;
    if (eviction.known == nullptr && divergence.has_cause(question, release, candidate))
      eviction.known = &divergence;
  }
  return eviction;
}

}  // namespace

const std::vector<Divergence>& divergences() {
  static const std::vector<Divergence> k_divergences = {
      {"A host port held twice", IneffectiveEviction::futile, "PRE-PORTS-1", port_held_twice},
      {"Terminating pods that were never counted", IneffectiveEviction::futile, "PRE-SPREAD-7",
       terminating_victim},
      {"The empty selector and who leaves", IneffectiveEviction::futile, "PRE-SPREAD-7", empty_selector},
      {"Two constraints of one key", IneffectiveEviction::futile, "PRE-SPREAD-7", two_of_one_key},
      {"Anti-affinity from another namespace", IneffectiveEviction::futile, "PRE-AFFINITY-7",
       preemptor_namespace_counts},
      {"A claim of the same name", IneffectiveEviction::futile, "PRE-RWOP-1", namesake_victim},
      {"A claim of two pods", IneffectiveEviction::futile, "PRE-RWOP-1", claim_of_two},
      {"Any term forbids who is put back", IneffectiveEviction::needless, "PRE-AFFINITY-4",
       several_terms_as_one},
  };
  return k_divergences;
}

std::string EvictionFinding::class_name() const {
  return std::string(kind == IneffectiveEviction::futile ? "futile " : "needless ") + std::string(clause) +
         ": " + std::string(known == nullptr ? "not described" : known->name);
}

std::vector<EvictionFinding> eviction_findings(const Question& question, const Release& release,
                                               const Candidate& candidate) {
  // EXT-PREEMPT-2: the victims may be those of an extender, which no rule of the release explains.
  if (!question.extenders.empty() || !release.extenders.empty()) return {};
  const Aftermath aftermath = aftermath_of(question, release, candidate);
  std::vector<EvictionFinding> findings;
  if (aftermath.futile()) {
    findings.push_back(eviction_finding(question, release, candidate, IneffectiveEviction::futile,
                                        candidate.victims, aftermath.still.findings));
  }
  for (const Needless& needless : aftermath.needless) {
    findings.push_back(eviction_finding(question, release, candidate, IneffectiveEviction::needless,
                                        {needless.pod}, needless.findings));
  }
  return findings;
}

Json aftermath_json(const Question& question, const std::vector<EvictionFinding>& findings) {
  Json json{{"needless", Json::array()}};
  for (const EvictionFinding& eviction : findings) {
    Json told;
    const bool futile = eviction.kind == IneffectiveEviction::futile;
    if (!futile) told["pod"] = question.cluster.pods[eviction.victims.front()].full_name();
    told["plugin"] = eviction.plugin;
    told["clause"] = eviction.clause;
    told["because"] = eviction.because;
    if (eviction.known != nullptr) told["divergence"] = eviction.known->name;
    futile ? void(json["futile"] = std::move(told)) : json["needless"].push_back(std::move(told));
  }
  return json;
}

std::string text_of(const Question& question, const Candidate& candidate, const EvictionFinding& eviction) {
  const std::string& node = question.cluster.nodes[candidate.node].name;
  const std::string known = eviction.known == nullptr
                                ? " (not described in spec/divergences.md)"
                                : " (spec/divergences.md: " + std::string(eviction.known->name) + ")";
  if (eviction.kind == IneffectiveEviction::futile) {
    return "futile: after the evictions " + node + " still rejects the pod: " + eviction.because + known;
  }
  return "needless: " + question.cluster.pods[eviction.victims.front()].full_name() +
         " could have stayed, because the pod fits beside it; the dry run rejected this: " +
         eviction.because + known;
}

}  // namespace touchstone::oracle
