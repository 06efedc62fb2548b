#include <algorithm>
#include <map>
#include <set>

#include "reference/filters/filters.hpp"
#include "reference/filters/labels.hpp"
#include "reference/volumes/own_claims.hpp"
#include "reference/volumes/volumes.hpp"
#include "spec/vocabulary/choices.hpp"

/// VolumeBinding: whether a node can use the volumes that the preemptor's claims are bound to, and whether
/// volumes can be found or made for its other claims. The result does not depend on the pods of a node.
namespace touchstone::reference {

namespace {

std::string unbound_text(const PersistentVolumeClaim& claim) {
  return "claim " + claim.full_name() + " is not bound, and does not wait for its pod";
}

/// Why the preemptor's claims reject a node. Each member is empty or a reason; `error` is an error of the
/// filter.
struct Binding {
  std::optional<Finding> out_of_reach;
  std::optional<Finding> volume_missing;
  std::optional<Finding> without_volume;
  std::optional<Finding> without_storage;
  std::string error;
};

/// PRE-BIND-1, PRE-BIND-4: checks the bound claims in order, up to the first that fails.
void check_bound(const Cycle& cycle, const NodeState& state, Binding& binding) {
  const Storage& storage = cycle.cluster.storage;
  const CsiNode* csi_node = find(storage.csi_nodes, state.node->name);
  for (const PersistentVolumeClaim* claim : bound_claims(cycle)) {
    const PersistentVolume* volume = find(storage.volumes, claim->volume_name);
    if (volume == nullptr) {
      binding.volume_missing = Finding{"PRE-BIND-4", claim->full_name(), {}, {}};
      if (!cycle.release.missing_volume_unresolvable)
        binding.error = "could not find v1.PersistentVolume \"" + claim->volume_name + "\"";
      return;
    }
    if (!is_reachable(with_translated_affinity(*volume, csi_node, cycle.release), *state.node,
                      cycle.release)) {
      binding.out_of_reach = Finding{"PRE-BIND-1", claim->full_name(), {}, {}};
      return;
    }
  }
}

bool is_kept_for(const PersistentVolume& volume, const PersistentVolumeClaim& claim) {
  if (!volume.claim || volume.claim->ns != claim.ns || volume.claim->name != claim.name) return false;
  return volume.claim->uid.empty() || volume.claim->uid == claim.uid;
}

/// PRE-BIND-2: whether a volume is large enough for a claim, and has the volumeMode and
/// volumeAttributesClassName of the claim if the release compares them.
bool could_serve(const PersistentVolume& volume, const PersistentVolumeClaim& claim, const Release& release) {
  const auto mode = [](const std::string& text) { return text.empty() ? "Filesystem" : text; };
  const bool same_mode = mode(volume.volume_mode) == mode(claim.volume_mode);
  // With AttributesClass::not_understood, the filter errs on a claim that has attributes before it comes to
  // this.
  const bool same_attributes = volume.attributes_class == claim.attributes_class;
  return volume.storage >= claim.storage.value_or(0) && !volume.terminating &&
         (same_mode || !release.volume_phase_and_mode_count) &&
         (same_attributes || release.attributes_class == AttributesClass::ignored);
}

/// PRE-BIND-2: whether a volume that is not reserved for any claim can be taken for a claim on a node.
bool is_available(const PersistentVolume& volume, const PersistentVolumeClaim& claim, const Node& node,
                  const Release& release) {
  const auto has_mode = [&volume](const std::string& mode) {
    return std::find(volume.access_modes.begin(), volume.access_modes.end(), mode) !=
           volume.access_modes.end();
  };
  return !volume.claim && (volume.phase == "Available" || !release.volume_phase_and_mode_count) &&
         (!claim.selector || matches(*claim.selector, volume.labels)) &&
         is_reachable(volume, node, release) &&
         std::all_of(claim.access_modes.begin(), claim.access_modes.end(), has_mode);
}

/// PRE-BIND-2: the volumes that the scheduler may take for a claim on a node. These are the volumes reserved
/// for the claim, with null for one that the node cannot use; if there are none, the smallest available
/// volumes. Of several volumes the scheduler takes one at random.
std::vector<const PersistentVolume*> matching_volumes(const Cycle& cycle, const PersistentVolumeClaim& claim,
                                                      const Node& node, const std::set<std::string>& taken) {
  std::vector<const PersistentVolume*> kept;
  std::vector<const PersistentVolume*> smallest;
  const Release& release = cycle.release;
  if (!release.waiting_class_annotation && claim.class_name.value_or("") != claim.storage_class()) return {};
  for (const auto& [name, volume] : cycle.cluster.storage.volumes) {
    if (volume.storage_class() != claim.storage_class() || taken.contains(name)) continue;
    if (!could_serve(volume, claim, release)) continue;
    if (is_kept_for(volume, claim)) kept.push_back(is_reachable(volume, node, release) ? &volume : nullptr);
    if (!is_available(volume, claim, node, release)) continue;
    if (!smallest.empty() && volume.storage > smallest.front()->storage) continue;
    if (!smallest.empty() && volume.storage < smallest.front()->storage) smallest.clear();
    smallest.push_back(&volume);
  }
  return kept.empty() ? smallest : kept;
}

/// PRE-BIND-3: whether storage capacity counts for the release, the claim and the driver of its class.
bool capacity_counts(const Cycle& cycle, const PersistentVolumeClaim& claim, const StorageClass& of_claim) {
  const CsiDriver* driver = find(cycle.cluster.storage.csi_drivers, of_claim.provisioner);
  return cycle.release.storage_capacity && claim.storage && driver != nullptr && driver->storage_capacity;
}

/// PRE-BIND-3: the reports of the driver of the class that tell of enough storage for the claim on a node.
/// Requires: capacity_counts().
std::vector<const CsiStorageCapacity*> sufficient_capacities(const Cycle& cycle,
                                                             const PersistentVolumeClaim& claim,
                                                             const StorageClass& of_claim, const Node& node) {
  std::vector<const CsiStorageCapacity*> sufficient;
  for (const auto& [name, capacity] : cycle.cluster.storage.capacities) {
    const std::optional<Quantity> most =
        capacity.maximum_volume_size ? capacity.maximum_volume_size : capacity.capacity;
    if (capacity.storage_class == of_claim.name && most && *most >= *claim.storage &&
        capacity.node_topology && matches(*capacity.node_topology, node.labels))
      sufficient.push_back(&capacity);
  }
  return sufficient;
}

/// PRE-BIND-3: whether the driver of the class has reported enough storage for the claim on a node. Also true
/// if storage capacity does not count.
bool has_capacity(const Cycle& cycle, const PersistentVolumeClaim& claim, const StorageClass& of_claim,
                  const Node& node) {
  return !capacity_counts(cycle, claim, of_claim) ||
         !sufficient_capacities(cycle, claim, of_claim, node).empty();
}

/// PRE-BIND-2, PRE-BIND-3: why no volume can be made for a claim on a node. No value: one can be made.
/// Requires: the claim waits for its pod, so its class exists.
std::optional<Finding> why_not_made(const Cycle& cycle, const PersistentVolumeClaim& claim,
                                    const Node& node) {
  const std::string name = "claim " + claim.full_name();
  const StorageClass& of_claim = *find(cycle.cluster.storage.classes, claim.storage_class());
  const bool is_made = cycle.release.volumes_are_made && !of_claim.provisioner.empty() &&
                       of_claim.provisioner != "kubernetes.io/no-provisioner";
  if (!is_made)
    return Finding{
        "PRE-BIND-2", name + " finds no volume that the node reaches, and none is made for it", {}, {}};
  const std::vector<TopologyTerm>& terms = of_claim.allowed_topologies;
  const auto holds = [&node](const TopologyTerm& term) {
    return !term.empty() && matches(term, node.labels);
  };
  if (terms.empty() || std::any_of(terms.begin(), terms.end(), holds)) return std::nullopt;
  return Finding{
      "PRE-BIND-3", name + ": StorageClass " + of_claim.name + " allows no volume on the node", {}, {}};
}

/// PRE-BIND-3: checks whether volumes can be made for claims on a node, up to the first claim that fails.
void check_provisioning(const Cycle& cycle, const Claims& claims, const Node& node, Binding& binding) {
  for (const PersistentVolumeClaim* claim : claims) {
    binding.without_volume = why_not_made(cycle, *claim, node);
    if (binding.without_volume) return;
    const StorageClass& of_claim = *find(cycle.cluster.storage.classes, claim->storage_class());
    if (has_capacity(cycle, *claim, of_claim, node)) continue;
    binding.without_storage = Finding{"PRE-BIND-3",
                                      "claim " + claim->full_name() + ": driver " + of_claim.provisioner +
                                          " has not told of enough storage that the node reaches",
                                      {},
                                      {}};
    return;
  }
}

/// PRE-BIND-2: whether the annotation selected-node of a claim has already chosen the node of its volume.
bool is_promised_a_node(const PersistentVolumeClaim& claim, const Release& release) {
  return claim.selected_node && release.selected_node == SelectedNode::is_for_that_node;
}

/// Sorts claims as they are matched: the smallest first.
void sort_by_size(Claims& claims) {
  std::stable_sort(claims.begin(), claims.end(), [](const auto* a, const auto* b) {
    return a->storage.value_or(0) < b->storage.value_or(0);
  });
}

/// One volume of each kind, of the volumes that may be taken for a claim. Two volumes are of one kind if they
/// have the same size, and could be taken for the same of the later claims, `to_come`.
std::vector<const PersistentVolume*> one_of_each_kind(const Cycle& cycle, const Node& node,
                                                      const std::vector<const PersistentVolume*>& volumes,
                                                      const Claims& to_come) {
  std::map<std::pair<std::vector<bool>, Quantity>, const PersistentVolume*> kinds;
  for (const PersistentVolume* volume : volumes) {
    std::vector<bool> kind = {volume != nullptr};
    for (const PersistentVolumeClaim* claim : to_come) {
      kind.push_back(volume != nullptr && could_serve(*volume, *claim, cycle.release) &&
                     is_available(*volume, *claim, node, cycle.release));
    }
    kinds.emplace(std::pair(kind, volume == nullptr ? Quantity{0} : volume->storage), volume);
  }
  std::vector<const PersistentVolume*> one_of_each;
  for (const auto& [kind, volume] : kinds) one_of_each.push_back(volume);
  return one_of_each;
}

/// The volumes that claims take on a node.
struct Matches {
  std::vector<std::pair<const PersistentVolumeClaim*, const PersistentVolume*>> taken;
  Claims to_provision;  ///< the claims without a match, for which volumes must be made
};

/// PRE-BIND-2: matches claims with volumes, the smallest claim first. `choices` picks one of several equal
/// volumes.
Matches match(const Cycle& cycle, const Node& node, Claims claims, Choices& choices) {
  sort_by_size(claims);
  Matches matches;
  std::set<std::string> taken;
  for (auto claim = claims.begin(); claim != claims.end(); ++claim) {
    const std::vector<const PersistentVolume*> volumes = one_of_each_kind(
        cycle, node, matching_volumes(cycle, **claim, node, taken), Claims(claim + 1, claims.end()));
    const PersistentVolume* volume =
        volumes.empty() ? nullptr : volumes[choices.pick(volumes.size(), "PRE-BIND-2")];
    if (volume == nullptr) {
      matches.to_provision.push_back(*claim);
    } else {
      matches.taken.emplace_back(*claim, volume);
      taken.insert(volume->name);
    }
  }
  return matches;
}

/// PRE-BIND-2: the claims without a match.
Claims unmatched(const Cycle& cycle, const Node& node, const Claims& claims, Choices& choices) {
  return match(cycle, node, claims, choices).to_provision;
}

}  // namespace

ClaimRejection binding_rejection(const Cycle& cycle) {
  if (cycle.release.missing_claim == MissingClaim::not_looked_for) return {};
  const std::string_view plugin = plugin_of(Filter::volume_binding);
  const auto because = [&plugin](const std::string& reason) {
    return ClaimRejection{plugin, reason, reason};
  };
  for (const OwnClaim& own : own_claims(cycle)) {
    const std::string quoted = "persistentvolumeclaim \"" + own.name + "\" ";
    if (own.claim == nullptr && own.ephemeral)
      return because(filled_in(cycle.release.text_ephemeral_claim_missing, "$claim", own.name));
    if (own.claim == nullptr) return because(quoted + "not found");
    if (own.claim->phase == "Lost" && cycle.release.lost_claim_rejects)
      return because(quoted + "bound to non-existent persistentvolume \"" + own.claim->volume_name + "\"");
    if (own.claim->terminating) return because(quoted + "is being deleted");
    if (own.ephemeral && !is_made_for(*own.claim, cycle.pod))
      return because(not_made_for(*own.claim, cycle.pod, cycle.release));
  }
  const PersistentVolumeClaim* unbound = unbound_immediate(cycle);
  if (unbound == nullptr || cycle.release.unbound_immediate != UnboundImmediate::rejects_pod) return {};
  return {plugin, std::string(cycle.release.text_unbound), unbound_text(*unbound)};
}

NodeNames host_names(const Cycle& cycle) {
  NodeNames all;
  if (!cycle.release.volumes_pin_host_names) return all;
  for (const PersistentVolumeClaim* claim : bound_claims(cycle)) {
    const PersistentVolume* volume = find(cycle.cluster.storage.volumes, claim->volume_name);
    if (volume == nullptr) return {};
    std::set<std::string> of_volume;
    for (const NodeSelectorTerm& term : volume->node_affinity.value_or(std::vector<NodeSelectorTerm>{})) {
      NodeNames of_term;
      for (const Requirement& requirement : term.match_expressions) {
        if (requirement.key != "kubernetes.io/hostname" || requirement.op != "In") continue;
        of_term = common(of_term, {false, {requirement.values.begin(), requirement.values.end()}});
      }
      of_volume.merge(of_term.names);
    }
    if (!of_volume.empty()) all = common(all, {false, of_volume});
  }
  return all;
}

bool binding_is_random(const Cycle& cycle, const NodeState& node) {
  constexpr std::size_t k_ways_most = 1'000;
  if (unbound_immediate(cycle) != nullptr) return false;
  Claims claims = unbound_claims(cycle);
  std::erase_if(claims, [&cycle](const auto* claim) { return is_promised_a_node(*claim, cycle.release); });
  std::set<std::pair<bool, bool>> answers;
  const auto one_way = [&](Choices& choices) {
    Binding binding;
    check_provisioning(cycle, unmatched(cycle, *node.node, claims, choices), *node.node, binding);
    answers.insert({binding.without_volume.has_value(), binding.without_storage.has_value()});
  };
  const bool all = explore(one_way, k_ways_most);
  return answers.size() > 1 || !all;
}

std::vector<StorageUse> storage_use(const Cycle& cycle, const NodeState& state, Choices& choices) {
  const auto has_filter = [](const std::vector<Filter>& group) {
    return std::find(group.begin(), group.end(), Filter::volume_binding) != group.end();
  };
  const std::vector<std::vector<Filter>>& groups = cycle.release.filter_groups;
  if (std::none_of(groups.begin(), groups.end(), has_filter)) return {};
  Claims to_match;
  Claims to_provision;
  for (const PersistentVolumeClaim* claim : unbound_claims(cycle))
    (is_promised_a_node(*claim, cycle.release) ? to_provision : to_match).push_back(claim);
  const Matches matches = match(cycle, *state.node, to_match, choices);
  to_provision.insert(to_provision.end(), matches.to_provision.begin(), matches.to_provision.end());

  std::vector<StorageUse> uses;
  for (const auto& [claim, volume] : matches.taken)
    uses.push_back({claim->storage_class(), claim->storage.value_or(0), volume->storage, false});
  for (const PersistentVolumeClaim* claim : to_provision) {
    const StorageClass& of_claim = *find(cycle.cluster.storage.classes, claim->storage_class());
    if (!capacity_counts(cycle, *claim, of_claim)) continue;
    const std::vector<const CsiStorageCapacity*> reports =
        sufficient_capacities(cycle, *claim, of_claim, *state.node);
    const CsiStorageCapacity& report = *reports[choices.pick(reports.size(), "SCORE-CAPACITY-1")];
    uses.push_back({of_claim.name, *claim->storage, report.capacity, true});
  }
  return uses;
}

bool storage_use_is_clear(const Cycle& cycle, const NodeState& node) {
  constexpr std::size_t k_ways_most = 1'000;
  std::set<std::vector<StorageUse>> ways;
  const auto one_way = [&](Choices& choices) { ways.insert(storage_use(cycle, node, choices)); };
  const bool all = explore(one_way, k_ways_most);
  const auto is_known = [](const StorageUse& use) { return use.capacity.has_value(); };
  return all && ways.size() == 1 && std::all_of(ways.begin()->begin(), ways.begin()->end(), is_known);
}

Status volume_binding(const Cycle& cycle, const NodeState& state) {
  const Node& node = *state.node;
  const Release& release = cycle.release;
  const std::string_view plugin = plugin_of(Filter::volume_binding);
  if (const PersistentVolumeClaim* unbound = unbound_immediate(cycle)) {  // PRE-CLAIM-2
    const std::string text(release.text_unbound);
    if (release.unbound_immediate == UnboundImmediate::errs)
      return filter_error(cycle, plugin, "PRE-CLAIM-2", text);
    return unresolvable("PRE-CLAIM-2", plugin, text, unbound_text(*unbound));
  }
  Binding binding;
  check_bound(cycle, state, binding);
  if (!binding.error.empty()) return filter_error(cycle, plugin, "PRE-BIND-4", binding.error);

  Claims to_match;
  Claims to_provision;
  for (const PersistentVolumeClaim* claim : unbound_claims(cycle)) {
    const bool is_promised = is_promised_a_node(*claim, release);
    if (is_promised && *claim->selected_node != node.name)
      binding.without_volume = Finding{"PRE-BIND-2",
                                       "claim " + claim->full_name() + " is promised a volume on node " +
                                           *claim->selected_node + " (selected-node)",
                                       {},
                                       {}};
    (is_promised ? to_provision : to_match).push_back(claim);
  }
  const auto has_attributes = [](const PersistentVolumeClaim* claim) {
    return !claim->attributes_class.empty();
  };
  sort_by_size(to_match);
  const auto found = std::find_if(to_match.begin(), to_match.end(), has_attributes);
  if (!binding.without_volume && release.attributes_class == AttributesClass::not_understood &&
      found != to_match.end()) {
    return filter_error(cycle, plugin, "PRE-BIND-2",
                        "unsupported volumeAttributesClassName is set on claim " + (*found)->full_name() +
                            " when the feature-gate VolumeAttributesClass is disabled");
  }
  if (!binding.without_volume) {
    CanonicalChoices first;  // not_modelled() excludes picks that matter
    const Claims rest = unmatched(cycle, node, to_match, first);
    to_provision.insert(to_provision.end(), rest.begin(), rest.end());
    check_provisioning(cycle, to_provision, node, binding);
  }

  Status status{Code::unschedulable_and_unresolvable, plugin, {}};
  const auto reject = [&status](const std::optional<Finding>& finding, std::string_view reason) {
    if (!finding) return;
    status.reasons.emplace_back(reason);
    status.findings.push_back(*finding);
  };
  reject(binding.out_of_reach, release.text_volume_affinity);
  reject(binding.without_volume, "node(s) didn't find available persistent volumes to bind");
  reject(binding.without_storage, "node(s) did not have enough free storage");
  reject(binding.volume_missing, release.text_volume_missing);
  return status.reasons.empty() ? Status{} : status;
}

}  // namespace touchstone::reference
