#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "spec/releases/release.hpp"
#include "spec/vocabulary/choices.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/vocabulary/result.hpp"

/// Commands to a scheduler over time, and what can be seen after each: the last section of spec/protocol.md.
namespace touchstone {

/// A group of pods in a Workload. `least_pods`: so many of them start together; no value: each starts alone.
struct PodGroup {
  std::string name;
  std::optional<Quantity> least_pods;

  bool operator==(const PodGroup&) const = default;
};

/// A Workload: which pods form gangs. QUE-GANG-1.
struct WorkloadGroups {
  std::string ns;
  std::string name;
  std::vector<PodGroup> groups;

  bool operator==(const WorkloadGroups&) const = default;
};

/// The pod group that a pod names: spec.workloadRef.
struct WorkloadRef {
  std::string workload;
  std::string group;
  std::string replica_key;

  bool operator==(const WorkloadRef&) const = default;
};

/// A PodGroup. `least_pods`: so many of its pods start together; no value: each may start alone. QUE-GROUP-1.
struct PodGroupObject {
  std::string ns;
  std::string name;
  std::optional<Quantity> least_pods;
  Quantity priority = 0;  ///< QUE-ENTITY-3
  std::string uid = {};   ///< QUE-ENTITY-8

  bool operator==(const PodGroupObject&) const = default;
};

/// A pod as the API stores it.
struct PodObject {
  Pod pod;
  Quantity grace_seconds = 30;                  ///< spec.terminationGracePeriodSeconds
  std::map<std::string, std::string> messages;  ///< message of a condition, by its type
  std::map<std::string, std::string> annotations = {};  ///< QUE-EARLY-1: an update may change nothing else
  Quantity version = 0;  ///< QUE-STATUS-2: the number of the write that made this state; 0: none counts
  std::optional<WorkloadRef> workload_ref = {};
  std::string pod_group = {};  ///< spec.schedulingGroup.podGroupName; empty: none

  bool operator==(const PodObject&) const = default;
};

/// The kinds of objects that a scheduler watches.
enum class WatchedKind { pod, node, pdb, workload, pod_group };

/// The API objects, or the scheduler's copies of them. In the order of their creation.
struct Objects {
  std::vector<PodObject> pods;
  std::vector<Node> nodes;
  std::vector<PodDisruptionBudget> pdbs;
  std::vector<WorkloadGroups> workloads = {};
  std::vector<PodGroupObject> pod_groups = {};

  bool operator==(const Objects&) const = default;
};

enum class CallKind { remove, patch, bind };  ///< `remove` is the call `delete`
enum class CallResult { waits, ok, not_found, conflict, error, cancelled };

/// The change of a condition by a patch. Fields without a value do not change.
struct ConditionPatch {
  std::string type;
  std::optional<std::string> status;
  std::optional<std::string> reason;
  std::optional<std::string> message;
  bool removes = false;  ///< the condition itself

  bool operator==(const ConditionPatch&) const = default;
};

/// An API call that the scheduler makes.
struct Call {
  CallKind kind = CallKind::patch;
  std::string ns;
  std::string name;
  std::string uid = {};                            ///< of a binding; also of a patch that has a version
  std::string node = {};                           ///< of a binding
  std::optional<std::string> nominated_node = {};  ///< of a patch; empty text: the nomination is cleared
  std::vector<ConditionPatch> conditions = {};     ///< of a patch
  bool clears_start_time = false;                  ///< of a patch
  Quantity version = 0;                            ///< of a patch: QUE-STATUS-2
  CallResult result = CallResult::waits;
  Quantity tries = 1;
  bool was_held = false;

  std::string full_name() const { return ns + "/" + name; }
  bool operator==(const Call&) const = default;
};

enum class CycleOutcome { scheduled, nominated, none, ineligible, error, dropped, idle, busy, open, skipped };

/// The result of a scheduling cycle.
struct CycleResult {
  CycleOutcome outcome = CycleOutcome::idle;
  std::string pod;  ///< full name; empty: none was popped
  std::string node;
  std::vector<std::string> victims;  ///< full names
  std::string skipped;               ///< with `skipped`: why
  std::string pod_group = {};        ///< full name, if a pod group was popped as a whole: QUE-ENTITY-3

