#include "reference/queue/group_preemption.hpp"

#include <algorithm>
#include <set>

#include "reference/cycle/node_search.hpp"
#include "reference/filters/filters.hpp"
#include "reference/preemption/preempt.hpp"
#include "reference/queue/cycle_run.hpp"
#include "reference/queue/group_trial.hpp"
#include "reference/queue/objects.hpp"
#include "reference/queue/preemption_run.hpp"
#include "reference/queue/scheduler_cache.hpp"

namespace touchstone::reference {

namespace {

using GroupMemberList = std::vector<GroupMember>;

constexpr const char* k_group_preemption = "pod group preemption: ";

/// QUE-ENTITY-7: whether pods that the group evicted before still terminate on a node to which one of its
/// pods is nominated.
bool waits_for_victims(const World& world, const GroupMemberList& members) {
  for (const GroupMember& member : members) {
    const std::string& node = member.entry.object.pod.nominated_node_name;
    const auto there = world.cache.pods.find(node);
    if (find_node(world.cache.nodes, node) == nullptr || there == world.cache.pods.end()) continue;
    for (const PodObject& other : there->second) {
      if (victim_priority(seen_as_victim(world, other)) < world.loop.pod_group.priority &&
          is_being_preempted(other.pod, world.release))
        return true;
    }
  }
  return false;
}

/// QUE-ENTITY-7: the pods of lower priority on all nodes, the most important first. The pods of the question
/// begin with those of the cache.
std::vector<PodOnNode> group_victims(const Cycle& cycle, Quantity priority) {
  std::vector<PodOnNode> victims;
  for (const NodeIndex node : nodes_in_order(cycle)) {
    for (const PodOnNode& each : cycle.nodes[node].pods) {
      if (victim_priority(*each.object) < priority) victims.push_back(each);
    }
  }
  std::stable_sort(victims.begin(), victims.end(), [&cycle](const PodOnNode& a, const PodOnNode& b) {
    return more_important(*a.object, *b.object, cycle.release);
  });
  return victims;
}

/// A pod of the group where the trial without victims placed it.
struct PlacedPod {
  GroupMember member;
  bool has_no_affinity = false;  ///< InterPodAffinity is skipped for it
};

/// QUE-ENTITY-7: the placed pods. What its PreFilter found without the victims decides whether a filter is
/// skipped.
std::vector<PlacedPod> placed_pods(World& world, const GroupMemberList& tried) {
  const Cache before = world.cache;
  std::vector<PlacedPod> all;
  for (const GroupMember& member : tried) {
    if (member.node.empty()) continue;
    const Question question = question_of(world, member.entry.object);
    Trace trace = Trace::none();
    const Cycle cycle(question, world.release, trace);
    all.push_back({member, affinity_is_skipped(cycle)});
    assume(world, with_node(member));
  }
  world.cache = before;
  return all;
}

/// QUE-ENTITY-7: whether the placed pods still fit on their nodes, each beside those before it.
bool still_fit(World& world, const std::vector<PlacedPod>& placed) {
  const Cache before = world.cache;
  bool fit = true;
  for (const PlacedPod& each : placed) {
    Question question = question_of(world, each.member.entry.object);
    if (each.has_no_affinity) {
      for (Pod& pod : question.cluster.pods) pod.pod_anti_affinity.clear();
    }
    Trace trace = Trace::none();
    const Cycle cycle(question, world.release, trace);
    const auto node = std::find_if(cycle.nodes.begin(), cycle.nodes.end(), [&each](const NodeState& state) {
      return state.node->name == each.member.node;
    });
    fit = run_filters_with_nominated_pods(cycle, *node).ok();
    if (!fit) break;
    assume(world, with_node(each.member));
  }
  world.cache = before;
  return fit;
}

/// QUE-ENTITY-7: the victims that cannot be put back. Requires: the cache has none of the victims.
std::vector<PodObject> not_reprieved(World& world, const std::vector<PlacedPod>& placed,
                                     const std::vector<PodObject>& victims,
                                     const std::vector<bool>& violating) {
  std::set<std::size_t> needed;  // in the order of the victims
  for (const bool violating_now : {true, false}) {
    for (std::size_t i = 0; i < victims.size(); ++i) {
      if (violating[i] != violating_now) continue;
      const Cache without = world.cache;
      assume(world, victims[i]);
      if (still_fit(world, placed)) continue;
      world.cache = without;
      needed.insert(i);
    }
  }
  std::vector<PodObject> left;
  for (const std::size_t i : needed) left.push_back(victims[i]);
  return left;
}

/// QUE-ENTITY-8: begins to evict the victims.
void begin_group_preemption(World& world, const GroupMemberList& members, std::vector<PodObject> victims) {
  PodObject preemptor;
  preemptor.pod.ns = world.loop.pod_group.ns;
  preemptor.pod.name = world.loop.pod_group.name;
  preemptor.pod.uid = world.loop.pod_group.uid;
  preemptor.pod.priority = world.loop.pod_group.priority;
  // The release calls its candidate so, and clears the nominations to a node of this name.
  std::optional<Preemption> preemption =
      preemption_of(preemptor, "cluster", std::move(victims), world.release);
  if (!preemption) return;
  world.cite("QUE-ENTITY-8");
  for (const GroupMember& member : members) preemption->group_pods.push_back(member.entry.object);
  world.preemptions.push_back(std::move(*preemption));
}

bool spreads(const GroupMember& member) {
  const std::vector<TopologySpreadConstraint>& all = member.entry.object.pod.topology_spread;
  return std::any_of(all.begin(), all.end(), [](const TopologySpreadConstraint& each) {
    return each.when_unsatisfiable != "ScheduleAnyway";
  });
}

GroupPreemption failed(const std::string& why) { return {false, false, k_group_preemption + why, {}, ""}; }

GroupPreemption unanswered(const std::string& why) { return {false, false, "", {}, why}; }

/// QUE-ENTITY-7: looks for victims on a cache that is put back afterwards.
GroupPreemption look_for_victims(World& world, const GroupMemberList& members, Choices& choices,
                                 std::vector<PodObject>& found) {
  const Question question = question_of(world, members.front().entry.object);
  Trace trace = Trace::none();
  const Cycle cycle(question, world.release, trace);
  const std::vector<PodOnNode> potential = group_victims(cycle, world.loop.pod_group.priority);
  if (potential.empty()) return failed("No preemption victims found for incoming preemptor");
  std::vector<PodObject> victims;
  for (const PodOnNode& each : potential) victims.push_back(*cached_pod(world.cache, each.object->uid));
  for (const PodObject& victim : victims) remove_from_cache(world, victim.pod.uid);
  const GroupTrial trial = try_queued_group(world, members, choices);
  if (!trial.skipped.empty()) return unanswered(trial.skipped);
  if (trial.verdict != GroupVerdict::feasible) return failed(trial.reason);
  if (std::any_of(members.begin(), members.end(), spreads))
    return unanswered("preemption for a pod group with topology spread constraints");
  const std::vector<PlacedPod> placed = placed_pods(world, trial.tried);
  found = not_reprieved(world, placed, victims, pdb_violations(cycle, potential));
  GroupPreemption result;
  result.is_success = true;
  result.message = std::string(k_group_preemption) + "found a placement for podgroup, preempting " +
                   std::to_string(found.size()) + " victims";
  for (const PlacedPod& each : placed) result.nominated[each.member.entry.object.pod.uid] = each.member.node;
  return result;
}

}  // namespace

GroupPreemption preempt_for_group(World& world, const GroupMemberList& members, bool any_was_tried,
                                  Choices& choices) {
  if (!any_was_tried)
    return {false, true, "error in \"DynamicResources\" PodGroupPostFilter plugins: not found", {}, ""};
  if (!world.release.preempts) return {};
  world.cite("QUE-ENTITY-7");
  const auto never = [](const GroupMember& member) {
    return member.entry.object.pod.preemption_policy == "Never";
  };
  if (std::any_of(members.begin(), members.end(), never))
    return failed("not eligible due to preemptionPolicy=Never.");
  if (waits_for_victims(world, members)) {
    GroupPreemption result{
        true, false, std::string(k_group_preemption) + "ongoing preemption on nominated nodes", {}, ""};
    for (const GroupMember& member : members)
      result.nominated[member.entry.object.pod.uid] = member.entry.object.pod.nominated_node_name;
    return result;
  }
  const Cache before = world.cache;
  std::vector<PodObject> victims;
  GroupPreemption result = look_for_victims(world, members, choices, victims);
  world.cache = before;
  if (result.is_success) begin_group_preemption(world, members, std::move(victims));
  return result;
}

}  // namespace touchstone::reference
