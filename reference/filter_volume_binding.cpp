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
    if (!name.empty()) claims.push_back({find_claim(cycle, cycle.pod, volume), name, is_ephemeral(volume)});
  }
  return claims;
}

bool is_bound(const PersistentVolumeClaim& claim) {
  return !claim.volume_name.empty() && claim.bind_completed;
}

/// PRE-CLAIM-2: whether a volume is looked for when the pod is scheduled, not before.
bool waits_for_consumer(const PersistentVolumeClaim& claim, const Storage& storage) {
  const StorageClass* of_claim = find(storage.classes, claim.storage_class());
  return of_claim != nullptr && of_claim->binding_mode == "WaitForFirstConsumer" && claim.volume_name.empty();
}

Claims claims_where(const Cycle& cycle, bool (*is_so)(const PersistentVolumeClaim&)) {
  Claims claims;
  for (const OwnClaim& own : own_claims(cycle)) {
    if (is_so(*own.claim)) claims.push_back(own.claim);
  }
  return claims;
}

Claims bound_claims(const Cycle& cycle) { return claims_where(cycle, is_bound); }

Claims unbound_claims(const Cycle& cycle) {
  return claims_where(cycle, [](const PersistentVolumeClaim& claim) { return !is_bound(claim); });
}

/// PRE-BIND-1: a term holds by its expressions; one that has none but fields holds everywhere.
bool term_holds(const NodeSelectorTerm& term, const Node& node) {
  if (term.match_expressions.empty() && term.match_fields.empty()) return false;
  return matches(term.match_expressions, node.labels);
}

/// PRE-BIND-1: the node affinity as the volume's driver has it, where the node says that the driver has taken
/// over: in terms of the driver's zones.
PersistentVolume translated(const PersistentVolume& volume, const CsiNode* csi_node) {
  const auto kind =
      std::find_if(migrated_kinds().begin(), migrated_kinds().end(),
                   [&volume](const MigratedKind& each) { return each.kind == volume.source.kind; });
  if (kind == migrated_kinds().end() || csi_node == nullptr || kind->topology_key.empty()) return volume;
  const std::vector<std::string>& migrated = csi_node->migrated_plugins;
  if (std::find(migrated.begin(), migrated.end(), kind->plugin) == migrated.end()) return volume;

  PersistentVolume result = volume;
  const auto uses = [&volume](const std::string& key) {
    if (!volume.node_affinity) return false;
    return std::any_of(volume.node_affinity->begin(), volume.node_affinity->end(), [&key](const auto& term) {
      return std::any_of(term.match_expressions.begin(), term.match_expressions.end(),
                         [&key](const Requirement& requirement) { return requirement.key == key; });
    });
  };
  const std::string zone = "topology.kubernetes.io/zone";
  const std::string beta_zone = "failure-domain.beta.kubernetes.io/zone";
  const bool is_beta = !uses(zone) && (uses(beta_zone) ||
                                       (!volume.labels.contains(zone) && volume.labels.contains(beta_zone)));
  const std::string& from = is_beta ? beta_zone : zone;
  const std::string to(kind->topology_key);
  bool replaced = false;
  if (result.node_affinity) {
    for (NodeSelectorTerm& term : *result.node_affinity) {
      for (Requirement& requirement : term.match_expressions) {
        if (requirement.key == from && !requirement.values.empty()) replaced = true;
      }
    }
    for (NodeSelectorTerm& term : *result.node_affinity) {
      for (Requirement& requirement : term.match_expressions) {
        if (replaced && requirement.key == from) requirement.key = to;
        if (is_beta && requirement.key == "failure-domain.beta.kubernetes.io/region")
          requirement.key = "topology.kubernetes.io/region";
      }
    }
  }
  const auto label = volume.labels.find(from);
  if (replaced || label == volume.labels.end()) return result;
  std::vector<std::string> zones = zones_in(label->second);
  std::erase(zones, "");
  if (zones.empty()) return result;
  if (!result.node_affinity || result.node_affinity->empty()) result.node_affinity.emplace(1);
  for (NodeSelectorTerm& term : *result.node_affinity) term.match_expressions.push_back({to, "In", zones});
  return result;
}

