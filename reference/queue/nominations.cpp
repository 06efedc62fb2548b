#include "reference/queue/nominations.hpp"

#include <algorithm>

#include "reference/queue/objects.hpp"
#include "reference/queue/scheduling_queue.hpp"

namespace touchstone::reference {

std::string nominated_node_of(const Nominations& nominations, const std::string& uid) {
  for (const auto& [node, pods] : nominations) {
    if (std::any_of(pods.begin(), pods.end(), [&uid](const NominatedPod& pod) { return pod.uid == uid; }))
      return node;
  }
  return "";
}

namespace {

/// NOM-OBJECT-1: adds the nomination that an object shows, unless the pod is nominated to that node.
void nominate_by_object(World& world, const PodObject& object) {
  const Pod& pod = object.pod;
  if (pod.nominated_node_name.empty()) return;
  world.cite("NOM-OBJECT-1");
  std::vector<NominatedPod>& there = world.nominations[pod.nominated_node_name];
  const bool is_there = std::any_of(there.begin(), there.end(),
                                    [&pod](const NominatedPod& each) { return each.uid == pod.uid; });
  if (is_there) return world.cite("NOM-OBJECT-2");
  there.push_back({pod.uid, pod.ns, pod.name, object});
}

}  // namespace

void end_nomination(World& world, const PodObject& pod) {
  const std::string& uid = pod.pod.uid;
  const bool only_there = world.release.nominations_follow_objects;
  for (auto& [node, pods] : world.nominations) {
    if (only_there && node != pod.pod.nominated_node_name) continue;
    std::erase_if(pods, [&uid](const NominatedPod& each) { return each.uid == uid; });
  }
  std::erase_if(world.nominations, [](const auto& each) { return each.second.empty(); });
}

void nominate(World& world, const PodObject& pod, const std::optional<std::string>& node) {
  if (world.release.nominations_follow_objects) return nominate_by_object(world, pod);
  end_nomination(world, pod);
  const std::string target = node.value_or(pod.pod.nominated_node_name);  // NOM-ADD-1
  if (target.empty()) return;
  world.cite("NOM-ADD-1");
  const PodObject* seen = find_pod(world.seen.pods, pod.pod.ns, pod.pod.name);
  if (seen == nullptr || !seen->pod.node_name.empty()) return world.cite("NOM-ADD-2");
  world.nominations[target].push_back({pod.pod.uid, pod.pod.ns, pod.pod.name});
}

void update_nomination(World& world, const PodObject& before, const PodObject& now) {
  std::optional<std::string> kept;
  if (before.pod.nominated_node_name.empty() && now.pod.nominated_node_name.empty())
    kept = nominated_node_of(world.nominations, before.pod.uid);
  world.cite("NOM-UPDATE-1");
  end_nomination(world, before);
  nominate(world, now, kept);
}

std::vector<PodObject> nominated_pods(const World& world, const std::string& node) {
  std::vector<PodObject> objects;
  const auto found = world.nominations.find(node);
  if (found == world.nominations.end()) return objects;
  for (const NominatedPod& each : found->second) {
    const Entry* entry = find_entry(world.queue, each.ns, each.name);
    const PodObject* seen = find_pod(world.seen.pods, each.ns, each.name);
    PodObject& object = objects.emplace_back();
    if (each.object.has_value()) {  // NOM-OBJECT-2
      object = *each.object;
    } else if (entry != nullptr) {
      object = entry->object;
    } else if (world.release.nominations_keep_pods && seen != nullptr) {  // NOM-COUNT-1
      object = *seen;
    }
    object.pod.uid = each.uid;
    object.pod.ns = each.ns;
    object.pod.name = each.name;
  }
  return objects;
}

}  // namespace touchstone::reference