  bool operator==(const CycleResult&) const = default;
};

/// How `write` changes an object. `remove_with_grace` is the verb `delete`.
enum class Verb { create, update, remove_with_grace, remove };

/// An object that is written. In the order of WatchedKind.
using WrittenObject = std::variant<PodObject, Node, PodDisruptionBudget, WorkloadGroups, PodGroupObject>;

/// A write by a user, a controller or a kubelet. To remove an object, only its name is read.
struct WriteCommand {
  Verb verb = Verb::create;
  WrittenObject object;
  bool with_status = true;  ///< of an update: whether the object has a status
};
struct CycleCommand {
  std::string take = {};  ///< the node to choose among equals; empty: the first
};
struct AdvanceCommand {
  Quantity ns = 0;
};
enum class Timer { backoff, leftover };
struct FlushCommand {
  Timer timer = Timer::backoff;
};
/// The next call of this kind for this pod waits.
struct HoldCallCommand {
  CallKind kind = CallKind::patch;
  std::string pod;  ///< full name
};
struct HoldWatchCommand {
  WatchedKind kind = WatchedKind::pod;
};
struct AnswerCommand {
  CallKind kind = CallKind::patch;
  std::string pod;  ///< full name
  CallResult result = CallResult::ok;
};
struct DeliverCommand {
  WatchedKind kind = WatchedKind::pod;
  std::optional<Quantity> count = {};  ///< no value: all, and the hold ends
};
/// The plug-in TouchstonePermit allows or rejects a pod that waits.
struct PermitCommand {
  std::string pod;  ///< full name
  bool is_allowed = false;
};
struct StateCommand {};

/// A command to a scheduler that has begun.
using TimelineCommand =
    std::variant<WriteCommand, CycleCommand, AdvanceCommand, FlushCommand, HoldCallCommand, HoldWatchCommand,
                 AnswerCommand, DeliverCommand, PermitCommand, StateCommand>;

/// The beginning of a scheduler, and the commands that follow.
struct TimelineScript {
  Release release;
  Quantity now_ns = 0;
  Objects objects;
  std::vector<TimelineCommand> commands;
};

/// What the API has of a pod.
struct StoredPod {
  std::string node_name;
  std::string nominated_node_name;
  bool terminating = false;
  std::string reason;    ///< of condition PodScheduled, if it is false
  bool pending = false;  ///< it names this scheduler, has no node, and has not ended

  bool operator==(const StoredPod&) const = default;
};

/// What can be seen of a scheduler over time. Lists are sorted; pods have their full names.
struct Observation {
  Quantity now_ns = 0;
  std::vector<std::string> active;
  std::vector<std::string> backoff;
  std::vector<std::string> unschedulable;
  std::vector<std::string> in_flight;
  std::optional<std::vector<std::string>> incomplete = {};  ///< QUE-ENTITY-1; only if groups are queued
  std::optional<std::vector<std::string>> pending = {};     ///< QUE-ENTITY-4; only if groups are queued
  std::map<std::string, std::string> gated;  ///< by which plug-in
  std::map<std::string, std::set<std::string>> rejectors;
  std::map<std::string, Quantity> attempts;
  std::map<std::string, Quantity> backoff_ends_ns;            ///< of the pods in the backoff part
  std::map<std::string, std::vector<std::string>> nominated;  ///< by node
  std::map<std::string, std::string> assumed;                 ///< the node, by pod
  std::vector<std::string> waiting;                           ///< in Permit
  std::map<std::string, StoredPod> pods;
  std::vector<std::pair<CallKind, std::string>> held_calls;
  std::map<WatchedKind, std::size_t> held_events;

  bool operator==(const Observation&) const = default;
};

/// A pod that an event woke: it left the unschedulable part, or its failed attempt is made again.
struct Wake {
  std::string pod;  ///< full name
  std::string by;   ///< such as "the deletion of default/v"

  bool operator==(const Wake&) const = default;
};

/// The answer to a command.
struct StepAnswer {
  std::optional<Error> error = {};  ///< then nothing has changed
  std::optional<CycleResult> cycle = {};
  std::vector<Call> calls = {};           ///< those that were made since the last command
  std::optional<CycleResult> ended = {};  ///< the result of an open cycle that this command ended
  Observation state = {};
  std::set<std::string_view> clauses = {};  ///< those that decided something
  std::vector<Wake> wakes = {};             ///< in the order in which they happened
};

/// A scheduler over time that can be told what to do.
class TimelineModel {
 public:
  virtual ~TimelineModel() = default;
  /// Starts a scheduler that has seen these objects. Errors: exists.
  virtual std::optional<Error> begin(const Release& release, Quantity now_ns, const Objects& objects) = 0;
  /// Runs a command. Requires: begin() succeeded. Ensures: nothing changes after an error.
  virtual StepAnswer run(const TimelineCommand& command, Choices& choices) = 0;
  /// The answer to the beginning: what can be seen now.
  virtual StepAnswer first() = 0;
};

/// Makes a model.
using MakeModel = std::unique_ptr<TimelineModel> (*)();

}  // namespace touchstone
