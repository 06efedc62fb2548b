#include "reference/controllers/budget_control.hpp"

#include <algorithm>

#include "reference/controllers/budget_status.hpp"
#include "reference/controllers/budget_store.hpp"

namespace touchstone::reference {

namespace {

constexpr Quantity k_stale_ns = 120'000'000'000;
constexpr Quantity k_condition_second_ns = 1'000'000'000;

/// BUD-EVENT-1: the budget that selects a pod, as the controller has seen it.
const ControlledBudget* budget_of(const BudgetControl& control, const ControlledPod& pod) {
  for (const auto& [name, budget] : control.seen.budgets) {
    if (!budget.app.empty() && budget.app == pod.app) return &budget;
  }
  return nullptr;
}

/// BUD-STALE-1: how long a pod's disruption may still come. No value: none is announced.
std::optional<Quantity> stale_after(const BudgetControl& control, const ControlledPod& pod) {
  if (pod.terminating || !pod.target || pod.target->status != "True") return std::nullopt;
  const bool has_ended = pod.phase == "Succeeded" || pod.phase == "Failed";
  if (pod.target->reason == "TerminationByKubelet" || has_ended) return std::nullopt;
  return std::max<Quantity>(k_stale_ns - (control.now_ns - pod.target->since_ns), 0);
}

void queue_pod(BudgetControl& control, const ControlledPod& pod) {
  if (const ControlledBudget* budget = budget_of(control, pod)) {
    control.clauses.push_back("BUD-EVENT-1");
    add(control.queues.at(WorkKind::budgets), key_of(budget->name));
  }
}

std::string name_of(const std::string& key) { return key.substr(key.find('/') + 1); }

/// BUD-QUEUE-3: a worker is done with its key.
void end_work(BudgetControl& control, WorkKind kind, const std::string& key, bool succeeded) {
  WorkQueue& queue = control.queues.at(kind);
  control.clauses.push_back("BUD-QUEUE-3");
  if (succeeded) {
    queue.failures.erase(key);
  } else {
    add_rate_limited(queue, key, control.now_ns);
  }
  done(queue, key);
}

void after_call(BudgetControl& control, const ControlCall& call, ControlResult result);

/// Makes a call, which may wait.
void make_call(BudgetControl& control, ControlCall call) {
  call.held = control.armed[call.kind] > 0;
  if (call.held) {
    --control.armed[call.kind];
    control.calls.push_back(call);
    control.waiting.push_back(call);
    return;
  }
  control.clauses.push_back("BUD-WRITE-1");
  const std::size_t at = control.calls.size();
  control.calls.push_back(call);
  const ControlResult result = perform(control, call);
  control.calls[at].result = result == ControlResult::ok         ? "ok"
                             : result == ControlResult::conflict ? "Conflict"
                                                                 : "NotFound";
  after_call(control, call, result);
}

/// BUD-FAIL-1: what the controller writes if it cannot do better.
void fail_safe(BudgetControl& control, ControlledBudget budget) {
  control.clauses.push_back("BUD-FAIL-1");
  ControlCall call{ControlCallKind::update_budget, budget.name, {}, {}, true, {}};
  budget.status.allowed = 0;
  set_condition(budget.status, "False", "SyncFailed", control.now_ns);
  call.budget = std::move(budget);
  make_call(control, std::move(call));
}

/// BUD-DISRUPTED-1, BUD-QUEUE-3: a budget was synced.
void end_sync(BudgetControl& control, const std::string& key, std::optional<Quantity> recheck_after_ns) {
  if (recheck_after_ns) {
    control.clauses.push_back("BUD-DISRUPTED-1");
    add_after(control.queues.at(WorkKind::rechecks), key, *recheck_after_ns, control.now_ns);
  }
  end_work(control, WorkKind::budgets, key, true);
}

void sync_budget(BudgetControl& control, const std::string& key) {
  const auto budget = control.seen.budgets.find(name_of(key));
  if (budget == control.seen.budgets.end()) return end_work(control, WorkKind::budgets, key, true);
  const std::optional<SyncedBudget> synced = synced_budget(control, budget->second);
  if (!synced) {
    control.clauses.push_back("BUD-SCALE-1");
    return fail_safe(control, budget->second);
  }
  if (synced->by_scale) control.clauses.push_back("BUD-SCALE-1");
  for (const std::string_view clause : {"BUD-HEALTHY-1", "BUD-DESIRED-1", "BUD-ALLOWED-1"})
    control.clauses.push_back(clause);
  if (is_up_to_date(budget->second, synced->status)) return end_sync(control, key, synced->recheck_after_ns);
  ControlCall call{ControlCallKind::update_budget, budget->first, budget->second, {}, false,
                   synced->recheck_after_ns};
  call.before = budget->second;
  call.budget.status = synced->status;
  make_call(control, std::move(call));
}

/// BUD-STALE-1
void sync_stale_pod(BudgetControl& control, const std::string& key) {
  control.clauses.push_back("BUD-STALE-1");
  const auto pod = control.seen.pods.find(name_of(key));
  std::optional<Quantity> after;
  if (pod != control.seen.pods.end()) after = stale_after(control, pod->second);
  if (!after) return end_work(control, WorkKind::stale_pods, key, true);
  if (*after > 0) {
    add_after(control.queues.at(WorkKind::stale_pods), key, *after, control.now_ns);
    return end_work(control, WorkKind::stale_pods, key, true);
  }
  ControlCall call{ControlCallKind::update_pod, pod->first, {}, pod->second, false, {}};
  call.pod.target = {"False", "", control.now_ns - control.now_ns % k_condition_second_ns};
  make_call(control, std::move(call));
}

/// BUD-WRITE-1, BUD-FAIL-1: goes on after a call.
void after_call(BudgetControl& control, const ControlCall& call, ControlResult result) {
  const std::string key = key_of(call.name);
  const bool is_ok = result == ControlResult::ok;
  if (call.kind == ControlCallKind::update_pod) return end_work(control, WorkKind::stale_pods, key, is_ok);
  if (is_ok) return end_sync(control, key, call.recheck_after_ns);
  const bool may_fail_safe = !call.is_fail_safe && result != ControlResult::conflict;
  if (!may_fail_safe) return end_work(control, WorkKind::budgets, key, false);
  fail_safe(control, call.before);
}

}  // namespace

std::string key_of(const std::string& name) { return "default/" + name; }

void see(BudgetControl& control, const ControlledEvent& event) {
  if (event.kind == ControlledKind::workload) {
    control.seen.workloads.erase(event.name);
    control.seen.workloads.insert(event.now.workloads.begin(), event.now.workloads.end());
    return;
  }
  if (event.kind == ControlledKind::budget) {
    control.clauses.push_back("BUD-EVENT-1");
    control.seen.budgets.erase(event.name);
    control.seen.budgets.insert(event.now.budgets.begin(), event.now.budgets.end());
    return add(control.queues.at(WorkKind::budgets), key_of(event.name));
  }
  control.seen.pods.erase(event.name);
  for (const auto& [name, pod] : event.last.pods) queue_pod(control, pod);
  for (const auto& [name, pod] : event.now.pods) {
    control.seen.pods.insert({name, pod});
    queue_pod(control, pod);
    const std::optional<Quantity> after = stale_after(control, pod);
    if (after) add_after(control.queues.at(WorkKind::stale_pods), key_of(name), *after, control.now_ns);
  }
}

WorkOutcome work(BudgetControl& control, WorkKind kind) {
  WorkQueue& queue = control.queues.at(kind);
  if (!queue.processing.empty()) return WorkOutcome::busy;
  if (queue.ready.empty()) return WorkOutcome::idle;
  control.clauses.push_back("BUD-QUEUE-1");
  const std::string key = take(queue);
  if (kind == WorkKind::budgets) {
    sync_budget(control, key);
  } else if (kind == WorkKind::stale_pods) {
    sync_stale_pod(control, key);
  } else {
    add_rate_limited(control.queues.at(WorkKind::budgets), key, control.now_ns);
    done(queue, key);
  }
  return queue.processing.empty() ? WorkOutcome::done : WorkOutcome::open;
}

std::optional<Error> answer(BudgetControl& control, ControlResult result) {
  if (control.waiting.empty()) return Error{"not-waiting", "call", "no call waits"};
  const ControlCall call = control.waiting.front();
  control.waiting.erase(control.waiting.begin());
  if (result == ControlResult::ok || result == ControlResult::lost) {
    const ControlResult performed = perform(control, call);
    if (result == ControlResult::ok) result = performed;
  }
  after_call(control, call, result == ControlResult::lost ? ControlResult::error : result);
  return std::nullopt;
}

}  // namespace touchstone::reference
