#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "spec/vocabulary/extenders.hpp"
#include "spec/vocabulary/quantity.hpp"
#include "spec/vocabulary/selectors.hpp"
#include "spec/vocabulary/volumes.hpp"

/// The Kubernetes objects of a question, reduced to the fields that a scheduling decision can read. Names are
/// those of Kubernetes. The types are plain data: kubernetes/ reads and validates them, reference/ implements
/// the rules.
namespace touchstone {

/// Amounts by resource name. The unit of cpu is one milli-CPU. The unit of every other resource is 1 (bytes,
/// pods, devices). Fractions are rounded up.
using ResourceList = std::map<std::string, Quantity>;

struct Taint {
  std::string key;
  std::string value;
  std::string effect;

  bool operator==(const Taint&) const = default;
};

struct Toleration {
  std::string key;
  std::string op;
  std::string value;
  std::string effect;

  bool operator==(const Toleration&) const = default;
};

struct Condition {
  std::string type;
  std::string status;
  std::string reason;

  bool operator==(const Condition&) const = default;
};

/// A container image on a node, from status.images.
struct NodeImage {
  std::vector<std::string> names;
  Quantity size = 0;  ///< sizeBytes

  bool operator==(const NodeImage&) const = default;
};

/// The object that controls a pod: the entry of metadata.ownerReferences with `controller: true`.
struct Controller {
  std::string api_version;
  std::string kind;
  std::string name;
  std::string uid;

  bool operator==(const Controller&) const = default;
};

struct Node {
  std::string name;
  Labels labels;
  bool unschedulable = false;
  std::vector<Taint> taints;
  ResourceList allocatable;
  std::vector<Condition> conditions;
  std::vector<std::string> declared_features;  ///< status.declaredFeatures
  std::vector<NodeImage> images = {};
  /// Controllers whose pods should avoid the node: annotation scheduler.alpha.kubernetes.io/preferAvoidPods.
  /// Empty also if the annotation cannot be read. Only `kind` and `uid` are set.
  std::vector<Controller> avoided = {};

  bool operator==(const Node&) const = default;
};

struct ContainerPort {
  std::string protocol;  ///< empty: TCP
  std::string host_ip;   ///< empty: 0.0.0.0
  Quantity host_port = 0;

  bool operator==(const ContainerPort&) const = default;
};

struct Container {
  std::string name;
  ResourceList requests;
  std::vector<ContainerPort> ports;
  bool restart_always = false;  ///< restartPolicy: Always; an init container with it is a sidecar
  std::string image = {};
  ResourceList limits = {};  ///< only their names matter: EXT-INTEREST-1

  bool operator==(const Container&) const = default;
};

/// Resources that the kubelet reports in the status of a container or of a whole pod. An empty map is
/// different from an absent map (PRE-REQUESTS-8).
struct ResourceStatus {
  bool has_resources = false;             ///< `resources` is present, with or without requests
  std::optional<ResourceList> requests;   ///< `resources.requests`: the requests in force
  std::optional<ResourceList> allocated;  ///< `allocatedResources`: the requests that the kubelet admitted

  bool operator==(const ResourceStatus&) const = default;
};

struct ContainerStatus {
  std::string name;
  ResourceStatus resources;

  bool operator==(const ContainerStatus&) const = default;
};

/// A term of inter-pod affinity or anti-affinity.
struct PodAffinityTerm {
  std::optional<LabelSelector> label_selector;
  std::vector<std::string> namespaces;
  std::optional<LabelSelector> namespace_selector;
  std::string topology_key;
  std::vector<std::string> match_label_keys;
  std::vector<std::string> mismatch_label_keys;

  bool operator==(const PodAffinityTerm&) const = default;
};

/// A preferred term of inter-pod affinity or anti-affinity.
struct WeightedPodAffinityTerm {
  Quantity weight = 0;
  PodAffinityTerm term;

  bool operator==(const WeightedPodAffinityTerm&) const = default;
};

/// A preferred term of node affinity.
struct PreferredNodeTerm {
  Quantity weight = 0;
  NodeSelectorTerm preference;

