#include "cli/text/caveats.hpp"

#include <algorithm>
#include <functional>

#include "oracle/explain/wording.hpp"
#include "oracle/queue.hpp"
#include "reference/filters/requests.hpp"

namespace touchstone::cli {

namespace {

constexpr std::size_t k_names_most = 5;

using oracle::scheduler_of;

/// Adds the reasons why kube-scheduler with its default profile would not try the pod.
void add_blockers(const Pod& pod, bool is_configured, std::vector<std::string>& caveats) {
  if (!pod.scheduling_gates.empty()) {
    caveats.push_back("the pod is gated (" + oracle::names_of(pod.scheduling_gates, k_names_most) +
                      "): kube-scheduler does not try it before its gates are removed; the answer assumes "
                      "that they are removed");
  }
  if (pod.terminating) caveats.push_back("the pod is terminating: kube-scheduler does not try it any more");
  if (scheduler_of(pod) != "default-scheduler" && !is_configured) {
    caveats.push_back("the pod names the scheduler " + pod.scheduler_name +
                      "; the answer is for kube-scheduler with its default profile");
  }
}

/// Adds a note on nominations of other schedulers: a scheduler knows only the nominations of its own pods.
/// `is_own`: whether the scheduler schedules the pods that name this one.
void put_foreign_nominations(const Cluster& cluster, const std::function<bool(const std::string&)>& is_own,
                             std::vector<std::string>& caveats) {
  std::vector<std::string> names;
  for (const Pod& pod : cluster.pods) {
    const bool is_nominated = pod.node_name.empty() && !pod.nominated_node_name.empty();
    if (is_nominated && !is_own(scheduler_of(pod))) names.push_back(pod.full_name());
  }
  if (names.empty()) return;
  caveats.push_back("pods nominated by another scheduler: " + oracle::names_of(names, k_names_most) +
                    "; the answer reserves space for them, but the pod's scheduler does so only if both "
                    "schedulers are profiles of one kube-scheduler");
}

/// Adds a note on extended resources, which an extender may manage.
void put_extended_resources(const Question& question, const Release& release,
                            std::vector<std::string>& caveats) {
  std::vector<std::string> names;
  for (const auto& [name, amount] : reference::requests_of_preemptor(question.pod, release)) {
    const std::size_t slash = name.find('/');
    const bool is_extended =
        slash != std::string::npos && !name.substr(0, slash).ends_with("kubernetes.io") && amount > 0;
    if (is_extended) names.push_back(name);
  }
  if (names.empty()) return;
  caveats.push_back("the pod requests " + oracle::names_of(names, k_names_most) +
                    "; if an extender manages this resource, the scheduler may decide differently");
}

/// Adds a note on pods with resource claims; none if no pod has any. `which`: the beginning of the sentence.
void put_claims(const std::string& which, const std::vector<std::string>& names, const Release& release,
                std::vector<std::string>& caveats) {
  if (names.empty() || release.resource_claims_filter) return;
  caveats.push_back(which + " resource claims (" + oracle::names_of(names, k_names_most) +
                    "), which this release ignores with its default feature gates; with "
                    "DynamicResourceAllocation on, the scheduler may decide differently");
}

void put_soft_spread(const Pod& pod, std::vector<std::string>& caveats) {
  const bool all_soft = std::all_of(pod.topology_spread.begin(), pod.topology_spread.end(),
                                    [](const TopologySpreadConstraint& constraint) {
                                      return constraint.when_unsatisfiable == "ScheduleAnyway";
                                    });
  if (pod.topology_spread.empty() || !all_soft) return;
  caveats.push_back("the pod's spread constraints say ScheduleAnyway: they rank nodes, and reject none");
}

}  // namespace

std::vector<std::string> caveats_of(const Question& question, const Release& release, bool is_configured) {
  std::vector<std::string> caveats;
  add_blockers(question.pod, is_configured, caveats);
  const std::string& own = scheduler_of(question.pod);
  put_foreign_nominations(question.cluster, [&own](const std::string& name) { return name == own; }, caveats);
  put_claims("the pod has", question.pod.resource_claims, release, caveats);
  return caveats;
}

std::vector<std::string> caveats_of_queue(const Cluster& cluster, const oracle::PendingPods& asked,
                                          const oracle::Profiles& profiles, const Release& release) {
  std::vector<std::string> caveats;
  for (const auto& [why, pods] : oracle::left_out_of_queue(cluster, asked, profiles)) {
    std::vector<std::string> names;
    for (const PodIndex i : pods) names.push_back(cluster.pods[i].full_name());
    const bool is_one = pods.size() == 1;
    const std::string what = why == oracle::LeftOut::gated ? is_one ? " is gated" : " are gated"
                             : why == oracle::LeftOut::terminating
                                 ? is_one ? " is terminating" : " are terminating"
                             : is_one ? " names another scheduler"
                                      : " name another scheduler";
    caveats.push_back(oracle::count_of(pods.size(), "pending pod") + what +
                      ", and left out, because kube-scheduler does not try " + (is_one ? "it" : "them") +
                      ": " + oracle::names_of(names, k_names_most));
  }
  put_foreign_nominations(
      cluster, [&profiles](const std::string& name) { return profiles.contains(name); }, caveats);
  std::vector<std::string> with_claims;
  for (const PodIndex i : oracle::queue_of(cluster, asked, profiles)) {
    const Pod& pod = cluster.pods[i];
    if (!pod.resource_claims.empty()) with_claims.push_back("of " + pod.full_name());
  }
  put_claims("there are", with_claims, release, caveats);
  return caveats;
}

std::vector<std::string> remarks_of(const Question& question, const Release& release) {
  std::vector<std::string> remarks;
  put_extended_resources(question, release, remarks);
  put_soft_spread(question.pod, remarks);
  return remarks;
}

}  // namespace touchstone::cli
