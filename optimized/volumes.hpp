#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "optimized/query.hpp"

namespace touchstone::optimized {

struct DiskLimit;

/// A pod whose volumes are looked at, the preemptor or one of the snapshot.
struct Mounting {
  std::string ns;
  std::string name;
  std::string uid;
  const std::vector<Volume>* volumes = nullptr;
};

/// The name of the claim that a volume means; empty: it means none. Clauses: PRE-CLAIM-1.
std::string claim_name(const Mounting& pod, const Volume& volume);
inline bool is_ephemeral(const Volume& volume) { return volume.source.kind == "ephemeral"; }

/// Whether a volume is one that some filter looks at.
bool is_filtered(const Volume& volume);

/// The object of that name; null: there is none.
template <typename Object>
const Object* find_object(const std::map<std::string, Object>& objects, const std::string& name) {
  const auto found = objects.find(name);
  return found == objects.end() ? nullptr : &found->second;
}
const PersistentVolumeClaim* find_claim(const Storage& storage, const Mounting& pod, const Volume& volume);

/// A kind of disk that was Kubernetes' own and is now a CSI driver's. Clauses: PRE-ATTACH-2.
struct DiskKind {
  std::string_view kind;
  std::string_view plugin;
  std::string_view driver;
  Migration Release::* migration;
};
const DiskKind* disk_kind(std::string_view kind);
const DiskKind* disk_kind_of_plugin(std::string_view plugin);
/// Whether the driver has taken over on a node. `csi_node` may be null.
bool is_migrated(const DiskKind& kind, const CsiNode* csi_node, const Release& release);

/// Whether the CSI driver that takes over can have such an in-line disk; others are known to all.
bool is_known_to_driver(const VolumeSource& source);

/// The filters of volumes for a preemptor that has some. What they say of a node is found out anew each time
/// it is asked: exact, and slow beside the other filters. Clauses: PRE-CLAIM-1 to PRE-CLAIM-3, PRE-DISK-1,
/// PRE-RWOP-1, PRE-RWOP-2, PRE-ATTACH-1 to PRE-ATTACH-7, PRE-BIND-1 to PRE-BIND-4, PRE-ZONE-1, PRE-ZONE-2.
class Volumes {
 public:
  /// Null where the preemptor has no volume that a filter looks at.
  static std::unique_ptr<const Volumes> made_for(const Query& query);

  const std::string& not_handled() const { return not_handled_; }
  const std::string& error() const { return error_; }  ///< PRE-CLAIM-2: what ends the attempt; empty: nothing
  bool is_rejected() const { return is_rejected_; }    ///< PRE-CLAIM-2: before any node

  /// Whether some bound pod of the node has volumes that a filter looks at.
  bool is_moved_on(NodeIndex node) const { return pods_with_volumes_.contains(node); }
  /// The bound pods of a node that have such volumes.
  std::vector<std::uint32_t> pods_on(NodeIndex node) const;

  /// What these filters say of a node while these pods with volumes are on it, nominated ones included.
  Rejections rejections(NodeIndex node, const std::vector<std::uint32_t>& pods) const;

 private:
  using Claims = std::vector<const PersistentVolumeClaim*>;
  using Attached = std::set<std::pair<std::string, std::string>>;  ///< driver and handle, each once

  explicit Volumes(const Query& query);
  Mounting mounting(std::uint32_t pod) const;
  const CsiNode* csi_node(NodeIndex node) const;
  const std::string& node_name(NodeIndex node) const;

  // Claims: volumes.cpp.
  void read_claims();
  std::string missing_claim() const;
  bool reject_before_nodes() const;
  bool is_bound(const PersistentVolumeClaim& claim) const;
  bool waits_for_consumer(const PersistentVolumeClaim& claim) const;
  bool has_unbound_immediate() const;
  std::string why_not_handled() const;
  std::string why_claims_not_handled() const;
  std::string why_pods_not_handled() const;

  // Nodes: volume_binding.cpp.
  bool matches(const std::vector<Requirement>& requirements, NodeIndex node) const;
  bool is_reachable(const PersistentVolume& volume, NodeIndex node) const;
  bool could_serve(const PersistentVolume& volume, const PersistentVolumeClaim& claim) const;
  bool is_available(const PersistentVolume& volume, const PersistentVolumeClaim& claim, NodeIndex node) const;
  std::vector<const PersistentVolume*> matching(const PersistentVolumeClaim& claim, NodeIndex node,
                                                const std::set<std::string>& taken) const;
  bool has_capacity(const PersistentVolumeClaim& claim, const StorageClass& of_claim, NodeIndex node) const;
  bool can_be_made(const PersistentVolumeClaim& claim, NodeIndex node) const;
  bool is_promised_a_node(const PersistentVolumeClaim& claim) const;
  Claims to_match() const;
  bool reaches_bound_volumes(NodeIndex node) const;
  bool binds_on(NodeIndex node) const;
  bool leaves_choice_on(NodeIndex node) const;
  bool is_in_zone(NodeIndex node) const;

  // Pods of nodes: volume_limits.cpp.
  void read_exclusive_claims();
  Quantity mentions(const std::vector<Volume>& volumes) const;
  bool conflicts(const std::vector<std::uint32_t>& pods) const;
  bool is_in_use(NodeIndex node, const std::vector<std::uint32_t>& pods) const;
  void add_attached(const Mounting& pod, const CsiNode* csi_node, Attached& attached) const;
  void add_disks(const Mounting& pod, const DiskLimit& limit, Attached& disks) const;
  bool exceeds_csi(NodeIndex node, const std::vector<std::uint32_t>& pods) const;
  bool exceeds_disks(NodeIndex node, const std::vector<std::uint32_t>& pods, Filter filter) const;

  const Query& query_;
  const Release& release_;
  const Storage& storage_;
  Mounting own_;
  std::string not_handled_;
  std::string error_;
  bool is_rejected_ = false;
  Claims claims_;  ///< of the preemptor, those that are there
  std::map<NodeIndex, std::vector<std::uint32_t>> pods_with_volumes_;
  std::set<std::string> exclusive_;    ///< PRE-RWOP-1: names of claims that one pod alone may use
  Quantity exclusive_in_use_ = 0;      ///< how many of them some pod of the namespace uses
  bool restrictions_skipped_ = false;  ///< PRE-RWOP-2
};

}  // namespace touchstone::optimized
