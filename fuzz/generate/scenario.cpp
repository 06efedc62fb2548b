#include "fuzz/generate/scenario.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "fuzz/generate/draw.hpp"
#include "reference/filters/requests.hpp"
#include "spec/vocabulary/seeded_choices.hpp"

namespace touchstone::fuzz {

namespace {

constexpr Quantity k_priority_min = std::numeric_limits<std::int32_t>::min();
constexpr Quantity k_priority_max = 2'000'000'000;  ///< of system-cluster-critical
constexpr std::size_t k_many_nodes = 101;

/// One scenario in this many has the family.
std::size_t odds_of(Family family) {
  switch (family) {
    case Family::pdbs:
    case Family::starts:
      return 2;
    case Family::many_nodes:
      return 64;
    case Family::offset:
    case Family::affinity:
    case Family::anti_affinity:
    case Family::spread:
      return 8;
    case Family::rwop:
    case Family::disks:
    case Family::attach_limits:
    case Family::volume_zones:
    case Family::volume_binding:
    case Family::features:
    case Family::unusual:
      return 12;
    default:
      return 4;
  }
}

/// Chooses the families of a scenario. As in swarm testing, a scenario has some families and lacks others.
std::set<Family> draw_families(Draw& draw, const Scenarios& scenarios) {
  std::set<Family> families;
  for (const Family family : scenarios.families) {
    if (family >= Family::unusual) continue;  // they are generated last
    if (draw.once_in(odds_of(family))) families.insert(family);
  }
  if (draw.minor < 16) families.erase(Family::spread);  // the API does not have it
  return families;
}

/// Chooses the families of a small scenario: only those that decide between a few pods.
std::set<Family> draw_small_families(Draw& draw, const Scenarios& scenarios) {
  std::set<Family> families;
  for (const Family family : {Family::pdbs, Family::starts, Family::extreme, Family::nominated}) {
    if (scenarios.families.contains(family) && draw.once_in(2)) families.insert(family);
  }
  return families;
}

Priorities draw_priorities(Draw& draw) {
  if (draw.has(Family::extreme)) {
    const Quantity preemptor = draw.one_of<Quantity>({k_priority_max, 10, 0, k_priority_min + 3});
    if (draw.small) return {preemptor, {k_priority_min + 1, k_priority_min, k_priority_min + 1, preemptor}};
    return {preemptor, {5, k_priority_min, k_priority_min, k_priority_min + 1, preemptor - 1, 0, -1, 5}};
  }
  const Quantity preemptor = draw.one_of<Quantity>({100, 10, 0, 1000});
  return {preemptor,
          {preemptor - 10, preemptor - 5, preemptor - 10, preemptor - 1, preemptor - 5, preemptor,
           preemptor + 1, preemptor - 10}};
}

/// Generates the free amount of a resource on a node. `request`: the preemptor's. The free amount is seldom
/// enough. Often it is exactly enough once some pod is evicted, or one unit less. With many nodes the
/// alternative "enough" is left out: one node where the pod fits would make preemption unnecessary.
Quantity draw_slack(Draw& draw, Quantity request, Quantity size_of_a_pod) {
  const Quantity enough = draw.has(Family::many_nodes) ? 0 : request;
  if (size_of_a_pod == 0) return draw.once_in(32) ? enough : 0;
  switch (draw.below(16)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
    case 5:
      return 0;
    case 6:
    case 7:
      return std::max<Quantity>(0, request - size_of_a_pod);
    case 8:
    case 9:
      return std::max<Quantity>(0, request - size_of_a_pod - 1);
    case 10:
      return request / 2;
    case 11:
    case 12:
      return std::max<Quantity>(0, request - 1);
    case 13:
      return 1;
    case 14:
      return draw.once_in(4) ? enough : 0;
    default:
      return -1;
  }
}

/// Makes nodes as large as the pods on them, plus or minus a little. The preemptor then seldom fits without
/// an eviction, and it fits exactly more often than by chance.
void draw_allocatable(Draw& draw, const Release& release, Question& question) {
  const ResourceList wanted = reference::requests_of_preemptor(question.pod, release);
  std::map<std::string, std::vector<ResourceList>> taken;
  for (const Pod& pod : question.cluster.pods) {
    if (!pod.node_name.empty() && !is_done(pod))
      taken[pod.node_name].push_back(reference::requests_on_node(pod, release));
  }
  std::set<std::string> resources = {"cpu"};
  if (draw.has(Family::resources) || draw.has(Family::requests)) {
    for (const auto& [name, amount] : wanted) resources.insert(name);
    for (const auto& [node, pods] : taken) {
      for (const ResourceList& requests : pods) {
        for (const auto& [name, amount] : requests) resources.insert(name);
      }
    }
  }
  const auto amount_of = [](const ResourceList& list, const std::string& name) {
    const auto found = list.find(name);
    return found == list.end() ? 0 : found->second;
  };
  for (Node& node : question.cluster.nodes) {
    const std::vector<ResourceList>& pods = taken[node.name];
    for (const std::string& name : resources) {
      Quantity used = 0;
      Quantity one = 0;
      for (const ResourceList& requests : pods) {
        used += amount_of(requests, name);
        if (one == 0 || draw.once_in(2)) one = amount_of(requests, name);
      }
      const Quantity want = amount_of(wanted, name);
      // Resources other than cpu are plentiful half of the time, and absent once in 24.
      const bool is_scarce = name == "cpu" || draw.once_in(2);
      if (name != "cpu" && draw.once_in(24)) continue;
      const Quantity slack = is_scarce ? draw_slack(draw, want, one) : want;
      node.allocatable[name] = std::max<Quantity>(0, used + slack);
      // If the preemptor requests more than the whole node, no other rule decides.
      if (used > 0 && want > node.allocatable[name] && !draw.once_in(8)) node.allocatable[name] = want;
    }
    if (draw.small && draw.once_in(2)) node.allocatable["cpu"] += amount_of(wanted, "cpu");
    node.allocatable["pods"] = draw.small && draw.once_in(2) ? static_cast<Quantity>(draw.below(4)) : 110;
    if (draw.has(Family::resources) && draw.once_in(4))
      node.allocatable["pods"] = static_cast<Quantity>(pods.size() + draw.below(2));
  }
}

void draw_pods_of_node(Draw& draw, const Scenarios& scenarios, const Priorities& priorities, bool alike,
                       const std::string& node, Question& question) {
  const bool few = draw.has(Family::many_nodes) || draw.small;
  const std::size_t most = few ? std::min<std::size_t>(2, scenarios.most_pods) : scenarios.most_pods;
  const std::size_t pods = draw.once_in(12) ? 0 : 1 + draw.below(most);
  for (std::size_t i = 0; i < pods; ++i) {
    Pod pod = draw_pod(draw, node + "-" + std::to_string(i), priorities, alike);
    pod.node_name = node;
    if (draw.has(Family::nominated) && draw.once_in(draw.small ? 2 : 5)) {
      pod.node_name.clear();
      pod.nominated_node_name = draw.once_in(16) ? "gone" : node;
      pod.start_time_ns.reset();
      pod.priority = std::max(k_priority_min, question.pod.priority + draw.one_of<Quantity>({0, 1, -1, -10}));
    }
    question.cluster.pods.push_back(std::move(pod));
  }
}

void draw_offset(Draw& draw, Question& question) {
  const std::size_t nodes = question.cluster.nodes.size();
  question.offset = static_cast<Quantity>(draw.below(nodes + 2));
  if (!draw.once_in(4)) question.quota = draw.one_of<Quantity>({1, 1, 2, 3});
}

}  // namespace

/// splitmix64 (Steele, Lea, Flood 2014): neighbouring numbers give unrelated seeds.
std::uint64_t mixed(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

PodDisruptionBudget draw_pdb(Draw& draw, std::size_t number, const std::vector<Pod>& pods) {
  PodDisruptionBudget pdb{"default", "b" + std::to_string(number + 1), std::nullopt, 0, {}};
  if (draw.has(Family::namespaces) && draw.once_in(3)) pdb.ns = "other";
  if (!draw.once_in(16)) pdb.selector = draw_label_selector(draw, false);
  if (!draw.tight) pdb.disruptions_allowed = draw.one_of<Quantity>({0, 1, 0, 2, 1, 0, 3, -1});
  if (!pods.empty() && draw.once_in(4)) {
    pdb.disrupted_pods.push_back(pods[draw.below(pods.size())].name);
    const std::string other = pods[draw.below(pods.size())].name;
    if (other != pdb.disrupted_pods[0]) pdb.disrupted_pods.push_back(other);
  }
  return pdb;
}

std::set<Family> whole_cycle_families() {
  std::set<Family> families;
  for (std::size_t i = 0; i < k_family_names.size(); ++i) families.insert(static_cast<Family>(i));
  families.erase(Family::extenders);
  return families;
}

std::set<Family> preemption_families() {
  std::set<Family> families = whole_cycle_families();
  families.erase(families.upper_bound(Family::unusual), families.end());
  return families;
}

Scenarios all_scenarios(const Release& release) { return {release, preemption_families(), 8, 4}; }

Scenarios whole_cycle_scenarios(const Release& release) { return {release, whole_cycle_families(), 8, 4}; }

Question numbered_scenario(const Scenarios& scenarios, std::uint64_t seed, std::uint64_t number) {
  return numbered_draw(scenarios, seed, number).question;
}

Drawn numbered_draw(const Scenarios& scenarios, std::uint64_t seed, std::uint64_t number) {
  SeededChoices choices(mixed(mixed(seed) + number));
  return draw_scenario(choices, scenarios);
}

Question scenario(Choices& choices, const Scenarios& scenarios) {
  return draw_scenario(choices, scenarios).question;
}

Drawn draw_scenario(Choices& choices, const Scenarios& scenarios) {
  Draw draw{choices, {}, scenarios.release.version.minor};
  draw.families = draw_families(draw, scenarios);
  // Scenarios with at most 2 nodes are for exhaustive enumeration and are small anyway.
  draw.small = scenarios.most_nodes > 2 && draw.once_in(10);
  if (draw.small) draw.families = draw_small_families(draw, scenarios);
  draw.tight = draw.has(Family::pdbs) && draw.once_in(4);
  const bool many = draw.has(Family::many_nodes);
  const Priorities priorities = draw_priorities(draw);
  const bool alike = draw.once_in(3);
  const std::size_t most_nodes =
      draw.small ? std::min<std::size_t>(2, scenarios.most_nodes) : scenarios.most_nodes;
  const std::size_t nodes = many ? k_many_nodes + draw.below(60) : 1 + draw.below(most_nodes);

  Question question;
  question.pod = draw_preemptor(draw, priorities, nodes);
  for (std::size_t n = 0; n < nodes; ++n) {
    Node& node = question.cluster.nodes.emplace_back();
    node.name = node_name(n);
    draw_node_labels(draw, node);
    draw_taints(draw, node);
    draw_declared_features(draw, node);
    draw_pods_of_node(draw, scenarios, priorities, alike, node.name, question);
  }
  if (draw.has(Family::terminating) && draw.once_in(16)) {
    question.cluster.pods.push_back(draw_pod(draw, "lost", priorities, alike));
    question.cluster.pods.back().node_name = "gone";
  }
  if (draw.has(Family::nominated) && draw.once_in(8)) question.cluster.pods.push_back(question.pod);
  if (draw.has(Family::pdbs)) {
    const std::size_t pdbs = draw.one_of<std::size_t>({1, 2, 3, 2});
    for (std::size_t i = 0; i < pdbs; ++i)
      question.cluster.pdbs.push_back(draw_pdb(draw, i, question.cluster.pods));
  }
  draw_allocatable(draw, scenarios.release, question);
  draw_namespaces(draw, question.cluster);
  draw_volumes(draw, question);
  if (draw.has(Family::offset) || many) draw_offset(draw, question);
  if (!draw.small && scenarios.families.contains(Family::unusual) && draw.once_in(odds_of(Family::unusual))) {
    draw.families.insert(Family::unusual);
    draw_unusual(draw, question);
  }
  if (draw.once_in(256)) question.cluster.nodes.clear();
  draw_scored(draw, scenarios, question);
  if (scenarios.families.contains(Family::extenders) && !draw.once_in(4)) {
    draw.families.insert(Family::extenders);
    draw_extenders(draw, question);
  }
  return {std::move(question), std::move(draw.families)};
}

}  // namespace touchstone::fuzz
