#include "reference/controllers/budget_store.hpp"

#include <algorithm>

namespace touchstone::reference {

namespace {

constexpr Quantity k_stored_second_ns = 1'000'000'000;

void notify(BudgetControl& control, const ControlledEvent& event) {
  const auto held = control.held_events.find(event.kind);
  if (held != control.held_events.end()) {
    held->second.push_back(event);
  } else {
    see(control, event);
  }
}

/// BUD-STORE-1: stores an object, unless it changes nothing. Returns whether it did.
template <typename Object>
bool store(BudgetControl& control, std::map<std::string, Object>& objects, Object& object) {
  const auto old = objects.find(object.name);
  if (old != objects.end()) {
    object.version = old->second.version;
    if (object == old->second) return control.clauses.push_back("BUD-STORE-1"), false;
  }
  object.version = ++control.writes;
  objects.insert_or_assign(object.name, object);
  return true;
}

Error unknown(const std::string& name) { return {"not-found", "object", name + ": cannot be written"}; }

}  // namespace

void put(BudgetControl& control, ControlledPod pod) {
  if (!store(control, control.stored.pods, pod)) return;
  notify(control, {ControlledKind::pod, pod.name, {{{pod.name, pod}}, {}, {}}, {}});
}

void put(BudgetControl& control, ControlledBudget budget) {
  if (!store(control, control.stored.budgets, budget)) return;
  notify(control, {ControlledKind::budget, budget.name, {{}, {{budget.name, budget}}, {}}, {}});
}

void put(BudgetControl& control, Workload workload) {
  if (!store(control, control.stored.workloads, workload)) return;
  notify(control, {ControlledKind::workload, workload.name, {{}, {}, {{workload.name, workload}}}, {}});
}

std::optional<Error> create_or_update(BudgetControl& control, bool creates, ControlledPod pod) {
  const auto old = control.stored.pods.find(pod.name);
  if ((old == control.stored.pods.end()) != creates) return unknown(pod.name);
  if (!creates) pod.terminating = old->second.terminating;
  put(control, std::move(pod));
  return std::nullopt;
}

std::optional<Error> create_or_update(BudgetControl& control, bool creates, ControlledBudget budget) {
  const auto old = control.stored.budgets.find(budget.name);
  if ((old == control.stored.budgets.end()) != creates) return unknown(budget.name);
  if (!creates) {
    const ControlledBudget& before = old->second;
    budget.status = before.status;
    const bool is_same = budget.app == before.app && budget.min_available == before.min_available &&
                         budget.max_unavailable == before.max_unavailable;
    budget.generation = before.generation + (is_same ? 0 : 1);
  }
  put(control, std::move(budget));
  return std::nullopt;
}

std::optional<Error> create_or_update(BudgetControl& control, bool creates, const Workload& workload) {
  if (control.stored.workloads.contains(workload.name) == creates) return unknown(workload.name);
  put(control, workload);
  return std::nullopt;
}

std::optional<Error> remove(BudgetControl& control, ControlledKind kind, const std::string& name,
                            bool at_once) {
  ControlledObjects& stored = control.stored;
  ControlledEvent event{kind, name, {}, {}};
  if (kind == ControlledKind::pod) {
    const auto pod = stored.pods.find(name);
    if (pod == stored.pods.end()) return unknown(name);
    if (!at_once) {
      ControlledPod terminating = pod->second;
      terminating.terminating = true;
      put(control, terminating);
      return std::nullopt;
    }
    event.last.pods.insert(*pod);
    stored.pods.erase(pod);
  } else if (kind == ControlledKind::budget) {
    if (stored.budgets.erase(name) == 0) return unknown(name);
  } else if (stored.workloads.erase(name) == 0) {
    return unknown(name);
  }
  ++control.writes;
  notify(control, event);
  return std::nullopt;
}

std::optional<Error> evict(BudgetControl& control, const std::string& pod, const std::string& budget) {
  const auto found = control.stored.budgets.find(budget);
  const bool allows = found != control.stored.budgets.end() && found->second.status.allowed > 0 &&
                      found->second.status.observed >= found->second.generation;
  if (!allows) return Error{"refused", "pdb", "the budget allows no disruption"};
  ControlledBudget granted = found->second;
  --granted.status.allowed;
  granted.status.evicted_ns[pod] = control.now_ns - control.now_ns % k_stored_second_ns;
  put(control, granted);
  return std::nullopt;
}

ControlResult perform(BudgetControl& control, const ControlCall& call) {
  if (call.kind == ControlCallKind::update_pod) {
    const auto stored = control.stored.pods.find(call.name);
    if (stored == control.stored.pods.end()) return ControlResult::not_found;
    if (stored->second.version != call.pod.version) return ControlResult::conflict;
    put(control, call.pod);
    return ControlResult::ok;
  }
  const auto stored = control.stored.budgets.find(call.name);
  if (stored == control.stored.budgets.end()) return ControlResult::not_found;
  if (stored->second.version != call.budget.version) return ControlResult::conflict;
  put(control, call.budget);
  return ControlResult::ok;
}

void hold_events(BudgetControl& control, ControlledKind kind) { control.held_events.try_emplace(kind); }

std::optional<Error> deliver(BudgetControl& control, ControlledKind kind, std::size_t count) {
  const auto held = control.held_events.find(kind);
  if (held == control.held_events.end())
    return Error{"not-held", "watch", "events of this kind are not held"};
  std::vector<ControlledEvent> events;
  if (count == 0) {
    events = std::move(held->second);
    control.held_events.erase(held);
  } else {
    const auto end = held->second.begin() + static_cast<std::ptrdiff_t>(std::min(count, held->second.size()));
    events.assign(held->second.begin(), end);
    held->second.erase(held->second.begin(), end);
  }
  for (const ControlledEvent& event : events) see(control, event);
  return std::nullopt;
}

void advance(BudgetControl& control, Quantity ns) {
  control.now_ns += ns;
  for (auto& [kind, queue] : control.queues) {
    if (next_ready(queue).value_or(control.now_ns + 1) <= control.now_ns)
      control.clauses.push_back("BUD-QUEUE-2");
    wake(queue, control.now_ns);
  }
}

}  // namespace touchstone::reference
