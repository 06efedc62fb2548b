#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "spec/vocabulary/cluster.hpp"

/// What a cluster must contain for a clause to have an effect. If the smallest cluster of a fault lacks it,
/// the fault breaks another clause than the table says.
namespace touchstone::fuzz {

struct ClauseNeed {
  std::string_view clauses;  ///< "PRE-PDB-6", or "PRE-PDB" for all of them
  std::string_view what;
  bool (*is_there)(const Question&);
};

template <typename Has>
bool some_pod(const Question& question, const Has& has) {
  return std::any_of(question.cluster.pods.begin(), question.cluster.pods.end(), has);
}

template <typename Has>
bool some_node(const Question& question, const Has& has) {
  return std::any_of(question.cluster.nodes.begin(), question.cluster.nodes.end(), has);
}

inline bool has_sidecar(const Pod& pod) {
  return std::any_of(pod.init_containers.begin(), pod.init_containers.end(),
                     [](const Container& container) { return container.restart_always; });
}

inline bool has_ports(const Pod& pod) {
  const auto has = [](const Container& container) { return !container.ports.empty(); };
  return std::any_of(pod.containers.begin(), pod.containers.end(), has) ||
         std::any_of(pod.init_containers.begin(), pod.init_containers.end(), has);
}

inline bool is_nominated(const Pod& pod) { return pod.node_name.empty() && !pod.nominated_node_name.empty(); }

inline bool is_pinned(const Pod& pod) {
  return pod.node_affinity &&
         std::any_of(pod.node_affinity->begin(), pod.node_affinity->end(),
                     [](const NodeSelectorTerm& term) { return !term.match_fields.empty(); });
}

/// Whether some node has at least this many pods with a lower priority than the preemptor.
inline bool has_potential_victims(const Question& question, std::ptrdiff_t number) {
  return some_node(question, [&](const Node& node) {
    const std::vector<Pod>& pods = question.cluster.pods;
    return std::count_if(pods.begin(), pods.end(), [&](const Pod& pod) {
             return pod.node_name == node.name && pod.priority < question.pod.priority;
           }) >= number;
  });
}

inline const std::vector<ClauseNeed>& clause_needs() {
  using Q = const Question&;
  static const std::vector<ClauseNeed> k_needs = {
      {"PRE-INPUT-1", "a pod that has ended",
       [](Q q) {
         return some_pod(q, [](const Pod& p) { return p.phase == "Succeeded" || p.phase == "Failed"; });
       }},
      {"PRE-INPUT-2", "a nominated pod", [](Q q) { return some_pod(q, is_nominated); }},
      {"PRE-INPUT-3", "the preemptor in the list",
       [](Q q) {
         return some_pod(
             q, [&](const Pod& p) { return p.uid == q.pod.uid && (!p.uid.empty() || p.name == q.pod.name); });
       }},
      {"PRE-CYCLE-2", "no node", [](Q q) { return q.cluster.nodes.empty(); }},
      {"PRE-CYCLE-3", "a nomination of the preemptor", [](Q q) { return is_nominated(q.pod); }},
      {"PRE-PREFILTER", "pinned names, or a claim",
       [](Q q) { return is_pinned(q.pod) || !q.pod.volumes.empty(); }},
      {"PRE-NODENAME", "a node name of the preemptor", [](Q q) { return !q.pod.node_name.empty(); }},
      {"PRE-NOMINATED", "a nominated pod", [](Q q) { return some_pod(q, is_nominated); }},
      {"PRE-UNSCHEDULABLE", "an unschedulable node",
       [](Q q) { return some_node(q, [](const Node& n) { return n.unschedulable; }); }},
      {"PRE-TAINT", "a taint",
       [](Q q) { return some_node(q, [](const Node& n) { return !n.taints.empty(); }); }},
      {"PRE-TAINT-2", "a toleration", [](Q q) { return !q.pod.tolerations.empty(); }},
      {"PRE-NODEAFFINITY-1", "a node selector", [](Q q) { return !q.pod.node_selector.empty(); }},
      {"PRE-NODEAFFINITY-2", "a node affinity", [](Q q) { return q.pod.node_affinity.has_value(); }},
      {"PRE-NODEAFFINITY-4", "a field", [](Q q) { return is_pinned(q.pod); }},
      {"PRE-PORTS", "ports on both sides", [](Q q) { return has_ports(q.pod) && some_pod(q, has_ports); }},
      {"PRE-PORTS-2", "two potential victims", [](Q q) { return q.cluster.pods.size() > 1; }},
      {"PRE-PORTS-3", "a sidecar", [](Q q) { return has_sidecar(q.pod) || some_pod(q, has_sidecar); }},
      {"PRE-FIT-5", "a sidecar of the preemptor", [](Q q) { return has_sidecar(q.pod); }},
      {"PRE-REQUESTS-2", "an init container on a node",
       [](Q q) { return some_pod(q, [](const Pod& p) { return !p.init_containers.empty(); }); }},
      {"PRE-REQUESTS-3", "overhead",
       [](Q q) {
         return !q.pod.overhead.empty() || some_pod(q, [](const Pod& p) { return !p.overhead.empty(); });
       }},
      {"PRE-REQUESTS-4", "a sidecar", [](Q q) { return has_sidecar(q.pod) || some_pod(q, has_sidecar); }},
      {"PRE-REQUESTS-5", "a pod-level request",
       [](Q q) {
         const auto has = [](const Pod& p) { return p.pod_level_requests.has_value(); };
         return has(q.pod) || some_pod(q, has);
       }},
      {"PRE-REQUESTS-6", "a resize",
       [](Q q) { return some_pod(q, [](const Pod& p) { return !p.conditions.empty(); }); }},
      {"PRE-AFFINITY-2", "affinity of the preemptor", [](Q q) { return !q.pod.pod_affinity.empty(); }},
      {"PRE-AFFINITY-3", "affinity of the preemptor", [](Q q) { return !q.pod.pod_affinity.empty(); }},
      {"PRE-AFFINITY-4", "anti-affinity of the preemptor",
       [](Q q) { return !q.pod.pod_anti_affinity.empty(); }},
      {"PRE-AFFINITY-5", "terms, and a nominated pod",
       [](Q q) {
         return q.pod.pod_affinity.size() + q.pod.pod_anti_affinity.size() > 0 && some_pod(q, is_nominated);
       }},
      {"PRE-AFFINITY-6", "anti-affinity of the preemptor",
       [](Q q) { return !q.pod.pod_anti_affinity.empty(); }},
      {"PRE-AFFINITY-7", "anti-affinity of another pod",
       [](Q q) { return some_pod(q, [](const Pod& p) { return !p.pod_anti_affinity.empty(); }); }},
      {"PRE-AFFINITY-8", "anti-affinity of a nominated pod",
       [](Q q) {
         return some_pod(q, [](const Pod& p) { return is_nominated(p) && !p.pod_anti_affinity.empty(); });
       }},
      {"PRE-AFFINITY-9", "terms of both",
       [](Q q) {
         return q.pod.pod_affinity.size() + q.pod.pod_anti_affinity.size() > 0 &&
                some_pod(q, [](const Pod& p) { return !p.pod_anti_affinity.empty(); });
       }},
      {"PRE-SPREAD", "a spread constraint", [](Q q) { return !q.pod.topology_spread.empty(); }},
      {"PRE-SPREAD-4", "a terminating pod",
       [](Q q) { return some_pod(q, [](const Pod& p) { return p.terminating; }); }},
      {"PRE-SPREAD-5", "two constraints", [](Q q) { return q.pod.topology_spread.size() > 1; }},
      {"PRE-DISK", "a volume", [](Q q) { return !q.pod.volumes.empty(); }},
      {"PRE-RWOP", "a claim", [](Q q) { return !q.cluster.storage.claims.empty(); }},
      {"PRE-RWOP-2", "a nominated pod", [](Q q) { return some_pod(q, is_nominated); }},
      {"PRE-ATTACH", "a volume", [](Q q) { return !q.pod.volumes.empty(); }},
      {"PRE-ATTACH-4", "an attachment", [](Q q) { return !q.cluster.storage.attachments.empty(); }},
      {"PRE-ATTACH-7", "a driver", [](Q q) { return !q.cluster.storage.csi_drivers.empty(); }},
      {"PRE-CLAIM", "a claim",
       [](Q q) { return !q.pod.volumes.empty() && !q.cluster.storage.claims.empty(); }},
      {"PRE-BIND", "a claim",
       [](Q q) { return !q.pod.volumes.empty() && !q.cluster.storage.claims.empty(); }},
      {"PRE-ZONE", "a volume that is there", [](Q q) { return !q.cluster.storage.volumes.empty(); }},
      {"PRE-ELIGIBLE-1", "the policy Never", [](Q q) { return q.pod.preemption_policy == "Never"; }},
      {"PRE-ELIGIBLE-2", "a nomination of the preemptor", [](Q q) { return is_nominated(q.pod); }},
      {"PRE-ELIGIBLE-3", "a nomination of the preemptor", [](Q q) { return is_nominated(q.pod); }},
      {"PRE-ELIGIBLE-3", "a terminating pod",
       [](Q q) { return some_pod(q, [](const Pod& p) { return p.terminating; }); }},
      {"PRE-ELIGIBLE-4", "a terminating pod",
       [](Q q) { return some_pod(q, [](const Pod& p) { return p.terminating; }); }},
      {"PRE-SEARCH", "an offset", [](Q q) { return q.offset.has_value(); }},
      {"PRE-SEARCH-3", "two nodes", [](Q q) { return q.cluster.nodes.size() > 1; }},
      {"PRE-VICTIM-4", "two potential victims", [](Q q) { return has_potential_victims(q, 2); }},
      {"PRE-VICTIM-5", "two potential victims", [](Q q) { return has_potential_victims(q, 2); }},
      {"PRE-VICTIM-6", "two potential victims", [](Q q) { return has_potential_victims(q, 2); }},
      {"PRE-VICTIM-7", "two potential victims", [](Q q) { return has_potential_victims(q, 2); }},
      {"PRE-VICTIM-7", "a PDB", [](Q q) { return !q.cluster.pdbs.empty(); }},
      {"PRE-PDB", "a PDB", [](Q q) { return !q.cluster.pdbs.empty(); }},
      {"PRE-PDB", "a potential victim", [](Q q) { return has_potential_victims(q, 1); }},
      {"PRE-PDB-4", "two PDBs", [](Q q) { return q.cluster.pdbs.size() > 1; }},
      {"PRE-PDB-6", "a pod that is listed as disrupted",
       [](Q q) {
         const auto& pdbs = q.cluster.pdbs;
         return std::any_of(pdbs.begin(), pdbs.end(),
                            [](const PodDisruptionBudget& pdb) { return !pdb.disrupted_pods.empty(); });
       }},
      {"PRE-NODE", "two nodes", [](Q q) { return q.cluster.nodes.size() > 1; }},
      {"PRE-NODE-1", "a PDB", [](Q q) { return !q.cluster.pdbs.empty(); }},
      {"PRE-OUTCOME-1", "a nominated pod", [](Q q) { return some_pod(q, is_nominated); }},
      {"PRE-MESSAGE-2", "pinned names", [](Q q) { return is_pinned(q.pod); }},
      {"EXT", "an extender", [](Q q) { return !q.extenders.empty(); }},
      {"CYC-ORDER-1", "two nodes", [](Q q) { return q.cluster.nodes.size() > 1; }},
      {"CYC-ORDER-1", "a node with a label",
       [](Q q) { return some_node(q, [](const Node& n) { return !n.labels.empty(); }); }},
      {"CYC-SEARCH-1", "100 nodes, and a start",
       [](Q q) { return q.cluster.nodes.size() >= 100 && q.start.has_value(); }},
      {"CYC-SEARCH-2", "a start", [](Q q) { return q.start.has_value(); }},
      {"CYC-SEARCH-3", "two nodes, and a start",
       [](Q q) { return q.cluster.nodes.size() > 1 && q.start.has_value(); }},
      {"CYC-NOMINATED-1", "a nomination of the pod", [](Q q) { return is_nominated(q.pod); }},
      {"CYC-SEES-1", "another pod", [](Q q) { return !q.cluster.pods.empty(); }},
      {"CYC-TOTAL-1", "two nodes", [](Q q) { return q.cluster.nodes.size() > 1; }},
      {"CYC-HOST", "two nodes", [](Q q) { return q.cluster.nodes.size() > 1; }},
      {"SCORE-SET", "two nodes", [](Q q) { return q.cluster.nodes.size() > 1; }},
      {"SCORE-NORMAL", "two nodes", [](Q q) { return q.cluster.nodes.size() > 1; }},
      {"SCORE-REQUESTS-3", "overhead of the pod", [](Q q) { return !q.pod.overhead.empty(); }},
      {"SCORE-REQUESTS-4", "a pod-level request",
       [](Q q) {
         const auto has = [](const Pod& p) { return p.pod_level_requests.has_value(); };
         return has(q.pod) || some_pod(q, has);
       }},
      {"SCORE-AVOID", "a node that avoids a controller",
       [](Q q) { return some_node(q, [](const Node& n) { return !n.avoided.empty(); }); }},
      {"SCORE-TAINT", "a taint",
       [](Q q) { return some_node(q, [](const Node& n) { return !n.taints.empty(); }); }},
      {"SCORE-IMAGE", "a node with an image",
       [](Q q) { return some_node(q, [](const Node& n) { return !n.images.empty(); }); }},
      {"SCORE-SPREAD-1", "a spread constraint, or what has default ones",
       [](Q q) { return !q.pod.topology_spread.empty() || !q.cluster.selecting.empty(); }},
      {"SCORE-SPREAD-2", "a Service or a controller", [](Q q) { return !q.cluster.selecting.empty(); }},
      {"SCORE-SELECTOR", "a Service or a controller", [](Q q) { return !q.cluster.selecting.empty(); }},
      {"SCORE-AFFINITY-1", "a term",
       [](Q q) {
         const auto has = [](const Pod& p) {
           return !p.preferred_pod_affinity.empty() || !p.preferred_pod_anti_affinity.empty() ||
                  !p.pod_affinity.empty();
         };
         return has(q.pod) || some_pod(q, has);
       }},
      {"SCORE-CAPACITY", "a claim", [](Q q) { return !q.cluster.storage.claims.empty(); }},
      {"PRE-ANYORDER-1", "two potential victims", [](Q q) { return has_potential_victims(q, 2); }},
      {"PRE-ANYORDER-2", "two nodes", [](Q q) { return q.cluster.nodes.size() > 1; }},
      {"PRE-ANYORDER-3", "two nodes", [](Q q) { return q.cluster.nodes.size() > 1; }},
  };
  return k_needs;
}

inline bool is_of(std::string_view clause, std::string_view clauses) {
  return clause == clauses || clause.substr(0, clause.rfind('-')) == clauses ||
         clause.substr(0, clause.find('-')) == clauses;
}

}  // namespace touchstone::fuzz
