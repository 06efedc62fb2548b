#include <algorithm>

#include "fuzz/generate/draw.hpp"
#include "spec/vocabulary/in_tree_volumes.hpp"

/// Properties that an API server admits but few clusters have: sizes, names and numbers for which the rules
/// or the engines take another path.
namespace touchstone::fuzz {

namespace {

Pod& some_pod(Draw& draw, Question& question) {
  std::vector<Pod>& pods = question.cluster.pods;
  return pods.empty() || draw.once_in(4) ? question.pod : pods[draw.below(pods.size())];
}

/// Adds a claim of the preemptor that is bound to a volume of this source. Returns the volume.
PersistentVolume& mount_bound(Question& question, const std::string& name, VolumeSource of_volume) {
  PersistentVolume& volume = bound(question.cluster.storage, question.pod.ns, name, "pv-" + name);
  volume.source = std::move(of_volume);
  mount_claim(question.pod, name);
  return volume;
}

/// Adds 12 to 100 PDBs, often about as many as a machine word has bits. Most cover no pod. The few that
/// cover pods are at any place in the list.
void draw_many_pdbs(Draw& draw, Question& question) {
  std::vector<PodDisruptionBudget>& pdbs = question.cluster.pdbs;
  if (pdbs.empty()) pdbs.push_back(draw_pdb(draw, 0, question.cluster.pods));
  const std::vector<PodDisruptionBudget> drawn = std::move(pdbs);
  const std::size_t count = draw.one_of<std::size_t>({66, 64, 65, 12, 13, 80, 100, 63});
  pdbs.clear();
  for (std::size_t i = 0; i < count; ++i)
    pdbs.push_back({"default",
                    "idle-" + std::to_string(i),
                    LabelSelector{{{"app", "idle-" + std::to_string(i)}}, {}},
                    0,
                    {}});
  for (const PodDisruptionBudget& pdb : drawn)
    pdbs[draw.once_in(2) ? draw.below(count) : draw.once_in(2) ? count - 1 : 0] = pdb;
}

/// Adds pods that hold the preemptor's host port on all but the last nodes. Evictions on these nodes do not
/// help, though their victims would be the cheapest.
void add_port_holders(Draw& draw, Question& question) {
  if (question.pod.containers.empty()) return;
  constexpr Quantity k_port = 9443;
  question.pod.containers[0].ports.push_back({"TCP", "", k_port});
  const std::size_t free = 1 + draw.below(3);
  const std::size_t kept = question.cluster.nodes.size() - std::min(free, question.cluster.nodes.size());
  for (std::size_t n = 0; n < question.cluster.nodes.size(); ++n) {
    const std::string& node = question.cluster.nodes[n].name;
    if (n >= kept) {
      for (Pod& pod : question.cluster.pods) {
        if (pod.node_name == node && pod.priority < question.pod.priority)
          pod.priority = question.pod.priority - 1;
      }
      continue;
    }
    Pod keeper;
    keeper.ns = "default";
    keeper.name = "keeper-" + node;
    keeper.uid = "u-keeper-" + node;
    keeper.node_name = node;
    keeper.priority = question.pod.priority;
    keeper.containers.push_back({"main", {}, {{"TCP", "", k_port}}, false});
    question.cluster.pods.push_back(std::move(keeper));
  }
}

/// Adds pods for which the filter of volume limits errs: a pod has an ephemeral volume whose claim was made
/// for another pod. The preemptor is often nominated to some node: before, after or on a node with such a
/// pod.
void draw_erring_nodes(Draw& draw, Question& question) {
  Storage& storage = question.cluster.storage;
  const bool in_line = draw.once_in(3);
  if (in_line) {
    mount(question.pod, volume_source("gcePersistentDisk", "disk-9"));
  } else {
    VolumeSource csi = volume_source("csi", "handle-own");
    csi.driver = "csi.example.com";
    mount_bound(question, "own", std::move(csi));
  }
  for (const Node& node : question.cluster.nodes) {
    if (draw.once_in(3)) continue;
    CsiNode& csi_node = storage.csi_nodes[node.name];
    csi_node.name = node.name;
    csi_node.drivers = {"csi.example.com"};
    csi_node.limits = {{"csi.example.com", draw.one_of<Quantity>({2, 1, 3})}};
  }
  for (Pod& pod : question.cluster.pods) {
    if (pod.node_name.empty() || !draw.once_in(2)) continue;
    mount(pod, volume_source("ephemeral", ""));
    const std::string name = pod.name + "-" + pod.volumes.back().name;
    PersistentVolumeClaim& claim = storage.claims[pod.ns + "/" + name];
    claim.ns = pod.ns;
    claim.name = name;
    claim.volume_name = draw.once_in(3) ? "" : "pv-own";
    claim.access_modes = {"ReadWriteOnce"};
    claim.controller = draw.once_in(3) ? pod.uid : "u-somebody";
  }
  if (question.cluster.nodes.empty() || draw.once_in(3)) return;
  Node& nominated = question.cluster.nodes[draw.below(question.cluster.nodes.size())];
  question.pod.nominated_node_name = nominated.name;
  if (!draw.once_in(3)) nominated.allocatable["cpu"] += 1'000'000;
}

/// Adds an in-tree volume that a CSI driver now serves. It has some of the zone labels, and may have a node
/// affinity.
void draw_in_tree_zones(Draw& draw, Question& question) {
  const InTreeKind& kind = k_in_tree_kinds[draw.below(k_in_tree_kinds.size())];
  VolumeSource disk = volume_source(std::string(kind.kind), "disk-7");
  if (disk.kind == "azureDisk") disk.disk_name = disk.id;
  PersistentVolume& volume = mount_bound(question, "moved", std::move(disk));
  const std::vector<std::string> keys = {k_zone, k_beta_zone, k_region, k_beta_region};
  for (const std::string& key : keys) {
    if (draw.once_in(2)) volume.labels[key] = draw.one_of({"a", "b", "a__b"});
  }
  for (std::size_t terms = draw.below(3); terms > 0; --terms) {
    NodeSelectorTerm term;
    term.match_expressions.push_back({keys[draw.below(keys.size())], "In", {draw.one_of({"a", "b"})}});
    if (draw.once_in(3)) term.match_expressions.push_back({keys[draw.below(keys.size())], "Exists", {}});
    if (!volume.node_affinity) volume.node_affinity.emplace();
    volume.node_affinity->push_back(std::move(term));
  }
  for (Node& node : question.cluster.nodes) {
    for (const std::string& key : {keys[0], keys[1], keys[2], keys[3], std::string(kind.topology_key)}) {
      if (!key.empty() && !draw.once_in(4)) node.labels[key] = draw.one_of({"a", "b"});
    }
    if (draw.once_in(4)) continue;
    CsiNode& csi_node = question.cluster.storage.csi_nodes[node.name];
    csi_node.name = node.name;
    if (!draw.once_in(4)) csi_node.migrated_plugins.emplace_back(kind.plugin);
    if (!draw.once_in(4)) csi_node.drivers.emplace_back(kind.driver);
  }
}

/// Adds several conditions to nodes, good and bad ones in any order.
void draw_conditions(Draw& draw, Question& question) {
  for (Node& node : question.cluster.nodes) {
    for (std::size_t i = draw.below(4); i > 0; --i) {
      const char* const type = draw.one_of(
          {"Ready", "MemoryPressure", "DiskPressure", "PIDPressure", "OutOfDisk", "NetworkUnavailable"});
      const bool is_good = !draw.once_in(8);
      const bool good_is_true = std::string(type) == "Ready";
      node.conditions.push_back({type,
                                 draw.once_in(32)          ? "Unknown"
                                 : is_good == good_is_true ? "True"
                                                           : "False",
                                 ""});
    }
  }
}

/// Adds names of resources around the length at which a driver's name is shortened, and labels with a
/// prefix.
void draw_names(Draw& draw, Question& question) {
  for (Node& node : question.cluster.nodes) {
    const std::string start = draw.once_in(2) ? std::string(k_csi_limit_prefix) : "example.com/";
    const std::size_t length = 60 + draw.below(4);
    node.allocatable[start + std::string(length - start.size(), 'd')] = draw.one_of<Quantity>({1, 0, 5});
  }
  for (std::size_t i = draw.below(3); i > 0; --i) {
    Pod& pod = some_pod(draw, question);
    pod.labels[draw.one_of({"example.com/app", "a-b.c/d_e.f", "x/Y"})] = draw.one_of({"", "v", "V.1-2_3"});
  }
  if (draw.once_in(3)) question.pod.node_selector["a-b.c/d_e.f"] = "v";
  for (Node& node : question.cluster.nodes) {
    if (draw.once_in(2)) node.labels["a-b.c/d_e.f"] = "v";
  }
}

/// Adds taints so long that the message about all nodes is about as long as an event may be.
void draw_long_taints(Draw& draw, Question& question) {
  constexpr std::size_t k_value_most = 63;
  for (std::size_t n = 0; n < question.cluster.nodes.size(); ++n) {
    const std::size_t length = k_value_most - draw.below(8);
    question.cluster.nodes[n].taints.push_back(
        {"long.example.com/" + std::string(60, 'k') + std::to_string(n), std::string(length, 'v'),
         "NoSchedule"});
  }
}

/// Makes amounts so large that the optimized engine computes with integers and not with floats: on some nodes
/// one resource and the request of one pod grow by as much.
void draw_huge_amounts(Draw& draw, Question& question) {
  constexpr Quantity k_huge = Quantity{1} << 45;
  for (Node& node : question.cluster.nodes) {
    if (draw.once_in(3)) continue;
    const std::string resource = draw.one_of({"memory", "cpu"});
    const Quantity more = k_huge - static_cast<Quantity>(draw.below(3)) - node.allocatable[resource];
    node.allocatable[resource] += more;
    const auto pod = std::find_if(
        question.cluster.pods.begin(), question.cluster.pods.end(),
        [&node](const Pod& each) { return each.node_name == node.name && !each.containers.empty(); });
    if (pod != question.cluster.pods.end()) pod->containers[0].requests[resource] += more;
  }
}

}  // namespace

void draw_unusual(Draw& draw, Question& question) {
  if (question.cluster.nodes.empty()) return;
  if (draw.has(Family::many_nodes) && draw.once_in(2)) return add_port_holders(draw, question);
  switch (draw.below(7)) {
    case 0:
      return draw_many_pdbs(draw, question);
    case 1:
      return draw_erring_nodes(draw, question);
    case 2:
      return draw_in_tree_zones(draw, question);
    case 3:
      return draw_conditions(draw, question);
    case 4:
      return draw_names(draw, question);
    case 5:
      return draw_huge_amounts(draw, question);
    default:
      return draw_long_taints(draw, question);
  }
}

}  // namespace touchstone::fuzz
