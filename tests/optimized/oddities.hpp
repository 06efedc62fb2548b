#pragma once

#include <string>
#include <vector>

#include "spec/vocabulary/choices.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/in_tree_volumes.hpp"
#include "tests/support/storage.hpp"

/// Questions that no API server admits, or that few clusters have. Both engines answer or skip them all the
/// same.
namespace touchstone::tests {

/// Adds generated oddities to a question, one or two at a time.
class Oddities {
 public:
  Oddities(Question& question, Choices& choices) : question_(question), choices_(choices) {}

  void add() {
    for (std::size_t things = 1 + below(2); things > 0; --things) add_one();
  }

 private:
  using Adder = void (Oddities::*)();

  std::size_t below(std::size_t n) { return choices_.pick(n, "oddity"); }
  bool once_in(std::size_t n) { return below(n) == 0; }
  Storage& storage() { return question_.cluster.storage; }

  void add_one() {
    static const std::vector<Adder> k_all = {
        &Oddities::add_numbers,       &Oddities::add_starts,    &Oddities::add_many_constraints,
        &Oddities::add_invalid,       &Oddities::add_lost_pods, &Oddities::add_nominated,
        &Oddities::add_node_gates,    &Oddities::add_disks,     &Oddities::add_bound_disks,
        &Oddities::add_equal_volumes, &Oddities::add_claims,    &Oddities::add_foreign_claims,
        &Oddities::add_host_names,    &Oddities::add_fields};
    (this->*k_all[below(k_all.size())])();
  }

  Pod& some_pod() {
    std::vector<Pod>& pods = question_.cluster.pods;
    return pods.empty() || once_in(4) ? question_.pod : pods[below(pods.size())];
  }
  Node* some_node() {
    std::vector<Node>& nodes = question_.cluster.nodes;
    return nodes.empty() ? nullptr : &nodes[below(nodes.size())];
  }

  /// Priorities of more than 32 bits, and requests that are negative or exceed what any node has.
  void add_numbers() {
    constexpr Quantity k_wide = Quantity{1} << 33;
    constexpr Quantity k_huge = Quantity{1} << 61;
    for (std::size_t i = 1 + below(3); i > 0; --i) {
      Pod& pod = some_pod();
      if (once_in(2)) pod.priority += once_in(2) ? k_wide : -k_wide;
      if (pod.containers.empty() || once_in(3)) continue;
      ResourceList& requests = pod.containers[0].requests;
      const std::string name = std::vector<std::string>{"cpu", "memory", "example.com/gpu"}[below(3)];
      requests[name] = once_in(3) ? k_huge : -static_cast<Quantity>(below(2000)) - 1;
    }
  }

  void add_starts() {
    for (Pod& pod : question_.cluster.pods) {
      if (once_in(2))
        pod.start_time_ns =
            once_in(3) ? std::numeric_limits<Quantity>::min() : std::numeric_limits<Quantity>::max();
      if (once_in(4)) pod.start_time_ns.reset();
    }
  }

  /// Only on few nodes, because the reference counts every pod again for every constraint.
  void add_many_constraints() {
    constexpr std::size_t k_nodes_most = 12;
    if (question_.cluster.nodes.size() > k_nodes_most) return;
    for (std::size_t i = 0; i < 34; ++i) {
      TopologySpreadConstraint constraint;
      constraint.topology_key = once_in(4) ? "rack" : "zone";
      constraint.when_unsatisfiable = "DoNotSchedule";
      constraint.max_skew = static_cast<Quantity>(1 + below(3));
      constraint.label_selector = LabelSelector{{{"app", once_in(2) ? "x" : "y"}}, {}};
      question_.pod.topology_spread.push_back(constraint);
    }
    for (Node& node : question_.cluster.nodes) {
      node.labels["zone"] = once_in(2) ? "a" : "b";
      if (!once_in(4)) node.labels["rack"] = once_in(2) ? "a" : "b";
    }
    for (Pod& pod : question_.cluster.pods) pod.labels["app"] = once_in(2) ? "x" : "y";
  }

