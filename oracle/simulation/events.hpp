#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "kubernetes/dump/dump.hpp"
#include "spec/vocabulary/result.hpp"
#include "spec/vocabulary/timeline.hpp"

/// The file of events of `touchstone simulate` (docs/simulate.md): what users do to a cluster, and when.
namespace touchstone::oracle {

/// The states of a pod that an event may wait for.
enum class PodState { active, backoff, unschedulable, gated, nominated, scheduled, terminating, gone };

struct AfterPod {
  std::string pod;  ///< full name
  PodState is = PodState::scheduled;
};

/// The name of an object. `ns` is empty for a Node.
struct ObjectName {
  std::string kind;
  std::string ns;
  std::string name;

  std::string text() const { return kind + " " + (ns.empty() ? "" : ns + "/") + name; }
};

/// A ReplicaSet or Job that creates pods.
struct Workload {
  ObjectName name;
  PodObject pod_template;  ///< its pod, without a name of its own
  Quantity count = 1;      ///< replicas, or parallelism
};

inline constexpr Quantity k_ns_a_second = 1'000'000'000;

using EventObject = std::variant<PodObject, Node, PodDisruptionBudget, Workload>;

struct CreateObject {
  EventObject object;
};
struct ReplaceObject {
  EventObject object;
  bool with_status = false;
};
struct DeleteObject {
  std::optional<Quantity> grace_seconds;  ///< no value: that of the pod
};

/// One event: a change of one object.
struct Event {
  std::string place;              ///< in the file, for errors
  std::optional<AfterPod> after;  ///< no value: at a time
  Quantity wait_ns = 0;           ///< since the start, or since the pod is first in the state
  ObjectName name;
  std::variant<CreateObject, ReplaceObject, DeleteObject> change;

  /// "create Pod default/p"
  std::string text() const;
};

/// Reads a file of events. Pods are admitted as by the API server of `release`, with the priority classes of
/// the dump. Errors: those of read_bytes, documents_of and admit(); wrong-type, missing-field,
/// unknown-field, unknown-value, duration-malformed; each names the file, the event and the field.
Result<std::vector<Event>> read_events(const std::string& path, const kubernetes::Dump& dump,
                                       const Version& release);

/// Does the same for a text in memory. `name` stands for the path.
Result<std::vector<Event>> parse_events(std::string_view bytes, const std::string& name,
                                        const kubernetes::Dump& dump, const Version& release);

/// "Scheduled": the name of a state in a file of events.
std::string_view name_of(PodState state);

}  // namespace touchstone::oracle
