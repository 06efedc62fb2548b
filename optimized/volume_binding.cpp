#include <algorithm>

#include "optimized/volumes.hpp"

/// VolumeBinding and VolumeZone: what nodes have to do with the preemptor's claims, whatever pods they run.
namespace touchstone::optimized {

namespace {

constexpr const char* k_zone = "topology.kubernetes.io/zone";
constexpr const char* k_region = "topology.kubernetes.io/region";
constexpr const char* k_beta_zone = "failure-domain.beta.kubernetes.io/zone";
constexpr const char* k_beta_region = "failure-domain.beta.kubernetes.io/region";

bool is_kept_for(const PersistentVolume& volume, const PersistentVolumeClaim& claim) {
  if (!volume.claim || volume.claim->ns != claim.ns || volume.claim->name != claim.name) return false;
  return volume.claim->uid.empty() || volume.claim->uid == claim.uid;
}

std::string mode_of(const std::string& text) { return text.empty() ? "Filesystem" : text; }

/// PRE-ZONE-2: the parts of a label that joins several zones by "__", without blanks around them.
std::vector<std::string> parts_of(const std::string& label) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin != std::string::npos;) {
    const std::size_t end = label.find("__", begin);
    std::string part = label.substr(begin, end == std::string::npos ? end : end - begin);
    part.erase(0, std::min(part.find_first_not_of(' '), part.size()));
    part.erase(part.find_last_not_of(' ') + 1);
    parts.push_back(std::move(part));
    begin = end == std::string::npos ? end : end + 2;
  }
  return parts;
}

bool contains(const std::vector<std::string>& texts, const std::string& text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

}  // namespace

bool Volumes::matches(const std::vector<Requirement>& requirements, NodeIndex node) const {
  return Selector::of_term(requirements, query_.numbering)
      .matches(query_.tables.nodes.facts[node].labels, query_.tables.words);
}

/// PRE-BIND-1
bool Volumes::is_reachable(const PersistentVolume& volume, NodeIndex node) const {
  if (!volume.node_affinity) return true;
  const auto holds = [&](const NodeSelectorTerm& term) {
    if (term.match_expressions.empty() && term.match_fields.empty()) return false;
    if (term.match_expressions.empty() && release_.volume_fields == VolumeFields::reject_bare_terms)
      return false;
    const bool asks_fields = release_.volume_fields == VolumeFields::held_against_none;
    const Selector fields = Selector::of_term(term.match_fields, query_.numbering);
    if (asks_fields && !fields.matches({}, query_.tables.words)) return false;
    return matches(term.match_expressions, node);
  };
  const std::vector<NodeSelectorTerm>& terms = *volume.node_affinity;
  return release_.one_volume_term_suffices ? std::any_of(terms.begin(), terms.end(), holds)
                                           : std::all_of(terms.begin(), terms.end(), holds);
}

/// PRE-BIND-2
bool Volumes::could_serve(const PersistentVolume& volume, const PersistentVolumeClaim& claim) const {
  const bool same_mode = mode_of(volume.volume_mode) == mode_of(claim.volume_mode);
  const bool same_attributes = volume.attributes_class == claim.attributes_class;
  return volume.storage >= claim.storage.value_or(0) && !volume.terminating &&
         (same_mode || !release_.volume_phase_and_mode_count) &&
         (same_attributes || release_.attributes_class == AttributesClass::ignored);
}

/// PRE-BIND-2
bool Volumes::is_available(const PersistentVolume& volume, const PersistentVolumeClaim& claim,
                           NodeIndex node) const {
  const auto selects = [&] {
    const Selector selector = Selector::of_labels(*claim.selector, query_.numbering);
    return selector.matches(numbered(volume.labels, query_.numbering), query_.tables.words);
  };
  return !volume.claim && (volume.phase == "Available" || !release_.volume_phase_and_mode_count) &&
         (!claim.selector || selects()) && is_reachable(volume, node) &&
         std::all_of(claim.access_modes.begin(), claim.access_modes.end(),
                     [&volume](const std::string& mode) { return contains(volume.access_modes, mode); });
}

/// PRE-BIND-2: a volume kept for the claim, null where that is out of reach, or the smallest volumes.
std::vector<const PersistentVolume*> Volumes::matching(const PersistentVolumeClaim& claim, NodeIndex node,
                                                       const std::set<std::string>& taken) const {
  std::vector<const PersistentVolume*> kept;
  std::vector<const PersistentVolume*> smallest;
  if (!release_.waiting_class_annotation && claim.class_name.value_or("") != claim.storage_class()) return {};
  for (const auto& [name, volume] : storage_.volumes) {
    if (volume.storage_class() != claim.storage_class() || taken.contains(name)) continue;
    if (!could_serve(volume, claim)) continue;
    if (is_kept_for(volume, claim)) kept.push_back(is_reachable(volume, node) ? &volume : nullptr);
    if (!is_available(volume, claim, node)) continue;
    if (!smallest.empty() && volume.storage < smallest.front()->storage) smallest.clear();
    if (smallest.empty() || volume.storage == smallest.front()->storage) smallest.push_back(&volume);
  }
  return kept.empty() ? smallest : kept;
}

