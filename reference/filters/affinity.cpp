#include <algorithm>
#include <functional>

#include "reference/filters/filters.hpp"
#include "reference/filters/pod_terms.hpp"

/// InterPodAffinity: the preemptor's required affinity and anti-affinity, and the required anti-affinity of
/// other pods against it. A topology domain is the set of nodes that have the same value of a label.
namespace touchstone::reference {

namespace {

/// A pod, and the node that it runs on or is nominated to.
struct Placed {
  const PodOnNode& pod;
  const Node& node;
};

/// Calls `look` with each pod of the cluster: on this node the pods as they are now, on all other nodes the
/// pods as they were before the dry run.
void for_each_pod(const Cycle& cycle, const NodeState& state,
                  const std::function<void(const Placed&)>& look) {
  for (const NodeState& other : cycle.nodes) {
    const NodeState& now = other.index == state.index ? state : other;
    for (const PodOnNode& pod : now.pods) look({pod, *now.node});
  }
}

/// Calls `look` with each pod that may have required anti-affinity: all pods that are on this node now, and
/// the pods of other nodes that have it.
void for_each_pod_with_anti_affinity(const Cycle& cycle, const NodeState& state,
                                     const std::function<void(const Placed&)>& look) {
  for (const PodOnNode& pod : state.pods) look({pod, *state.node});
  for (const PodWithTerms& other : cycle.with_anti_affinity) {
    if (other.node != state.index) look({other.pod, *cycle.nodes[other.node].node});
  }
}

/// Whether every term matches the pod. Requires: there is at least one term.
bool means_by_all(const std::vector<PodAffinityTerm>& terms, const Pod& owner, const Pod& other,
                  const Cycle& cycle) {
  return std::all_of(terms.begin(), terms.end(),
                     [&](const PodAffinityTerm& term) { return means(term, owner, other, cycle); });
}

bool means_by_any(const std::vector<PodAffinityTerm>& terms, const Pod& owner, const Pod& other,
                  const Cycle& cycle) {
  return std::any_of(terms.begin(), terms.end(),
                     [&](const PodAffinityTerm& term) { return means(term, owner, other, cycle); });
}

bool has_key(const Node& node, const std::string& key) { return node.labels.contains(key); }

bool same_domain(const Node& a, const Node& b, const std::string& key) {
  const auto in_a = a.labels.find(key);
  const auto in_b = b.labels.find(key);
  return in_a != a.labels.end() && in_b != b.labels.end() && in_a->second == in_b->second;
}

/// PRE-AFFINITY-5: up to v1.18 the preemptor's own terms do not see pods that are only nominated.
bool counts_for_own_terms(const PodOnNode& pod, const Release& release) {
  return release.affinity_sees_nominated || !pod.object->node_name.empty();
}

bool same_domains(const Node& a, const Node& b, const std::vector<PodAffinityTerm>& terms) {
  return std::all_of(terms.begin(), terms.end(),
                     [&](const PodAffinityTerm& term) { return same_domain(a, b, term.topology_key); });
}

/// PRE-AFFINITY-2, PRE-AFFINITY-3: the first affinity term that does not hold, as checked up to v1.10: each
/// term by itself. Null: all terms hold.
const PodAffinityTerm* unmet_by_itself(const Cycle& cycle, const NodeState& state) {
  const Release& release = cycle.release;
  for (const PodAffinityTerm& term : cycle.pod.pod_affinity) {
    const bool on_this_node_alone =
        release.affinity_bookkeeping == AffinityBookkeeping::each_term_hosts_apart &&
        term.topology_key == "kubernetes.io/hostname";
    bool found = false;
    bool any_anywhere = false;
    for_each_pod(cycle, state, [&](const Placed& other) {
      if (on_this_node_alone && &other.node != state.node) return;
      if (!counts_for_own_terms(other.pod, release)) return;
      if (!means(term, cycle.pod, *other.pod.object, cycle)) return;
      any_anywhere = true;
      if (same_domain(other.node, *state.node, term.topology_key)) found = true;
    });
    if (!found && (any_anywhere || !means(term, cycle.pod, cycle.pod, cycle))) return &term;
  }
  return nullptr;
}

/// PRE-AFFINITY-2, PRE-AFFINITY-3: an affinity term that does not hold, as checked in v1.11: one pod has to
/// match all terms and be in the domains of all. For PRE-AFFINITY-3, a matching pod still exists after the
/// dry run has removed it. Null: affinity holds.
const PodAffinityTerm* unmet_on_one_node(const Cycle& cycle, const NodeState& state) {
  const std::vector<PodAffinityTerm>& terms = cycle.pod.pod_affinity;
  bool found = false;
  bool any_anywhere = false;
  for_each_pod(cycle, cycle.nodes[state.index], [&](const Placed& other) {
    any_anywhere = any_anywhere || means_by_all(terms, cycle.pod, *other.pod.object, cycle);
  });
  for_each_pod(cycle, state, [&](const Placed& other) {
    if (!counts_for_own_terms(other.pod, cycle.release)) return;
    if (!means_by_all(terms, cycle.pod, *other.pod.object, cycle)) return;
    if (same_domains(other.node, *state.node, terms)) found = true;
  });
  if (found || (!any_anywhere && means_by_all(terms, cycle.pod, cycle.pod, cycle))) return nullptr;
  return &terms.front();
}

/// PRE-AFFINITY-2, PRE-AFFINITY-3: the first term of the preemptor's affinity that does not hold. Null: all
/// terms hold.
const PodAffinityTerm* unmet_affinity(const Cycle& cycle, const NodeState& state) {
  const std::vector<PodAffinityTerm>& terms = cycle.pod.pod_affinity;
  if (terms.empty()) return nullptr;
  const AffinityBookkeeping account = cycle.release.affinity_bookkeeping;
  if (account < AffinityBookkeeping::one_node_for_all) return unmet_by_itself(cycle, state);
  if (account == AffinityBookkeeping::one_node_for_all) return unmet_on_one_node(cycle, state);
  const Release& release = cycle.release;
  std::vector<bool> found(terms.size(), false);
  bool any_anywhere = false;
  for_each_pod(cycle, state, [&](const Placed& other) {
    if (!counts_for_own_terms(other.pod, release)) return;
    if (!means_by_all(terms, cycle.pod, *other.pod.object, cycle)) return;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (has_key(other.node, terms[i].topology_key)) any_anywhere = true;
      if (same_domain(other.node, *state.node, terms[i].topology_key)) found[i] = true;
    }
  });
  const bool has_all_keys = std::all_of(terms.begin(), terms.end(), [&](const PodAffinityTerm& term) {
    return has_key(*state.node, term.topology_key);
  });
  const auto unmet = std::find(found.begin(), found.end(), false);
  if (unmet == found.end()) return nullptr;
  const bool may_be_first = has_all_keys || !release.first_pod_needs_topology_keys;
  if (may_be_first && !any_anywhere && means_by_all(terms, cycle.pod, cycle.pod, cycle)) return nullptr;
  return &terms[static_cast<std::size_t>(unmet - found.begin())];
}

/// A pod because of which the node is rejected, and the topology key of the domain that it shares with the
/// node.
struct InTheWay {
  PodIndex pod;
  std::string key;