  PodAffinityTerm term(bool valid, const std::string& key) {
    PodAffinityTerm term;
    term.topology_key = key;
    term.label_selector = LabelSelector{{{"app", once_in(2) ? "x" : "y"}}, {}};
    if (valid) return term;
    // A key is a name, or a domain, a slash and a name; its parts begin and end with letters or digits.
    static const std::vector<std::string> k_keys = {"app",    "a-.b/c", "-a.b/c", "a.b-/c",
                                                    "a..b/c", "a.b/-c", "a.b/c-", "a/b/c",
                                                    "A.b/c",  "a.b/",   "/c",     "a.b/c"};
    const std::string& bad = k_keys[below(k_keys.size())];
    term.label_selector->match_expressions = {{bad, bad == "app" ? "Near" : "In", {"x"}}};
    return term;
  }

  void add_invalid() {
    const bool valid = once_in(4);
    if (once_in(3) && !question_.pod.topology_spread.empty()) {
      question_.pod.topology_spread[0].label_selector = term(valid, "zone").label_selector;
    } else {
      Pod& pod = some_pod();
      (once_in(4) ? pod.pod_affinity : pod.pod_anti_affinity).push_back(term(valid, "zone"));
      if (once_in(4)) pod.phase = "Succeeded";
      if (once_in(4)) pod.name = question_.pod.name, pod.uid = question_.pod.uid, pod.ns = question_.pod.ns;
    }
  }

  /// Pods on a node that is not in the cluster, with or without a pod that has anti-affinity terms.
  void add_lost_pods() {
    for (std::size_t i = 1 + below(2); i > 0 && !question_.cluster.pods.empty(); --i) {
      Pod& pod = question_.cluster.pods[below(question_.cluster.pods.size())];
      if (once_in(4)) pod.phase = "Failed";
      pod.node_name = once_in(3) ? "" : "nowhere";
    }
    if (once_in(2)) some_pod().pod_anti_affinity.push_back(term(true, "zone"));
    question_.pod.labels["app"] = "x";
  }

  void add_nominated() {
    for (Node& node : question_.cluster.nodes) node.labels["kubernetes.io/hostname"] = node.name;
    for (Pod& pod : question_.cluster.pods) {
      if (once_in(2)) pod.labels["app"] = once_in(2) ? "x" : "y";
      if (once_in(3)) std::swap(pod.node_name, pod.nominated_node_name);
    }
    Pod& own = question_.pod;
    (once_in(2) ? own.pod_affinity : own.pod_anti_affinity).push_back(term(true, "kubernetes.io/hostname"));
  }

  void add_node_gates() {
    Node* node = some_node();
    if (node != nullptr && once_in(2))
      node->conditions.push_back({"MemoryPressure", once_in(2) ? "True" : "False", ""});
    if (once_in(3)) question_.pod.resource_claims.push_back("gpu");
    if (once_in(3)) question_.pod.node_features = {"UserNamespacesHostNetworkSupport"};
    if (node != nullptr && once_in(2)) node->declared_features = question_.pod.node_features;
    constexpr const char* k_limit = "attachable-volumes-csi-a-driver-with-a-name-f3cdef5a2ad9e7b1c4";
    if (node != nullptr && once_in(2)) node->allocatable[k_limit] = 1;
  }

  VolumeSource disk() {
    VolumeSource disk = source(std::string(k_in_tree_kinds[below(k_in_tree_kinds.size())].kind),
                               std::vector<std::string>{"d", "aws://z/vol-1", "aws://z/d"}[below(3)]);
    disk.disk_name = "d";
    if (once_in(3)) disk.disk_kind = "Shared";
    return disk;
  }

  /// CSINodes, some with drivers that have replaced their in-tree plugins.
  void add_csi_nodes() {
    for (const Node& node : question_.cluster.nodes) {
      if (once_in(4)) continue;
      CsiNode& csi_node = storage().csi_nodes[node.name];
      csi_node.name = node.name;
      for (const InTreeKind& kind : k_in_tree_kinds) {
        if (once_in(2)) csi_node.migrated_plugins.emplace_back(kind.plugin);
        if (once_in(3)) csi_node.limits[std::string(kind.driver)] = static_cast<Quantity>(below(3));
      }
    }
  }

