#include "oracle/simulation/events.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "kubernetes/admission/admission.hpp"
#include "kubernetes/objects/fields.hpp"
#include "kubernetes/text/bytes.hpp"
#include "kubernetes/text/documents.hpp"
#include "kubernetes/text/duration.hpp"
#include "oracle/protocol/protocol.hpp"
#include "reference/queue/objects.hpp"

namespace touchstone::oracle {

namespace {

using kubernetes::Value;

constexpr std::array<std::string_view, 8> k_states = {"Active",    "Backoff",   "Unschedulable", "Gated",
                                                      "Nominated", "Scheduled", "Terminating",   "Gone"};
constexpr std::array<std::string_view, 5> k_kinds = {"Pod", "Node", "PodDisruptionBudget", "ReplicaSet",
                                                     "Job"};
constexpr Quantity k_int32_most = std::numeric_limits<std::int32_t>::max();

/// The parts of the cluster and the release that the reader of a file of events needs.
struct Context {
  kubernetes::Dump dump;  ///< without pods
  Version release;
};

template <std::size_t N>
std::size_t one_of(const Value& member, const std::array<std::string_view, N>& names) {
  const auto found = std::find(names.begin(), names.end(), member.string());
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  std::string expected;
  for (const std::string_view name : names) expected += (expected.empty() ? "" : ", ") + std::string(name);
  member.fail("unknown-value", "expected one of " + expected + ", found " + std::string(member.string()));
}

Quantity duration_of(const Value& member) {
  const Result<Quantity> duration = kubernetes::parse_duration(member.number_or_string());
  if (!duration) member.fail(duration.error().code, duration.error().message);
  return duration.value();
}

std::string full_name_of(const std::string& name) {
  return name.find('/') == std::string::npos ? "default/" + name : name;
}

AfterPod read_after(const Value& value) {
  refuse_unknown_keys(value, {"pod", "is"});
  return {full_name_of(kubernetes::name_field(value, "pod")),
          static_cast<PodState>(one_of(value.require("is"), k_states))};
}

/// A pod that a user or a controller creates.
PodObject admitted(const Value& value, const Value& pod, const Context& context) {
  PodObject object;
  object.pod = kubernetes::admit(value, context.dump, context.release).pod;
  object.grace_seconds = kubernetes::read_grace_seconds(pod).value_or(object.grace_seconds);
  return object;
}

EventObject read_object(const Value& value, std::string_view kind, const Context& context) {
  if (kind == "Node") return kubernetes::read_node(value);
  if (kind == "PodDisruptionBudget") return kubernetes::read_pdb(value);
  if (kind == "Pod") {
    PodObject object = admitted(value, value, context);
    if (value.find("status")) {
      PodObject with_status;
      with_status.pod = kubernetes::read_pod(value);
      reference::copy_status(with_status, object);
    }
    return object;
  }
  const Value spec = value.require("spec");
  Workload workload;
  workload.pod_template = admitted(value, spec.require("template"), context);
  const auto count = spec.find(kind == "Job" ? "parallelism" : "replicas");
  if (count) workload.count = count->integer(0, k_int32_most);
  return workload;
}

ObjectName name_of_object(const Value& value) {
  const Value kind = value.require("kind");
  ObjectName name;
  name.kind = k_kinds[one_of(kind, k_kinds)];
  const auto nested = value.find("metadata");
  const Value& names = nested ? *nested : value;
  name.name = kubernetes::name_field(names);
  if (name.kind != "Node") name.ns = kubernetes::namespace_field(names);
  return name;
}

Event read_event(const Value& value, const Context& context) {
  refuse_unknown_keys(value, {"at", "after", "delay", "create", "replace", "delete", "gracePeriodSeconds"});
  Event event;
  event.place = value.path();
  const auto at = value.find("at");
  const auto after = value.find("after");
  if (at.has_value() == after.has_value()) value.fail("missing-field", "expected either \"at\" or \"after\"");
  if (after) event.after = read_after(*after);
  if (at) event.wait_ns = duration_of(*at);
  if (const auto delay = value.find("delay")) event.wait_ns += duration_of(*delay);

  const auto created = value.find("create");
  const auto replaced = value.find("replace");
  const auto deleted = value.find("delete");
  if (created.has_value() + replaced.has_value() + deleted.has_value() != 1)
    value.fail("missing-field", "expected exactly one of \"create\", \"replace\" and \"delete\"");
  const Value& object = created ? *created : replaced ? *replaced : *deleted;
  event.name = name_of_object(object);
  const auto grace = value.find("gracePeriodSeconds");
  if (grace && (!deleted || event.name.kind != "Pod"))
    grace->fail("forbidden-field", "expected it only where a Pod is deleted");
  if (deleted) {
    refuse_unknown_keys(*deleted, {"kind", "apiVersion", "name", "namespace", "metadata"});
    DeleteObject change;
    if (grace) change.grace_seconds = grace->integer(0, k_int32_most);
    event.change = change;
    return event;
  }
  EventObject read = read_object(object, event.name.kind, context);
  if (Workload* workload = std::get_if<Workload>(&read)) {
    if (replaced) replaced->fail("unknown-value", "expected a Pod, Node or PodDisruptionBudget");
    workload->name = event.name;
  }
  if (created) {
    event.change = CreateObject{std::move(read)};
  } else {
    event.change = ReplaceObject{std::move(read), object.find("status").has_value()};
  }
  return event;
}

}  // namespace

std::string Event::text() const {
  static constexpr std::array<std::string_view, 3> k_verbs = {"create ", "replace ", "delete "};
  return std::string(k_verbs[change.index()]) + name.text();
}

std::string_view name_of(PodState state) { return k_states[static_cast<std::size_t>(state)]; }

Result<std::vector<Event>> parse_events(std::string_view bytes, const std::string& name,
                                        const kubernetes::Dump& dump, const Version& release) {
  const Result<std::vector<kubernetes::Document>> documents =
      kubernetes::documents_of(std::string(bytes), name);
  if (!documents) return documents.error();
  Context context{dump, release};
  context.dump.cluster.pods.clear();
  std::vector<Event> events;
  try {
    for (const kubernetes::Document& document : documents.value()) {
      const Value root = document.root();
      for (const Value event : root.elements()) events.push_back(read_event(event, context));
    }
  } catch (const kubernetes::InvalidInput& invalid) {
    return invalid.error;
  }
  return events;
}

Result<std::vector<Event>> read_events(const std::string& path, const kubernetes::Dump& dump,
                                       const Version& release) {
  const Result<std::string> bytes = kubernetes::read_bytes(path, kubernetes::Progress());
  if (!bytes) return bytes.error();
  return parse_events(bytes.value(), kubernetes::name_of_file(path), dump, release);
}

}  // namespace touchstone::oracle
