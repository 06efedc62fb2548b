#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "optimized/filters/pins.hpp"
#include "optimized/search/query.hpp"
#include "optimized/store/disks.hpp"
#include "spec/vocabulary/choices.hpp"

namespace touchstone::optimized {

struct DiskLimit;

/// A pod as the filters of volumes see it: the preemptor or a pod of the snapshot.
struct PodVolumes {
  std::string ns;
  std::string name;
  std::string uid;
  const std::vector<Volume>* volumes = nullptr;
};

/// The name of the claim that a volume uses; empty: it uses none. Clauses: PRE-CLAIM-1.
std::string claim_name(const PodVolumes& pod, const Volume& volume);
inline bool is_ephemeral(const Volume& volume) { return volume.source.kind == "ephemeral"; }
inline bool is_claim(const Volume& volume) { return volume.source.kind == "persistentVolumeClaim"; }

/// Finds an object by name; null: there is none.
template <typename Object>
const Object* find_object(const std::map<std::string, Object>& objects, const std::string& name) {
  const auto found = objects.find(name);
  return found == objects.end() ? nullptr : &found->second;
}
const PersistentVolumeClaim* find_claim(const Storage& storage, const PodVolumes& pod, const Volume& volume);

/// The storage that a claim of the preemptor would use on a node.
struct StorageUse {
  std::string storage_class;
  Quantity requested = 0;
  std::optional<Quantity> capacity;  ///< of the volume, or what the driver reports for the node
  bool is_made = false;              ///< a volume is provisioned; false: an existing one is taken

  auto operator<=>(const StorageUse&) const = default;
};

/// The filters of volumes, for a preemptor with volumes. Results that depend on the pods of a node are
/// computed again at each call. This is exact, but slow compared with the other filters. Requires: no two
/// threads ask about the same node at the same time. Clauses: PRE-CLAIM-1 to PRE-CLAIM-3, PRE-DISK-1,
/// PRE-RWOP-1, PRE-RWOP-2, PRE-ATTACH-1 to PRE-ATTACH-7, PRE-BIND-1 to PRE-BIND-4, PRE-ZONE-1, PRE-ZONE-2.
class Volumes {
 public:
  /// Null if the preemptor has no volume that a filter looks at.
  static std::unique_ptr<const Volumes> made_for(const Query& query);

  /// Why no engine answers the question because of its volumes; empty: they are no reason.
  std::string not_handled() const;

  // Before any node is filtered, in the order of the filters. Each requires that those before it do not
  // reject.
  std::string error() const;  ///< PRE-CLAIM-2: the error that ends the attempt; empty: none
  bool restrictions_reject() const;
  bool restrictions_are_skipped() const { return restrictions_skipped_; }  ///< PRE-RWOP-2
  bool binding_rejects() const { return binding_rejects_; }
  Pins hosts() const;  ///< PRE-CLAIM-3: the nodes that bound volumes name
  bool zone_rejects() const;

  /// Whether some bound pod of the node has volumes that a filter looks at.
  bool has_counted_pods(NodeIndex node) const { return pods_with_volumes_.contains(node); }
  /// The bound pods of a node with volumes that a filter looks at, in the order of the cluster's list.
  std::vector<std::uint32_t> pods_on(NodeIndex node) const;

  /// The rejections of a node by the filters of volumes. `pods` are the pods with volumes on the node,
  /// including nominated ones.
  Rejections rejections(NodeIndex node, const std::vector<std::uint32_t>& pods) const;
  /// Whether one of these filters may return an error on some node.
  bool may_err() const { return binding_may_err_ || !made_for_another_.empty(); }
  /// The error message of a filter on a node, in the release's words. Requires: the filter returns an error
  /// there. Clauses: PRE-CLAIM-2, PRE-BIND-2, PRE-BIND-4, PRE-ATTACH-6, PRE-MESSAGE-6.
  std::string error_of(Filter filter, NodeIndex node, const std::vector<std::uint32_t>& pods) const;

  /// What the preemptor's claims would use on a node: those that take a volume, then those for which one is
  /// provisioned, if the driver reports capacity. Empty without VolumeBinding. `choices` picks among equal
  /// volumes and among reports. Requires: VolumeBinding accepts the node. Clauses: SCORE-CAPACITY-1.
  std::vector<StorageUse> storage_use(NodeIndex node, Choices& choices) const;
  /// Whether storage_use() is the same for all choices, and every capacity is known.
  bool storage_use_is_clear(NodeIndex node) const;

 private:
  using Claims = std::vector<const PersistentVolumeClaim*>;
  using Attached = std::set<std::pair<std::string, std::string>>;  ///< driver and handle, each once
  using Taken = std::set<const PersistentVolume*>;
  /// The node affinity of a volume, term by term. None: every node can reach the volume. A term that no node
  /// satisfies is none.
  using Reach = std::optional<std::vector<std::optional<Selector>>>;

  /// A volume that a claim may take, before nodes are considered. PRE-BIND-2
  struct VolumeCandidate {
    const PersistentVolume* volume;
    bool is_kept;  ///< reserved for this claim by claimRef
    bool is_free;  ///< reserved for no claim, and suits this one
  };

