#include "oracle/simulation/controllers.hpp"

#include <algorithm>

namespace touchstone::oracle {

namespace {

/// The name of the controller of a pod, as ObjectName::text(). Empty: it has none.
std::string workload_of(const Pod& pod) {
  return pod.controller ? ObjectName{pod.controller->kind, pod.ns, pod.controller->name}.text() : "";
}

/// Whether a controller replaces a pod as soon as it begins to terminate. StatefulSets and DaemonSets wait
/// until it is gone.
bool replaces_early(const std::string& kind) {
  return kind == "ReplicaSet" || kind == "ReplicationController" || kind == "Job";
}

bool replaces(const std::string& kind) {
  return replaces_early(kind) || kind == "StatefulSet" || kind == "DaemonSet";
}

/// A pod as its controller creates it: without what the API server, the scheduler and the kubelet add.
PodObject fresh(const PodObject& pod) {
  PodObject made;
  made.grace_seconds = pod.grace_seconds;
  made.pod = pod.pod;
  made.pod.uid.clear();
  made.pod.terminating = false;
  made.pod.node_name.clear();
  made.pod.nominated_node_name.clear();
  made.pod.phase.clear();
  made.pod.start_time_ns.reset();
  made.pod.conditions.clear();
  made.pod.container_statuses.clear();
  made.pod.resource_status = {};
  return made;
}

}  // namespace

void Controllers::see(const std::vector<PodObject>& pods) {
  std::set<std::string> now;
  for (const PodObject& pod : pods) {
    names_.insert(pod.pod.full_name());
    if (!pod.pod.controller) continue;
    now.insert(pod.pod.uid);
    known_.emplace(pod.pod.uid, pod);
    if (pod.pod.terminating && replaces_early(pod.pod.controller->kind)) replace(pod);
  }
  for (const auto& [uid, pod] : known_) {
    if (!now.contains(uid)) replace(pod);
  }
  std::erase_if(known_, [&now](const auto& each) { return !now.contains(each.first); });
}

void Controllers::replace(const PodObject& pod) {
  const std::string workload = workload_of(pod.pod);
  if (workload.empty() || removed_.contains(workload) || !replaces(pod.pod.controller->kind)) return;
  if (!replaced_.insert(pod.pod.uid).second) return;
  PodObject made = fresh(pod);
  if (made.pod.controller->kind != "StatefulSet")
    made.pod.name = free_name(made.pod.ns, made.pod.controller->name);
  to_create_.push_back(std::move(made));
}

void Controllers::create(const Workload& workload) {
  for (Quantity i = 0; i < workload.count; ++i) {
    PodObject made = workload.pod_template;
    made.pod.ns = workload.name.ns;
    made.pod.name = free_name(workload.name.ns, workload.name.name);
    to_create_.push_back(std::move(made));
  }
}

void Controllers::remove(const ObjectName& workload) {
  removed_.insert(workload.text());
  std::erase_if(to_create_, [&](const PodObject& pod) { return workload_of(pod.pod) == workload.text(); });
  for (const auto& [uid, pod] : known_) {
    if (workload_of(pod.pod) == workload.text()) to_delete_.push_back(pod);
  }
}

/// Controllers name their pods NAME-xxxxx with random characters. Here the names are numbered.
std::string Controllers::free_name(const std::string& ns, const std::string& controller) {
  for (Quantity number = 1;; ++number) {
    std::string name = controller + "-" + std::to_string(number);
    if (names_.insert(ns + "/" + name).second) return name;
  }
}

std::optional<PodObject> Controllers::next_to_create() {
  if (to_create_.empty()) return std::nullopt;
  PodObject pod = to_create_.front();
  to_create_.erase(to_create_.begin());
  return pod;
}

std::optional<PodObject> Controllers::next_to_delete() {
  if (to_delete_.empty()) return std::nullopt;
  PodObject pod = to_delete_.front();
  to_delete_.erase(to_delete_.begin());
  return pod;
}

void Kubelets::see(const Objects& stored, Quantity now_ns) {
  std::set<std::string> has_kubelet;
  for (const Node& node : stored.nodes) has_kubelet.insert(node.name);
  std::map<std::string, std::string> nodes;
  std::map<std::string, Quantity> removals_ns;
  for (const PodObject& object : stored.pods) {
    const Pod& pod = object.pod;
    nodes[pod.uid] = pod.node_name;
    if (!has_kubelet.contains(pod.node_name)) continue;
    const auto before = node_of_.find(pod.uid);
    if (before != node_of_.end() && before->second.empty()) to_start_.push_back(pod.uid);
    if (!pod.terminating) continue;
    std::erase(to_start_, pod.uid);
    const std::string name = pod.full_name();
    const auto known = removals_ns_.find(name);
    const auto grace = grace_.find(name);
    const Quantity seconds = grace == grace_.end() ? object.grace_seconds : grace->second;
    const Quantity end_ns = now_ns + seconds * k_ns_a_second;
    const bool is_later = known != removals_ns_.end() && (grace == grace_.end() || known->second <= end_ns);
    removals_ns[name] = is_later ? known->second : end_ns;
  }
  grace_.clear();
  std::erase_if(to_start_, [&nodes](const std::string& uid) { return !nodes.contains(uid); });
  node_of_ = std::move(nodes);
  removals_ns_ = std::move(removals_ns);
}

std::string Kubelets::next_to_start() {
  std::string uid = to_start_.front();
  to_start_.erase(to_start_.begin());
  return uid;
}

PodObject started(PodObject pod, Quantity now_ns) {
  pod.pod.phase = "Running";
  pod.pod.start_time_ns = now_ns;
  std::erase_if(pod.pod.conditions, [](const Condition& each) { return each.type == "Ready"; });
  pod.pod.conditions.push_back({"Ready", "True", ""});
  return pod;
}

std::optional<Quantity> Kubelets::removal_ns(const std::string& pod) const {
  const auto found = removals_ns_.find(pod);
  return found == removals_ns_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace touchstone::oracle