  bool operator==(const PreferredNodeTerm&) const = default;
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

  bool operator==(const TopologySpreadConstraint&) const = default;
};

struct Pod {
  std::string ns;
  std::string name;
  std::string uid;  ///< may be empty
  Labels labels;
  bool terminating = false;  ///< metadata.deletionTimestamp is set
  std::optional<Controller> controller;

  std::string node_name;
  Quantity priority = 0;
  std::string preemption_policy;
  std::string scheduler_name;                 ///< may be empty
  std::vector<std::string> scheduling_gates;  ///< names of the gates
  std::vector<Container> containers;
  std::vector<Container> init_containers;
  ResourceList overhead;
  std::optional<ResourceList> pod_level_requests;
  Labels node_selector;
  std::optional<std::vector<NodeSelectorTerm>> node_affinity;  ///< required terms
  std::vector<PreferredNodeTerm> preferred_node_affinity;
  std::vector<Toleration> tolerations;
  std::vector<PodAffinityTerm> pod_affinity;       ///< required terms
  std::vector<PodAffinityTerm> pod_anti_affinity;  ///< required terms
  std::vector<WeightedPodAffinityTerm> preferred_pod_affinity;
  std::vector<WeightedPodAffinityTerm> preferred_pod_anti_affinity;
  std::vector<TopologySpreadConstraint> topology_spread;
  std::vector<Volume> volumes;
  std::vector<std::string> resource_claims;
  std::vector<std::string> node_features;  ///< features that the spec needs, by the names that nodes declare

  std::string phase;
  std::string nominated_node_name;
  std::optional<Quantity> start_time_ns;
  /// QUE-ENTITY-7: the priority as a victim, of a pod of a pod group. Only a scheduler over time has any.
  std::optional<Quantity> group_priority = {};
  std::vector<Condition> conditions;
  std::vector<ContainerStatus> container_statuses;  ///< of containers and init containers
  ResourceStatus resource_status;                   ///< of the whole pod

  std::string full_name() const { return ns + "/" + name; }
  bool operator==(const Pod&) const = default;
};

struct PodDisruptionBudget {
  std::string ns;
  std::string name;
  std::optional<LabelSelector> selector;
  Quantity disruptions_allowed = 0;
  std::vector<std::string> disrupted_pods;  ///< names of pods: the keys of status.disruptedPods

  bool operator==(const PodDisruptionBudget&) const = default;
};

/// The kinds of objects that select pods, in the order in which the scheduler asks for them.
enum class SelectingKind { service, replication_controller, replica_set, stateful_set };

/// A Service or a controller of pods, with its selector.
struct SelectingObject {
  SelectingKind kind = SelectingKind::service;
  std::string ns;
  std::string name;
  std::optional<LabelSelector> selector;  ///< of a Service or a ReplicationController: match_labels alone
};

/// A host port in use: protocol, number, address.
using HostPort = std::tuple<std::string, Quantity, std::string>;
/// Node name → host ports of its pods that the scheduler does not know to be in use.
using ForgottenPorts = std::map<std::string, std::set<HostPort>>;

/// A cluster. The order of each list is part of the question (spec/protocol.md).
struct Cluster {
  std::vector<Node> nodes;
  std::vector<Pod> pods;
  std::vector<PodDisruptionBudget> pdbs;
  std::map<std::string, Labels> namespaces;  ///< labels of the known namespaces, by name
  Storage storage;
  std::vector<SelectingObject> selecting = {};  ///< Services first, then the controllers
  /// Only a scheduler over time has any: its cache forgets a port that two pods hold when one of them leaves.
  ForgottenPorts forgotten_ports = {};
};

/// A question: which decision may a release take for this pod in this cluster?
struct Question {
  Cluster cluster;
  Pod pod;
  std::optional<Quantity> offset;  ///< sample as the release does, from this potential node on
  std::optional<Quantity> quota;   ///< number of candidates to find, instead of the release's default
  std::optional<Quantity> start = {};  ///< search for feasible nodes as the release does, from this node on
  std::vector<Extender> extenders = {};  ///< in configured order; empty: those of the configuration
};

}  // namespace touchstone