/// What becomes of the preemptor's claims on a node.
struct Binding {
  bool bound_reachable = true;
  bool bound_exist = true;
  bool found = true;
  bool enough_storage = true;
};

/// PRE-BIND-1, PRE-BIND-4: in the order of the claims, up to the first that fails.
void check_bound(const Cycle& cycle, const NodeState& state, Binding& binding) {
  const Storage& storage = cycle.cluster.storage;
  const CsiNode* csi_node = find(storage.csi_nodes, state.node->name);
  for (const PersistentVolumeClaim* claim : bound_claims(cycle)) {
    const PersistentVolume* volume = find(storage.volumes, claim->volume_name);
    binding.bound_exist = volume != nullptr;
    if (volume != nullptr) binding.bound_reachable = is_reachable(translated(*volume, csi_node), *state.node);
    if (!binding.bound_exist || !binding.bound_reachable) return;
  }
}

bool is_kept_for(const PersistentVolume& volume, const PersistentVolumeClaim& claim) {
  if (!volume.claim || volume.claim->ns != claim.ns || volume.claim->name != claim.name) return false;
  return volume.claim->uid.empty() || volume.claim->uid == claim.uid;
}

/// PRE-BIND-2: whether a volume is large enough and of the mode and attributes that a claim asks for.
bool could_serve(const PersistentVolume& volume, const PersistentVolumeClaim& claim) {
  const auto mode = [](const std::string& text) { return text.empty() ? "Filesystem" : text; };
  return volume.storage >= claim.storage.value_or(0) && mode(volume.volume_mode) == mode(claim.volume_mode) &&
         volume.attributes_class == claim.attributes_class && !volume.terminating;
}

/// PRE-BIND-2: whether a volume that nobody has can be taken for a claim on a node.
bool is_available(const PersistentVolume& volume, const PersistentVolumeClaim& claim, const Node& node) {
  const auto has_mode = [&volume](const std::string& mode) {
    return std::find(volume.access_modes.begin(), volume.access_modes.end(), mode) !=
           volume.access_modes.end();
  };
  return !volume.claim && volume.phase == "Available" &&
         (!claim.selector || matches(*claim.selector, volume.labels)) && is_reachable(volume, node) &&
         std::all_of(claim.access_modes.begin(), claim.access_modes.end(), has_mode);
}

