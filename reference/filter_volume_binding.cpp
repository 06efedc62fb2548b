#include <algorithm>
#include <map>
#include <set>

#include "reference/filters.hpp"
#include "reference/labels.hpp"
#include "reference/volumes.hpp"

/// VolumeBinding: whether a node reaches the volumes to which the preemptor's claims are bound, and whether
/// volumes can be found or made for the others. Nothing of it depends on the pods of a node.
namespace touchstone::reference {

namespace {

using Claims = std::vector<const PersistentVolumeClaim*>;

/// PRE-CLAIM-1: a claim of the preemptor.
struct OwnClaim {
  const PersistentVolumeClaim* claim;  ///< null: there is none of that name
  std::string name;
  bool ephemeral;
};

std::vector<OwnClaim> own_claims(const Cycle& cycle) {
  std::vector<OwnClaim> claims;
  for (const Volume& volume : cycle.pod.volumes) {
    const std::string name = claim_name(cycle.pod, volume);
    if (name.empty() || (is_ephemeral(volume) && !cycle.release.ephemeral_volumes)) continue;
    claims.push_back({find_claim(cycle, cycle.pod, volume), name, is_ephemeral(volume)});
  }
  return claims;
}

/// PRE-CLAIM-2
bool is_bound(const PersistentVolumeClaim& claim, const Release& release) {
  return !claim.volume_name.empty() && (claim.bind_completed || !release.binding_needs_annotation);
}

/// PRE-CLAIM-2: whether a volume is looked for when the pod is scheduled, not before.
bool waits_for_consumer(const PersistentVolumeClaim& claim, const Cycle& cycle) {
  if (claim.selected_node && cycle.release.selected_node == SelectedNode::is_immediate) return false;
  const StorageClass* of_claim = find(cycle.cluster.storage.classes, claim.storage_class());
  return of_claim != nullptr && of_claim->binding_mode == "WaitForFirstConsumer" && claim.volume_name.empty();
}

Claims claims_where(const Cycle& cycle, bool bound) {
  Claims claims;
  for (const OwnClaim& own : own_claims(cycle)) {
    if (is_bound(*own.claim, cycle.release) == bound) claims.push_back(own.claim);
  }
  return claims;
}

Claims bound_claims(const Cycle& cycle) { return claims_where(cycle, true); }

Claims unbound_claims(const Cycle& cycle) { return claims_where(cycle, false); }

/// PRE-CLAIM-2: a claim whose volume should be there before the pod is scheduled, and is not.
bool has_unbound_immediate(const Cycle& cycle) {
  const Claims unbound = unbound_claims(cycle);
  return std::any_of(unbound.begin(), unbound.end(), [&cycle](const PersistentVolumeClaim* claim) {
    return !waits_for_consumer(*claim, cycle);
  });
}

/// The preemptor's claims that stand in the way on a node; null: none does.
struct Binding {
  const PersistentVolumeClaim* out_of_reach = nullptr;
  const PersistentVolumeClaim* volume_missing = nullptr;
  const PersistentVolumeClaim* without_volume = nullptr;
  const PersistentVolumeClaim* without_storage = nullptr;
  std::string error;
};

/// PRE-BIND-1, PRE-BIND-4: in the order of the claims, up to the first that fails.
void check_bound(const Cycle& cycle, const NodeState& state, Binding& binding) {
  const Storage& storage = cycle.cluster.storage;
  const CsiNode* csi_node = find(storage.csi_nodes, state.node->name);
  for (const PersistentVolumeClaim* claim : bound_claims(cycle)) {
    const PersistentVolume* volume = find(storage.volumes, claim->volume_name);
    if (volume == nullptr) {
      binding.volume_missing = claim;
      if (!cycle.release.missing_volume_unresolvable)
        binding.error = "could not find v1.PersistentVolume \"" + claim->volume_name + "\"";
      return;
    }
    if (!is_reachable(as_driver_has_it(*volume, csi_node, cycle.release), *state.node, cycle.release)) {
      binding.out_of_reach = claim;
      return;
    }
  }
}

bool is_kept_for(const PersistentVolume& volume, const PersistentVolumeClaim& claim) {
  if (!volume.claim || volume.claim->ns != claim.ns || volume.claim->name != claim.name) return false;
  return volume.claim->uid.empty() || volume.claim->uid == claim.uid;
}

/// PRE-BIND-2: whether a volume is large enough and of the mode and attributes that a claim asks for.
bool could_serve(const PersistentVolume& volume, const PersistentVolumeClaim& claim, const Release& release) {
  const auto mode = [](const std::string& text) { return text.empty() ? "Filesystem" : text; };
  const bool same_mode = mode(volume.volume_mode) == mode(claim.volume_mode);
  // Where attributes are not understood, a claim that has some is an error before it comes to this.
  const bool same_attributes = volume.attributes_class == claim.attributes_class;
  return volume.storage >= claim.storage.value_or(0) && !volume.terminating &&
         (same_mode || !release.volume_phase_and_mode_count) &&
         (same_attributes || release.attributes_class == AttributesClass::ignored);
}

/// PRE-BIND-2: whether a volume that nobody has can be taken for a claim on a node.
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

/// PRE-BIND-2: what may be taken for a claim: a volume that is kept for it, null where that is out of reach,
/// or the smallest volumes. Of several the scheduler takes one at random.
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

/// PRE-BIND-3: whether the class's driver has told of enough storage that the node reaches.
bool has_capacity(const Cycle& cycle, const PersistentVolumeClaim& claim, const StorageClass& of_claim,
                  const Node& node) {
  const Storage& storage = cycle.cluster.storage;
  const CsiDriver* driver = find(storage.csi_drivers, of_claim.provisioner);
  if (!cycle.release.storage_capacity) return true;
  if (!claim.storage || driver == nullptr || !driver->storage_capacity) return true;
  return std::any_of(storage.capacities.begin(), storage.capacities.end(), [&](const auto& each) {
    const CsiStorageCapacity& capacity = each.second;
    const std::optional<Quantity> most =
        capacity.maximum_volume_size ? capacity.maximum_volume_size : capacity.capacity;
    return capacity.storage_class == of_claim.name && most && *most >= *claim.storage &&
           capacity.node_topology && matches(*capacity.node_topology, node.labels);
  });
}

/// PRE-BIND-3: whether volumes can be made for claims on a node, up to the first that cannot.
void check_provisioning(const Cycle& cycle, const Claims& claims, const Node& node, Binding& binding) {
  for (const PersistentVolumeClaim* claim : claims) {
    if (!cycle.release.volumes_are_made) {
      binding.without_volume = claim;
      return;
    }
    const StorageClass& of_claim = *find(cycle.cluster.storage.classes, claim->storage_class());
    const std::vector<TopologyTerm>& terms = of_claim.allowed_topologies;
    const bool is_allowed =
        terms.empty() || std::any_of(terms.begin(), terms.end(), [&node](const TopologyTerm& term) {
          return !term.empty() && matches(term, node.labels);
        });
    const bool is_made =
        !of_claim.provisioner.empty() && of_claim.provisioner != "kubernetes.io/no-provisioner";
    if (!is_made || !is_allowed) {
      binding.without_volume = claim;
      return;
    }
    if (!has_capacity(cycle, *claim, of_claim, node)) {
      binding.without_storage = claim;
      return;
    }
  }
}

/// PRE-BIND-2: whether a claim's volume is to be made for a node that is chosen already.
bool is_promised_a_node(const PersistentVolumeClaim& claim, const Release& release) {
  return claim.selected_node && release.selected_node == SelectedNode::is_for_that_node;
}

/// Sorts claims as they are matched: the smallest first.
void sort_by_size(Claims& claims) {
  std::stable_sort(claims.begin(), claims.end(), [](const auto* a, const auto* b) {
    return a->storage.value_or(0) < b->storage.value_or(0);
  });
}

/// PRE-BIND-2: the claims for which volumes must be made.
Claims unmatched(const Cycle& cycle, const Node& node, Claims claims) {
  sort_by_size(claims);
  Claims to_provision;
  std::set<std::string> taken;
  for (const PersistentVolumeClaim* claim : claims) {
    const std::vector<const PersistentVolume*> volumes = matching_volumes(cycle, *claim, node, taken);
    if (volumes.empty() || volumes.front() == nullptr) {
      to_provision.push_back(claim);
    } else {
      taken.insert(volumes.front()->name);
    }
  }
  return to_provision;
}

/// All the ways in which equal volumes may be taken for claims on a node.
class Ways {
 public:
  Ways(const Cycle& cycle, const Node& node, Claims claims)
      : cycle_(cycle), node_(node), claims_(std::move(claims)) {
    sort_by_size(claims_);
    follow(0, {}, {});
  }

