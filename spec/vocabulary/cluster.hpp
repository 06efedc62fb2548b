#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "spec/vocabulary/quantity.hpp"
#include "spec/vocabulary/selectors.hpp"
#include "spec/vocabulary/volumes.hpp"

/// The vocabulary of a question: Kubernetes objects, reduced to what a scheduling decision can read.
/// Names are Kubernetes' own. Plain data: reading and validation happen in kubernetes/, meaning in
/// reference/.
namespace touchstone {

/// Amounts by resource name; cpu in milli, everything else in its unit, rounded up.
using ResourceList = std::map<std::string, Quantity>;

struct Taint {
  std::string key;
  std::string value;
  std::string effect;
};

struct Toleration {
  std::string key;
  std::string op;
  std::string value;
  std::string effect;
};

struct Condition {
  std::string type;
  std::string status;
  std::string reason;
};

struct Node {
  std::string name;
  Labels labels;
  bool unschedulable = false;
  std::vector<Taint> taints;
  ResourceList allocatable;
  std::vector<Condition> conditions;
  std::vector<std::string> declared_features;  ///< status.declaredFeatures
};

struct ContainerPort {
  std::string protocol;  ///< empty: TCP
  std::string host_ip;   ///< empty: 0.0.0.0
  Quantity host_port = 0;
};

struct Container {
  std::string name;
  ResourceList requests;
  std::vector<ContainerPort> ports;
  bool restart_always = false;  ///< of an init container: it is a sidecar
};

/// What the kubelet reports of the resources of a container or of a whole pod. An empty map is not the same
/// as no map (PRE-REQUESTS-8).
struct ResourceStatus {
  bool has_resources = false;             ///< `resources` is there, with or without requests
  std::optional<ResourceList> requests;   ///< `resources.requests`: those in force
  std::optional<ResourceList> allocated;  ///< `allocatedResources`: those that the kubelet has admitted

  bool operator==(const ResourceStatus&) const = default;
};

struct ContainerStatus {
  std::string name;
  ResourceStatus resources;
};

/// A required term of inter-pod affinity or anti-affinity.
struct PodAffinityTerm {
  std::optional<LabelSelector> label_selector;
  std::vector<std::string> namespaces;
  std::optional<LabelSelector> namespace_selector;
  std::string topology_key;
  std::vector<std::string> match_label_keys;
  std::vector<std::string> mismatch_label_keys;

  bool operator==(const PodAffinityTerm&) const = default;
};

struct TopologySpreadConstraint {
  std::string topology_key;
  std::string when_unsatisfiable;
  Quantity max_skew = 0;
  std::optional<LabelSelector> label_selector;
  std::optional<Quantity> min_domains;
  std::string node_affinity_policy;  ///< empty: Honor
  std::string node_taints_policy;    ///< empty: Ignore
  std::vector<std::string> match_label_keys;
};

struct Pod {
  std::string ns;
  std::string name;
  std::string uid;  ///< may be empty
  Labels labels;
  bool terminating = false;  ///< metadata.deletionTimestamp is set

  std::string node_name;
  Quantity priority = 0;
  std::string preemption_policy;
  std::string scheduler_name;                 ///< may be empty
  std::vector<std::string> scheduling_gates;  ///< their names
  std::vector<Container> containers;
  std::vector<Container> init_containers;
  ResourceList overhead;
  std::optional<ResourceList> pod_level_requests;
  Labels node_selector;
  std::optional<std::vector<NodeSelectorTerm>> node_affinity;  ///< required terms
  std::vector<Toleration> tolerations;
  std::vector<PodAffinityTerm> pod_affinity;
  std::vector<PodAffinityTerm> pod_anti_affinity;
  std::vector<TopologySpreadConstraint> topology_spread;
  std::vector<Volume> volumes;
  std::vector<std::string> resource_claims;
  std::vector<std::string> node_features;  ///< those that the spec asks of a node, by the names nodes declare

  std::string phase;
  std::string nominated_node_name;
  std::optional<Quantity> start_time_ns;
  std::vector<Condition> conditions;
  std::vector<ContainerStatus> container_statuses;  ///< of containers and init containers
  ResourceStatus resource_status;                   ///< of the whole pod

  std::string full_name() const { return ns + "/" + name; }
};

struct PodDisruptionBudget {
  std::string ns;
  std::string name;
  std::optional<LabelSelector> selector;
  Quantity disruptions_allowed = 0;
  std::vector<std::string> disrupted_pods;  ///< names, as status.disruptedPods has them
};

/// The order of each list is part of the question: see spec/protocol.md.
struct Cluster {
  std::vector<Node> nodes;
  std::vector<Pod> pods;
  std::vector<PodDisruptionBudget> pdbs;
  std::map<std::string, Labels> namespaces;  ///< the labels of those that are known, by name
  Storage storage;
};

/// What is asked: which decision may this release take for this pod?
struct Question {
  Cluster cluster;
  Pod pod;
  std::optional<Quantity> offset;  ///< search as the release samples, from this potential node on
  std::optional<Quantity> quota;   ///< instead of the release's default number of candidates
};

}  // namespace touchstone