/// PRE-BIND-2: what may be taken for a claim: a volume that is kept for it, null where that is out of reach,
/// or the smallest volumes. Of several the scheduler takes one at random.
std::vector<const PersistentVolume*> matching_volumes(const Cycle& cycle, const PersistentVolumeClaim& claim,
                                                      const Node& node, const std::set<std::string>& taken) {
  std::vector<const PersistentVolume*> kept;
  std::vector<const PersistentVolume*> smallest;
  for (const auto& [name, volume] : cycle.cluster.storage.volumes) {
    if (volume.storage_class() != claim.storage_class() || taken.contains(name)) continue;
    if (!could_serve(volume, claim)) continue;
    if (is_kept_for(volume, claim)) kept.push_back(is_reachable(volume, node) ? &volume : nullptr);
    if (!is_available(volume, claim, node)) continue;
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
  binding.found = true;
  for (const PersistentVolumeClaim* claim : claims) {
    const StorageClass& of_claim = *find(cycle.cluster.storage.classes, claim->storage_class());
    const std::vector<TopologyTerm>& terms = of_claim.allowed_topologies;
    const bool is_allowed =
        terms.empty() || std::any_of(terms.begin(), terms.end(), [&node](const TopologyTerm& term) {
          return !term.empty() && matches(term, node.labels);
        });
    const bool is_made =
        !of_claim.provisioner.empty() && of_claim.provisioner != "kubernetes.io/no-provisioner";
    binding.found = is_made && is_allowed;
    if (!binding.found) return;
    binding.enough_storage = has_capacity(cycle, *claim, of_claim, node);
    if (!binding.enough_storage) return;
  }
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
      kind.second.push_back(could_serve(*volume, *claims_[i]) && is_available(*volume, *claims_[i], node_));
    }
    return kind;
  }

  void follow(std::size_t next, const std::set<std::string>& taken, const Claims& to_provision) {
    if (budget_ == 0) return;
    --budget_;
    if (next == claims_.size()) {
      Binding binding;
      check_provisioning(cycle_, to_provision, node_, binding);
      answers_.insert({binding.found, binding.enough_storage});
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

bool is_reachable(const PersistentVolume& volume, const Node& node) {
  if (!volume.node_affinity) return true;
  return std::any_of(volume.node_affinity->begin(), volume.node_affinity->end(),
                     [&node](const NodeSelectorTerm& term) { return term_holds(term, node); });
}

ClaimRejection binding_rejection(const Cycle& cycle) {
  const std::string plugin = "VolumeBinding";
  const std::vector<OwnClaim> claims = own_claims(cycle);
  for (const OwnClaim& own : claims) {
    if (own.claim == nullptr) {
      return {plugin, "waiting for ephemeral volume controller to create the persistentvolumeclaim \"" +
                          own.name + "\""};
    }
    const std::string quoted = "persistentvolumeclaim \"" + own.name + "\" ";
    if (own.claim->phase == "Lost") {
      return {plugin, quoted + "bound to non-existent persistentvolume \"" + own.claim->volume_name + "\""};
    }
    if (own.claim->terminating) return {plugin, quoted + "is being deleted"};
    if (own.ephemeral && !is_made_for(*own.claim, cycle.pod))
      return {plugin, not_made_for(*own.claim, cycle.pod)};
  }
  for (const OwnClaim& own : claims) {
    if (!is_bound(*own.claim) && !waits_for_consumer(*own.claim, cycle.cluster.storage))
      return {plugin, "pod has unbound immediate PersistentVolumeClaims"};
  }
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
  Claims claims = unbound_claims(cycle);
  std::erase_if(claims, [](const auto* claim) { return claim->selected_node.has_value(); });
  return Ways(cycle, *node.node, std::move(claims)).differ();
}

Status volume_binding(const Cycle& cycle, const NodeState& state) {
  const Node& node = *state.node;
  Binding binding;
  check_bound(cycle, state, binding);

  Claims to_match;
  Claims to_provision;
  for (const PersistentVolumeClaim* claim : unbound_claims(cycle)) {
    if (claim->selected_node && *claim->selected_node != node.name) binding.found = false;
    (claim->selected_node ? to_provision : to_match).push_back(claim);
  }
  if (binding.found) {
    const Claims rest = unmatched(cycle, node, to_match);
    to_provision.insert(to_provision.end(), rest.begin(), rest.end());
    check_provisioning(cycle, to_provision, node, binding);
  }

  Status status{Code::unschedulable_and_unresolvable, "VolumeBinding", {}};
  const auto reject = [&status](std::string_view clause, std::string_view reason) {
    status.reasons.emplace_back(reason);
    status.findings.push_back({clause, std::string(reason), {}, {}});
  };
  if (!binding.bound_reachable) reject("PRE-BIND-1", cycle.release.text_volume_affinity);
  if (!binding.found) reject("PRE-BIND-2", "node(s) didn't find available persistent volumes to bind");
  if (!binding.enough_storage) reject("PRE-BIND-3", "node(s) did not have enough free storage");
  if (!binding.bound_exist)
    reject("PRE-BIND-4", "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)");
  return status.reasons.empty() ? Status{} : status;
}

}  // namespace touchstone::reference
