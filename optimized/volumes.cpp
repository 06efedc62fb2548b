#include "optimized/volumes.hpp"

#include <algorithm>
#include <array>

/// What volumes mean, and what claims say before any node is looked at.
namespace touchstone::optimized {

namespace {

constexpr std::array<std::string_view, 9> k_filtered_kinds = {"persistentVolumeClaim",
                                                              "ephemeral",
                                                              "gcePersistentDisk",
                                                              "awsElasticBlockStore",
                                                              "azureDisk",
                                                              "cinder",
                                                              "iscsi",
                                                              "portworxVolume",
                                                              "rbd"};

const std::array<DiskKind, 5> k_disk_kinds = {{
    {"gcePersistentDisk", "kubernetes.io/gce-pd", "pd.csi.storage.gke.io", &Release::migration_of_gce},
    {"awsElasticBlockStore", "kubernetes.io/aws-ebs", "ebs.csi.aws.com",
     &Release::migration_of_ebs_and_azure},
    {"azureDisk", "kubernetes.io/azure-disk", "disk.csi.azure.com", &Release::migration_of_ebs_and_azure},
    {"cinder", "kubernetes.io/cinder", "cinder.csi.openstack.org", &Release::migration_of_cinder},
    {"portworxVolume", "kubernetes.io/portworx-volume", "pxd.portworx.com", &Release::migration_of_portworx},
}};

bool is_claim(const Volume& volume) { return volume.source.kind == "persistentVolumeClaim"; }

bool names_hosts(const PersistentVolume& volume) {
  for (const NodeSelectorTerm& term : volume.node_affinity.value_or(std::vector<NodeSelectorTerm>{})) {
    for (const Requirement& requirement : term.match_expressions) {
      if (requirement.key == "kubernetes.io/hostname" && requirement.op == "In") return true;
    }
  }
  return false;
}

}  // namespace

std::string claim_name(const Mounting& pod, const Volume& volume) {
  if (is_ephemeral(volume)) return pod.name + "-" + volume.name;
  return is_claim(volume) ? volume.source.id : "";
}

bool is_filtered(const Volume& volume) {
  return std::find(k_filtered_kinds.begin(), k_filtered_kinds.end(), volume.source.kind) !=
         k_filtered_kinds.end();
}

const PersistentVolumeClaim* find_claim(const Storage& storage, const Mounting& pod, const Volume& volume) {
  const std::string name = claim_name(pod, volume);
  return name.empty() ? nullptr : find_object(storage.claims, pod.ns + "/" + name);
}

const DiskKind* disk_kind(std::string_view kind) {
  const auto found = std::find_if(k_disk_kinds.begin(), k_disk_kinds.end(),
                                  [kind](const DiskKind& each) { return each.kind == kind; });
  return found == k_disk_kinds.end() ? nullptr : &*found;
}

const DiskKind* disk_kind_of_plugin(std::string_view plugin) {
  const auto found = std::find_if(k_disk_kinds.begin(), k_disk_kinds.end(),
                                  [plugin](const DiskKind& each) { return each.plugin == plugin; });
  return found == k_disk_kinds.end() ? nullptr : &*found;
}

bool is_migrated(const DiskKind& kind, const CsiNode* csi_node, const Release& release) {
  const Migration migration = release.*kind.migration;
  if (csi_node == nullptr || migration == Migration::nowhere) return false;
  const std::vector<std::string>& listed = csi_node->migrated_plugins;
  return migration == Migration::where_csi_node ||
         std::find(listed.begin(), listed.end(), kind.plugin) != listed.end();
}

Volumes::Volumes(const Query& query)
    : query_(query),
      release_(query.release),
      storage_(query.tables.storage),
      own_{query.pod.ns, query.pod.name, query.pod.uid, &query.pod.volumes} {
  for (const auto& [pod, volumes] : query.tables.volumes_of_pods) {
    if (query.tables.where[pod] == Whereabouts::bound && !query.is_self(pod))
      pods_with_volumes_[query.tables.node_of[pod]].push_back(pod);
  }
}

std::unique_ptr<const Volumes> Volumes::made_for(const Query& query) {
  const std::vector<Volume>& own = query.pod.volumes;
  if (std::none_of(own.begin(), own.end(), is_filtered)) return nullptr;
  std::unique_ptr<Volumes> volumes(new Volumes(query));
  volumes->error_ = volumes->missing_claim();
  volumes->is_rejected_ = volumes->reject_before_nodes();
  if (!volumes->error_.empty() || !volumes->is_rejected_) volumes->read_claims();
  volumes->not_handled_ = volumes->why_not_handled();
  return volumes;
}

Mounting Volumes::mounting(std::uint32_t pod) const {
  const Tables& tables = query_.tables;
  return {tables.words.text(tables.names.ns(pod)), std::string(tables.names.name(pod)), tables.names.uid(pod),
          &tables.volumes_of_pods.at(pod)};
}

std::vector<std::uint32_t> Volumes::pods_on(NodeIndex node) const {
  const auto found = pods_with_volumes_.find(node);
  return found == pods_with_volumes_.end() ? std::vector<std::uint32_t>{} : found->second;
}

const std::string& Volumes::node_name(NodeIndex node) const {
  return query_.tables.words.text(query_.tables.nodes.facts[node].name);
}

const CsiNode* Volumes::csi_node(NodeIndex node) const {
  return find_object(storage_.csi_nodes, node_name(node));
}

/// PRE-CLAIM-1, for claims that are all there.
void Volumes::read_claims() {
  for (const Volume& volume : *own_.volumes) {
    if (is_ephemeral(volume) && !release_.ephemeral_volumes) continue;
    const PersistentVolumeClaim* claim = find_claim(storage_, own_, volume);
    if (claim != nullptr) claims_.push_back(claim);
  }
  read_exclusive_claims();
}

/// PRE-CLAIM-2
std::string Volumes::missing_claim() const {
  if (release_.missing_claim != MissingClaim::ends_attempt) return "";
  for (const Volume& volume : *own_.volumes) {
    if (!is_claim(volume)) continue;
    const PersistentVolumeClaim* claim = find_claim(storage_, own_, volume);
    const std::string quoted = "persistentvolumeclaim \"" + volume.source.id + "\" ";
    if (claim == nullptr) return quoted + "not found";
    if (claim->terminating) return quoted + "is being deleted";
  }
  return "";
}

bool Volumes::is_bound(const PersistentVolumeClaim& claim) const {
  return !claim.volume_name.empty() && (claim.bind_completed || !release_.binding_needs_annotation);
}

bool Volumes::waits_for_consumer(const PersistentVolumeClaim& claim) const {
  if (claim.selected_node && release_.selected_node == SelectedNode::is_immediate) return false;
  const StorageClass* of_claim = find_object(storage_.classes, claim.storage_class());
  return of_claim != nullptr && of_claim->binding_mode == "WaitForFirstConsumer" && claim.volume_name.empty();
}

bool Volumes::has_unbound_immediate() const {
  return std::any_of(claims_.begin(), claims_.end(), [this](const PersistentVolumeClaim* claim) {
    return !is_bound(*claim) && !waits_for_consumer(*claim);
  });
}

/// PRE-CLAIM-2: whether one of the filters rejects the pod on all nodes, and for good.
bool Volumes::reject_before_nodes() const {
  const bool rejects_immediate = release_.unbound_immediate == UnboundImmediate::rejects_pod;
  for (const Volume& volume : *own_.volumes) {
    const bool ephemeral = is_ephemeral(volume);
    if (claim_name(own_, volume).empty() || (ephemeral && !release_.ephemeral_volumes)) continue;
    const PersistentVolumeClaim* claim = find_claim(storage_, own_, volume);
    if (claim == nullptr || claim->terminating) return true;
    if (claim->phase == "Lost" && release_.lost_claim_rejects) return true;
    if (ephemeral && claim->controller != own_.uid) return true;
    if (rejects_immediate && !is_bound(*claim) && !waits_for_consumer(*claim)) return true;
    const bool names_volume = !ephemeral && !claim->volume_name.empty();
    if (release_.zone_asks_for_volumes && names_volume &&
        find_object(storage_.volumes, claim->volume_name) == nullptr)
      return true;
  }
  return false;
}

std::string Volumes::why_not_handled() const {
  if (release_.missing_claim == MissingClaim::not_looked_for) return "volumes: of v1.8 and v1.9";
  if (!error_.empty()) return "";
  if (is_rejected_)
    return release_.prefilter_failure_lost ? "volumes: a rejection by claims is lost in this release" : "";
  const std::string claims = why_claims_not_handled();
  return claims.empty() ? why_pods_not_handled() : claims;
}

/// Where filters err, choose at random, or read a volume as its driver does.
std::string Volumes::why_claims_not_handled() const {
  for (const PersistentVolumeClaim* claim : claims_) {
    const PersistentVolume* volume = find_object(storage_.volumes, claim->volume_name);
    if (is_bound(*claim) && volume == nullptr && !release_.missing_volume_unresolvable)
      return "volumes: a volume is not there, on which this release errs";
    if (!is_bound(*claim) && !waits_for_consumer(*claim) &&
        release_.unbound_immediate == UnboundImmediate::errs)
      return "volumes: a claim is not bound, on which this release errs";
    if (!is_bound(*claim) && !claim->attributes_class.empty() &&
        release_.attributes_class == AttributesClass::not_understood)
      return "volumes: a claim has a volumeAttributesClassName, on which this release errs";
    if (volume != nullptr && release_.volumes_pin_host_names && names_hosts(*volume))
      return "volumes: a volume names hosts, which this release takes for nodes";
    const bool is_listed =
        std::any_of(storage_.csi_nodes.begin(), storage_.csi_nodes.end(),
                    [](const auto& each) { return !each.second.migrated_plugins.empty(); });
    if (volume != nullptr && is_listed && disk_kind(volume->source.kind) != nullptr)
      return "volumes: a volume's affinity is read as its CSI driver has it";
  }
  for (NodeIndex node = 0; node < query_.tables.nodes.size(); ++node) {
    if (!query_.tables.nodes.is_gone(node) && leaves_choice_on(node))
      return "VolumeBinding: of volumes of one size one is taken at random";
  }
  return "";
}

/// PRE-ATTACH-6
std::string Volumes::why_pods_not_handled() const {
  const auto is_unknown = [](const Volume& volume) { return !is_known_to_driver(volume.source); };
  constexpr const char* k_unknown_disk =
      "volumes: a disk that its CSI driver cannot have, on which filters err";
  if (std::any_of(own_.volumes->begin(), own_.volumes->end(), is_unknown)) return k_unknown_disk;
  for (const auto& [pod, volumes] : query_.tables.volumes_of_pods) {
    if (std::any_of(volumes.begin(), volumes.end(), is_unknown)) return k_unknown_disk;
  }
  for (const auto& [pod, volumes] : query_.tables.volumes_of_pods) {
    if (query_.tables.where[pod] == Whereabouts::nowhere || !release_.limits_count_ephemeral) continue;
    const Mounting other = mounting(pod);
    for (const Volume& volume : volumes) {
      const PersistentVolumeClaim* claim = find_claim(storage_, other, volume);
      if (is_ephemeral(volume) && claim != nullptr && claim->controller != other.uid)
        return "volumes: an ephemeral volume's claim was not made for its pod, on which filters err";
    }
  }
  return "";
}

Rejections Volumes::rejections(NodeIndex node, const std::vector<std::uint32_t>& pods) const {
  Rejections now;
  if (conflicts(pods) || is_in_use(node, pods)) now.add(Filter::volume_restrictions, Code::unschedulable);
  if (query_.asks(Filter::node_volume_limits) && exceeds_csi(node, pods))
    now.add(Filter::node_volume_limits, Code::unschedulable);
  for (const Filter filter : {Filter::ebs_limits, Filter::gce_pd_limits, Filter::azure_disk_limits}) {
    if (query_.asks(filter) && exceeds_disks(node, pods, filter)) now.add(filter, Code::unschedulable);
  }
  if (!binds_on(node)) now.add(Filter::volume_binding, Code::unschedulable_and_unresolvable);
  if (!is_in_zone(node))
    now.add(Filter::volume_zone,
            release_.zone_unresolvable ? Code::unschedulable_and_unresolvable : Code::unschedulable);
  return now;
}

}  // namespace touchstone::optimized