  void add_disks() {
    add_csi_nodes();
    for (std::size_t i = 1 + below(4); i > 0; --i) {
      Pod& pod = some_pod();
      pod = with_volume(std::move(pod), disk());
    }
  }

  /// In-tree disks of claims. Labels and node affinity name their zones by older and newer keys.
  void add_bound_disks() {
    add_csi_nodes();
    const std::vector<std::string> keys = {k_zone, k_beta_zone, k_beta_region, "topology.gke.io/zone",
                                           "topology.cinder.csi.openstack.org/zone"};
    for (Node& node : question_.cluster.nodes) {
      for (const std::string& key : keys) {
        if (once_in(2)) node.labels[key] = once_in(2) ? "a" : "b";
      }
    }
    PersistentVolume disks = volume("disks");
    disks.source = disk();
    if (once_in(2))
      disks.labels[once_in(2) ? k_zone : k_beta_zone] =
          std::vector<std::string>{"a", "a__b", " a __", ""}[below(4)];
    for (std::size_t terms = below(3); terms > 0; --terms) {
      NodeSelectorTerm reach;
      for (std::size_t i = 1 + below(2); i > 0; --i)
        reach.match_expressions.push_back({keys[below(3)], "In", {once_in(2) ? "a" : "b"}});
      if (!disks.node_affinity) disks.node_affinity.emplace();
      disks.node_affinity->push_back(reach);
    }
    add_bound("disks", disks);
  }

  void add_bound(const std::string& name, const PersistentVolume& of_claim) {
    const std::string& ns = question_.pod.ns;
    storage().volumes[of_claim.name] = of_claim;
    PersistentVolumeClaim bound = claim(name, of_claim.name);
    bound.ns = ns;
    storage().claims[ns + "/" + name] = bound;
    question_.pod = with_claim(std::move(question_.pod), name);
  }

  /// Claims that wait for their pod, and volumes of equal size. It may matter which volume a claim takes.
  void add_equal_volumes() {
    StorageClass& late = storage().classes["late"];
    late = {
        "late", once_in(2) ? "csi.example.com" : "kubernetes.io/no-provisioner", "WaitForFirstConsumer", {}};
    if (once_in(3)) late.allowed_topologies = {{{"zone", "In", {"a"}}}};
    if (once_in(3)) storage().csi_drivers["csi.example.com"] = {"csi.example.com", true, false};
    for (Node& node : question_.cluster.nodes) node.labels["zone"] = once_in(2) ? "a" : "b";
    for (std::size_t i = 0; i < 2 + below(2); ++i) {
      const std::string name = "late-" + std::to_string(i);
      PersistentVolumeClaim one = waiting(name, static_cast<Quantity>(4 + below(2)));
      one.ns = question_.pod.ns;
      if (once_in(3)) one.selector = LabelSelector{{{"tier", "a"}}, {}};
      if (once_in(12)) one.attributes_class = "gold";
      if (once_in(12)) one.selected_node = "n1";
      storage().claims[one.ns + "/" + name] = one;
      question_.pod = with_claim(std::move(question_.pod), name);
    }
    for (std::size_t i = 0; i < 2 + below(4); ++i) {
      PersistentVolume free = available("free-" + std::to_string(i), static_cast<Quantity>(4 + below(2)));
      if (once_in(2)) free.labels["tier"] = "a";
      if (once_in(3)) free = reached_from(std::move(free), "zone", {"a"});
      storage().volumes[free.name] = free;
    }
  }

  /// Claims that are missing, unbound, without their volume, or with an attributes class that not all
  /// releases know.
  void add_claims() {
    for (std::size_t i = 1 + below(3); i > 0; --i) {
      Pod& pod = once_in(2) ? question_.pod : some_pod();
      const std::string name = "c" + std::to_string(i);
      PersistentVolumeClaim one = claim(name, once_in(4) ? "" : "v" + name);
      one.ns = pod.ns;
      one.bind_completed = !once_in(6);
      one.terminating = once_in(12);
      one.attributes_class = once_in(3) ? "gold" : "";
      if (once_in(6)) one.class_name = "late";
      if (once_in(8)) one.access_modes = {"ReadWriteOncePod"};
      if (once_in(4)) storage().classes["late"] = {"late", "csi.example.com", "WaitForFirstConsumer", {}};
      if (!once_in(6)) storage().claims[one.ns + "/" + name] = one;
      if (!once_in(4)) storage().volumes["v" + name] = volume("v" + name);
      pod = with_claim(std::move(pod), name);
    }
  }

