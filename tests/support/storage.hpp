#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/builder.hpp"

/// Builds volumes of pods and storage objects for tests.
namespace touchstone::tests {

inline Pod with_volume(Pod pod, VolumeSource source) {
  pod.volumes.push_back({"v" + std::to_string(pod.volumes.size()), std::move(source)});
  return pod;
}

inline VolumeSource source(const std::string& kind, const std::string& id = "", bool read_only = false) {
  VolumeSource source;
  source.kind = kind;
  source.id = id;
  source.read_only = read_only;
  return source;
}

inline Pod with_claim(Pod pod, const std::string& claim) {
  return with_volume(std::move(pod), source("persistentVolumeClaim", claim));
}

inline Pod with_uid(Pod pod, const std::string& uid) {
  pod.uid = uid;
  return pod;
}

/// A claim in the namespace default. It is bound to `volume`, if that is not empty.
inline PersistentVolumeClaim claim(const std::string& name, const std::string& volume = "") {
  PersistentVolumeClaim claim;
  claim.ns = "default";
  claim.name = name;
  claim.uid = "uid-" + name;
  claim.volume_name = volume;
  claim.bind_completed = !volume.empty();
  claim.access_modes = {"ReadWriteOnce"};
  claim.storage = 5;
  return claim;
}

/// A claim of the class "late". Its volume is chosen when its pod is scheduled.
inline PersistentVolumeClaim waiting(const std::string& name, Quantity size = 5) {
  PersistentVolumeClaim late = claim(name);
  late.class_name = "late";
  late.storage = size;
  return late;
}

/// A volume of the CSI driver "d". Its handle is its name.
inline PersistentVolume volume(const std::string& name) {
  PersistentVolume volume;
  volume.name = name;
  volume.storage = 5;
  volume.access_modes = {"ReadWriteOnce"};
  volume.source = source("csi", name);
  volume.source.driver = "d";
  volume.phase = "Bound";
  return volume;
}

/// A volume of the class "late" that no claim is bound to.
inline PersistentVolume available(const std::string& name, Quantity size = 5) {
  PersistentVolume free = volume(name);
  free.class_name = "late";
  free.storage = size;
  free.phase = "Available";
  return free;
}

/// The volume, with a node affinity to nodes whose label `key` has one of `values`.
inline PersistentVolume reached_from(PersistentVolume volume, const std::string& key,
                                     std::vector<std::string> values) {
  volume.node_affinity.emplace().push_back({{{key, "In", std::move(values)}}, {}});
  return volume;
}

/// The class "late" with WaitForFirstConsumer.
inline StorageClass late(const std::string& provisioner) {
  return {"late", provisioner, "WaitForFirstConsumer", {}};
}

/// Adds objects to the storage of a question.
class Stored {
 public:
  explicit Stored(Question question) : question_(std::move(question)) {}
  Stored& with(const PersistentVolumeClaim& claim) {
    question_.cluster.storage.claims[claim.full_name()] = claim;
    return *this;
  }
  Stored& with(const PersistentVolume& volume) {
    question_.cluster.storage.volumes[volume.name] = volume;
    return *this;
  }
  Stored& with(const StorageClass& each) {
    question_.cluster.storage.classes[each.name] = each;
    return *this;
  }
  Stored& with(const CsiNode& node) {
    question_.cluster.storage.csi_nodes[node.name] = node;
    return *this;
  }
  Stored& with(const CsiDriver& driver) {
    question_.cluster.storage.csi_drivers[driver.name] = driver;
    return *this;
  }
  Stored& with(const VolumeAttachment& attachment) {
    question_.cluster.storage.attachments.emplace(attachment.node_name, attachment);
    return *this;
  }
  Stored& with(const CsiStorageCapacity& capacity) {
    question_.cluster.storage.capacities[capacity.name] = capacity;
    return *this;
  }
  operator const Question&() const { return question_; }
  Question& question() { return question_; }

 private:
  Question question_;
};

/// Nodes n0, n1, ... in these zones. On each node a filter errs from v1.23 on, because the ephemeral volume
/// of pod on-n0, on-n1, ... has a claim of another pod.
inline Question erring_nodes(const std::vector<std::string>& zones) {
  QuestionBuilder builder;
  for (std::size_t i = 0; i < zones.size(); ++i) {
    const std::string name = "n" + std::to_string(i);
    builder.node(name, 1000).has(with_volume(pod("on-" + name, 20, 0), source("ephemeral")));
  }
  Stored stored(builder.asks(with_claim(pod("p", 10, 1000), "c")));
  stored.with(claim("c", "v")).with(volume("v"));
  for (std::size_t i = 0; i < zones.size(); ++i) {
    Node& node = stored.question().cluster.nodes[i];
    node.labels["topology.kubernetes.io/zone"] = zones[i];
    stored.with(claim("on-" + node.name + "-v0", "v")).with(CsiNode{node.name, {"d"}, {{"d", 9}}, {}});
  }
  return stored;
}

/// Nodes n1 and n2. The pod p is nominated to n2, where a filter errs from v1.23 on, because the ephemeral
/// volume of pod a has a claim of another pod. The volume of p names the host n1.
inline Stored nominated_to_an_erring_node() {
  Stored stored(QuestionBuilder()
                    .node("n1", 1000)
                    .node("n2", 2000)
                    .has(with_volume(pod("a", 0, 1000), source("ephemeral")))
                    .asks(with_claim(pod("p", 10, 1000), "c")));
  for (Node& node : stored.question().cluster.nodes) node.labels["kubernetes.io/hostname"] = node.name;
  stored.question().pod.nominated_node_name = "n2";
  stored.with(claim("c", "v")).with(reached_from(volume("v"), "kubernetes.io/hostname", {"n1"}));
  stored.with(claim("a-v0", "v")).with(CsiNode{"n2", {"d"}, {{"d", 5}}, {}});
  return stored;
}

/// The last pod of namespace "default" that a text names, up to the next space.
inline std::string pod_named_last(const std::string& text) {
  const std::string prefix = "default/";
  const std::size_t at = text.rfind(prefix);
  if (at == std::string::npos) return "";
  const std::string rest = text.substr(at + prefix.size());
  return rest.substr(0, rest.find(' '));
}

/// A CSIStorageCapacity of the class "late" for the nodes that `nodes` selects; by default, for all nodes.
inline CsiStorageCapacity report_of(std::optional<Quantity> capacity, const std::string& name = "r",
                                    const LabelSelector& nodes = {}) {
  CsiStorageCapacity report;
  report.name = name;
  report.storage_class = "late";
  report.node_topology = nodes;
  report.capacity = capacity;
  return report;
}

}  // namespace touchstone::tests
