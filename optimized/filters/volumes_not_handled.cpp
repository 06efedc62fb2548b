#include <algorithm>

#include "optimized/filters/volumes.hpp"

/// Questions about volumes that no engine answers, for example because a release decides at random.
namespace touchstone::optimized {

/// A reason if a claim has no volume. v1.8 and v1.9 err on such a claim, or count it at random. Empty: all
/// have.
std::string Volumes::claim_without_volume() const {
  const auto lacks_volume = [this](const PodVolumes& pod) {
    return std::any_of(pod.volumes->begin(), pod.volumes->end(), [&](const Volume& volume) {
      return is_claim(volume) && volume_of(find_claim(storage_, pod, volume)) == nullptr;
    });
  };
  bool found = lacks_volume(own_);
  for (const auto& [pod, volumes] : query_.tables.volumes_of_pods)
    found = found || lacks_volume(volumes_of(pod));
  return found ? "volumes: a claim has no volume" : "";
}

/// A reason if a CSI driver has replaced the in-tree plugin of a disk, but cannot have this disk. Filters err
/// on it.
std::string Volumes::disk_without_driver() const {
  const auto cannot = [this](const VolumeSource& source, const std::string& zones, bool where_listed) {
    const InTreeKind* kind = disk_kind(source.kind);
    if (kind == nullptr || handle_of(source, zones)) return false;
    return std::any_of(storage_.csi_nodes.begin(), storage_.csi_nodes.end(), [&](const auto& entry) {
      return is_migrated(*kind, &entry.second, release_) &&
             (!where_listed || is_listed(*kind, &entry.second));
    });
  };
  const auto some_cannot = [&cannot](const std::vector<Volume>& volumes) {
    return std::any_of(volumes.begin(), volumes.end(),
                       [&cannot](const Volume& volume) { return cannot(volume.source, "", false); });
  };
  bool found = some_cannot(*own_.volumes);
  for (const auto& [pod, volumes] : query_.tables.volumes_of_pods) found = found || some_cannot(volumes);
  for (const Volume& volume : *own_.volumes) {
    const PersistentVolume* bound = volume_of(find_claim(storage_, own_, volume));
    found = found || (bound != nullptr && cannot(bound->source, zones_of(*bound), true));
  }
  return found ? "volumes: a disk that its CSI driver cannot have" : "";
}

/// A reason if the name of a limit has a digest in place of a driver's name that was too long.
std::string Volumes::shortened_limit() const {
  constexpr std::size_t k_bytes = 23 + 23 + 16;  // bytes of prefix, first part of the name, and digest
  const Tables& tables = query_.tables;
  for (NodeIndex node = 0; node < tables.nodes.size() && release_.attach_limits_of_node; ++node) {
    if (tables.nodes.is_gone(node)) continue;
    for (const Amount& amount : tables.nodes.facts[node].allocatable) {
      const std::string& name = tables.symbols.text(amount.resource);
      if (name.size() == k_bytes && name.starts_with(k_csi_limit_prefix))
        return "NodeVolumeLimits: the limit " + name + " has a shortened name";
    }
  }
  return "";
}

std::string Volumes::not_handled() const {
  if (release_.missing_claim == MissingClaim::not_looked_for) return claim_without_volume();
  if (std::string disk = disk_without_driver(); !disk.empty()) return disk;
  if (std::string limit = shortened_limit(); !limit.empty()) return limit;
  const auto has_choice = [](const std::vector<VolumeCandidate>& volumes) { return volumes.size() > 1; };
  if (binding_rejects_ || has_unbound_immediate_) return "";
  if (std::none_of(takeable_.begin(), takeable_.end(), has_choice)) return "";
  for (NodeIndex node = 0; node < query_.tables.nodes.size(); ++node) {
    if (!query_.tables.nodes.is_gone(node) && chance_decides_on(node))
      return "VolumeBinding: of volumes of one size one is taken at random, and it matters which";
  }
  return "";
}

}  // namespace touchstone::optimized
