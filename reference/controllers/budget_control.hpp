#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/controllers/work_queue.hpp"
#include "spec/vocabulary/result.hpp"

/// The disruption controller of kube-controller-manager, step by step: what it has seen, its work queues, and
/// the API objects. All objects are in one namespace.
namespace touchstone::reference {

/// A number of pods, or a percentage.
struct PodCount {
  Quantity value = 0;
  bool is_percentage = false;

  bool operator==(const PodCount&) const = default;
};

/// The condition DisruptionTarget of a pod.
struct DisruptionTarget {
  std::string status;  ///< "True" or "False"
  std::string reason;
  Quantity since_ns = 0;

  bool operator==(const DisruptionTarget&) const = default;
};

struct ControlledPod {
  std::string name;
  std::string app;  ///< its label; empty: none
  bool ready = false;
  std::string phase;
  bool terminating = false;
  std::string owner;  ///< kind/name; empty: none
  std::optional<DisruptionTarget> target;
  Quantity version = 0;

  bool operator==(const ControlledPod&) const = default;
};

struct AllowedCondition {
  std::string status;
  std::string reason;
  Quantity since_ns = 0;
  Quantity observed = 0;

  bool operator==(const AllowedCondition&) const = default;
};

struct BudgetStatus {
  Quantity observed = 0;  ///< observedGeneration
  Quantity expected = 0;
  Quantity desired = 0;
  Quantity healthy = 0;
  Quantity allowed = 0;
  std::map<std::string, Quantity> evicted_ns;  ///< disruptedPods
  std::optional<AllowedCondition> condition;

  bool operator==(const BudgetStatus&) const = default;
};

struct ControlledBudget {
  std::string name;
  std::string app;  ///< the label that it selects; empty: it has no selector
  std::optional<PodCount> min_available;
  std::optional<PodCount> max_unavailable;
  Quantity generation = 1;
  BudgetStatus status;
  Quantity version = 0;

  bool operator==(const ControlledBudget&) const = default;
};

/// A controller of pods.
struct Workload {
  std::string name;  ///< kind/name
  std::string uid;   ///< what references to it must have
  Quantity replicas = 0;
  std::string owner;  ///< of a ReplicaSet: its Deployment
  Quantity version = 0;

  bool operator==(const Workload&) const = default;
};

enum class ControlledKind { pod, budget, workload };
inline constexpr std::array<std::string_view, 3> k_controlled_kind_names = {"Pod", "PodDisruptionBudget",
                                                                            "Workload"};

/// Objects by name.
struct ControlledObjects {
  std::map<std::string, ControlledPod> pods;
  std::map<std::string, ControlledBudget> budgets;
  std::map<std::string, Workload> workloads;
};

/// A watch event: `now` has the object, unless it is gone; `last` has the last state of one that is gone.
struct ControlledEvent {
  ControlledKind kind = ControlledKind::pod;
  std::string name;
  ControlledObjects now;
  ControlledObjects last;
};

enum class ControlCallKind { update_budget, update_pod };
inline constexpr std::array<std::string_view, 2> k_control_call_names = {"updateBudget", "updatePod"};

enum class ControlResult { ok, error, conflict, not_found, lost };
inline constexpr std::array<std::string_view, 5> k_control_result_names = {"ok", "error", "conflict",
                                                                           "notFound", "lost"};

/// What the controller asks the API for. Both have the version that it has seen.
struct ControlCall {
  ControlCallKind kind = ControlCallKind::update_budget;
  std::string name;
  ControlledBudget budget;
  ControlledPod pod;
  bool is_fail_safe = false;
  std::optional<Quantity> recheck_after_ns;
  ControlledBudget before = {};  ///< the budget as the controller has seen it
  bool held = false;
  std::string_view result = {};
};

enum class WorkKind { budgets, rechecks, stale_pods };
inline constexpr std::array<std::string_view, 3> k_work_names = {"budgets", "rechecks", "stalePods"};

enum class WorkOutcome { done, open, busy, idle };
inline constexpr std::array<std::string_view, 4> k_work_outcome_names = {"done", "open", "busy", "idle"};

struct BudgetControl {
  Quantity now_ns = 0;
  ControlledObjects stored;
  ControlledObjects seen;
  Quantity writes = 0;
  std::map<ControlledKind, std::vector<ControlledEvent>> held_events;  ///< of the kinds that wait
  std::map<WorkKind, WorkQueue> queues = {
      {WorkKind::budgets, {}}, {WorkKind::rechecks, {}}, {WorkKind::stale_pods, {}}};
  std::map<ControlCallKind, int> armed;
  std::vector<ControlCall> waiting;
  std::vector<ControlCall> calls;         ///< of the last command
  std::vector<std::string_view> clauses;  ///< that decided the last command
};

/// The name of an object as a key of the work queues.
std::string key_of(const std::string& name);

/// The controller has seen an event. Clauses: BUD-EVENT-1, BUD-STALE-1.
void see(BudgetControl& control, const ControlledEvent& event);

/// One run of a worker. Clauses: BUD-QUEUE-1 to BUD-QUEUE-3, BUD-STALE-1, and those of the status.
WorkOutcome work(BudgetControl& control, WorkKind kind);

/// The oldest call that waits is answered. Errors: not-waiting. Clauses: BUD-WRITE-1, BUD-FAIL-1.
std::optional<Error> answer(BudgetControl& control, ControlResult result);

}  // namespace touchstone::reference
