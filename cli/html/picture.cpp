#include "cli/html/picture.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "oracle/explain/explainer.hpp"
#include "oracle/explain/wording.hpp"
#include "reference/filters/requests.hpp"
#include "reference/preemption/preempt.hpp"

namespace touchstone::cli {

namespace {

using oracle::Json;

Quantity amount_in(const ResourceList& amounts, const std::string& resource) {
  const auto found = amounts.find(resource);
  return found == amounts.end() ? 0 : found->second;
}

/// cpu and memory, and the other resources that the pod requests.
std::vector<std::string> resources_drawn(const ResourceList& requests) {
  std::vector<std::string> resources = {"cpu", "memory"};
  for (const auto& [resource, amount] : requests) {
    if (amount > 0 && resource != "cpu" && resource != "memory") resources.push_back(resource);
  }
  return resources;
}

Json amounts_of(const ResourceList& amounts, const std::vector<std::string>& resources) {
  Json list = Json::array();
  for (const std::string& resource : resources) list.push_back(amount_in(amounts, resource));
  return list;
}

Json facts_of(const Node& node) {
  Json facts = Json::array();
  if (node.unschedulable) facts.push_back("unschedulable");
  for (const Taint& taint : node.taints)
    facts.push_back("taint " + taint.key + (taint.value.empty() ? "" : "=" + taint.value) + ":" +
                    taint.effect);
  return facts;
}

/// Whether a pod takes room on a node, or is promised it.
bool is_drawn(const Pod& pod) { return pod.phase != "Succeeded" && pod.phase != "Failed"; }

/// The node of a pod: the one that it is bound to, or else nominated to. Empty: none.
const std::string& place_of(const Pod& pod) {
  return pod.node_name.empty() ? pod.nominated_node_name : pod.node_name;
}

Json pod_drawn(const Pod& pod, const Release& release, const std::vector<std::string>& resources) {
  const char* state = pod.node_name.empty() ? "nominated" : pod.terminating ? "terminating" : "bound";
  return {{"name", pod.full_name()},
          {"priority", pod.priority},
          {"state", state},
          {"requests", amounts_of(reference::requests_on_node(pod, release), resources)}};
}

/// The nodes in the order in which they are drawn.
std::vector<NodeIndex> nodes_drawn(std::size_t nodes, const std::vector<NodeIndex>& first) {
  std::vector<NodeIndex> order;
  std::set<NodeIndex> taken;
  const auto draw = [&](NodeIndex node) {
    if (order.size() < k_nodes_drawn && taken.insert(node).second) order.push_back(node);
  };
  for (const NodeIndex node : first) draw(node);
  for (NodeIndex node = 0; node < nodes; ++node) draw(node);
  return order;
}

/// The value of a candidate at a criterion, in the words of `explain`.
std::string value_at(const reference::Rank& rank, Measure measure) {
  switch (measure) {
    case Measure::pdb_violations:
      return std::to_string(rank.pdb_violations);
    case Measure::first_priority:
      return std::to_string(rank.first_priority);
    case Measure::priority_sum:
      return std::to_string(rank.priority_sum);
    case Measure::victims:
      return std::to_string(rank.victims);
    default:
      return rank.earliest_start ? oracle::time_of(*rank.earliest_start) : "not started";
  }
}

/// The criteria that the release has.
std::vector<oracle::Criterion> criteria_of(const Release& release) {
  std::vector<oracle::Criterion> criteria = oracle::node_criteria();
  std::erase_if(criteria, [&release](const oracle::Criterion& each) {
    return (each.clause == "PRE-NODE-1" && release.pdb_budget == PdbBudget::ignored) ||
           (each.clause == "PRE-NODE-5" && !release.choice_by_start_time);
  });
  return criteria;
}

}  // namespace

std::vector<NodeIndex> nodes_of_interest(const Question& question, const Release& release,
                                         const Decision& decision) {
  std::vector<NodeIndex> nodes = oracle::best_first(question.cluster, release, decision);
  nodes.insert(nodes.end(), decision.feasible.begin(), decision.feasible.end());
  return nodes;
}

std::vector<NodeIndex> nodes_of_interest(const Question& question, const Release& release,
                                         const Placement& placement) {
  if (!placement.host) return nodes_of_interest(question, release, placement.decision);
  std::vector<NodeIndex> nodes = {*placement.host};
  nodes.insert(nodes.end(), placement.best.begin(), placement.best.end());
  nodes.insert(nodes.end(), placement.feasible.begin(), placement.feasible.end());
  return nodes;
}

Json picture_of(const Question& question, const Release& release, const std::vector<NodeIndex>& first) {
  const Cluster& cluster = question.cluster;
  const ResourceList requests = reference::requests_of_preemptor(question.pod, release);
  const std::vector<std::string> resources = resources_drawn(requests);
  const std::vector<NodeIndex> order = nodes_drawn(cluster.nodes.size(), first);
  std::map<std::string, std::size_t> position;
  Json nodes = Json::array();
  for (const NodeIndex index : order) {
    const Node& node = cluster.nodes[index];
    position[node.name] = nodes.size();
    nodes.push_back({{"name", node.name},
                     {"allocatable", amounts_of(node.allocatable, resources)},
                     {"facts", facts_of(node)},
                     {"pods", Json::array()}});
  }
  for (const Pod& pod : cluster.pods) {
    const auto found = position.find(place_of(pod));
    if (found == position.end() || !is_drawn(pod)) continue;
    if (pod.full_name() == question.pod.full_name()) continue;
    nodes[found->second]["pods"].push_back(pod_drawn(pod, release, resources));
  }
  return {{"resources", resources},
          {"pod",
           {{"name", question.pod.full_name()},
            {"priority", question.pod.priority},
            {"requests", amounts_of(requests, resources)}}},
          {"nodes", nodes},
          {"nodesLeftOut", cluster.nodes.size() - order.size()}};
}

Json ladder_of(const Question& question, const Release& release, const Decision& decision) {
  if (decision.outcome != Outcome::nominated || decision.candidates.size() < 2) return nullptr;
  const Cluster& cluster = question.cluster;
  const std::vector<oracle::Criterion> criteria = criteria_of(release);
  const auto rank_on = [&](NodeIndex node) {
    const auto is_here = [node](const Candidate& candidate) { return candidate.node == node; };
    return reference::rank_of(
        cluster, *std::find_if(decision.candidates.begin(), decision.candidates.end(), is_here), release);
  };
  const std::vector<NodeIndex> order = oracle::best_first(cluster, release, decision);
  const reference::Rank best = rank_on(order.front());
  Json shown = Json::array();
  for (const NodeIndex node : order) {
    if (shown.size() == k_nodes_drawn) break;
    const reference::Rank rank = rank_on(node);
    Json values = Json::array();
    Json lost_at = nullptr;
    for (std::size_t i = 0; i < criteria.size(); ++i) {
      values.push_back(value_at(rank, criteria[i].value));
      if (lost_at.is_null() && values.back() != value_at(best, criteria[i].value)) lost_at = i;
    }
    shown.push_back({{"node", cluster.nodes[node].name},
                     {"values", values},
                     {"lostAt", lost_at},
                     {"chosen", node == order.front()}});
  }
  Json heads = Json::array();
  for (const oracle::Criterion& each : criteria)
    heads.push_back({{"name", each.criterion}, {"clause", each.clause}});
  return {{"criteria", heads}, {"candidates", shown}};
}

}  // namespace touchstone::cli