  /// Whether all claims get volumes. If not, what is missing for the first claim that gets none.
  enum class Served { all, no_volume, no_storage };

  explicit Volumes(const Query& query);
  PodVolumes volumes_of(std::uint32_t pod) const;
  const CsiNode* csi_node(NodeIndex node) const;
  const std::string& node_name(NodeIndex node) const;
  const PersistentVolume* volume_of(const PersistentVolumeClaim* claim) const;

  // Claims: volumes.cpp.
  bool is_bound(const PersistentVolumeClaim& claim) const;
  bool waits_for_consumer(const PersistentVolumeClaim& claim) const;
  bool find_binding_rejection() const;
  bool find_binding_error() const;
  void find_made_for_another();

  // What is not handled: volumes_not_handled.cpp.
  std::string claim_without_volume() const;
  std::string disk_without_driver() const;
  std::string shortened_limit() const;

  // Nodes: volume_binding.cpp.
  bool matches(const std::vector<Requirement>& requirements, NodeIndex node) const;
  Reach reach_of(const NodeTerms& terms) const;
  bool reaches(const Reach& reach, NodeIndex node) const;
  void find_takeable();
  bool is_reachable_if_bound(const PersistentVolume& volume, NodeIndex node) const;
  bool could_serve(const PersistentVolume& volume, const PersistentVolumeClaim& claim) const;
  bool is_free(const PersistentVolume& volume, const PersistentVolumeClaim& claim) const;
  std::vector<const PersistentVolume*> matching(std::size_t claim, NodeIndex node, const Taken& taken) const;
  std::vector<const PersistentVolume*> distinct(const std::vector<const PersistentVolume*>& volumes,
                                                std::size_t claim) const;
  bool capacity_counts(const PersistentVolumeClaim& claim, const StorageClass& of_claim) const;
  std::vector<const CsiStorageCapacity*> sufficient_reports(const PersistentVolumeClaim& claim,
                                                            const StorageClass& of_claim,
                                                            NodeIndex node) const;
  bool has_capacity(const PersistentVolumeClaim& claim, const StorageClass& of_claim, NodeIndex node) const;
  Served made_for(const PersistentVolumeClaim& claim, NodeIndex node) const;
  /// The volume that each claim of to_match_ takes on a node; null: none.
  std::vector<const PersistentVolume*> taken_on(NodeIndex node, Choices& choices) const;
  Served served_on(NodeIndex node, Choices& choices) const;
  bool is_promised_a_node(const PersistentVolumeClaim& claim) const;
  bool is_promised_elsewhere(NodeIndex node) const;
  bool reaches_bound_volumes(NodeIndex node) const;
  bool chance_decides_on(NodeIndex node) const;
  std::string binding_error(NodeIndex node) const;
  Code binding_code(NodeIndex node) const;
  Code find_binding_code(NodeIndex node) const;
  bool is_in_zone(NodeIndex node) const;

  // Pods of nodes: volume_limits.cpp.
  void read_exclusive_claims();
  Quantity mentions(const std::vector<Volume>& volumes) const;
  bool conflicts(const std::vector<std::uint32_t>& pods) const;
  bool is_in_use(NodeIndex node, const std::vector<std::uint32_t>& pods) const;
  bool some_made_for_another(const std::vector<std::uint32_t>& pods) const;
  void add_attached(const PodVolumes& pod, const CsiNode* csi_node, Attached& attached) const;
  void add_disks(const PodVolumes& pod, const DiskLimit& limit, Attached& disks) const;
  Code csi_code(NodeIndex node, const std::vector<std::uint32_t>& pods) const;
  Code disks_code(NodeIndex node, const std::vector<std::uint32_t>& pods, Filter filter) const;

  const Query& query_;
  const Release& release_;
  const Storage& storage_;
  PodVolumes own_;
  Claims claims_;    ///< of the preemptor, those that exist
  Claims to_match_;  ///< PRE-BIND-2: those that take volumes, smallest first
  std::vector<std::vector<VolumeCandidate>> takeable_;      ///< by index in to_match_
  std::vector<std::set<const PersistentVolume*>> free_;     ///< the same: free volumes, of any class
  std::map<const PersistentVolume*, Reach> reach_;          ///< of volumes bound to claims_ or takeable
  mutable std::vector<std::optional<Code>> binding_codes_;  ///< by node; computed on first use
  bool has_unbound_immediate_ = false;
  bool binding_rejects_ = false;
  bool binding_may_err_ = false;
  std::map<NodeIndex, std::vector<std::uint32_t>> pods_with_volumes_;
  std::map<std::uint32_t, std::string> made_for_another_;      ///< PRE-ATTACH-6: pods, with the error of each
  std::map<const PersistentVolume*, Reach> reach_of_drivers_;  ///< of volumes bound to claims_, by CSI zone
  std::set<std::string> exclusive_;    ///< PRE-RWOP-1: names of ReadWriteOncePod claims
  Quantity exclusive_in_use_ = 0;      ///< how many of them a bound pod of the namespace uses
  bool restrictions_skipped_ = false;  ///< PRE-RWOP-2
};

}  // namespace touchstone::optimized