  /// Whether they come to different answers, or are too many to tell.
  bool differ() const { return answers_.size() > 1 || budget_ == 0; }

 private:
  /// What tells one choice from another: whether it is a volume, and which of the claims from `next` on might
  /// take that.
  using Kind = std::pair<bool, std::vector<bool>>;
  Kind kind_of(const PersistentVolume* volume, std::size_t next) const {
    Kind kind{volume != nullptr, {}};
    for (std::size_t i = next; volume != nullptr && i < claims_.size(); ++i) {
      kind.second.push_back(could_serve(*volume, *claims_[i], cycle_.release) &&
                            is_available(*volume, *claims_[i], node_, cycle_.release));
    }
    return kind;
  }

  void follow(std::size_t next, const std::set<std::string>& taken, const Claims& to_provision) {
    if (budget_ == 0) return;
    --budget_;
    if (next == claims_.size()) {
      Binding binding;
      check_provisioning(cycle_, to_provision, node_, binding);
      answers_.insert({binding.without_volume == nullptr, binding.without_storage == nullptr});
      return;
    }
    std::map<Kind, const PersistentVolume*> choices;
    for (const PersistentVolume* volume : matching_volumes(cycle_, *claims_[next], node_, taken))
      choices.emplace(kind_of(volume, next + 1), volume);
    if (choices.empty()) choices.emplace(Kind{}, nullptr);
    for (const auto& [kind, volume] : choices) {
      std::set<std::string> then_taken = taken;
      Claims then_to_provision = to_provision;
      volume == nullptr ? then_to_provision.push_back(claims_[next]) : void(then_taken.insert(volume->name));
      follow(next + 1, then_taken, then_to_provision);
    }
  }