  bool operator==(const InTheWay&) const = default;
};

/// PRE-AFFINITY-4: a pod in the node's domains that the preemptor's own anti-affinity forbids.
std::optional<InTheWay> forbidden_by_preemptor(const Cycle& cycle, const NodeState& state) {
  const std::vector<PodAffinityTerm>& terms = cycle.pod.pod_anti_affinity;
  const Release& release = cycle.release;
  std::optional<InTheWay> forbidden;
  if (terms.empty()) return forbidden;
  for_each_pod(cycle, state, [&](const Placed& other) {
    if (forbidden || !counts_for_own_terms(other.pod, release)) return;
    if (release.affinity_bookkeeping == AffinityBookkeeping::one_node_for_all) {
      if (means_by_all(terms, cycle.pod, *other.pod.object, cycle) &&
          same_domains(other.node, *state.node, terms))
        forbidden = InTheWay{other.pod.pod, terms.front().topology_key};
      return;
    }
    // PRE-AFFINITY-6
    const bool by_any = other.pod.put_back &&
                        release.affinity_bookkeeping == AffinityBookkeeping::sets_of_pods &&
                        means_by_any(terms, cycle.pod, *other.pod.object, cycle);
    for (const PodAffinityTerm& term : terms) {
      if (!same_domain(other.node, *state.node, term.topology_key)) continue;
      if (by_any || means(term, cycle.pod, *other.pod.object, cycle)) {
        forbidden = InTheWay{other.pod.pod, term.topology_key};
        return;
      }
    }
  });
  return forbidden;
}

/// PRE-AFFINITY-7: the topology key by which another pod's anti-affinity forbids the preemptor on a node.
/// Empty: there is none.
std::string forbids_by(const Placed& other, const Node& node, const Cycle& cycle) {
  const std::vector<PodAffinityTerm>& terms = other.pod.object->pod_anti_affinity;
  for (const PodAffinityTerm& term : terms) {
    const std::string& key =
        cycle.release.others_last_key_counts ? terms.back().topology_key : term.topology_key;
    if (same_domain(other.node, node, key) && means(term, *other.pod.object, cycle.pod, cycle)) return key;
  }
  return "";
}

/// PRE-AFFINITY-6: the number of a pod's anti-affinity terms with this topology key that v1.18 counts against
/// the preemptor. A term that names no namespace looks at the namespace of `owner`. For a pod that the dry
/// run removes or adds, v1.18 takes the preemptor as owner.
Quantity counted(const PodOnNode& pod, const Pod& owner, const Cycle& cycle, const std::string& key) {
  const std::vector<PodAffinityTerm>& terms = pod.object->pod_anti_affinity;
  return static_cast<Quantity>(std::count_if(terms.begin(), terms.end(), [&](const PodAffinityTerm& term) {
    return term.topology_key == key && means(term, owner, cycle.pod, cycle);
  }));
}

/// Whether, by the counts of v1.18, anti-affinity of other pods forbids the preemptor in one of the node's
/// domains.
bool forbidden_by_counts(const Cycle& cycle, const NodeState& state) {
  for (const auto& [key, value] : state.node->labels) {
    Quantity account = 0;
    for (const PodWithTerms& other : cycle.with_anti_affinity) {
      if (!same_domain(*cycle.nodes[other.node].node, *state.node, key)) continue;
      account += counted(other.pod, *other.pod.object, cycle, key);
    }
    const auto change = [&](const PodOnNode& pod, Quantity by) {
      account += by * counted(pod, cycle.pod, cycle, key);
    };
    for_each_change(cycle.nodes[state.index].pods, state.pods, change);
    if (account > 0) return true;
  }
  return false;
}

/// PRE-AFFINITY-7: a pod whose anti-affinity forbids the preemptor on the node.
std::optional<InTheWay> forbidden_by_other(const Cycle& cycle, const NodeState& state) {
  std::optional<InTheWay> forbidding;
  for_each_pod_with_anti_affinity(cycle, state, [&](const Placed& other) {
    if (forbidding) return;
    const std::string key = forbids_by(other, *state.node, cycle);
    if (!key.empty()) forbidding = InTheWay{other.pod.pod, key};
  });
  return forbidding;
}

Status rejected(const Cycle& cycle, Code code, Finding finding, std::string_view reason) {
  Status status{code, plugin_of(Filter::inter_pod_affinity), {}, {std::move(finding)}};
  if (!cycle.release.text_affinity.empty()) status.reasons.emplace_back(cycle.release.text_affinity);
  if (!reason.empty()) status.reasons.emplace_back(reason);
  return status;
}

}  // namespace

