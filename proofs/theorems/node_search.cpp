#include <array>

#include "proofs/theorems/said.hpp"

/// How many feasible nodes the search finds, in which order it visits nodes, and which of them are scored.
namespace touchstone::proofs::TOUCHSTONE_BUILD {

namespace {

constexpr std::string_view k_some_nodes = "a number of nodes is not negative";

/// The percentage of CYC-SEARCH-1 from v1.14 on.
std::int64_t adaptive_percentage(Quantity nodes) {
  for (std::int64_t percentage = 50; percentage > 5; --percentage) {
    if (nodes < Quantity(125 * (51 - percentage))) return percentage;
  }
  return 5;
}

void share_of_nodes(Proof& proof) {
  const std::size_t which = proof.choose<Quantity>("share", 4);
  Release release = release_of(std::array{"v1.11", "v1.13.0", "v1.34.4", "v1.34.4"}[which]);
  if (which == 3) release.percentage_of_nodes = 30;
  const Quantity nodes = proof.number<Quantity>("nodes");
  proof.assume(k_some_nodes, nodes >= Quantity(0));
  const Quantity found = scheduler::nodes_to_find(nodes, release);
  proof.claim("the search finds no more nodes than there are", found <= nodes);
  proof.claim("the search finds all nodes or at least 100", either(found == nodes, found >= Quantity(100)));
  proof.witness("fewer nodes than there are are found, or the release finds all",
                either(Truth(which == 0), found < nodes));
  if (which == 0) return proof.claim("up to v1.11 the search finds all nodes", found == nodes);
  if (nodes < Quantity(100)) return proof.claim("below 100 nodes the search finds all", found == nodes);
  const std::int64_t percentage = which == 1 ? 50 : which == 3 ? 30 : adaptive_percentage(nodes);
  const Quantity share = Quantity(percentage) * nodes;
  const Truth is_share = both(found * Quantity(100) <= share, share < (found + Quantity(1)) * Quantity(100));
  proof.claim("the search finds the percentage, rounded down, or 100 if that is more",
              either(is_share, both(found == Quantity(100), share < Quantity(10000))));
}

/// Whether more nodes can mean that fewer are found. `which`: the share of v1.13, of v1.34, or of a
/// configuration.
void more_nodes(Proof& proof, std::string_view name, std::optional<Quantity> percentage, bool one_more) {
  Release release = release_of(name);
  release.percentage_of_nodes = percentage;
  const Quantity nodes = proof.number<Quantity>("nodes");
  const Quantity more = one_more ? Quantity(1) : proof.number<Quantity>("more nodes");
  proof.assume(k_some_nodes, both(nodes >= Quantity(0), more >= Quantity(0)));
  const Quantity found = scheduler::nodes_to_find(nodes, release);
  const Quantity found_of_more = scheduler::nodes_to_find(nodes + more, release);
  proof.claim("the search finds no fewer of more nodes", found <= found_of_more);
  proof.witness("the search finds more of more nodes", found < found_of_more);
}

bool has_room(const Question& question, std::size_t node) {
  return cpu_of(question.pod) <= question.cluster.nodes[node].allocatable.at("cpu");
}

/// Nodes with any amount of cpu. Each is in one of two zones of the same name, or in none.
Question nodes_in_zones(Proof& proof, std::size_t nodes, std::vector<std::size_t>& zones) {
  Question question;
  for (std::size_t i = 0; i < nodes; ++i) {
    const std::string name = "n" + std::to_string(i);
    Node node = make_node(proof, name);
    zones.push_back(proof.choose<Quantity>("zone of " + name, 3));
    if (zones.back() > 0) {
      node.labels["topology.kubernetes.io/region"] = zones.back() == 1 ? "r" : "s";
      node.labels["topology.kubernetes.io/zone"] = "z";
    }
    question.cluster.nodes.push_back(node);
  }
  question.pod = make_pod(proof, "preemptor");
  proof.assume(k_wants_something, cpu_of(question.pod) > Quantity(0));
  return question;
}

/// The order of CYC-ORDER-1, said in another way: a node is visited after all nodes that have fewer nodes of
/// their own zone before them, and after earlier zones.
std::vector<NodeIndex> order_by_zone(const std::vector<std::size_t>& zones) {
  std::vector<std::tuple<std::size_t, std::size_t, NodeIndex>> places;
  for (NodeIndex node = 0; node < zones.size(); ++node) {
    const auto before = zones.begin() + static_cast<std::ptrdiff_t>(node);
    const auto number = std::count(zones.begin(), before, zones[node]);
    const auto first = std::find(zones.begin(), zones.end(), zones[node]) - zones.begin();
    places.emplace_back(number, first, node);
  }
  std::sort(places.begin(), places.end());
  std::vector<NodeIndex> order;
  for (const auto& [number, first, node] : places) order.push_back(node);
  return order;
}

void search_without_scorers(Proof& proof, std::size_t nodes) {
  Release release = release_of("v1.34.4");
  release.scorers.clear();
  std::vector<std::size_t> zones;
  Question question = nodes_in_zones(proof, nodes, zones);
  const std::size_t start = proof.choose<Quantity>("start", nodes);
  question.start = Quantity(start);
  const Placement placement = scheduler::schedule(question, release);
  proof.observe(placement.host ? "host " + std::to_string(*placement.host) : "no host");

  const std::vector<NodeIndex> order = order_by_zone(zones);
  std::vector<NodeIndex> with_room;
  for (std::size_t i = 0; i < nodes; ++i) {
    const NodeIndex node = order[(start + i) % nodes];
    const bool fits = has_room(question, node);
    const bool is_visited = with_room.empty() || (with_room.size() == 1 && !fits);
    if (fits) with_room.push_back(node);
    proof.claim("exactly the visited nodes without room have a status",
                Truth(placement.decision.filter.contains(node) == (is_visited && !fits)));
  }
  if (with_room.empty()) return proof.claim("no host without room", Truth(!placement.host));
  proof.claim("the host is the first node with room", Truth(placement.host == with_room.front()));
  proof.claim("one feasible node is found", Truth(placement.feasible.size() == 1));
  proof.witness("the last node of the search is the host",
                Truth(placement.host == order[(start + nodes - 1) % nodes]));
}

/// Two nodes, to the second of which the pod may be nominated. `before`: a release that does not try the
/// nominated node first.
void nominated_first(Proof& proof) {
  const bool before = proof.choose<Quantity>("release", 2) == 1;
  Release release = release_of(before ? "v1.20" : "v1.34.4");
  release.scorers = {{Scorer::taint_toleration, "TaintToleration", 1}};
  Question question;
  for (const char* name : {"n0", "n1"}) question.cluster.nodes.push_back(make_node(proof, name));
  question.cluster.nodes[1].taints.push_back({"key", "", "PreferNoSchedule"});
  question.pod = make_pod(proof, "preemptor");
  proof.assume(k_wants_something, cpu_of(question.pod) > Quantity(0));
  const bool is_nominated = chosen(proof, "nominated to n1");
  if (is_nominated) question.pod.nominated_node_name = "n1";

  const Placement placement = scheduler::schedule(question, release);
  proof.observe(placement.host ? "host " + std::to_string(*placement.host) : "no host");
  const bool first = has_room(question, 0);
  const bool second = has_room(question, 1);
  const bool goes_first = is_nominated && !before && second;
  proof.claim("a nominated node with room is the host, from v1.22 on",
              Truth(!goes_first || placement.host == NodeIndex(1)));
  proof.claim("otherwise the node with the higher score is the host",
              Truth(goes_first || !first || placement.host == NodeIndex(0)));
  proof.claim("the host has room", Truth(!placement.host || (*placement.host == 0 ? first : second)));
  proof.claim("a pod has a host if a node has room", Truth(placement.host.has_value() == (first || second)));
  proof.claim("two feasible nodes are scored, and one is not",
              Truth(placement.totals.size() == (first && second && !goes_first ? 2 : 0)));
  proof.witness("the nominated node is the host beside another with room", Truth(goes_first && first));
}

void quota_of_arguments(Proof& proof) {
  ProfileRules profile;
  const std::size_t which = proof.choose<Quantity>("percentage", 3);
  const std::int64_t percentage = std::array{0, 10, 50}[which];
  profile.candidate_percentage = percentage;
  profile.candidates_least = proof.number<Quantity>("absolute");
  const Quantity nodes = proof.number<Quantity>("potential nodes");
  proof.assume(k_some_nodes, both(nodes >= Quantity(0), profile.candidates_least >= Quantity(0)));
  const Quantity quota = scheduler::candidate_quota(nodes, profile);
  proof.claim("the quota is at most all nodes", quota <= nodes);
  proof.claim("the quota is at least the absolute number, or all nodes",
              either(quota == nodes, quota >= profile.candidates_least));
  const Quantity share = Quantity(percentage) * nodes;
  proof.claim("the quota is the percentage, rounded down, or the absolute number, or all nodes",
              either(either(quota == nodes, quota == profile.candidates_least),
                     both(quota * Quantity(100) <= share, share < (quota + Quantity(1)) * Quantity(100))));
  proof.witness("the percentage decides", both(quota<nodes, quota> profile.candidates_least));
}

void without_preemption(Proof& proof) {
  Release release = release_of("v1.34.4");
  release.preempts = chosen(proof, "DefaultPreemption runs");
  Question question = one_node(proof, 1);
  proof.assume(k_wants_something, cpu_of(question.pod) > Quantity(0));
  const Placement placement = scheduler::schedule(question, release);
  proof.observe("outcome " + std::to_string(static_cast<int>(placement.decision.outcome)));
  const bool is_nominated = placement.decision.outcome == Outcome::nominated;
  proof.claim("without DefaultPreemption no pod is evicted", Truth(release.preempts || !is_nominated));
  const Truth fits = finds_room(question, {true});
  proof.claim("the pod is scheduled if and only if it fits beside the other pod",
              exactly(placement.host.has_value(), fits));
  proof.witness("an eviction, or the pod does not fit", either(Truth(is_nominated), negation(fits)));
}

void ignored_resources(Proof& proof) {
  Release release = release_of("v1.34.4");
  const std::size_t how = proof.choose<Quantity>("ignored: no, by name, by group", 3);
  if (how == 1) release.ignored_resources = {"example.com/gpu"};
  if (how == 2) release.ignored_resource_groups = {"example.com"};
  Question question = one_node(proof, 0);
  const Quantity gpu = proof.number<Quantity>("gpu of the node");
  const Quantity wanted = proof.number<Quantity>("gpu of the pod");
  proof.assume(k_no_negative_request, wanted > Quantity(0));
  question.cluster.nodes[0].allocatable["example.com/gpu"] = gpu;
  question.pod.containers[0].requests["example.com/gpu"] = wanted;
  Trace trace = Trace::none();
  const scheduler::Cycle cycle(question, release, trace);
  const Status status = scheduler::run_filter(Filter::node_resources_fit, cycle, cycle.nodes[0]);
  proof.observe(told(status));
  const Truth has_cpu = cpu_of(question.pod) <= question.cluster.nodes[0].allocatable.at("cpu");
  const Truth has_gpu = either(Truth(how > 0), wanted <= gpu);
  const Truth cpu_is_free = either(has_cpu, cpu_of(question.pod) == Quantity(0));
  proof.claim("a resource rejects a node unless the configuration ignores it",
              exactly(status.ok(), both(cpu_is_free, has_gpu)));
  proof.witness("a node without enough of an ignored resource fits",
                both(Truth(how == 2 && status.ok()), wanted > gpu));
}

}  // namespace

Theorems theorems_of_node_search() {
  return {
      {.name = "share-of-nodes-to-find",
       .clauses = {"CYC-SEARCH-1"},
       .statement = "The search finds all nodes, or the percentage of the release or of the configuration, "
                    "rounded down, but at least 100: any number of nodes, v1.11, v1.13.0 and v1.34.4.",
       .variants = {"half-of-the-nodes-is-found", "share-of-nodes-rounds-up",
                    "fewer-than-a-hundred-are-found", "configured-percentage-is-ignored"},
       .body = share_of_nodes},
      {.name = "more-nodes-are-found-of-more",
       .clauses = {"CYC-SEARCH-1"},
       .statement = "With a percentage that does not depend on the number of nodes, the search never finds "
                    "fewer of more nodes: any two numbers of nodes, v1.13.0.",
       .variants = {"fewer-than-a-hundred-are-found"},
       .body = [](Proof& proof) { more_nodes(proof, "v1.13.0", {}, false); }},
      {.name = "fewer-nodes-are-found-of-more",
       .clauses = {"CYC-SEARCH-1"},
       .statement = "From v1.14 on the search may find fewer nodes if the cluster has one node more, because "
                    "the percentage falls: v1.34.4.",
       .body = [](Proof& proof) { more_nodes(proof, "v1.34.4", {}, true); },
       .kind = Kind::exhibit},
      {.name = "search-takes-the-first-node-with-room",
       .clauses = {"CYC-ORDER-1", "CYC-SEARCH-2", "CYC-SEARCH-3"},
       .statement = "Without scorers the host is the first node with room in the order by zones, from the "
                    "start index on. The search visits no node after the second one with room: 3 nodes with "
                    "any cpu, in two zones or none, any start, v1.34.4.",
       .variants = {"start-is-ignored", "nodes-are-visited-as-listed", "regions-do-not-part-zones",
                    "search-ends-at-the-last-it-keeps", "one-node-more-is-found",
                    "all-are-found-without-scorers"},
       .body = [](Proof& proof) { search_without_scorers(proof, 3); },
       .tier = Tier::full},
      {.name = "nominated-node-with-room-is-the-host",
       .clauses = {"CYC-NOMINATED-1", "CYC-ONE-1"},
       .statement = "From v1.22 on a nominated node with room is the host, and no node is scored. One node "
                    "with room is not scored, and two are: 2 nodes with any cpu, v1.20 and v1.34.4.",
       .variants = {"nominated-node-competes", "nominated-node-needs-not-fit", "one-node-is-scored-too",
                    "two-nodes-are-not-scored"},
       .body = nominated_first},
      {.name = "arguments-of-the-quota",
       .clauses = {"CYC-PROFILE-3", "PRE-SEARCH-2"},
       .statement = "The quota of candidates is minCandidateNodesPercentage of the potential nodes or "
                    "minCandidateNodesAbsolute, whichever is more, but at most all nodes: any number of "
                    "nodes, any absolute number, 0, 10 and 50 percent.",
       .variants = {"candidate-arguments-are-ignored"},
       .body = quota_of_arguments},
      {.name = "no-eviction-without-default-preemption",
       .clauses = {"CYC-PROFILE-1"},
       .statement = "Without DefaultPreemption no pod is evicted: one node with a pod, cpu.",
       .variants = {"preemption-is-never-off"},
       .body = without_preemption},
      {.name = "ignored-resources-reject-no-node",
       .clauses = {"CYC-PROFILE-2"},
       .statement = "A resource that the configuration ignores, by name or by group, rejects no node: one "
                    "node, cpu and an extended resource.",
       .variants = {"ignored-resources-are-checked", "ignored-groups-are-checked"},
       .body = ignored_resources},
  };
}

}  // namespace touchstone::proofs::TOUCHSTONE_BUILD
