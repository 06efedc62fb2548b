#include "kubernetes/dump/warnings.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include "kubernetes/dump/dump.hpp"
#include "kubernetes/objects/objects.hpp"

namespace touchstone::kubernetes {

namespace {

/// Collects warnings. Chooses between singular and plural: "1 pod is", "2 pods are".
class Warnings {
 public:
  /// `what` is the singular and the plural form, such as {"pod is", "pods are"}. Adds nothing for a count of
  /// 0.
  void add(const std::string& code, const Tally& tally, std::pair<std::string_view, std::string_view> what,
           const std::string& rest) {
    if (tally.count == 0) return;
    const std::string_view form = tally.count == 1 ? what.first : what.second;
    list_.push_back(
        {code, tally.count, std::to_string(tally.count) + " " + std::string(form) + " " + rest, tally.first});
  }

  void add(const std::string& code, const std::string& message) { list_.push_back({code, 1, message, ""}); }

  std::vector<Warning> sorted() && {
    std::stable_sort(list_.begin(), list_.end(),
                     [](const Warning& a, const Warning& b) { return a.code < b.code; });
    return std::move(list_);
  }

 private:
  std::vector<Warning> list_;
};

/// Warns about pods whose node is not in the dump, which the scheduler ignores (PRE-INPUT-1, PRE-INPUT-2),
/// and about a dump without nodes.
void add_missing_nodes(const Cluster& cluster, Warnings& warnings) {
  if (cluster.nodes.empty()) {
    warnings.add("no-nodes", "the dump has no Node, so no pod can be placed: add nodes to the dump");
    return;
  }
  std::set<std::string_view> names;
  for (const Node& node : cluster.nodes) names.insert(node.name);
  Tally bound;
  Tally nominated;
  for (const Pod& pod : cluster.pods) {
    if (pod.phase == "Succeeded" || pod.phase == "Failed") continue;
    const std::string& node = pod.node_name.empty() ? pod.nominated_node_name : pod.node_name;
    if (node.empty() || names.contains(node)) continue;
    count(pod.node_name.empty() ? nominated : bound, "Pod " + pod.full_name() + ", node " + node);
  }
  warnings.add("bound-to-missing-node", bound, {"pod is", "pods are"},
               "bound to a node that the dump lacks; touchstone ignores such pods, as the scheduler does");
  warnings.add(
      "nominated-to-missing-node", nominated, {"pod is", "pods are"},
      "nominated to a node that the dump lacks; touchstone ignores such nominations, as the scheduler does");
}

void add_priorities(const Dump& dump, const Tallies& tallies, Warnings& warnings) {
  std::set<std::string_view> names = {"system-cluster-critical", "system-node-critical"};
  Tally defaults;
  for (const PriorityClass& priority_class : dump.priority_classes) {
    names.insert(priority_class.name);
    if (priority_class.global_default) count(defaults, "PriorityClass " + priority_class.name);
  }
  Tally missing;
  for (const auto& [name, pods] : tallies.priority_classes) {
    if (names.contains(name)) continue;
    if (missing.count == 0) missing.first = pods.first + ", class " + name;
    missing.count += pods.count;
  }
  warnings.add("priority-class-missing", missing, {"pod names", "pods name"},
               "a PriorityClass that the dump lacks; spec.priority counts, as for the scheduler");
  warnings.add("priority-missing", tallies.priorities_missing, {"pod names", "pods name"},
               "a PriorityClass without a spec.priority, so priority 0 counts, as for the scheduler");
  if (defaults.count > 1) {
    warnings.add("several-global-defaults", defaults, {"", "PriorityClasses are"},
                 "global defaults; new pods get the one with the lowest value");
  }
}

/// Warns about missing storage objects that a decision needs (PRE-CLAIM-2, PRE-ATTACH-3).
void add_missing_storage(const Cluster& cluster, Warnings& warnings) {
  const Storage& storage = cluster.storage;
  Tally missing;
  for (const Pod& pod : cluster.pods) {
    const auto lacks = [&](const Volume& volume) {
      return volume.source.kind == "persistentVolumeClaim" &&
             !storage.claims.contains(pod.ns + "/" + volume.source.id);
    };
    const auto volume = std::find_if(pod.volumes.begin(), pod.volumes.end(), lacks);
    if (volume != pod.volumes.end())
      count(missing, "Pod " + pod.full_name() + ", claim " + volume->source.id);
  }
  warnings.add("claim-missing", missing, {"pod names", "pods name"},
               "a PersistentVolumeClaim that the dump lacks: such a pod is rejected, and its volumes do not "
               "count; if the cluster has claims, add pvc and pv to the dump");
  if (!storage.claims.empty() && storage.csi_nodes.empty()) {
    warnings.add("no-csinodes",
                 "the dump has claims, but no CSINode, so no driver has a limit: add csinodes to the dump");
  }
}

}  // namespace

void count(Tally& tally, const std::string& object) {
  if (tally.count++ == 0) tally.first = object;
}

std::vector<Warning> warnings_of(const Dump& dump, const Tallies& tallies) {
  Warnings warnings;
  add_missing_nodes(dump.cluster, warnings);
  add_priorities(dump, tallies, warnings);
  add_missing_storage(dump.cluster, warnings);
  warnings.add("duplicate-objects", tallies.duplicates, {"object is", "objects are"},
               "found twice, and counted once");
  warnings.add("differing-objects", tallies.differing, {"object is", "objects are"},
               "found twice with different contents; the one with the newer resourceVersion counts");
  warnings.add("several-server-versions", tallies.server_versions, {"version", "versions"},
               "of a server beside " + dump.server_version + ", which counts because it came first");
  if (dump.cluster.pdbs.empty()) {
    warnings.add("no-pdbs",
                 "the dump has no PodDisruptionBudget: if the cluster has some, add pdb to the dump");
  }
  return std::move(warnings).sorted();
}

}  // namespace touchstone::kubernetes
