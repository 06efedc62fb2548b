#include "optimized/filters/volumes.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "optimized/store/texts.hpp"

/// The claims of volumes, and what claims decide before any node is filtered.
namespace touchstone::optimized {

std::string claim_name(const PodVolumes& pod, const Volume& volume) {
  if (is_ephemeral(volume)) return pod.name + "-" + volume.name;
  return is_claim(volume) ? volume.source.id : "";
}

const PersistentVolumeClaim* find_claim(const Storage& storage, const PodVolumes& pod, const Volume& volume) {
  const std::string name = claim_name(pod, volume);
  return name.empty() ? nullptr : find_object(storage.claims, pod.ns + "/" + name);
}

Volumes::Volumes(const Query& query)
    : query_(query),
      release_(query.release),
      storage_(query.tables.storage),
      own_{query.pod.ns, query.pod.name, query.pod.uid, &query.pod.volumes} {
  for (const auto& [pod, volumes] : query.tables.volumes_of_pods) {
    if (query.tables.where[pod] == PodPlacement::bound && !query.is_self(pod))
      pods_with_volumes_[query.tables.node_of[pod]].push_back(pod);
  }
  for (const Volume& volume : *own_.volumes) {
    if (is_ephemeral(volume) && !release_.ephemeral_volumes) continue;
    if (const PersistentVolumeClaim* claim = find_claim(storage_, own_, volume)) claims_.push_back(claim);
  }
  for (const PersistentVolumeClaim* claim : claims_) {
    if (!is_bound(*claim) && !waits_for_consumer(*claim)) has_unbound_immediate_ = true;
    if (!is_bound(*claim) && !is_promised_a_node(*claim)) to_match_.push_back(claim);
    const PersistentVolume* volume = volume_of(claim);
    const InTreeKind* kind = volume == nullptr ? nullptr : disk_kind(volume->source.kind);
    if (volume != nullptr) reach_[volume] = reach_of(volume->node_affinity);
    if (kind != nullptr) reach_of_drivers_[volume] = reach_of(terms_of_driver(*volume, *kind));
  }
  std::stable_sort(to_match_.begin(), to_match_.end(), [](const auto* a, const auto* b) {
    return a->storage.value_or(0) < b->storage.value_or(0);
  });
  find_takeable();
  binding_codes_.resize(query.tables.nodes.size());
  binding_rejects_ = find_binding_rejection();
  binding_may_err_ = find_binding_error();
  find_made_for_another();
  read_exclusive_claims();
}

std::unique_ptr<const Volumes> Volumes::made_for(const Query& query) {
  const std::vector<Volume>& own = query.pod.volumes;
  if (std::none_of(own.begin(), own.end(), is_filtered)) return nullptr;
  return std::unique_ptr<const Volumes>(new Volumes(query));
}

PodVolumes Volumes::volumes_of(std::uint32_t pod) const {
  const Tables& tables = query_.tables;
  return {tables.symbols.text(tables.names.ns(pod)), tables.names.name(pod), tables.names.uid(pod),
          &tables.volumes_of_pods.at(pod)};
}

std::vector<std::uint32_t> Volumes::pods_on(NodeIndex node) const {
  const auto found = pods_with_volumes_.find(node);
  return found == pods_with_volumes_.end() ? std::vector<std::uint32_t>{} : found->second;
}

const std::string& Volumes::node_name(NodeIndex node) const {
  return query_.tables.symbols.text(query_.tables.nodes.facts[node].name);
}

const CsiNode* Volumes::csi_node(NodeIndex node) const {
  return find_object(storage_.csi_nodes, node_name(node));
}

const PersistentVolume* Volumes::volume_of(const PersistentVolumeClaim* claim) const {
  return claim == nullptr ? nullptr : find_object(storage_.volumes, claim->volume_name);
}

std::string Volumes::error() const {
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

/// Whether VolumeRestrictions rejects the pod because a claim is missing. Clauses: PRE-CLAIM-2.
bool Volumes::restrictions_reject() const {
  return release_.restrictions_ask_for_claims &&
         std::any_of(own_.volumes->begin(), own_.volumes->end(), [this](const Volume& volume) {
           return is_claim(volume) && find_claim(storage_, own_, volume) == nullptr;
         });
}

/// Whether VolumeBinding rejects the pod before any node is filtered. Clauses: PRE-CLAIM-2.
bool Volumes::find_binding_rejection() const {
  if (release_.missing_claim == MissingClaim::not_looked_for) return false;
  for (const Volume& volume : *own_.volumes) {
    const bool ephemeral = is_ephemeral(volume);
    if (claim_name(own_, volume).empty() || (ephemeral && !release_.ephemeral_volumes)) continue;
    const PersistentVolumeClaim* claim = find_claim(storage_, own_, volume);
    if (claim == nullptr || claim->terminating) return true;
    if (claim->phase == "Lost" && release_.lost_claim_rejects) return true;
    if (ephemeral && claim->controller != own_.uid) return true;
  }
  return has_unbound_immediate_ && release_.unbound_immediate == UnboundImmediate::rejects_pod;
}

/// The node names that the release reads from host names in the node affinity of bound volumes. Clauses:
/// PRE-CLAIM-3.
Pins Volumes::hosts() const {
  Pins hosts;
  if (!release_.volumes_pin_host_names) return hosts;
  for (const PersistentVolumeClaim* claim : claims_) {
    if (!is_bound(*claim)) continue;
    const PersistentVolume* volume = volume_of(claim);
    if (volume == nullptr) return {};
    Pins of_volume{false, {}};
    for (const NodeSelectorTerm& term : volume->node_affinity.value_or(std::vector<NodeSelectorTerm>{})) {
      Pins of_term;
      for (const Requirement& requirement : term.match_expressions) {
        if (requirement.key == "kubernetes.io/hostname" && requirement.op == "In")
          of_term.keep({false, {requirement.values.begin(), requirement.values.end()}});
      }
      of_volume.names.insert(of_term.names.begin(), of_term.names.end());
    }
    if (!of_volume.none()) hosts.keep(of_volume);
  }
  return hosts;
}

/// Whether VolumeZone rejects the pod because the volume of a claim is missing. Clauses: PRE-CLAIM-2.
bool Volumes::zone_rejects() const {
  return release_.zone_asks_for_volumes &&
         std::any_of(own_.volumes->begin(), own_.volumes->end(), [this](const Volume& volume) {
           if (!is_claim(volume)) return false;
           const PersistentVolumeClaim* claim = find_claim(storage_, own_, volume);
           return !claim->volume_name.empty() && volume_of(claim) == nullptr;
         });
}

/// Whether VolumeBinding may return an error for some claim. PRE-CLAIM-2, PRE-BIND-2, PRE-BIND-4
bool Volumes::find_binding_error() const {
  if (has_unbound_immediate_) return release_.unbound_immediate == UnboundImmediate::errs;
  return std::any_of(claims_.begin(), claims_.end(), [this](const PersistentVolumeClaim* claim) {
    if (is_bound(*claim)) return volume_of(claim) == nullptr && !release_.missing_volume_unresolvable;
    return !claim->attributes_class.empty() && release_.attributes_class == AttributesClass::not_understood;
  });
}

/// Finds pods with an ephemeral volume whose claim was not made for them. Clauses: PRE-ATTACH-6.
void Volumes::find_made_for_another() {
  if (!release_.limits_count_ephemeral) return;
  for (const auto& [pod, volumes] : query_.tables.volumes_of_pods) {
    if (query_.tables.where[pod] == PodPlacement::nowhere) continue;
    if (std::none_of(volumes.begin(), volumes.end(), is_ephemeral)) continue;
    const PodVolumes other = volumes_of(pod);
    for (const Volume& volume : volumes) {
      const PersistentVolumeClaim* claim =
          is_ephemeral(volume) ? find_claim(storage_, other, volume) : nullptr;
      if (claim == nullptr || claim->controller == other.uid) continue;
      std::string text = filled_in(std::string(release_.text_made_for_another), "$claim", claim->name);
      text = filled_in(filled_in(text, "$namespace", claim->ns), "$namespace", other.ns);
      made_for_another_[pod] = filled_in(text, "$pod", other.name);
      break;
    }
  }
}

std::string Volumes::error_of(Filter filter, NodeIndex node, const std::vector<std::uint32_t>& pods) const {
  std::string error;
  if (filter == Filter::volume_binding) {
    error = binding_error(node);
  } else {
    const auto first = std::find_if(pods.begin(), pods.end(),
                                    [this](std::uint32_t pod) { return made_for_another_.contains(pod); });
    error = made_for_another_.at(*first);
  }
  const std::string text = filled_in(std::string(release_.text_filter_error), "$plugin", plugin_of(filter));
  return filled_in(filled_in(text, "$pod", own_.name), "$error", error);
}

Rejections Volumes::rejections(NodeIndex node, const std::vector<std::uint32_t>& pods) const {
  Rejections now;
  if (query_.has_filter(Filter::volume_restrictions) && (conflicts(pods) || is_in_use(node, pods)))
    now.add(Filter::volume_restrictions, Code::unschedulable);
  if (query_.has_filter(Filter::node_volume_limits))
    now.add(Filter::node_volume_limits, csi_code(node, pods));
  for (const Filter filter : {Filter::ebs_limits, Filter::gce_pd_limits, Filter::azure_disk_limits}) {
    if (query_.has_filter(filter)) now.add(filter, disks_code(node, pods, filter));
  }
  if (query_.has_filter(Filter::volume_binding)) now.add(Filter::volume_binding, binding_code(node));
  if (query_.has_filter(Filter::volume_zone) && !is_in_zone(node))
    now.add(Filter::volume_zone,
            release_.zone_unresolvable ? Code::unschedulable_and_unresolvable : Code::unschedulable);
  return now;
}

}  // namespace touchstone::optimized
