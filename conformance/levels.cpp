#include "conformance/levels.hpp"

#include <algorithm>

namespace touchstone::conformance {

namespace {

using fuzz::Family;

bool is_nominated(const Pod& pod) { return pod.node_name.empty() && !pod.nominated_node_name.empty(); }

/// Init containers, overhead, and requests or resizes of whole pods.
bool has_requests_beside_containers(const Pod& pod) {
  const auto& statuses = pod.container_statuses;
  return !pod.init_containers.empty() || !pod.overhead.empty() || pod.pod_level_requests.has_value() ||
         pod.resource_status != ResourceStatus{} ||
         std::any_of(statuses.begin(), statuses.end(),
                     [](const ContainerStatus& status) { return status.resources != ResourceStatus{}; });
}

bool has_host_port(const Pod& pod) {
  const auto uses = [](const Container& container) {
    return std::any_of(container.ports.begin(), container.ports.end(),
                       [](const ContainerPort& port) { return port.host_port != 0; });
  };
  return std::any_of(pod.containers.begin(), pod.containers.end(), uses) ||
         std::any_of(pod.init_containers.begin(), pod.init_containers.end(), uses);
}

bool is_tainted(const Node& node) { return node.unschedulable || !node.taints.empty(); }

bool has_hard_spread(const Pod& pod) {
  return std::any_of(
      pod.topology_spread.begin(), pod.topology_spread.end(),
      [](const TopologySpreadConstraint& each) { return each.when_unsatisfiable == "DoNotSchedule"; });
}

bool any_pod(const Question& question, bool (*is)(const Pod&)) {
  const std::vector<Pod>& pods = question.cluster.pods;
  return is(question.pod) || std::any_of(pods.begin(), pods.end(), is);
}

}  // namespace

const std::array<Level, k_levels_count>& levels() {
  static const std::array<Level, k_levels_count> all = {{
      {LevelId::core,
       "core",
       "Core",
       "resources and priorities: outcome, node and victims",
       {Family::starts, Family::extreme, Family::terminating, Family::resources, Family::requests,
        Family::resize, Family::namespaces},
       200,
       1000},
      {LevelId::ties,
       "ties",
       "Ties",
       "clusters of Core for which the release may choose among several nodes",
       {Family::starts, Family::extreme, Family::resources},
       100,
       2000},
      {LevelId::pdb, "pdb", "PDB", "PodDisruptionBudgets", {Family::pdbs}, 200, 1000},
      {LevelId::nominated,
       "nominated",
       "Nominated",
       "pods that are nominated to nodes",
       {Family::nominated},
       200,
       1500},
      {LevelId::constraints,
       "constraints",
       "Constraints",
       "taints, node selectors, host ports, affinity between pods, topology spread",
       {Family::taints, Family::selectors, Family::ports, Family::affinity, Family::anti_affinity,
        Family::spread, Family::features},
       300,
       1500},
      {LevelId::volumes,
       "volumes",
       "Volumes",
       "claims, volumes, attach limits and zones of volumes",
       {Family::rwop, Family::disks, Family::attach_limits, Family::volume_zones, Family::volume_binding},
       200,
       1500},
      {LevelId::sampling,
       "sampling",
       "Sampling",
       "the search that examines only some nodes",
       {Family::offset},
       100,
       2000},
      {LevelId::messages,
       "messages",
       "Messages",
       "statuses of nodes and the text of the event, in clusters of other levels",
       {},
       0,
       0},
      {LevelId::scores,
       "scores",
       "Scores",
       "scores, totals and the host of a whole scheduling cycle",
       {Family::roomy, Family::images, Family::preferred_nodes, Family::preferred_pods, Family::soft_spread,
        Family::soft_taints, Family::services, Family::avoided, Family::zones, Family::storage_scores,
        Family::borders},
       150,
       1000},
      {LevelId::cycle,
       "cycle",
       "Cycle",
       "the rest of a scheduling cycle: search, hosts without scores, KubeSchedulerConfiguration",
       {Family::start},
       50,
       1000},
      {LevelId::extenders,
       "extenders",
       "Extenders",
       "whole cycles with extenders that answer by table, and with Policy files",
       {Family::extenders},
       50,
       1000},
      {LevelId::time,
       "time",
       "Time",
       "the scheduler over time: queues, events, nominations and API calls, command by command",
       {},
       200,
       200},
  }};
  return all;
}

const Level& level_of(LevelId id) { return levels()[static_cast<std::size_t>(id)]; }

const Level* find_level(std::string_view name) {
  const auto found =
      std::find_if(levels().begin(), levels().end(), [&](const Level& each) { return each.name == name; });
  return found == levels().end() ? nullptr : &*found;
}

const std::vector<Feature>& features() {
  static const std::vector<Feature> all = {
      {"core", LevelId::core, "resources of containers, priorities, start times"},
      {"requests", LevelId::core, "init containers, overhead, requests and resizes of whole pods"},
      {"anyOrder", LevelId::ties, "all answers that the release may give"},
      {"pdbs", LevelId::pdb, "PodDisruptionBudgets"},
      {"nominated", LevelId::nominated, "status.nominatedNodeName, of the pod and of others"},
      {"taints", LevelId::constraints, "taints, tolerations, spec.unschedulable"},
      {"selectors", LevelId::constraints, "nodeSelector, node affinity, nodeName"},
      {"ports", LevelId::constraints, "host ports"},
      {"affinity", LevelId::constraints, "affinity and anti-affinity between pods"},
      {"spread", LevelId::constraints, "topology spread constraints"},
      {"nodeFeatures", LevelId::constraints, "features that nodes declare"},
      {"volumes", LevelId::volumes, "volumes of the pod"},
      {"offset", LevelId::sampling, "a sampled search that begins with a given node"},
      {"quota", LevelId::sampling, "a given number of candidates"},
      {"message", LevelId::messages, "the text of the event FailedScheduling"},
      {"schedule", LevelId::scores, "the command schedule"},
      {"start", LevelId::cycle, "a search for feasible nodes that begins with a given node"},
      {"config", LevelId::cycle, "a KubeSchedulerConfiguration"},
      {"featureGates", LevelId::cycle, "feature gates"},
      {"extenders", LevelId::extenders, "extenders, which answer by the tables of the question"},
      {"policy", LevelId::extenders, "a Policy file, up to v1.22"},
      {"timeline", LevelId::time, "the commands of a scheduler over time"},
  };
  return all;
}

std::set<std::string_view> features_needed(const Question& question, oracle::Command command,
                                           const oracle::Json& line) {
  const Pod& pod = question.pod;
  const std::vector<Node>& nodes = question.cluster.nodes;
  std::set<std::string_view> needed = {"core"};
  const auto need = [&needed](bool is, std::string_view name) {
    if (is) needed.insert(name);
  };
  need(any_pod(question, has_requests_beside_containers), "requests");
  need(!question.cluster.pdbs.empty(), "pdbs");
  need(any_pod(question, is_nominated), "nominated");
  need(std::any_of(nodes.begin(), nodes.end(), is_tainted), "taints");
  need(!pod.node_selector.empty() || pod.node_affinity.has_value() || !pod.node_name.empty(), "selectors");
  need(has_host_port(pod), "ports");
  need(any_pod(question,
               [](const Pod& each) { return !each.pod_affinity.empty() || !each.pod_anti_affinity.empty(); }),
       "affinity");
  need(has_hard_spread(pod), "spread");
  need(!pod.node_features.empty(), "nodeFeatures");
  need(!pod.volumes.empty(), "volumes");
  need(line.contains("anyOrder"), "anyOrder");
  need(question.offset.has_value(), "offset");
  need(question.quota.has_value(), "quota");
  need(command == oracle::Command::schedule, "schedule");
  need(question.start.has_value(), "start");
  const bool has_policy = line.contains("config") && line.at("config").value("kind", "") == "Policy";
  need(line.contains("config") && !has_policy, "config");
  need(has_policy, "policy");
  need(!question.extenders.empty(), "extenders");
  need(line.contains("featureGates"), "featureGates");
  return needed;
}

LevelId level_of_question(const std::set<std::string_view>& needed, std::size_t answers, bool is_scored) {
  LevelId last = LevelId::core;
  for (const Feature& feature : features()) {
    if (needed.contains(feature.name)) last = std::max(last, feature.level);
  }
  if (last == LevelId::core && answers > 1) return LevelId::ties;
  if (last == LevelId::scores && !is_scored) return LevelId::cycle;
  return last;
}

}  // namespace touchstone::conformance
