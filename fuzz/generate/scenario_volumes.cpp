#include <algorithm>

#include "fuzz/generate/draw.hpp"

/// Generates the volumes of pods, and the claims, volumes, classes and CSI objects that they refer to.
namespace touchstone::fuzz {

namespace {

constexpr const char* k_zone = "topology.kubernetes.io/zone";
constexpr const char* k_driver = "csi.example.com";
constexpr const char* k_second_driver = "second.example.com";

}  // namespace

VolumeSource volume_source(const std::string& kind, const std::string& id) {
  VolumeSource source;
  source.kind = kind;
  source.id = id;
  return source;
}

void mount(Pod& pod, VolumeSource source) {
  pod.volumes.push_back({"v" + std::to_string(pod.volumes.size()), std::move(source)});
}

void mount_claim(Pod& pod, const std::string& claim) {
  mount(pod, volume_source("persistentVolumeClaim", claim));
}

PersistentVolume& bound(Storage& storage, const std::string& ns, const std::string& name,
                        const std::string& volume_name) {
  PersistentVolumeClaim& claim = storage.claims[ns + "/" + name];
  claim.ns = ns;
  claim.name = name;
  claim.volume_name = volume_name;
  claim.bind_completed = true;
  claim.access_modes = {"ReadWriteOnce"};
  claim.storage = 5 * k_gi;
  claim.class_name = "csi";
  claim.phase = "Bound";
  PersistentVolume& volume = storage.volumes[volume_name];
  volume.name = volume_name;
  volume.class_name = "csi";
  volume.storage = 5 * k_gi;
  volume.access_modes = {"ReadWriteOnce"};
  volume.source = volume_source("csi", volume_name);
  volume.source.driver = k_driver;
  volume.claim = {ns, name, ""};
  volume.phase = "Bound";
  return volume;
}

namespace {

std::vector<Pod*> all_pods(Question& question) {
  std::vector<Pod*> pods = {&question.pod};
  for (Pod& pod : question.cluster.pods) pods.push_back(&pod);
  return pods;
}

/// Adds claims that only one pod may use, in both namespaces, and several pods that use them nevertheless.
void draw_exclusive_claims(Draw& draw, Question& question) {
  for (const std::string ns : {"default", "other"}) {
    for (const std::string name : {"alone", "lonely"}) {
      bound(question.cluster.storage, ns, name, "pv-" + ns + "-" + name);
      const bool exclusive = !draw.once_in(6);
      question.cluster.storage.claims[ns + "/" + name].access_modes = {exclusive ? "ReadWriteOncePod"
                                                                                 : "ReadWriteOnce"};
    }
  }
  mount_claim(question.pod, "alone");
  if (draw.once_in(3)) mount_claim(question.pod, "lonely");
  for (Pod& pod : question.cluster.pods) {
    if (draw.once_in(3)) mount_claim(pod, draw.once_in(3) ? "lonely" : "alone");
  }
}

VolumeSource draw_disk(Draw& draw) {
  // Two draws in one list of arguments would depend on the compiler's order of evaluation.
  const std::string id = draw.one_of({"disk-1", "disk-2"});
  VolumeSource disk =
      volume_source(draw.one_of({"gcePersistentDisk", "awsElasticBlockStore", "iscsi", "rbd"}), id);
  disk.read_only = draw.once_in(3);
  if (disk.kind == "rbd") {
    disk.pool = draw.once_in(4) ? "fast" : "rbd";
    disk.monitors = draw.once_in(3) ? std::vector<std::string>{"m3"} : std::vector<std::string>{"m1", "m2"};
  }
  return disk;
}

/// Adds in-line disks that two pods on a node cannot both use.
void draw_disks(Draw& draw, Question& question) {
  mount(question.pod, draw_disk(draw));
  for (Pod& pod : question.cluster.pods) {
    if (draw.once_in(2)) mount(pod, draw.once_in(2) ? draw_disk(draw) : question.pod.volumes.back().source);
  }
}

/// Adds a claim to a pod, for a volume that counts against the limit of a driver. Some claims are ephemeral.
void draw_attached(Draw& draw, Pod& pod, Question& question) {
  Storage& storage = question.cluster.storage;
  const bool ephemeral = draw.once_in(6);
  const std::string volume = "v" + std::to_string(pod.volumes.size());
  const std::string name = ephemeral ? pod.name + "-" + volume : "data-" + pod.name;
  const std::string shared = draw.once_in(8) ? "pv-shared" : "pv-data-" + pod.name;
  bound(storage, pod.ns, name, shared);
  if (draw.once_in(24)) storage.volumes.erase(shared);
  if (!ephemeral) return mount_claim(pod, name);
  mount(pod, volume_source("ephemeral", ""));
  storage.claims[pod.ns + "/" + name].controller = draw.once_in(24) ? "u-somebody" : pod.uid;
}

/// Adds a second driver to the preemptor's volumes, and CSIDriver objects. Some of these keep pods off nodes
/// that lack the driver.
void draw_drivers(Draw& draw, Question& question) {
  Storage& storage = question.cluster.storage;
  if (draw.once_in(3)) {
    bound(storage, question.pod.ns, "second", "pv-second").source.driver = k_second_driver;
    mount_claim(question.pod, "second");
  }
  for (const char* driver : {k_driver, k_second_driver}) {
    if (draw.once_in(2)) storage.csi_drivers[driver] = {driver, false, draw.once_in(2)};
  }
}

/// Adds limits of drivers, in the CSINode or in the Node: the number of volumes of the node's pods, or one
/// more.
void draw_attach_limits(Draw& draw, Question& question) {
  Storage& storage = question.cluster.storage;
  for (Pod* pod : all_pods(question)) {
    if (pod == &question.pod || draw.once_in(2)) draw_attached(draw, *pod, question);
    if (draw.once_in(12)) mount(*pod, volume_source("gcePersistentDisk", draw.one_of({"disk-1", "disk-2"})));
  }
  draw_drivers(draw, question);
  for (Node& node : question.cluster.nodes) {
    std::vector<std::string> volumes;
    for (const Pod& pod : question.cluster.pods) {
      if (pod.node_name != node.name) continue;
      for (const Volume& volume : pod.volumes) {
        const bool ephemeral = volume.source.kind == "ephemeral";
        const std::string name = ephemeral ? pod.name + "-" + volume.name : volume.source.id;
        const auto claim = storage.claims.find(pod.ns + "/" + name);
        if (claim != storage.claims.end()) volumes.push_back(claim->second.volume_name);
      }
    }
    const Quantity limit = static_cast<Quantity>(volumes.size()) + draw.one_of<Quantity>({0, 1, 0});
    if (draw.once_in(8)) {
      node.allocatable[std::string("attachable-volumes-csi-") + k_driver] = limit;
    }
    if (draw.once_in(12)) node.allocatable["attachable-volumes-gce-pd"] = draw.one_of<Quantity>({1, 0});
    if (!draw.once_in(8)) {
      CsiNode& csi_node = storage.csi_nodes[node.name];
      csi_node.name = node.name;
      csi_node.drivers = {"pd.csi.storage.gke.io"};
      if (!draw.once_in(4)) {
        csi_node.drivers.emplace_back(k_driver);
        csi_node.limits[k_driver] = limit;
      }
      if (draw.once_in(2)) csi_node.drivers.emplace_back(k_second_driver);
      if (draw.once_in(3)) csi_node.limits["pd.csi.storage.gke.io"] = draw.one_of<Quantity>({1, 0, 2});
    }
    for (const std::string& volume : volumes) {
      if (!draw.once_in(4)) continue;
      const std::string name = "va-" + volume + "-" + node.name;
      const bool known = std::any_of(storage.attachments.begin(), storage.attachments.end(),
                                     [&name](const auto& each) { return each.second.name == name; });
      if (!known) storage.attachments.emplace(node.name, VolumeAttachment{name, k_driver, node.name, volume});
    }
  }
}

void put_into_zones(Draw& draw, Question& question) {
  for (Node& node : question.cluster.nodes) {
    if (!draw.once_in(6)) node.labels[k_zone] = draw.one_of({"a", "b"});
    if (draw.once_in(8)) node.labels["topology.kubernetes.io/region"] = "r";
  }
}

/// Adds a bound volume with a zone label.
void draw_volume_zones(Draw& draw, Question& question) {
  put_into_zones(draw, question);
  PersistentVolume& volume = bound(question.cluster.storage, question.pod.ns, "zonal", "pv-zonal");
  volume.labels[draw.once_in(4) ? "failure-domain.beta.kubernetes.io/zone" : k_zone] =
      draw.one_of({"a", "b", "a__b", "b__", "c"});
  if (draw.once_in(8)) volume.labels["topology.kubernetes.io/region"] = draw.one_of({"r", "q"});
  mount_claim(question.pod, "zonal");
}

/// The nodes that can reach a volume, as its node affinity.
std::vector<NodeSelectorTerm> draw_reach(Draw& draw, const Question& question) {
  const auto& nodes = question.cluster.nodes;
  switch (draw.below(4)) {
    case 0:
      return {{{{k_zone, "In", {draw.one_of({"a", "b"})}}}, {}}};
    case 1:
      return {{{{k_zone, "NotIn", {"b"}}}, {}}, {{{"gen", "Exists", {}}}, {}}};
    case 2:
      return {{{}, {{"metadata.name", "In", {"n1"}}}}};
    default:
      return {{{{"kubernetes.io/hostname", "In", {nodes[draw.below(nodes.size())].name}}}, {}}};
  }
}

/// Adds a volume that no claim is bound to.
void draw_available(Draw& draw, const std::string& name, Question& question) {
  PersistentVolume& volume = question.cluster.storage.volumes[name];
  volume.name = name;
  volume.class_name = "late";
  volume.storage = draw.one_of<Quantity>({5, 6, 10}) * k_gi;
  volume.access_modes = {"ReadWriteOnce"};
  volume.source = volume_source("csi", name);
  volume.source.driver = "local.example.com";
  volume.phase = draw.once_in(8) ? "Released" : "Available";
  if (draw.once_in(3)) volume.node_affinity = draw_reach(draw, question);
  if (draw.once_in(6)) volume.labels["tier"] = "a";
  if (draw.once_in(8)) volume.claim = {question.pod.ns, draw.one_of({"late-0", "late-1"}), ""};
}

/// Adds claims whose volume is found or provisioned when the pod is scheduled.
void draw_waiting(Draw& draw, Question& question) {
  Storage& storage = question.cluster.storage;
  StorageClass& late = storage.classes["late"];
  late.name = "late";
  late.provisioner = draw.once_in(2) ? k_driver : "kubernetes.io/no-provisioner";
  late.binding_mode = draw.once_in(16) ? "Immediate" : "WaitForFirstConsumer";
  if (draw.once_in(3)) late.allowed_topologies = {{{k_zone, "In", {"a", "c"}}}};
  const std::size_t claims = draw.one_of<std::size_t>({1, 1, 2});
  for (std::size_t i = 0; i < claims; ++i) {
    const std::string name = "late-" + std::to_string(i);
    PersistentVolumeClaim& claim = storage.claims[question.pod.ns + "/" + name];
    claim.ns = question.pod.ns;
    claim.name = name;
    claim.class_name = "late";
    claim.access_modes = {draw.once_in(12) ? "ReadWriteMany" : "ReadWriteOnce"};
    claim.storage = draw.one_of<Quantity>({5, 6, 11}) * k_gi;
    claim.phase = draw.once_in(32) ? "Lost" : "Pending";
    claim.terminating = draw.once_in(32);
    if (draw.once_in(8)) claim.selector = LabelSelector{{{"tier", "a"}}, {}};
    if (draw.once_in(12)) claim.selected_node = draw.one_of({"n1", "n2"});
    mount_claim(question.pod, name);
  }
  const std::size_t volumes = draw.below(5);
  for (std::size_t i = 0; i < volumes; ++i) draw_available(draw, "pv-free-" + std::to_string(i), question);
  if (!draw.once_in(3)) return;
  storage.csi_drivers[k_driver] = {k_driver, true, draw.once_in(4)};
  for (const std::string zone : {"a", "b"}) {
    if (draw.once_in(3)) continue;
    CsiStorageCapacity& capacity = storage.capacities["default/cap-" + zone];
    capacity.ns = "default";
    capacity.name = "cap-" + zone;
    capacity.storage_class = draw.once_in(8) ? "other" : "late";
    capacity.node_topology = LabelSelector{{{k_zone, zone}}, {}};
    capacity.capacity = draw.one_of<Quantity>({20, 5, 1}) * k_gi;
    if (draw.once_in(4)) capacity.maximum_volume_size = draw.one_of<Quantity>({6, 2}) * k_gi;
  }
}

/// Adds a bound volume that only some nodes reach, or a claim that waits for its pod.
void draw_volume_binding(Draw& draw, Question& question) {
  put_into_zones(draw, question);
  for (Node& node : question.cluster.nodes) node.labels["kubernetes.io/hostname"] = node.name;
  if (draw.once_in(2)) return draw_waiting(draw, question);
  for (const std::string name : {"near", "nearby"}) {
    if (name == "nearby" && !draw.once_in(4)) break;
    bound(question.cluster.storage, question.pod.ns, name, "pv-" + name).node_affinity =
        draw_reach(draw, question);
    mount_claim(question.pod, name);
  }
  if (draw.once_in(16)) question.cluster.storage.volumes.erase("pv-near");
  if (draw.once_in(24)) question.cluster.storage.claims.clear();
}

}  // namespace

void draw_volumes(Draw& draw, Question& question) {
  if (question.cluster.nodes.empty()) return;
  if (draw.has(Family::rwop)) draw_exclusive_claims(draw, question);
  if (draw.has(Family::disks)) draw_disks(draw, question);
  if (draw.has(Family::attach_limits)) draw_attach_limits(draw, question);
  if (draw.has(Family::volume_zones)) draw_volume_zones(draw, question);
  if (draw.has(Family::volume_binding)) draw_volume_binding(draw, question);
}

}  // namespace touchstone::fuzz
