#include <algorithm>

#include "reference/filters/filters.hpp"
#include "reference/volumes/volumes.hpp"

/// VolumeZone: whether a node is in the zone and region that the labels of bound volumes name.
namespace touchstone::reference {

namespace {

/// PRE-ZONE-1: the keys of the labels that the release compares.
std::vector<std::string> keys(const Release& release) {
  if (!release.stable_zone_labels) return {k_beta_zone, k_beta_region};
  return {k_beta_zone, k_beta_region, k_zone, k_region};
}

std::string newer(const std::string& key) {
  if (key == k_beta_zone) return k_zone;
  return key == k_beta_region ? k_region : key;
}

/// PRE-ZONE-1, PRE-ZONE-2: whether a node has one of the values of a volume's label. A label with an empty
/// part does not count: every node agrees.
bool agrees(const Node& node, const std::string& key, const std::string& label, const Release& release) {
  const std::vector<std::string> zones = zones_in(label);
  const auto has = [&zones](const std::string& zone) {
    return std::find(zones.begin(), zones.end(), zone) != zones.end();
  };
  if (has("")) return true;
  auto own = node.labels.find(key);
  if (own == node.labels.end() && release.beta_zone_label_means_stable) own = node.labels.find(newer(key));
  return own != node.labels.end() && has(own->second);
}

/// The volumes that the preemptor's claims are bound to, without claims of generic ephemeral volumes.
/// Requires: the claims and volumes exist. VolumeBinding, which runs before, has checked this; for v1.8 and
/// v1.9, not_modelled() has.
std::vector<const PersistentVolume*> bound_volumes(const Cycle& cycle) {
  std::vector<const PersistentVolume*> bound;
  const Storage& storage = cycle.cluster.storage;
  for (const Volume& volume : cycle.pod.volumes) {
    if (volume.source.kind != "persistentVolumeClaim") continue;
    const PersistentVolumeClaim* claim = find_claim(cycle, cycle.pod, volume);
    if (!claim->volume_name.empty()) bound.push_back(find(storage.volumes, claim->volume_name));
  }
  return bound;
}

}  // namespace

ClaimRejection zone_rejection(const Cycle& cycle) {
  const Storage& storage = cycle.cluster.storage;
  for (const Volume& volume : cycle.pod.volumes) {
    if (!cycle.release.zone_asks_for_volumes || volume.source.kind != "persistentVolumeClaim") continue;
    const PersistentVolumeClaim* claim = find_claim(cycle, cycle.pod, volume);
    if (claim->volume_name.empty() || find(storage.volumes, claim->volume_name) != nullptr) continue;
    const std::string reason = "persistentvolume \"" + claim->volume_name + "\" not found";
    return {plugin_of(Filter::volume_zone), reason, reason};
  }
  return {};
}

Status volume_zone(const Cycle& cycle, const NodeState& state) {
  const Node& node = *state.node;
  const std::vector<std::string> compared = keys(cycle.release);
  const bool is_somewhere = std::any_of(compared.begin(), compared.end(), [&node](const std::string& key) {
    return node.labels.contains(key);
  });
  if (!is_somewhere) return {};
  for (const PersistentVolume* volume : bound_volumes(cycle)) {
    for (const std::string& key : compared) {
      const auto label = volume->labels.find(key);
      if (label == volume->labels.end() || agrees(node, key, label->second, cycle.release)) continue;
      return {cycle.release.zone_unresolvable ? Code::unschedulable_and_unresolvable : Code::unschedulable,
              plugin_of(Filter::volume_zone),
              {std::string(cycle.release.text_no_zone)},
              {{"PRE-ZONE-1", "volume " + volume->name + " is in " + key + "=" + label->second, {}, {}}}};
    }
  }
  return {};
}

}  // namespace touchstone::reference
