#include <algorithm>
#include <cctype>

#include "optimized/volumes.hpp"

/// VolumeRestrictions, NodeVolumeLimits and, up to v1.30, the limits of disks that were Kubernetes' own: what
/// the volumes of a node's pods have to do with those of the preemptor.
namespace touchstone::optimized {

/// PRE-ATTACH-5: a kind of disk, and how many of it a node takes.
struct DiskLimit {
  std::string_view kind;
  std::string_view resource;
  std::string_view provisioner;
  Quantity otherwise = 0;  ///< where the node does not say
};

namespace {

std::size_t dashes_in(const std::string& zone) {
  return static_cast<std::size_t>(std::count(zone.begin(), zone.end(), '-'));
}

/// The handle of a disk of Google's cloud; nothing where its zones are not of one region.
std::optional<std::string> google_handle(const std::string& disk, const std::string& label) {
  if (label.find("__") == std::string::npos) {
    const std::string zone = label.empty() ? "UNSPECIFIED" : label;
    return "projects/UNSPECIFIED/zones/" + zone + "/disks/" + disk;
  }
  std::set<std::string> regions;
  for (std::size_t begin = 0; begin != std::string::npos;) {
    const std::size_t end = label.find("__", begin);
    const std::string zone = label.substr(begin, end == std::string::npos ? end : end - begin);
    regions.insert(dashes_in(zone) == 2 ? zone.substr(0, zone.rfind('-')) : "");
    begin = end == std::string::npos ? end : end + 2;
  }
  if (regions.size() != 1 || regions.begin()->empty()) return std::nullopt;
  return "projects/UNSPECIFIED/regions/" + *regions.begin() + "/disks/" + disk;
}

/// The handle of a volume of Amazon's cloud, which may be written aws://ZONE/vol-ID.
std::optional<std::string> amazon_handle(const std::string& id) {
  constexpr std::string_view k_scheme = "aws://";
  if (!id.starts_with(k_scheme)) return id;
  const std::size_t slash = id.find('/', k_scheme.size());
  if (slash == std::string::npos) return std::nullopt;
  std::string handle = id.substr(slash);
  handle.erase(0, std::min(handle.find_first_not_of('/'), handle.size()));
  handle.erase(handle.find_last_not_of('/') + 1);
  if (!handle.starts_with("vol-") || handle.find('/') != std::string::npos) return std::nullopt;
  return handle;
}

/// Of Azure's disks only managed ones have a driver; letters count as capitals.
bool is_managed(const VolumeSource& disk) {
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  return disk.disk_kind.empty() || std::ranges::equal(disk.disk_kind, std::string_view("managed"), same);
}

std::optional<std::string> handle_of(const VolumeSource& source, const std::string& zones) {
  if (source.kind == "azureDisk" && !is_managed(source)) return std::nullopt;
  if (source.kind == "gcePersistentDisk") return google_handle(source.id, zones);
  return source.kind == "awsElasticBlockStore" ? amazon_handle(source.id) : source.id;
}

std::string zones_of(const PersistentVolume& volume) {
  for (const char* key : {"failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone"}) {
    const auto label = volume.labels.find(key);
    if (label != volume.labels.end() && !label->second.empty()) return label->second;
  }
  return "";
}

using DriverAndHandle = std::optional<std::pair<std::string, std::string>>;

/// PRE-ATTACH-2
DriverAndHandle attached_as(const VolumeSource& source, const std::string& zones, const CsiNode* csi_node,
                            const Release& release) {
  if (source.kind == "csi" && !source.id.empty()) return {{source.driver, source.id}};
  const DiskKind* kind = disk_kind(source.kind);
  if (kind == nullptr || !is_migrated(*kind, csi_node, release)) return std::nullopt;
  const std::optional<std::string> handle = handle_of(source, zones);
  if (!handle) return std::nullopt;
  return {{std::string(kind->driver), *handle}};
}

/// PRE-ATTACH-2: of a claim without a volume.
DriverAndHandle provisioned_as(const PersistentVolumeClaim& claim, const Storage& storage,
                               const CsiNode* csi_node, const Release& release) {
  if (!release.csi_counts_classes) return std::nullopt;
  const std::string name =
      release.csi_class_annotation ? claim.storage_class() : claim.class_name.value_or("");
  const StorageClass* of_claim = find_object(storage.classes, name);
  if (of_claim == nullptr || of_claim->provisioner.empty()) return std::nullopt;
  const DiskKind* kind = disk_kind_of_plugin(of_claim->provisioner);
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

/// PRE-DISK-1
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

/// PRE-ATTACH-5: machines of some types take fewer disks.
Quantity amazon_limit(const NodeFacts& facts, const Words& words, const Release& release) {
  constexpr Quantity k_most = 39;
  constexpr Quantity k_most_of_newer_types = 25;
  if (!release.disk_limits_of_node) return k_most;
  Word type = value_of(facts.labels, words.find("beta.kubernetes.io/instance-type"));
  if (type == k_unknown_word && release.disk_limits_by_newer_label)
    type = value_of(facts.labels, words.find("node.kubernetes.io/instance-type"));
  if (type == k_unknown_word) return k_most;
  const std::string& name = words.text(type);
  const bool is_fifth =
      name.size() > 1 && (name[0] == 'c' || name[0] == 'm' || name[0] == 'r') && name[1] == '5';
  const bool is_newer =
      is_fifth || name.find("t3") != std::string::npos || name.find("z1d") != std::string::npos;
  return is_newer ? k_most_of_newer_types : k_most;
}

}  // namespace

void Volumes::read_exclusive_claims() {
  for (const Volume& volume : *own_.volumes) {
    if (!release_.claims_for_one_pod || volume.source.kind != "persistentVolumeClaim") continue;
    const PersistentVolumeClaim* claim = find_claim(storage_, own_, volume);
    const std::vector<std::string>& modes = claim->access_modes;
    if (std::find(modes.begin(), modes.end(), "ReadWriteOncePod") != modes.end())
      exclusive_.insert(claim->name);
  }
  std::set<std::string> in_use;
  for (const auto& [node, pods] : pods_with_volumes_) {
    for (const std::uint32_t pod : pods) {
      if (query_.tables.names.ns(pod) != query_.ns) continue;
      for (const Volume& volume : query_.tables.volumes_of_pods.at(pod)) {
        if (volume.source.kind == "persistentVolumeClaim" && exclusive_.contains(volume.source.id))
          in_use.insert(volume.source.id);
      }
    }
  }
  exclusive_in_use_ = static_cast<Quantity>(in_use.size());
  restrictions_skipped_ = release_.restrictions_may_be_skipped && exclusive_in_use_ == 0 &&
                          std::none_of(own_.volumes->begin(), own_.volumes->end(), is_restricted);
}

/// PRE-RWOP-1: the namespace is not compared.
Quantity Volumes::mentions(const std::vector<Volume>& volumes) const {
  return static_cast<Quantity>(std::count_if(volumes.begin(), volumes.end(), [this](const Volume& volume) {
    return volume.source.kind == "persistentVolumeClaim" && exclusive_.contains(volume.source.id);
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

/// PRE-ATTACH-1, PRE-ATTACH-2
void Volumes::add_attached(const Mounting& pod, const CsiNode* csi_node, Attached& attached) const {
  for (const Volume& volume : *pod.volumes) {
    if (is_ephemeral(volume) && !release_.limits_count_ephemeral) continue;
    DriverAndHandle one;
    if (claim_name(pod, volume).empty()) {
      if (release_.csi_counts_inline_disks && volume.source.kind != "csi")
        one = attached_as(volume.source, "", csi_node, release_);
    } else if (const PersistentVolumeClaim* claim = find_claim(storage_, pod, volume)) {
      const PersistentVolume* bound = find_object(storage_.volumes, claim->volume_name);
      one = bound != nullptr ? attached_as(bound->source, zones_of(*bound), csi_node, release_)
                             : provisioned_as(*claim, storage_, csi_node, release_);
    }
    if (!one) continue;
    // Up to v1.15 a handle alone makes a volume, of the driver that comes last.
    if (!release_.csi_volumes_by_driver)
      std::erase_if(attached, [&one](const auto& other) { return other.second == one->second; });
    attached.insert(*one);
  }
}

/// PRE-ATTACH-1, PRE-ATTACH-3, PRE-ATTACH-4, PRE-ATTACH-7
bool is_known_to_driver(const VolumeSource& source) { return handle_of(source, "").has_value(); }

bool Volumes::exceeds_csi(NodeIndex node, const std::vector<std::uint32_t>& pods) const {
  const CsiNode* csi = csi_node(node);
  Attached wanted;
  add_attached(own_, csi, wanted);
  if (wanted.empty()) return false;
  for (const auto& [name, handle] : wanted) {
    const CsiDriver* driver = find_object(storage_.csi_drivers, name);
    const bool is_installed =
        csi != nullptr && std::find(csi->drivers.begin(), csi->drivers.end(), name) != csi->drivers.end();
    if (release_.missing_csi_driver_rejects && driver != nullptr && driver->prevents_scheduling_if_missing &&
        !is_installed)
      return true;
  }
  std::map<std::string, Quantity> limits;
  constexpr std::string_view k_prefix = "attachable-volumes-csi-";
  for (const Amount& amount : query_.tables.nodes.facts[node].allocatable) {
    const std::string& name = query_.tables.words.text(amount.resource);
    if (release_.attach_limits_of_node && name.starts_with(k_prefix))
      limits[name.substr(k_prefix.size())] = amount.amount;
  }
  if (csi != nullptr && release_.attach_limits_of_csi_node) {
    for (const auto& [driver, limit] : csi->limits) limits[driver] = limit;
  }
  if (limits.empty()) return false;

  Attached in_use;
  for (const std::uint32_t pod : pods) add_attached(mounting(pod), csi, in_use);
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
  return std::any_of(limits.begin(), limits.end(), [&](const auto& limit) {
    const auto of_driver = [&limit](const auto& volume) { return volume.first == limit.first; };
    const Quantity comes = std::count_if(wanted.begin(), wanted.end(), of_driver);
    return comes > 0 && std::count_if(in_use.begin(), in_use.end(), of_driver) + comes > limit.second;
  });
}

/// PRE-ATTACH-5
void Volumes::add_disks(const Mounting& pod, const DiskLimit& limit, Attached& disks) const {
  for (const Volume& volume : *pod.volumes) {
    if (volume.source.kind == limit.kind) disks.insert({"", disk_id(volume.source)});
    const std::string name = claim_name(pod, volume);
    if (name.empty() || (is_ephemeral(volume) && !release_.limits_count_ephemeral)) continue;
    const PersistentVolumeClaim* claim = find_claim(storage_, pod, volume);
    const PersistentVolume* bound =
        claim == nullptr ? nullptr : find_object(storage_.volumes, claim->volume_name);
    if (bound != nullptr) {
      if (bound->source.kind == limit.kind) disks.insert({"", disk_id(bound->source)});
      continue;
    }
    const StorageClass* of_claim =
        claim != nullptr && claim->class_name ? find_object(storage_.classes, *claim->class_name) : nullptr;
    const bool is_of_class = of_claim != nullptr && of_claim->provisioner == limit.provisioner;
    if (is_of_class || !release_.missing_volumes_count_by_class)
      disks.insert({"to be provisioned", pod.ns + "/" + name});
  }
}

bool Volumes::exceeds_disks(NodeIndex node, const std::vector<std::uint32_t>& pods, Filter filter) const {
  const NodeFacts& facts = query_.tables.nodes.facts[node];
  const Words& words = query_.tables.words;
  constexpr Quantity k_most = 16;
  DiskLimit limit{"azureDisk", "attachable-volumes-azure-disk", "kubernetes.io/azure-disk", k_most};
  if (filter == Filter::ebs_limits)
    limit = {"awsElasticBlockStore", "attachable-volumes-aws-ebs", "kubernetes.io/aws-ebs",
             amazon_limit(facts, words, release_)};
  if (filter == Filter::gce_pd_limits)
    limit = {"gcePersistentDisk", "attachable-volumes-gce-pd", "kubernetes.io/gce-pd", k_most};

  Attached all;
  add_disks(own_, limit, all);
  if (all.empty() || is_migrated(*disk_kind(limit.kind), csi_node(node), release_)) return false;
  for (const std::uint32_t pod : pods) add_disks(mounting(pod), limit, all);
  Quantity most = limit.otherwise;
  for (const Amount& amount : facts.allocatable) {
    if (release_.disk_limits_of_node && words.text(amount.resource) == limit.resource) most = amount.amount;
  }
  return static_cast<Quantity>(all.size()) > most;
}

}  // namespace touchstone::optimized