/// PRE-BIND-3
bool Volumes::has_capacity(const PersistentVolumeClaim& claim, const StorageClass& of_claim,
                           NodeIndex node) const {
  const CsiDriver* driver = find_object(storage_.csi_drivers, of_claim.provisioner);
  if (!release_.storage_capacity || !claim.storage || driver == nullptr || !driver->storage_capacity)
    return true;
  return std::any_of(storage_.capacities.begin(), storage_.capacities.end(), [&](const auto& entry) {
    const CsiStorageCapacity& each = entry.second;
    const std::optional<Quantity> most = each.maximum_volume_size ? each.maximum_volume_size : each.capacity;
    return each.storage_class == of_claim.name && most && *most >= *claim.storage && each.node_topology &&
           Selector::of_labels(*each.node_topology, query_.numbering)
               .matches(query_.tables.nodes.facts[node].labels, query_.tables.words);
  });
}

/// PRE-BIND-3
bool Volumes::can_be_made(const PersistentVolumeClaim& claim, NodeIndex node) const {
  if (!release_.volumes_are_made) return false;
  const StorageClass& of_claim = *find_object(storage_.classes, claim.storage_class());
  const std::vector<TopologyTerm>& terms = of_claim.allowed_topologies;
  const bool is_allowed =
      terms.empty() || std::any_of(terms.begin(), terms.end(), [&](const TopologyTerm& term) {
        return !term.empty() && matches(term, node);
      });
  const bool is_made =
      !of_claim.provisioner.empty() && of_claim.provisioner != "kubernetes.io/no-provisioner";
  return is_made && is_allowed && has_capacity(claim, of_claim, node);
}

bool Volumes::is_promised_a_node(const PersistentVolumeClaim& claim) const {
  return claim.selected_node && release_.selected_node == SelectedNode::is_for_that_node;
}

/// PRE-BIND-2: the claims that take volumes, smallest first.
Volumes::Claims Volumes::to_match() const {
  Claims claims;
  for (const PersistentVolumeClaim* claim : claims_) {
    if (!is_bound(*claim) && !is_promised_a_node(*claim)) claims.push_back(claim);
  }
  std::stable_sort(claims.begin(), claims.end(), [](const auto* a, const auto* b) {
    return a->storage.value_or(0) < b->storage.value_or(0);
  });
  return claims;
}

/// PRE-BIND-1, PRE-BIND-4
bool Volumes::reaches_bound_volumes(NodeIndex node) const {
  return std::all_of(claims_.begin(), claims_.end(), [&](const PersistentVolumeClaim* claim) {
    if (!is_bound(*claim)) return true;
    const PersistentVolume* volume = find_object(storage_.volumes, claim->volume_name);
    return volume != nullptr && is_reachable(*volume, node);
  });
}

bool Volumes::binds_on(NodeIndex node) const {
  if (has_unbound_immediate() || !reaches_bound_volumes(node)) return false;
  for (const PersistentVolumeClaim* claim : claims_) {
    if (is_bound(*claim) || !is_promised_a_node(*claim)) continue;
    if (*claim->selected_node != node_name(node) || !can_be_made(*claim, node)) return false;
  }
  std::set<std::string> taken;
  for (const PersistentVolumeClaim* claim : to_match()) {
    const std::vector<const PersistentVolume*> volumes = matching(*claim, node, taken);
    const bool is_found = !volumes.empty() && volumes.front() != nullptr;
    if (is_found) taken.insert(volumes.front()->name);
    if (!is_found && !can_be_made(*claim, node)) return false;
  }
  return true;
}

/// Whether a claim may take one of several volumes there, one of which it takes at random.
bool Volumes::leaves_choice_on(NodeIndex node) const {
  if (has_unbound_immediate()) return false;
  std::set<std::string> taken;
  for (const PersistentVolumeClaim* claim : to_match()) {
    const std::vector<const PersistentVolume*> volumes = matching(*claim, node, taken);
    if (volumes.size() > 1) return true;
    if (!volumes.empty() && volumes.front() != nullptr) taken.insert(volumes.front()->name);
  }
  return false;
}

/// PRE-ZONE-1, PRE-ZONE-2
bool Volumes::is_in_zone(NodeIndex node) const {
  const NodeFacts& facts = query_.tables.nodes.facts[node];
  const auto label_of_node = [&](const std::string& key) -> const std::string* {
    const Word value = value_of(facts.labels, query_.tables.words.find(key));
    return value == k_unknown_word ? nullptr : &query_.tables.words.text(value);
  };
  std::vector<std::string> keys = {k_beta_zone, k_beta_region};
  if (release_.stable_zone_labels) keys.insert(keys.end(), {k_zone, k_region});
  if (std::none_of(keys.begin(), keys.end(), [&](const std::string& key) { return label_of_node(key); }))
    return true;
  for (const Volume& volume : *own_.volumes) {
    if (is_ephemeral(volume)) continue;
    const PersistentVolumeClaim* claim = find_claim(storage_, own_, volume);
    const PersistentVolume* bound =
        claim == nullptr ? nullptr : find_object(storage_.volumes, claim->volume_name);
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
