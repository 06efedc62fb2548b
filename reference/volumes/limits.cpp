#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "reference/filters/filters.hpp"
#include "reference/volumes/volumes.hpp"

/// NodeVolumeLimits, and up to v1.30 EBSLimits, GCEPDLimits and AzureDiskLimits: how many volumes may be
/// attached to a node.
namespace touchstone::reference {

namespace {

/// PRE-ATTACH-1: volumes as pairs of driver and handle, so that each volume counts once.
using Volumes = std::set<std::pair<std::string, std::string>>;

/// The volumes of some pods, or the error because of which they cannot be counted.
struct Counted {
  Volumes volumes;
  std::string error;
};

/// PRE-ATTACH-2: driver and handle of a volume source. No value: it does not count for a CSI driver.
std::optional<std::pair<std::string, std::string>> attached_as(const VolumeSource& source,
                                                               const std::string& zones,
                                                               const CsiNode* csi_node,
                                                               const Release& release) {
  if (source.kind == "csi" && !source.id.empty()) return {{source.driver, source.id}};
  const InTreeKind* kind = migrated_kind(source.kind);
  if (kind == nullptr || !is_migrated(*kind, csi_node, release)) return std::nullopt;
  const std::optional<std::string> handle = translated_handle(source, zones);
  if (!handle) return std::nullopt;
  return {{std::string(kind->driver), *handle}};
}

/// PRE-ATTACH-2: driver and handle of a claim without a volume, which counts for the provisioner of its
/// class. No value: it does not count.
std::optional<std::pair<std::string, std::string>> provisioned_as(const PersistentVolumeClaim& claim,
                                                                  const Storage& storage,
                                                                  const CsiNode* csi_node,
                                                                  const Release& release) {
  if (!release.csi_counts_classes) return std::nullopt;
  const StorageClass* of_claim = find(
      storage.classes, release.csi_class_annotation ? claim.storage_class() : claim.class_name.value_or(""));
  if (of_claim == nullptr || of_claim->provisioner.empty()) return std::nullopt;
  const std::string handle = "to be provisioned for " + claim.full_name();
  for (const InTreeKind& kind : k_in_tree_kinds) {
    if (kind.plugin != of_claim->provisioner) continue;
    if (!is_migrated(kind, csi_node, release)) return std::nullopt;
    return {{std::string(kind.driver), handle}};
  }
  return {{of_claim->provisioner, handle}};
}

/// PRE-ATTACH-1: removes the volumes with a handle. Up to v1.15 the handle alone identifies a volume, and the
/// volume counts for the driver that comes last.
void remove_handle(const std::string& handle, Volumes& volumes) {
  std::erase_if(volumes, [&handle](const auto& volume) { return volume.second == handle; });
}

/// PRE-ATTACH-2: adds the volumes of a pod that a CSI driver attaches.
void add_csi_volumes(const Pod& pod, const Cycle& cycle, const CsiNode* csi_node, Counted& counted) {
  const Storage& storage = cycle.cluster.storage;
  const Release& release = cycle.release;
  for (const Volume& volume : pod.volumes) {
    if (is_ephemeral(volume) && !release.limits_count_ephemeral) continue;
    std::optional<std::pair<std::string, std::string>> attached;
    if (claim_name(pod, volume).empty()) {
      if (release.csi_counts_inline_disks) attached = attached_as(volume.source, "", csi_node, release);
    } else if (const PersistentVolumeClaim* claim = find_claim(cycle, pod, volume)) {
      if (is_ephemeral(volume) && !is_made_for(*claim, pod)) {  // PRE-ATTACH-6
        counted.error = not_made_for(*claim, pod, release);
        return;
      }
      const PersistentVolume* bound = find(storage.volumes, claim->volume_name);
      attached = bound != nullptr ? attached_as(bound->source, zone_label(*bound), csi_node, release)
                                  : provisioned_as(*claim, storage, csi_node, release);
    }
    if (!attached) continue;
    if (!release.csi_volumes_by_driver) remove_handle(attached->second, counted.volumes);
    counted.volumes.insert(*attached);
  }
}

/// PRE-ATTACH-3: the limits of a node: for each driver, how many volumes may be attached.
std::map<std::string, Quantity> limits_of(const Node& node, const CsiNode* csi_node, const Release& release) {
  std::map<std::string, Quantity> limits;
  if (release.attach_limits_of_node) {
    for (const auto& [name, amount] : node.allocatable) {
      if (!name.starts_with("attachable-volumes-")) continue;
      // A limit of another kind of disk limits no driver, but with it the node has limits.
      const bool is_csi = name.starts_with(k_csi_limit_prefix);
      limits[is_csi ? name.substr(k_csi_limit_prefix.size()) : name] = amount;
    }
  }
  if (csi_node == nullptr || !release.attach_limits_of_csi_node) return limits;
  for (const auto& [driver, limit] : csi_node->limits) limits[driver] = limit;
  return limits;
}

/// PRE-ATTACH-4: the CSI volumes that VolumeAttachments hold on a node, whether or not a pod uses them.
Volumes attachments_of(const Node& node, const Storage& storage) {
  Volumes attached;
  const auto [begin, end] = storage.attachments.equal_range(node.name);
  for (auto each = begin; each != end; ++each) {
    const auto& [attacher, volume] = std::tie(each->second.attacher, each->second.volume);
    const PersistentVolume* attached_volume = find(storage.volumes, volume);
    if (attacher.empty() || attached_volume == nullptr || attached_volume->source.kind != "csi") continue;
    attached.insert({attacher, attached_volume->source.id});
  }
  return attached;
}

std::map<std::string, Quantity> by_driver(const Volumes& volumes) {
  std::map<std::string, Quantity> numbers;
  for (const auto& [driver, handle] : volumes) ++numbers[driver];
  return numbers;
}

/// PRE-ATTACH-7: the drivers of the wanted volumes that are not installed on the node, and that prevent
/// scheduling where they are missing.
std::set<std::string> missing_drivers(const Volumes& wanted, const CsiNode* csi_node, const Cycle& cycle) {
  std::set<std::string> missing;
  if (!cycle.release.missing_csi_driver_rejects) return missing;
  for (const auto& [name, handle] : wanted) {
    const CsiDriver* driver = find(cycle.cluster.storage.csi_drivers, name);
    if (driver == nullptr || !driver->prevents_scheduling_if_missing) continue;
    const bool installed =
        csi_node != nullptr &&
        std::find(csi_node->drivers.begin(), csi_node->drivers.end(), name) != csi_node->drivers.end();
    if (!installed) missing.insert(name);
  }
  return missing;
}

/// PRE-ATTACH-7: the status of a node with missing drivers. The release names one of them, by the random
/// order of a map. Requires: at least one driver.
Status not_installed(const std::set<std::string>& drivers, std::string_view plugin) {
  Status status{Code::unschedulable, plugin, {}, {}, {}};
  for (const std::string& driver : drivers) {
    status.any_reason_of.push_back(driver + " CSI driver is not installed on the node");
    status.findings.push_back({"PRE-ATTACH-7", driver, {}, {}});
  }
  status.reasons = {status.any_reason_of.front()};
  if (drivers.size() == 1) status.any_reason_of.clear();
  return status;
}

/// PRE-ATTACH-5: an in-tree kind of disk that a plugin of its own counts, on nodes where no CSI driver has
/// replaced the kind.
struct InTreeLimit {
  std::string_view plugin;
  std::string_view kind;
  std::string_view resource;  ///< allocatable resource of the node that holds the limit
  std::string_view provisioner;
  Quantity otherwise;  ///< the limit if the node has no such resource
};

std::string disk_id(const VolumeSource& source) {
  return source.kind == "azureDisk" ? source.disk_name : source.id;
}

void add_disks(const Pod& pod, const Cycle& cycle, const InTreeLimit& limit, Counted& counted) {
  const Storage& storage = cycle.cluster.storage;
  const Release& release = cycle.release;
  for (const Volume& volume : pod.volumes) {
    if (volume.source.kind == limit.kind) counted.volumes.insert({"", disk_id(volume.source)});
    if (is_ephemeral(volume) && !release.limits_count_ephemeral) continue;
    const PersistentVolumeClaim* claim = find_claim(cycle, pod, volume);
    const std::string name = claim_name(pod, volume);
    const std::pair<std::string, std::string> to_provision = {"to be provisioned", pod.ns + "/" + name};
    if (claim == nullptr) {
      if (!name.empty() && !release.missing_volumes_count_by_class) counted.volumes.insert(to_provision);
      continue;
    }
    if (is_ephemeral(volume) && !is_made_for(*claim, pod)) {  // PRE-ATTACH-6
      counted.error = not_made_for(*claim, pod, release);
      return;
    }
    const PersistentVolume* bound = find(storage.volumes, claim->volume_name);
    if (bound != nullptr) {
      if (bound->source.kind == limit.kind) counted.volumes.insert({"", disk_id(bound->source)});
      continue;
    }
    const StorageClass* of_claim = claim->class_name ? find(storage.classes, *claim->class_name) : nullptr;
    const bool is_of_class = of_claim != nullptr && of_claim->provisioner == limit.provisioner;
    if (is_of_class || !release.missing_volumes_count_by_class) counted.volumes.insert(to_provision);
  }
}

/// PRE-ATTACH-5: the default limit of AWS EBS volumes on a node: 25 on some instance types, otherwise 39.
Quantity amazon_limit(const Node& node, const Release& release) {
  const std::string beta = "beta.kubernetes.io/instance-type";
  for (const std::string& key : {beta, std::string("node.kubernetes.io/instance-type")}) {
    const auto type = node.labels.find(key);
    if (type == node.labels.end() || !release.disk_limits_of_node) continue;
    if (key != beta && !release.disk_limits_by_newer_label) continue;
    const std::string& name = type->second;
    const bool is_fifth =
        name.size() > 1 && std::string_view("cmr").find(name[0]) != std::string_view::npos && name[1] == '5';
    if (is_fifth || name.find("t3") != std::string::npos || name.find("z1d") != std::string::npos) return 25;
    return 39;
  }
  return 39;
}

Status in_tree_limit(const Cycle& cycle, const NodeState& state, const InTreeLimit& limit) {
  const std::string_view plugin = limit.plugin;
  Counted wanted;
  add_disks(cycle.pod, cycle, limit, wanted);
  if (wanted.volumes.empty()) return {};
  const CsiNode* csi_node = find(cycle.cluster.storage.csi_nodes, state.node->name);
  if (is_migrated(*migrated_kind(limit.kind), csi_node, cycle.release)) return {};
  Counted existing;
  for (const PodOnNode& other : state.pods) {
    add_disks(*other.object, cycle, limit, existing);
    if (!existing.error.empty()) return filter_error(cycle, plugin, "PRE-ATTACH-6", existing.error);
  }
  Volumes all = existing.volumes;
  all.insert(wanted.volumes.begin(), wanted.volumes.end());
  const auto named = state.node->allocatable.find(std::string(limit.resource));
  const bool is_named = named != state.node->allocatable.end() && cycle.release.disk_limits_of_node;
  const Quantity most = is_named ? named->second : limit.otherwise;
  if (static_cast<Quantity>(all.size()) <= most) return {};
  return {Code::unschedulable,
          plugin,
          {std::string(cycle.release.text_too_many_volumes)},
          {{"PRE-ATTACH-5",
            std::string(limit.kind),
            {},
            {{Measure::wanted, static_cast<Quantity>(all.size() - existing.volumes.size())},
             {Measure::attached, static_cast<Quantity>(existing.volumes.size())},
             {Measure::limit, most}}}}};
}

}  // namespace

Status ebs_limits(const Cycle& cycle, const NodeState& state) {
  return in_tree_limit(cycle, state,
                       {plugin_of(Filter::ebs_limits), "awsElasticBlockStore", "attachable-volumes-aws-ebs",
                        "kubernetes.io/aws-ebs", amazon_limit(*state.node, cycle.release)});
}

Status gce_pd_limits(const Cycle& cycle, const NodeState& state) {
  return in_tree_limit(cycle, state,
                       {plugin_of(Filter::gce_pd_limits), "gcePersistentDisk", "attachable-volumes-gce-pd",
                        "kubernetes.io/gce-pd", 16});
}

Status azure_disk_limits(const Cycle& cycle, const NodeState& state) {
  return in_tree_limit(cycle, state,
                       {plugin_of(Filter::azure_disk_limits), "azureDisk", "attachable-volumes-azure-disk",
                        "kubernetes.io/azure-disk", 16});
}

Status node_volume_limits(const Cycle& cycle, const NodeState& state) {
  const std::string_view plugin = plugin_of(Filter::node_volume_limits);
  const Storage& storage = cycle.cluster.storage;
  const CsiNode* csi_node = find(storage.csi_nodes, state.node->name);

  Counted wanted;
  add_csi_volumes(cycle.pod, cycle, csi_node, wanted);
  if (wanted.volumes.empty()) return {};
  const std::set<std::string> missing = missing_drivers(wanted.volumes, csi_node, cycle);
  if (!missing.empty()) return not_installed(missing, plugin);
  const std::map<std::string, Quantity> limits = limits_of(*state.node, csi_node, cycle.release);
  if (limits.empty()) return {};

  Counted existing;
  for (const PodOnNode& other : state.pods) {
    add_csi_volumes(*other.object, cycle, csi_node, existing);
    if (!existing.error.empty()) return filter_error(cycle, plugin, "PRE-ATTACH-6", existing.error);
  }
  Volumes added = wanted.volumes;
  for (const auto& volume : existing.volumes) {
    added.erase(volume);
    if (!cycle.release.csi_volumes_by_driver) remove_handle(volume.second, added);
  }
  Volumes attached = existing.volumes;
  if (cycle.release.attachments_count) attached.merge(attachments_of(*state.node, storage));

  std::map<std::string, Quantity> of_pods = by_driver(existing.volumes);
  std::map<std::string, Quantity> in_use = by_driver(attached);
  for (const auto& [driver, number] : by_driver(added)) {
    if (!limits.contains(driver) || in_use[driver] + number <= limits.at(driver)) continue;
    return {Code::unschedulable,
            plugin,
            {std::string(cycle.release.text_too_many_volumes)},
            {{of_pods[driver] + number <= limits.at(driver) ? "PRE-ATTACH-4" : "PRE-ATTACH-1",
              driver,
              {},
              {{Measure::wanted, number},
               {Measure::attached, in_use[driver]},
               {Measure::of_pods, of_pods[driver]},
               {Measure::limit, limits.at(driver)}}}}};
  }
  return {};
}

}  // namespace touchstone::reference
