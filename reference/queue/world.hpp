#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "spec/releases/release.hpp"
#include "spec/vocabulary/decision.hpp"
#include "spec/vocabulary/timeline.hpp"

/// The state of a scheduler over time: the API objects, what the scheduler has seen of them, its cache and
/// its queue, and the work that it left running. Plain data; the steps are in the other headers of this
/// folder.
namespace touchstone::reference {

using touchstone::Call;
using touchstone::CallKind;
using touchstone::CallResult;
using touchstone::ConditionPatch;
using touchstone::CycleOutcome;
using touchstone::CycleResult;
using touchstone::Objects;
using touchstone::PodGroup;
using touchstone::PodGroupObject;
using touchstone::PodObject;
using touchstone::Wake;
using touchstone::WatchedKind;
using touchstone::WorkloadGroups;
using touchstone::WorkloadRef;

/// A change of one object, as a watch delivers it. Of the old and the new object, those that exist are set.
struct WatchEvent {
  WatchedKind kind = WatchedKind::pod;
  std::optional<PodObject> old_pod;
  std::optional<PodObject> new_pod;
  std::optional<Node> old_node;
  std::optional<Node> new_node;
  std::optional<PodDisruptionBudget> old_pdb;
  std::optional<PodDisruptionBudget> new_pdb;
  std::optional<WorkloadGroups> old_workload = {};
  std::optional<WorkloadGroups> new_workload = {};
  std::optional<PodGroupObject> old_pod_group = {};
  std::optional<PodGroupObject> new_pod_group = {};

  bool operator==(const WatchEvent&) const = default;
};

/// What a cluster event is about. EVT-CHANGE-1, EVT-CHANGE-2.
enum class EventType {
  pod_added,
  pod_deleted,
  pod_labels,
  pod_scaled_down,
  pod_scaled_up,
  pod_gates_gone,
  pod_tolerations,
  pod_other,
  node_added,
  node_deleted,
  node_allocatable,
  node_labels,
  node_taints,
  node_conditions,
  node_features,
  workload_added,
  pod_group_added,
  pod_group_changed,
  leftover_flush,     ///< a wildcard: it concerns every pod
  forced_activation,  ///< a wildcard that carries the one pod that it concerns
};
/// Whose pod event it is. `target`: the event is an update of the pending pod itself.
enum class PodRole { assigned, unscheduled, target };

/// An event that may wake pending pods.
struct ClusterEvent {
  EventType type = EventType::pod_other;
  PodRole role = PodRole::assigned;
  std::optional<PodObject> old_pod = {};
  std::optional<PodObject> new_pod = {};
  std::optional<Node> old_node = {};
  std::optional<Node> new_node = {};
  std::optional<WorkloadGroups> new_workload = {};
  std::optional<PodGroupObject> new_pod_group = {};
  std::optional<PodGroupObject> old_pod_group = {};

  bool operator==(const ClusterEvent&) const = default;
};

/// A pod in the scheduling queue.
struct Entry {
  PodObject object;
  Quantity since_ns = 0;  ///< when it was added, or put back after an attempt
  Quantity attempts = 0;
  Quantity unschedulable_attempts = 0;  ///< QUE-BACKOFF-2
  Quantity errors_in_a_row = 0;
  std::set<std::string> rejectors;  ///< the plug-ins that rejected the pod
  std::string gated_by;             ///< the plug-in that gates the pod; empty: none
  Quantity flushed_ns = 0;          ///< QUE-FLUSH-2
  std::optional<Quantity> first_active_ns = {};  ///< of a pod of a group: QUE-GROUP-2

  bool operator==(const Entry&) const = default;
};

/// The parts of the queue.
enum class QueuePart { active, backoff, unschedulable };

/// A pod group in the scheduling queue: one entry for all its queued pods. QUE-ENTITY-2
struct GroupEntry {
  std::string ns;
  std::string name;
  std::vector<Entry> members = {};  ///< in the order in which they are tried
  QueuePart part = QueuePart::active;
  Quantity since_ns = 0;  ///< when its first pod was added, or when it was put back after an attempt
  Quantity unschedulable_attempts = 0;
  Quantity errors_in_a_row = 0;
  Quantity backoff_pods = 0;  ///< QUE-ENTITY-6: its number of pods when it was put back
  std::string gated_by = {};  ///< the plug-in that gates one of its pods; empty: none
  Quantity flushed_ns = 0;    ///< QUE-FLUSH-2