  /// Ephemeral volumes whose claims were made for other pods, on nodes with attach limits.
  void add_foreign_claims() {
    for (const Node& node : question_.cluster.nodes) {
      CsiNode& csi_node = storage().csi_nodes[node.name];
      csi_node.name = node.name;
      csi_node.limits["d"] = static_cast<Quantity>(1 + below(3));
      if (once_in(4)) storage().csi_nodes.erase(node.name);
    }
    const std::string name = "own";
    add_bound(name, volume("v-own"));
    if (once_in(3)) question_.pod = with_volume(std::move(question_.pod), source("gcePersistentDisk", "d"));
    for (std::size_t i = 1 + below(3); i > 0 && !question_.cluster.pods.empty(); --i) {
      Pod& pod = question_.cluster.pods[below(question_.cluster.pods.size())];
      pod = with_volume(std::move(pod), source("ephemeral"));
      PersistentVolumeClaim made = claim(pod.name + "-" + pod.volumes.back().name, once_in(3) ? "" : "v-own");
      made.ns = pod.ns;
      made.controller = once_in(3) ? pod.uid : "u-other";
      storage().claims[made.full_name()] = made;
    }
  }

  /// Bound volumes that name hosts, which some releases take for names of nodes.
  void add_host_names() {
    const std::vector<std::string> hosts = {"n0", "n1", "n2", "elsewhere"};
    for (Node& node : question_.cluster.nodes) {
      if (!once_in(4)) node.labels["kubernetes.io/hostname"] = node.name;
    }
    for (std::size_t i = 1 + below(2); i > 0; --i) {
      std::vector<std::string> names = {hosts[below(hosts.size())]};
      if (once_in(2)) names.push_back(hosts[below(hosts.size())]);
      add_bound("local-" + std::to_string(i),
                reached_from(volume("local-" + std::to_string(i)), "kubernetes.io/hostname", names));
    }
    if (once_in(3)) question_.pod.nominated_node_name = hosts[below(hosts.size())];
    if (!once_in(3)) return;
    NodeSelectorTerm term;
    term.match_fields = {{"metadata.name", "In", {hosts[below(hosts.size())]}}};
    question_.pod.node_affinity = std::vector<NodeSelectorTerm>{term};
  }

  /// A requirement of matchFields: of any field, with any operator, and with 0 to 2 values.
  Requirement field() {
    Requirement field{once_in(4) ? "metadata.namespace" : "metadata.name", "In", {}};
    if (once_in(2)) field.op = std::vector<std::string>{"NotIn", "NotIn", "Exists", "Gt", ""}[below(5)];
    const std::size_t values = once_in(3) ? below(3) : 1;
    for (std::size_t i = 0; i < values; ++i)
      field.values.push_back(std::vector<std::string>{"n0", "n1", ""}[below(3)]);
    return field;
  }

  /// Terms that look at fields: of the preemptor, and of a bound volume.
  void add_fields() {
    for (const bool is_of_volume : {false, true}) {
      if (once_in(3)) continue;
      std::vector<NodeSelectorTerm> terms(1 + below(2));
      for (NodeSelectorTerm& term : terms) {
        for (std::size_t i = below(3); i > 0; --i) term.match_fields.push_back(field());
        if (once_in(3)) term.match_expressions.push_back({"zone", "DoesNotExist", {}});
      }
      PersistentVolume reached = volume("of-fields");
      reached.node_affinity = terms;
      if (is_of_volume) {
        add_bound("of-fields", reached);
      } else {
        question_.pod.node_affinity = terms;
      }
    }
  }

  Question& question_;
  Choices& choices_;
};

}  // namespace touchstone::tests
