#include <algorithm>

#include "optimized/filters/volumes.hpp"

/// VolumeRestrictions, NodeVolumeLimits and, up to v1.30, the limits of in-tree disks. They compare the
/// preemptor's volumes with those of the pods on a node.
namespace touchstone::optimized {

/// A kind of disk, and how many such disks a node takes. Clauses: PRE-ATTACH-5.
struct DiskLimit {
  std::string_view kind;
  std::string_view resource;
  std::string_view provisioner;
  Quantity otherwise = 0;  ///< if the node states no limit
};

namespace {

/// The driver and handle by which a claim without a volume counts. Clauses: PRE-ATTACH-2.
DriverAndHandle provisioned_as(const PersistentVolumeClaim& claim, const Storage& storage,
                               const CsiNode* csi_node, const Release& release) {
  if (!release.csi_counts_classes) return std::nullopt;
  const std::string name =
      release.csi_class_annotation ? claim.storage_class() : claim.class_name.value_or("");
  const StorageClass* of_claim = find_object(storage.classes, name);
  if (of_claim == nullptr || of_claim->provisioner.empty()) return std::nullopt;
  const InTreeKind* kind = disk_kind_of_plugin(of_claim->provisioner);
  if (kind != nullptr && !is_migrated(*kind, csi_node, release)) return std::nullopt;
  return {{kind != nullptr ? std::string(kind->driver) : of_claim->provisioner,
           "to be provisioned for " + claim.full_name()}};
}

std::string disk_id(const VolumeSource& source) {
  return source.kind == "azureDisk" ? source.disk_name : source.id;
}

bool is_restricted(const Volume& volume) {
  const std::string& kind = volume.source.kind;
  return kind == "gcePersistentDisk" || kind == "awsElasticBlockStore" || kind == "iscsi" || kind == "rbd";
}

/// Whether two volumes are the same in-line disk, which a node cannot take twice. Clauses: PRE-DISK-1.
bool conflict(const VolumeSource& own, const VolumeSource& other, const Release& release) {
  if (own.kind != other.kind || own.id != other.id) return false;
  if (own.kind == "awsElasticBlockStore") return true;
  if (own.read_only && other.read_only) return false;
  if (own.kind == "gcePersistentDisk" || own.kind == "iscsi") return true;
  if (own.kind != "rbd" || own.pool != other.pool) return false;
  const std::set<std::string> distinct(other.monitors.begin(), other.monitors.end());
  if (release.rbd_monitors_by_occurrence && distinct.size() < other.monitors.size()) return true;
  return std::any_of(own.monitors.begin(), own.monitors.end(),
                     [&distinct](const std::string& monitor) { return distinct.contains(monitor); });
}

/// How many EBS disks a node takes; some machine types take fewer. Clauses: PRE-ATTACH-5.
Quantity amazon_limit(const NodeFacts& facts, const Symbols& symbols, const Release& release) {
  constexpr Quantity k_most = 39;
  constexpr Quantity k_most_of_newer_types = 25;
  if (!release.disk_limits_of_node) return k_most;
  Symbol type = value_of(facts.labels, symbols.find("beta.kubernetes.io/instance-type"));
  if (type == k_unknown_symbol && release.disk_limits_by_newer_label)
    type = value_of(facts.labels, symbols.find("node.kubernetes.io/instance-type"));
  if (type == k_unknown_symbol) return k_most;
  const std::string& name = symbols.text(type);
  const bool is_fifth =
      name.size() > 1 && (name[0] == 'c' || name[0] == 'm' || name[0] == 'r') && name[1] == '5';
  const bool is_newer =
      is_fifth || name.find("t3") != std::string::npos || name.find("z1d") != std::string::npos;
  return is_newer ? k_most_of_newer_types : k_most;
}

}  // namespace

void Volumes::read_exclusive_claims() {
  for (const Volume& volume : *own_.volumes) {
    if (!release_.claims_for_one_pod || !is_claim(volume)) continue;
    const PersistentVolumeClaim* claim = find_claim(storage_, own_, volume);
    if (claim == nullptr) continue;
    const std::vector<std::string>& modes = claim->access_modes;
    if (std::find(modes.begin(), modes.end(), "ReadWriteOncePod") != modes.end())
      exclusive_.insert(claim->name);
  }
  std::set<std::string> in_use;
  for (const auto& [node, pods] : pods_with_volumes_) {
    for (const std::uint32_t pod : pods) {
      if (query_.tables.names.ns(pod) != query_.ns) continue;
      for (const Volume& volume : query_.tables.volumes_of_pods.at(pod)) {
        if (is_claim(volume) && exclusive_.contains(volume.source.id)) in_use.insert(volume.source.id);
      }
    }
  }
  exclusive_in_use_ = static_cast<Quantity>(in_use.size());
  restrictions_skipped_ = release_.restrictions_may_be_skipped && exclusive_in_use_ == 0 &&
                          std::none_of(own_.volumes->begin(), own_.volumes->end(), is_restricted);
}

/// How many volumes name an exclusive claim. The namespace is not compared. Clauses: PRE-RWOP-1.
Quantity Volumes::mentions(const std::vector<Volume>& volumes) const {
  return static_cast<Quantity>(std::count_if(volumes.begin(), volumes.end(), [this](const Volume& volume) {
    return is_claim(volume) && exclusive_.contains(volume.source.id);
  }));
}

bool Volumes::is_in_use(NodeIndex node, const std::vector<std::uint32_t>& pods) const {
  if (restrictions_skipped_ || exclusive_.empty()) return false;
  Quantity account = exclusive_in_use_;
  for (const std::uint32_t pod : pods_on(node)) account -= mentions(query_.tables.volumes_of_pods.at(pod));
  for (const std::uint32_t pod : pods) account += mentions(query_.tables.volumes_of_pods.at(pod));
  return account > 0;
}

bool Volumes::conflicts(const std::vector<std::uint32_t>& pods) const {
  for (const std::uint32_t pod : pods) {
    for (const Volume& theirs : query_.tables.volumes_of_pods.at(pod)) {
      for (const Volume& own : *own_.volumes) {
        if (conflict(own.source, theirs.source, release_)) return true;
      }
    }
  }
  return false;
}

bool Volumes::some_made_for_another(const std::vector<std::uint32_t>& pods) const {
  return !made_for_another_.empty() && std::any_of(pods.begin(), pods.end(), [this](std::uint32_t pod) {
    return made_for_another_.contains(pod);
  });
}

/// Adds the volumes of a pod that CSI drivers attach on the node. Clauses: PRE-ATTACH-1, PRE-ATTACH-2.
void Volumes::add_attached(const PodVolumes& pod, const CsiNode* csi_node, Attached& attached) const {
  for (const Volume& volume : *pod.volumes) {
    if (is_ephemeral(volume) && !release_.limits_count_ephemeral) continue;
    DriverAndHandle one;
    if (claim_name(pod, volume).empty()) {
      if (release_.csi_counts_inline_disks) one = attached_as(volume.source, "", csi_node, release_);
    } else if (const PersistentVolumeClaim* claim = find_claim(storage_, pod, volume)) {
      const PersistentVolume* bound = volume_of(claim);
      one = bound != nullptr ? attached_as(bound->source, zones_of(*bound), csi_node, release_)
                             : provisioned_as(*claim, storage_, csi_node, release_);
    }
    if (!one) continue;
    // Up to v1.15 the handle alone identifies a volume, which counts for the driver that comes last.
    if (!release_.csi_volumes_by_driver)
      std::erase_if(attached, [&one](const auto& other) { return other.second == one->second; });
    attached.insert(*one);
  }
}

/// The code of NodeVolumeLimits on a node with these pods. Clauses: PRE-ATTACH-1, PRE-ATTACH-3, PRE-ATTACH-4,
/// PRE-ATTACH-7.
Code Volumes::csi_code(NodeIndex node, const std::vector<std::uint32_t>& pods) const {
  const CsiNode* csi = csi_node(node);
  Attached wanted;
  add_attached(own_, csi, wanted);
  if (wanted.empty()) return Code::success;
  for (const auto& [name, handle] : wanted) {
    const CsiDriver* driver = find_object(storage_.csi_drivers, name);
    const bool is_installed =
        csi != nullptr && std::find(csi->drivers.begin(), csi->drivers.end(), name) != csi->drivers.end();
    if (release_.missing_csi_driver_rejects && driver != nullptr && driver->prevents_scheduling_if_missing &&
        !is_installed)
      return Code::unschedulable;
  }
  std::map<std::string, Quantity> limits;
  for (const Amount& amount : query_.tables.nodes.facts[node].allocatable) {
    const std::string& name = query_.tables.symbols.text(amount.resource);
    if (!release_.attach_limits_of_node || !name.starts_with("attachable-volumes-")) continue;
    // A limit of another kind of disk limits no driver, but counts as a limit that the node has.
    const bool is_csi = name.starts_with(k_csi_limit_prefix);
    limits[is_csi ? name.substr(k_csi_limit_prefix.size()) : name] = amount.amount;
  }
  if (csi != nullptr && release_.attach_limits_of_csi_node) {
    for (const auto& [driver, limit] : csi->limits) limits[driver] = limit;
  }
  if (limits.empty()) return Code::success;
  if (some_made_for_another(pods)) return Code::error;

  Attached in_use;
  for (const std::uint32_t pod : pods) add_attached(volumes_of(pod), csi, in_use);
  for (const auto& volume : in_use) {
    wanted.erase(volume);
    if (!release_.csi_volumes_by_driver)
      std::erase_if(wanted, [&volume](const auto& other) { return other.second == volume.second; });
  }
  const auto [begin, end] = storage_.attachments.equal_range(node_name(node));
  for (auto each = begin; each != end && release_.attachments_count; ++each) {
    const PersistentVolume* attached = find_object(storage_.volumes, each->second.volume);
    if (!each->second.attacher.empty() && attached != nullptr && attached->source.kind == "csi")
      in_use.insert({each->second.attacher, attached->source.id});
  }
  const bool exceeds = std::any_of(limits.begin(), limits.end(), [&](const auto& limit) {
    const auto of_driver = [&limit](const auto& volume) { return volume.first == limit.first; };
    const Quantity comes = std::count_if(wanted.begin(), wanted.end(), of_driver);
    return comes > 0 && std::count_if(in_use.begin(), in_use.end(), of_driver) + comes > limit.second;
  });
  return exceeds ? Code::unschedulable : Code::success;
}

/// Adds the disks of a pod that are of the limited kind. Clauses: PRE-ATTACH-5.
void Volumes::add_disks(const PodVolumes& pod, const DiskLimit& limit, Attached& disks) const {
  for (const Volume& volume : *pod.volumes) {
    if (volume.source.kind == limit.kind) disks.insert({"", disk_id(volume.source)});
    const std::string name = claim_name(pod, volume);
    if (name.empty() || (is_ephemeral(volume) && !release_.limits_count_ephemeral)) continue;
    const PersistentVolumeClaim* claim = find_claim(storage_, pod, volume);
    const PersistentVolume* bound = volume_of(claim);
    if (bound != nullptr) {
      if (bound->source.kind == limit.kind) disks.insert({"", disk_id(bound->source)});
      continue;
    }
    const StorageClass* of_claim =
        claim == nullptr ? nullptr : find_object(storage_.classes, claim->class_name.value_or(""));
    const bool is_of_class = of_claim != nullptr && of_claim->provisioner == limit.provisioner;
    if (is_of_class || !release_.missing_volumes_count_by_class)
      disks.insert({"to be provisioned", pod.ns + "/" + name});
  }
}

Code Volumes::disks_code(NodeIndex node, const std::vector<std::uint32_t>& pods, Filter filter) const {
  const NodeFacts& facts = query_.tables.nodes.facts[node];
  const Symbols& symbols = query_.tables.symbols;
  constexpr Quantity k_most = 16;
  DiskLimit limit{"azureDisk", "attachable-volumes-azure-disk", "kubernetes.io/azure-disk", k_most};
  if (filter == Filter::ebs_limits)
    limit = {"awsElasticBlockStore", "attachable-volumes-aws-ebs", "kubernetes.io/aws-ebs",
             amazon_limit(facts, symbols, release_)};
  if (filter == Filter::gce_pd_limits)
    limit = {"gcePersistentDisk", "attachable-volumes-gce-pd", "kubernetes.io/gce-pd", k_most};

  Attached all;
  add_disks(own_, limit, all);
  if (all.empty() || is_migrated(*disk_kind(limit.kind), csi_node(node), release_)) return Code::success;
  if (some_made_for_another(pods)) return Code::error;
  for (const std::uint32_t pod : pods) add_disks(volumes_of(pod), limit, all);
  Quantity most = limit.otherwise;
  for (const Amount& amount : facts.allocatable) {
    if (release_.disk_limits_of_node && symbols.text(amount.resource) == limit.resource) most = amount.amount;
  }
  return static_cast<Quantity>(all.size()) > most ? Code::unschedulable : Code::success;
}

}  // namespace touchstone::optimized