  std::string full_name() const { return ns + "/" + name; }
  bool operator==(const GroupEntry&) const = default;
};

/// An element of the list of pods in flight and of the events since then: either of the two. QUE-FLIGHT-1.
struct InFlight {
  std::string uid;  ///< empty: an event
  std::string full_name;
  ClusterEvent event;

  bool operator==(const InFlight&) const = default;
};

struct SchedulingQueue {
  std::vector<Entry> active;
  std::vector<Entry> backoff;
  std::vector<Entry> unschedulable;
  std::vector<InFlight> in_flight;
  std::vector<GroupEntry> groups = {};  ///< QUE-ENTITY-2
  std::vector<Entry> incomplete = {};   ///< QUE-ENTITY-1: pods whose PodGroup is not known
  std::vector<Entry> pending = {};      ///< QUE-ENTITY-4: pods that wait for the cycle of their group to end
  std::string last_popped_group = {};   ///< full name; empty: a pod was popped after it, or an attempt ended
  Quantity pops = 0;            ///< QUE-NUMBER-1
  Quantity pops_at_event = -1;  ///< QUE-NUMBER-1: at the last move request

  bool operator==(const SchedulingQueue&) const = default;
};

/// Reference to a nominated pod.
struct NominatedPod {
  std::string uid;
  std::string ns;
  std::string name;
  std::optional<PodObject> object = {};  ///< NOM-OBJECT-2: as it was when the pod was nominated

  bool operator==(const NominatedPod&) const = default;
};

/// The nominations in the memory of the scheduler: node → pods, in the order in which they were added.
using Nominations = std::map<std::string, std::vector<NominatedPod>>;

/// The scheduler's cache: the nodes, and for each node name the pods on it. A pod that is assumed, but not
/// yet seen bound, is among them.
struct Cache {
  std::vector<Node> nodes;
  std::map<std::string, std::vector<PodObject>> pods;
  std::set<std::string> assumed;   ///< UIDs
  ForgottenPorts forgotten_ports;  ///< QUE-CACHE-2
  ForgottenPorts trial_ports;      ///< QUE-GROUP-7: those that the snapshot forgot, until its node changes

  bool operator==(const Cache&) const = default;
};

/// Number of a call in World::calls.
using CallId = std::size_t;

/// A victim of a running preemption.
struct VictimRun {
  enum class Phase { begins, patched, deleted, done };
  PodObject victim;
  Phase phase = Phase::begins;
  std::optional<CallId> call = {};

  bool operator==(const VictimRun&) const = default;
};

/// A running preemption. QUE-PREEMPT-1, QUE-PREEMPT-2.
struct Preemption {
  enum class Phase { begins, clears, evicts, last_victim, done };
  PodObject preemptor;
  std::string node;
  std::vector<PodObject> victims;
  bool asynchronous = false;
  Phase phase = Phase::begins;
  bool marked = false;                  ///< the preemptor is gated: QUE-GATE-3
  bool failed = false;                  ///< a call failed
  bool activates = false;               ///< the preemptor, in the end: QUE-PERMIT-7
  bool cancelled = false;               ///< a victim's call failed: no further call is made for victims
  CallResult failure = CallResult::ok;  ///< of the victim's call that failed
  std::vector<Call> clearing = {};      ///< the calls that clear lower nominations, those still to make
  std::optional<CallId> call = {};      ///< the one that is made
  std::vector<VictimRun> running = {};  ///< the victims that are evicted now, beside each other
  /// QUE-ENTITY-8: of the preemption of a pod group. `preemptor` has the UID of the PodGroup then.
  std::vector<PodObject> group_pods = {};

  bool operator==(const Preemption&) const = default;
};

/// QUE-GATE-1: in which order the PreEnqueue plug-ins run during one command.
struct GateOrder {
  bool last_first = false;     ///< GangScheduling runs first
  bool any_is_chosen = false;  ///< two plug-ins gated a pod, and the first one counted

  bool operator==(const GateOrder&) const = default;
};

/// Why an attempt failed, and what the failure handler does about the nomination. QUE-FAIL-1.
struct Failure {
  std::set<std::string> rejectors;
  std::string reason;  ///< of condition PodScheduled
  std::string message;
  std::optional<std::string> nominated_node;  ///< no value: the nomination stays; empty: it is cleared

  bool operator==(const Failure&) const = default;
};

/// What the trial of a group came to. QUE-GROUP-4, QUE-ENTITY-5. `waits`: it is feasible once its preemptions
/// are done.
enum class GroupVerdict { infeasible, feasible, waits, error };

/// A pod of a group that is scheduled. QUE-GROUP-3, QUE-GROUP-4.
struct GroupMember {
  Entry entry;
  std::string node = {};  ///< where it fits, or where it preempts; empty: nowhere
  bool preempts = false;
  std::string wait = {};                ///< why it has to wait in Permit; empty: it does not
  std::optional<Failure> failure = {};  ///< no value: it is bound