  const Cycle& cycle_;
  const Node& node_;
  Claims claims_;
  std::size_t budget_ = 1'000;
  std::set<std::pair<bool, bool>> answers_;
};

}  // namespace

ClaimRejection binding_rejection(const Cycle& cycle) {
  const std::string plugin = "VolumeBinding";
  const std::vector<OwnClaim> claims = own_claims(cycle);
  for (const OwnClaim& own : claims) {
    const std::string quoted = "persistentvolumeclaim \"" + own.name + "\" ";
    if (own.claim == nullptr && own.ephemeral)
      return {plugin, filled_in(cycle.release.text_ephemeral_claim_missing, "$claim", own.name)};
    if (own.claim == nullptr) return {plugin, quoted + "not found"};
    if (own.claim->phase == "Lost" && cycle.release.lost_claim_rejects) {
      return {plugin, quoted + "bound to non-existent persistentvolume \"" + own.claim->volume_name + "\""};
    }
    if (own.claim->terminating) return {plugin, quoted + "is being deleted"};
    if (own.ephemeral && !is_made_for(*own.claim, cycle.pod))
      return {plugin, not_made_for(*own.claim, cycle.pod, cycle.release)};
  }
  const bool rejects = cycle.release.unbound_immediate == UnboundImmediate::rejects_pod;
  if (rejects && has_unbound_immediate(cycle)) return {plugin, std::string(cycle.release.text_unbound)};
  return {};
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
  if (has_unbound_immediate(cycle)) return false;
  Claims claims = unbound_claims(cycle);
  std::erase_if(claims, [&cycle](const auto* claim) { return is_promised_a_node(*claim, cycle.release); });
  return Ways(cycle, *node.node, std::move(claims)).differ();
}

Status volume_binding(const Cycle& cycle, const NodeState& state) {
  const Node& node = *state.node;
  const Release& release = cycle.release;
  const std::string plugin = "VolumeBinding";
  if (has_unbound_immediate(cycle)) {  // PRE-CLAIM-2
    const std::string text(release.text_unbound);
    if (release.unbound_immediate == UnboundImmediate::errs)
      return filter_error(cycle, plugin, "PRE-CLAIM-2", text);
    return {Code::unschedulable_and_unresolvable, plugin, {text}, {{"PRE-CLAIM-2", text, {}, {}}}};
  }
  Binding binding;
  check_bound(cycle, state, binding);
  if (!binding.error.empty()) return filter_error(cycle, plugin, "PRE-BIND-4", binding.error);

  Claims to_match;
  Claims to_provision;
  for (const PersistentVolumeClaim* claim : unbound_claims(cycle)) {
    const bool is_promised = is_promised_a_node(*claim, release);
    if (is_promised && *claim->selected_node != node.name) binding.without_volume = claim;
    (is_promised ? to_provision : to_match).push_back(claim);
  }
  const auto has_attributes = [](const PersistentVolumeClaim* claim) {
    return !claim->attributes_class.empty();
  };
  sort_by_size(to_match);
  const auto found = std::find_if(to_match.begin(), to_match.end(), has_attributes);
  if (binding.without_volume == nullptr && release.attributes_class == AttributesClass::not_understood &&
      found != to_match.end()) {
    return filter_error(cycle, plugin, "PRE-BIND-2",
                        "unsupported volumeAttributesClassName is set on claim " + (*found)->full_name() +
                            " when the feature-gate VolumeAttributesClass is disabled");
  }
  if (binding.without_volume == nullptr) {
    const Claims rest = unmatched(cycle, node, to_match);
    to_provision.insert(to_provision.end(), rest.begin(), rest.end());
    check_provisioning(cycle, to_provision, node, binding);
  }

  Status status{Code::unschedulable_and_unresolvable, plugin, {}};
  const auto reject = [&status](const PersistentVolumeClaim* claim, std::string_view clause,
                                std::string_view reason) {
    if (claim == nullptr) return;
    status.reasons.emplace_back(reason);
    status.findings.push_back({clause, claim->full_name(), {}, {}});
  };
  reject(binding.out_of_reach, "PRE-BIND-1", release.text_volume_affinity);
  reject(binding.without_volume, "PRE-BIND-2", "node(s) didn't find available persistent volumes to bind");
  reject(binding.without_storage, "PRE-BIND-3", "node(s) did not have enough free storage");
  reject(binding.volume_missing, "PRE-BIND-4", release.text_volume_missing);
  return status.reasons.empty() ? Status{} : status;
}

}  // namespace touchstone::reference