/// PRE-AFFINITY-8
bool affinity_is_skipped(const Cycle& cycle) {
  if (!cycle.release.affinity_may_be_skipped) return false;
  if (!cycle.pod.pod_affinity.empty() || !cycle.pod.pod_anti_affinity.empty()) return false;
  const std::vector<PodWithTerms>& others = cycle.with_anti_affinity;
  return std::none_of(others.begin(), others.end(), [&cycle](const PodWithTerms& other) {
    const Node& node = *cycle.nodes[other.node].node;
    return !forbids_by({other.pod, node}, node, cycle).empty();
  });
}

Status inter_pod_affinity(const Cycle& cycle, const NodeState& state) {
  if (affinity_is_skipped(cycle)) return {};
  const auto affinity = [&]() -> Status {
    const PodAffinityTerm* unmet = unmet_affinity(cycle, state);
    if (unmet == nullptr) return {};
    const Code code =
        cycle.release.affinity_unresolvable ? Code::unschedulable_and_unresolvable : Code::unschedulable;
    return rejected(cycle, code, {"PRE-AFFINITY-2", unmet->topology_key, {}, {}},
                    cycle.release.text_affinity_rules);
  };
  const auto anti_affinity = [&]() -> Status {
    const std::optional<InTheWay> other = forbidden_by_preemptor(cycle, state);
    if (!other) return {};
    return rejected(cycle, Code::unschedulable, {"PRE-AFFINITY-4", other->key, other->pod, {}},
                    cycle.release.text_anti_affinity_rules);
  };
  const auto others_anti_affinity = [&]() -> Status {
    const std::optional<InTheWay> other = forbidden_by_other(cycle, state);
    const bool on_account =
        cycle.release.affinity_counts_by_preemptor_ns ? forbidden_by_counts(cycle, state) : other.has_value();
    if (!on_account) return {};
    Finding finding{"PRE-AFFINITY-7", "", {}, {}};
    if (other) finding = {"PRE-AFFINITY-7", other->key, other->pod, {}};
    return rejected(cycle, Code::unschedulable, std::move(finding), cycle.release.text_others_anti_affinity);
  };
  // PRE-AFFINITY-9
  if (cycle.release.others_anti_affinity_first) {
    if (Status status = others_anti_affinity(); !status.ok()) return status;
  }
  if (Status status = affinity(); !status.ok()) return status;
  if (Status status = anti_affinity(); !status.ok()) return status;
  return others_anti_affinity();
}

}  // namespace touchstone::reference