  bool operator==(const GroupMember&) const = default;
};

/// The scheduling loop.
struct Loop {
  enum class Phase { idle, clears_own_nomination, preempts, patches, sets_condition, makes_calls, submits };
  Phase phase = Phase::idle;
  Entry entry;
  Failure failure;
  CycleResult result;
  std::optional<Preemption> preemption;  ///< a synchronous one
  std::optional<CallId> call;
  std::map<std::string, Status> statuses = {};  ///< QUE-STATUS-1: why each node does not fit
  std::string take = {};                        ///< QUE-CYCLE-2, for the preemption that follows
  std::vector<GroupMember> group = {};          ///< QUE-GROUP-4: with `submits`, the pods still to handle
  std::optional<GroupEntry> popped_group = {};  ///< QUE-ENTITY-3: of a cycle of a whole group
  PodGroupObject pod_group = {};                ///< its PodGroup, as the cycle sees it
  GroupVerdict verdict = GroupVerdict::infeasible;  ///< of such a cycle
  std::vector<Call> left = {};  ///< QUE-STATUS-3: the calls of preemption, those still to make
  std::size_t needed = 0;       ///< the first of them that have to succeed
  bool is_open = false;       ///< the outcome of the cycle was not known when the command was answered
  bool keeps_flight = false;  ///< the pod's flight ends when its status is patched

  bool operator==(const Loop&) const = default;
};

/// How the wait of a pod in Permit ends. QUE-PERMIT-2 to QUE-PERMIT-6.
struct PermitVerdict {
  bool is_allowed = false;
  bool is_error = false;  ///< of a rejection: QUE-PERMIT-4
  std::string plugin;     ///< that rejects the pod
  std::string message;

  bool operator==(const PermitVerdict&) const = default;
};

/// The binding of a pod. QUE-BIND-1, QUE-BIND-2. With a wait in Permit it begins as `nominates` or `waits`.
struct BindingRun {
  enum class Phase { nominates, waits, binds, fails, patches, done };
  Entry entry;  ///< its pod has the node
  Phase phase = Phase::binds;
  std::optional<CallId> call;
  bool keeps_flight = false;                  ///< as in Loop
  Quantity wait_end_ns = 0;                   ///< of a wait in Permit
  bool waits_for_gang = false;                ///< QUE-GANG-3
  std::optional<PermitVerdict> verdict = {};  ///< of a wait in Permit: the first one
  std::optional<Call> patch = {};             ///< with `fails`: the patch of the failure handler
  bool wakes_in_the_end = false;              ///< QUE-PERMIT-3

  bool operator==(const BindingRun&) const = default;
};

/// A failed pod that is put back beside the loop. QUE-LIMBO-1.
struct PutBack {
  std::string ns;
  std::string name;

  bool operator==(const PutBack&) const = default;
};

/// A call that is to wait when it is made.
struct ArmedHold {
  CallKind kind;
  std::string pod;

  bool operator==(const ArmedHold&) const = default;
};

struct World {
  Release release;
  Quantity now_ns = 0;

  Objects stored;                  ///< in the API
  Objects seen;                    ///< the scheduler's copies
  std::vector<WatchEvent> events;  ///< not yet delivered, oldest first
  std::set<WatchedKind> held_kinds;

  Cache cache;
  SchedulingQueue queue;
  Nominations nominations;

  Loop loop;
  std::vector<Preemption> preemptions;
  std::vector<BindingRun> bindings;
  std::vector<PutBack> put_backs;
  std::vector<PodObject> forgotten_in_gangs;  ///< QUE-GANG-5, QUE-ENTITY-10
  GateOrder gates;                            ///< during one command

  std::map<CallId, Call> calls;  ///< those whose result nobody has taken yet, in the order of their making
  CallId next_call = 0;
  std::vector<Call> made;  ///< the calls that were made since the last command
  std::vector<ArmedHold> armed;
  std::optional<CycleResult> ended;  ///< result of an open cycle that this command ended
  std::size_t next_uid = 1;
  Quantity last_version = 0;         ///< QUE-STATUS-2: of the writes of pods
  std::set<std::string_view> cited;  ///< the clauses that decided something since the last command
  std::vector<Wake> wakes;           ///< the pods that were woken since the last command

  void cite(std::string_view clause) { cited.insert(clause); }
};

}  // namespace touchstone::reference
