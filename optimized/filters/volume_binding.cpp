#include <algorithm>

#include "optimized/filters/volumes.hpp"

/// VolumeBinding and VolumeZone. Their results for a node do not depend on the pods there.
namespace touchstone::optimized {

namespace {

bool is_kept_for(const PersistentVolume& volume, const PersistentVolumeClaim& claim) {
  if (!volume.claim || volume.claim->ns != claim.ns || volume.claim->name != claim.name) return false;
  return volume.claim->uid.empty() || volume.claim->uid == claim.uid;
}

std::string mode_of(const std::string& text) { return text.empty() ? "Filesystem" : text; }

bool contains(const std::vector<std::string>& texts, const std::string& text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

}  // namespace

bool Volumes::matches(const std::vector<Requirement>& requirements, NodeIndex node) const {
  return Selector::of_term(requirements, query_.numbering)
      .matches(query_.tables.nodes.facts[node].labels, query_.tables.symbols);
}

/// Converts the node affinity of a volume. Clauses: PRE-BIND-1.
Volumes::Reach Volumes::reach_of(const NodeTerms& terms) const {
  if (!terms) return std::nullopt;
  const auto can_hold = [&](const NodeSelectorTerm& term) {
    if (term.match_expressions.empty() && term.match_fields.empty()) return false;
    const auto all = [&term](bool (*rule)(const Requirement&)) {
      return std::all_of(term.match_fields.begin(), term.match_fields.end(), rule);
    };
    switch (release_.volume_fields) {
      case VolumeFields::reject_bare_terms:
        return !term.match_expressions.empty();
      case VolumeFields::matched_against_no_fields:
        return all(holds_without_value);
      case VolumeFields::need_be_valid:
        break;
    }
    return all(is_valid_field);
  };
  Reach reach{std::in_place};
  for (const NodeSelectorTerm& term : *terms) {
    reach->emplace_back();
    if (can_hold(term)) reach->back() = Selector::of_term(term.match_expressions, query_.numbering);
  }
  return reach;
}

/// Whether a node satisfies the node affinity of a volume. Clauses: PRE-BIND-1.
bool Volumes::reaches(const Reach& reach, NodeIndex node) const {
  if (!reach) return true;
  const auto holds = [&](const std::optional<Selector>& term) {
    return term && term->matches(query_.tables.nodes.facts[node].labels, query_.tables.symbols);
  };
  return release_.one_volume_term_suffices ? std::any_of(reach->begin(), reach->end(), holds)
                                           : std::all_of(reach->begin(), reach->end(), holds);
}

/// Whether the size, mode and attributes class of a volume suit a claim, and the volume is not being deleted.
/// Clauses: PRE-BIND-2.
bool Volumes::could_serve(const PersistentVolume& volume, const PersistentVolumeClaim& claim) const {
  const bool same_mode = mode_of(volume.volume_mode) == mode_of(claim.volume_mode);
  const bool same_attributes = volume.attributes_class == claim.attributes_class;
  return volume.storage >= claim.storage.value_or(0) && !volume.terminating &&
         (same_mode || !release_.volume_phase_and_mode_count) &&
         (same_attributes || release_.attributes_class == AttributesClass::ignored);
}

/// Whether a volume is reserved for no claim, and its phase, labels and access modes suit a claim. Clauses:
/// PRE-BIND-2.
bool Volumes::is_free(const PersistentVolume& volume, const PersistentVolumeClaim& claim) const {
  const auto selects = [&] {
    const Selector selector = Selector::of_labels(*claim.selector, query_.numbering);
    return selector.matches(numbered(volume.labels, query_.numbering), query_.tables.symbols);
  };
  return !volume.claim && (volume.phase == "Available" || !release_.volume_phase_and_mode_count) &&
         (!claim.selector || selects()) &&
         std::all_of(claim.access_modes.begin(), claim.access_modes.end(),
                     [&volume](const std::string& mode) { return contains(volume.access_modes, mode); });
}

/// Finds the volumes that each claim may take, the smallest first. Clauses: PRE-BIND-2.
void Volumes::find_takeable() {
  for (const PersistentVolumeClaim* claim : to_match_) {
    std::vector<VolumeCandidate>& takeable = takeable_.emplace_back();
    std::set<const PersistentVolume*>& free = free_.emplace_back();
    const bool has_class =
        release_.waiting_class_annotation || claim->class_name.value_or("") == claim->storage_class();
    for (const auto& [name, volume] : storage_.volumes) {
      if (!could_serve(volume, *claim)) continue;
      const VolumeCandidate each{&volume, is_kept_for(volume, *claim), is_free(volume, *claim)};
      if (each.is_free) free.insert(&volume);
      if (!has_class || volume.storage_class() != claim->storage_class()) continue;
      if (!each.is_kept && !each.is_free) continue;
      takeable.push_back(each);
      if (!reach_.contains(&volume)) reach_[&volume] = reach_of(volume.node_affinity);
    }
    std::stable_sort(takeable.begin(), takeable.end(),
                     [](const VolumeCandidate& a, const VolumeCandidate& b) {
                       return a.volume->storage < b.volume->storage;
                     });
  }
}

/// The volumes from which a claim takes one on a node: those reserved for the claim, null for one that the
/// node does not reach; or if there are none, the smallest free ones. Clauses: PRE-BIND-2.
std::vector<const PersistentVolume*> Volumes::matching(std::size_t claim, NodeIndex node,
                                                       const Taken& taken) const {
  std::vector<const PersistentVolume*> kept;
  std::vector<const PersistentVolume*> smallest;
  for (const VolumeCandidate& each : takeable_[claim]) {
    if (taken.contains(each.volume)) continue;
    const bool is_larger = !smallest.empty() && each.volume->storage > smallest.front()->storage;
    if (!each.is_kept && is_larger) continue;
    const bool is_reachable = reaches(reach_.at(each.volume), node);
    if (each.is_kept) kept.push_back(is_reachable ? each.volume : nullptr);
    if (each.is_free && is_reachable) smallest.push_back(each.volume);
  }
  return kept.empty() ? smallest : kept;
}

/// Whether the release and the driver of a claim's class limit provisioning by storage capacity. Clauses:
/// PRE-BIND-3.
bool Volumes::capacity_counts(const PersistentVolumeClaim& claim, const StorageClass& of_claim) const {
  const CsiDriver* driver = find_object(storage_.csi_drivers, of_claim.provisioner);
  return release_.storage_capacity && claim.storage && driver != nullptr && driver->storage_capacity;
}

/// The reports of enough storage for a claim on a node. Requires: capacity_counts(). Clauses: PRE-BIND-3.
std::vector<const CsiStorageCapacity*> Volumes::sufficient_reports(const PersistentVolumeClaim& claim,
                                                                   const StorageClass& of_claim,
                                                                   NodeIndex node) const {
  std::vector<const CsiStorageCapacity*> reports;
  for (const auto& [name, each] : storage_.capacities) {
    const std::optional<Quantity> most = each.maximum_volume_size ? each.maximum_volume_size : each.capacity;
    if (each.storage_class == of_claim.name && most && *most >= *claim.storage && each.node_topology &&
        Selector::of_labels(*each.node_topology, query_.numbering)
            .matches(query_.tables.nodes.facts[node].labels, query_.tables.symbols))
      reports.push_back(&each);
  }
  return reports;
}

/// Whether there is storage capacity to provision a volume for a claim on a node. Clauses: PRE-BIND-3.
bool Volumes::has_capacity(const PersistentVolumeClaim& claim, const StorageClass& of_claim,
                           NodeIndex node) const {
  return !capacity_counts(claim, of_claim) || !sufficient_reports(claim, of_claim, node).empty();
}

/// Whether a volume can be provisioned for a claim on a node. Requires: the claim waits for its pod, so that
/// its class exists. Clauses: PRE-BIND-2, PRE-BIND-3.
Volumes::Served Volumes::made_for(const PersistentVolumeClaim& claim, NodeIndex node) const {
  const StorageClass& of_claim = *find_object(storage_.classes, claim.storage_class());
  const std::vector<TopologyTerm>& terms = of_claim.allowed_topologies;
  const bool is_made = release_.volumes_are_made && !of_claim.provisioner.empty() &&
                       of_claim.provisioner != "kubernetes.io/no-provisioner";
  const bool is_allowed =
      terms.empty() || std::any_of(terms.begin(), terms.end(), [&](const TopologyTerm& term) {
        return !term.empty() && matches(term, node);
      });
  if (!is_made || !is_allowed) return Served::no_volume;
  return has_capacity(claim, of_claim, node) ? Served::all : Served::no_storage;
}

bool Volumes::is_promised_a_node(const PersistentVolumeClaim& claim) const {
  return claim.selected_node && release_.selected_node == SelectedNode::is_for_that_node;
}

bool Volumes::is_promised_elsewhere(NodeIndex node) const {
  return std::any_of(claims_.begin(), claims_.end(), [&](const PersistentVolumeClaim* claim) {
    return !is_bound(*claim) && is_promised_a_node(*claim) && *claim->selected_node != node_name(node);
  });
}

/// Whether a node satisfies the node affinity of a bound volume. Reads the affinity by the zones of the CSI
/// driver if the driver has replaced the in-tree plugin there. Requires: the volume is bound to a claim of
/// the preemptor. Clauses: PRE-BIND-1.
bool Volumes::is_reachable_if_bound(const PersistentVolume& volume, NodeIndex node) const {
  const InTreeKind* kind = disk_kind(volume.source.kind);
  const CsiNode* csi = kind == nullptr ? nullptr : csi_node(node);
  const bool by_driver = kind != nullptr && is_listed(*kind, csi) && is_migrated(*kind, csi, release_);
  return reaches(by_driver ? reach_of_drivers_.at(&volume) : reach_.at(&volume), node);
}

/// Whether a node reaches all volumes that are bound to claims of the preemptor. False if one does not exist.
/// Clauses: PRE-BIND-1, PRE-BIND-4.
bool Volumes::reaches_bound_volumes(NodeIndex node) const {
  return std::all_of(claims_.begin(), claims_.end(), [&](const PersistentVolumeClaim* claim) {
    if (!is_bound(*claim)) return true;
    const PersistentVolume* volume = volume_of(claim);
    if (volume == nullptr) return false;
    return is_reachable_if_bound(*volume, node);
  });
}

/// Of the volumes that a claim may take on a node, one of each kind. Two volumes are of one kind if they have
/// the same size, and the same later claims might take them.
std::vector<const PersistentVolume*> Volumes::distinct(const std::vector<const PersistentVolume*>& volumes,
                                                       std::size_t claim) const {
  if (volumes.size() < 2) return volumes;
  std::map<std::pair<Quantity, std::vector<bool>>, const PersistentVolume*> kinds;
  for (const PersistentVolume* volume : volumes) {
    std::vector<bool> kind = {volume != nullptr};
    for (std::size_t to_come = claim + 1; to_come < free_.size(); ++to_come)
      kind.push_back(free_[to_come].contains(volume));
    const Quantity size = volume == nullptr ? 0 : volume->storage;
    kinds.emplace(std::pair(size, std::move(kind)), volume);
  }
  std::vector<const PersistentVolume*> one_of_each;
  for (const auto& [kind, volume] : kinds) one_of_each.push_back(volume);
  return one_of_each;
}

/// `choices` takes one of several equal volumes. Clauses: PRE-BIND-2.
std::vector<const PersistentVolume*> Volumes::taken_on(NodeIndex node, Choices& choices) const {
  std::vector<const PersistentVolume*> all;
  Taken taken;
  for (std::size_t claim = 0; claim < to_match_.size(); ++claim) {
    const std::vector<const PersistentVolume*> volumes = distinct(matching(claim, node, taken), claim);
    all.push_back(volumes.empty() ? nullptr : volumes[choices.pick(volumes.size(), "PRE-BIND-2")]);
    if (all.back() != nullptr) taken.insert(all.back());
  }
  return all;
}

/// Whether all claims that take volumes find one on a node, or can have one provisioned. Clauses: PRE-BIND-2.
Volumes::Served Volumes::served_on(NodeIndex node, Choices& choices) const {
  const std::vector<const PersistentVolume*> taken = taken_on(node, choices);
  for (std::size_t claim = 0; claim < taken.size(); ++claim) {
    if (taken[claim] != nullptr) continue;
    if (const Served served = made_for(*to_match_[claim], node); served != Served::all) return served;
  }
  return Served::all;
}

/// Whether the result on a node depends on which of several equal volumes is taken. The scheduler takes one
/// at random. True also if there are more ways than k_ways_most. Requires: every unbound claim waits for its
/// pod.
bool Volumes::chance_decides_on(NodeIndex node) const {
  constexpr std::size_t k_ways_most = 1'000;
  std::set<Served> answers;
  const bool all = explore([&](Choices& choices) { answers.insert(served_on(node, choices)); }, k_ways_most);
  return answers.size() > 1 || !all;
}

/// The error that VolumeBinding returns on a node; empty: none. PRE-CLAIM-2, PRE-BIND-2, PRE-BIND-4
std::string Volumes::binding_error(NodeIndex node) const {
  if (has_unbound_immediate_)
    return release_.unbound_immediate == UnboundImmediate::errs ? std::string(release_.text_unbound) : "";
  for (const PersistentVolumeClaim* claim : claims_) {
    if (!is_bound(*claim)) continue;
    if (volume_of(claim) == nullptr && !release_.missing_volume_unresolvable)
      return "could not find v1.PersistentVolume \"" + claim->volume_name + "\"";
    if (volume_of(claim) == nullptr || !is_reachable_if_bound(*volume_of(claim), node)) break;
  }
  if (release_.attributes_class != AttributesClass::not_understood || is_promised_elsewhere(node)) return "";
  for (const PersistentVolumeClaim* claim : to_match_) {
    if (!claim->attributes_class.empty())
      return "unsupported volumeAttributesClassName is set on claim " + claim->full_name() +
             " when the feature-gate VolumeAttributesClass is disabled";
  }
  return "";
}

/// The code of VolumeBinding on a node. Computed once, since it does not depend on the pods there.
Code Volumes::binding_code(NodeIndex node) const {
  std::optional<Code>& code = binding_codes_[node];
  if (!code) code = find_binding_code(node);
  return *code;
}

Code Volumes::find_binding_code(NodeIndex node) const {
  if (binding_may_err_ && !binding_error(node).empty()) return Code::error;
  constexpr Code k_rejected = Code::unschedulable_and_unresolvable;
  if (has_unbound_immediate_ || !reaches_bound_volumes(node) || is_promised_elsewhere(node))
    return k_rejected;
  for (const PersistentVolumeClaim* claim : claims_) {
    const bool is_promised = !is_bound(*claim) && is_promised_a_node(*claim);
    if (is_promised && made_for(*claim, node) != Served::all) return k_rejected;
  }
  CanonicalChoices first;  // if it matters, the question is not handled
  return served_on(node, first) == Served::all ? Code::success : k_rejected;
}

std::vector<StorageUse> Volumes::storage_use(NodeIndex node, Choices& choices) const {
  std::vector<StorageUse> uses;
  if (!query_.has_filter(Filter::volume_binding)) return uses;
  Claims to_make;
  for (const PersistentVolumeClaim* claim : claims_) {
    if (!is_bound(*claim) && is_promised_a_node(*claim)) to_make.push_back(claim);
  }
  const std::vector<const PersistentVolume*> taken = taken_on(node, choices);
  for (std::size_t i = 0; i < taken.size(); ++i) {
    const PersistentVolumeClaim& claim = *to_match_[i];
    if (taken[i] == nullptr) {
      to_make.push_back(&claim);
    } else {
      uses.push_back({claim.storage_class(), claim.storage.value_or(0), taken[i]->storage, false});
    }
  }
  for (const PersistentVolumeClaim* claim : to_make) {
    const StorageClass& of_claim = *find_object(storage_.classes, claim->storage_class());
    if (!capacity_counts(*claim, of_claim)) continue;
    const std::vector<const CsiStorageCapacity*> reports = sufficient_reports(*claim, of_claim, node);
    const CsiStorageCapacity& report = *reports[choices.pick(reports.size(), "SCORE-CAPACITY-1")];
    uses.push_back({of_claim.name, *claim->storage, report.capacity, true});
  }
  return uses;
}

bool Volumes::storage_use_is_clear(NodeIndex node) const {
  constexpr std::size_t k_ways_most = 1'000;
  std::set<std::vector<StorageUse>> ways;
  const bool all = explore([&](Choices& choices) { ways.insert(storage_use(node, choices)); }, k_ways_most);
  return all && ways.size() == 1 &&
         std::all_of(ways.begin()->begin(), ways.begin()->end(),
                     [](const StorageUse& use) { return use.capacity.has_value(); });
}

/// Whether the zone and region labels of bound volumes suit the node. Clauses: PRE-ZONE-1, PRE-ZONE-2.
bool Volumes::is_in_zone(NodeIndex node) const {
  const NodeFacts& facts = query_.tables.nodes.facts[node];
  const auto label_of_node = [&](const std::string& key) -> const std::string* {
    const Symbol value = value_of(facts.labels, query_.tables.symbols.find(key));
    return value == k_unknown_symbol ? nullptr : &query_.tables.symbols.text(value);
  };
  std::vector<std::string> keys = {k_beta_zone, k_beta_region};
  if (release_.stable_zone_labels) keys.insert(keys.end(), {k_zone, k_region});
  if (std::none_of(keys.begin(), keys.end(), [&](const std::string& key) { return label_of_node(key); }))
    return true;
  for (const Volume& volume : *own_.volumes) {
    if (is_ephemeral(volume)) continue;
    const PersistentVolume* bound = volume_of(find_claim(storage_, own_, volume));
    for (const std::string& key : keys) {
      if (bound == nullptr || !bound->labels.contains(key)) continue;
      const std::vector<std::string> zones = parts_of(bound->labels.at(key));
      const std::string* own = label_of_node(key);
      if (own == nullptr && release_.beta_zone_label_means_stable)
        own = label_of_node(key == k_beta_zone ? k_zone : key == k_beta_region ? k_region : key);
      if (!contains(zones, "") && (own == nullptr || !contains(zones, *own))) return false;
    }
  }
  return true;
}

}  // namespace touchstone::optimized
