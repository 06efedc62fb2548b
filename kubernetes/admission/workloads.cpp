#include "kubernetes/admission/workloads.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>

#include "kubernetes/objects/controllers.hpp"
#include "kubernetes/objects/fields.hpp"
#include "kubernetes/objects/volumes.hpp"

namespace touchstone::kubernetes {

namespace {

/// Placeholders for the five random characters of an API server (apiserver/pkg/storage/names@v0.34.4), and
/// for a hash.
const std::string k_drawn = "xxxxx";
const std::string k_hash = "xxxxxxxxxx";
const std::string k_scheduled = "xxxxxxxx";  ///< the minutes since 1970 in the name of a CronJob's Job

constexpr int k_index_label_minor = 28;      ///< PodIndexLabel: beta, on by default
constexpr int k_prefixed_labels_minor = 27;  ///< batch.kubernetes.io/job-name and controller-uid

struct Workload {
  std::string_view kind;
  std::string_view api;  ///< its apiVersion, or its group followed by a slash
  void (*fill)(const Value& object, const std::string& name, const Dump& dump, const Version& release,
               PodOrigin& origin);
};

/// Appends a member of the last value of the path to the path. Returns it.
const Value& go_to(PodOrigin& origin, std::string_view key) {
  return origin.path.emplace_back(origin.path.back().require(key));
}

/// ValidateLabelSelector and the check after it: the selector must match the labels of the template. Only
/// matchLabels is checked, not matchExpressions.
void expect_selected(const Value& spec, const Value& pod_template) {
  const Value selector = spec.require("selector");
  const auto metadata = pod_template.find("metadata");
  const Labels labels = metadata ? labels_field(*metadata, "labels") : Labels();
  for (const auto& [key, value] : labels_field(selector, "matchLabels")) {
    const auto label = labels.find(key);
    if (label == labels.end() || label->second != value)
      selector.fail("invalid-field", "expected a selector that matches the labels of the template, found " +
                                         key + "=" + value);
  }
}

void go_to_template(PodOrigin& origin) {
  const Value& spec = go_to(origin, "spec");
  expect_selected(spec, go_to(origin, "template"));
}

Controller controller_of(const std::string& api_version, const std::string& kind, const std::string& name) {
  return {.api_version = api_version, .kind = kind, .name = name, .uid = ""};
}

void fill_deployment(const Value&, const std::string& name, const Dump&, const Version&, PodOrigin& origin) {
  go_to_template(origin);
  origin.name = name + "-" + k_hash + "-" + k_drawn;
  origin.controller = controller_of("apps/v1", "ReplicaSet", name + "-" + k_hash);
  origin.labels = {{"pod-template-hash", k_hash}};
}

void fill_replica_set(const Value&, const std::string& name, const Dump&, const Version&, PodOrigin& origin) {
  go_to_template(origin);
  origin.controller = controller_of("apps/v1", "ReplicaSet", name);
  origin.name = name + "-" + k_drawn;
}

/// As AddOrUpdateDaemonPodTolerations and CreatePodTemplate of pkg/controller/daemon/util/daemonset_util.go.
void fill_daemon_set(const Value& object, const std::string& name, const Dump&, const Version&,
                     PodOrigin& origin) {
  go_to_template(origin);
  origin.name = name + "-" + k_drawn;
  origin.controller = controller_of("apps/v1", "DaemonSet", name);
  const Value metadata = object.require("metadata");
  const auto generation = metadata.find("generation");
  origin.labels = {{"controller-revision-hash", k_hash},
                   {"pod-template-generation", generation ? generation->number_or_string() : "1"}};
  const auto tolerate = [&](const std::string& taint, const std::string& effect) {
    origin.tolerations.push_back(
        {.key = "node.kubernetes.io/" + taint, .op = "Exists", .value = "", .effect = effect});
  };
  for (const char* taint : {"not-ready", "unreachable"}) tolerate(taint, "NoExecute");
  for (const char* taint : {"disk-pressure", "memory-pressure", "pid-pressure", "unschedulable"})
    tolerate(taint, "NoSchedule");
  const Value spec = origin.object().require("spec");
  const auto host_network = spec.find("hostNetwork");
  if (host_network && host_network->boolean()) tolerate("network-unavailable", "NoSchedule");
}

/// The claim of a template as an API server stores it. Plugin DefaultStorageClass gives it a class.
PersistentVolumeClaim read_claim(const Value& value, const Dump& dump) {
  const auto kind = std::find_if(k_storage_kinds.begin(), k_storage_kinds.end(), [](const StorageKind& each) {
    return each.kind == "PersistentVolumeClaim";
  });
  Storage one;
  kind->read(value, one);
  PersistentVolumeClaim claim = one.claims.begin()->second;
  const bool has_class = claim.class_name || claim.beta_class;
  if (!has_class && !dump.default_storage_class.empty()) claim.class_name = dump.default_storage_class;
  claim.uid.clear();
  claim.phase = "Pending";
  return claim;
}

/// As newStatefulSetPod of pkg/controller/statefulset/stateful_set_utils.go and the functions that it calls.
void fill_stateful_set(const Value& object, const std::string& name, const Dump& dump, const Version& release,
                       PodOrigin& origin) {
  go_to_template(origin);
  const Value spec = object.require("spec");
  const auto ordinals = spec.find("ordinals");
  const auto start = ordinals ? ordinals->find("start") : std::nullopt;
  Quantity ordinal = start ? start->integer(0, std::numeric_limits<std::int32_t>::max()) : 0;
  const auto exists = [&] {
    return std::any_of(dump.cluster.pods.begin(), dump.cluster.pods.end(), [&](const Pod& pod) {
      return pod.ns == origin.ns && pod.name == name + "-" + std::to_string(ordinal);
    });
  };
  while (exists()) ++ordinal;
  origin.name = name + "-" + std::to_string(ordinal);
  origin.controller = controller_of("apps/v1", "StatefulSet", name);
  origin.labels = {{"statefulset.kubernetes.io/pod-name", origin.name},
                   {"controller-revision-hash", name + "-" + k_hash}};
  if (release.minor >= k_index_label_minor)
    origin.labels["apps.kubernetes.io/pod-index"] = std::to_string(ordinal);
  const auto templates = spec.find("volumeClaimTemplates");
  if (!templates) return;
  for (const Value value : templates->elements()) {
    PersistentVolumeClaim claim = read_claim(value, dump);
    origin.volume_names.push_back(claim.name);
    claim.ns = origin.ns;
    claim.name += "-" + origin.name;
    origin.claims.push_back(std::move(claim));
  }
}

/// As generateSelector of pkg/registry/batch/job/strategy.go, with the names of pkg/controller/job.
/// Requires: the spec of the Job is the last value of the path.
void fill_from_job(const std::string& name, const Version& release, PodOrigin& origin) {
  const Value& spec = origin.path.back();
  const auto manual = spec.find("manualSelector");
  if (!manual || !manual->boolean()) {
    origin.labels = {{"job-name", name}, {"controller-uid", k_drawn}};
    if (release.minor >= k_prefixed_labels_minor) {
      origin.labels["batch.kubernetes.io/job-name"] = name;
      origin.labels["batch.kubernetes.io/controller-uid"] = k_drawn;
    }
  }
  const bool is_indexed = string_field(spec, "completionMode") == "Indexed";
  if (is_indexed && release.minor >= k_index_label_minor)
    origin.labels["batch.kubernetes.io/job-completion-index"] = "0";
  origin.name = name + (is_indexed ? "-0-" : "-") + k_drawn;
  origin.controller = controller_of("batch/v1", "Job", name);
  go_to(origin, "template");
}

void fill_job(const Value&, const std::string& name, const Dump&, const Version& release, PodOrigin& origin) {
  go_to(origin, "spec");
  fill_from_job(name, release, origin);
}

void fill_cron_job(const Value&, const std::string& name, const Dump&, const Version& release,
                   PodOrigin& origin) {
  go_to(origin, "spec");
  go_to(origin, "jobTemplate");
  go_to(origin, "spec");
  fill_from_job(name + "-" + k_scheduled, release, origin);
}

void fill_pod(const Value& object, const std::string& name, const Dump&, const Version&, PodOrigin& origin) {
  const Value metadata = object.require("metadata");
  origin.controller = read_controller(metadata);
  origin.name = name;
}

constexpr std::array<Workload, 7> k_workloads = {{{"Pod", "v1", fill_pod},
                                                  {"Deployment", "apps/", fill_deployment},
                                                  {"StatefulSet", "apps/", fill_stateful_set},
                                                  {"DaemonSet", "apps/", fill_daemon_set},
                                                  {"ReplicaSet", "apps/", fill_replica_set},
                                                  {"Job", "batch/", fill_job},
                                                  {"CronJob", "batch/", fill_cron_job}}};

/// Errors: throws InvalidInput (not-one-pod).
const Workload& workload_of(const Value& root) {
  const std::string kind(root.require("kind").string());
  const std::string api = string_field(root, "apiVersion");
  std::string expected;
  for (const Workload& each : k_workloads) {
    const bool is_group = each.api.ends_with('/');
    const bool is_api = api.empty() || (is_group ? api.starts_with(each.api) : api == each.api);
    if (kind == each.kind && is_api) return each;
    expected += (expected.empty() ? "" : ", ") + std::string(each.kind);
  }
  root.fail("not-one-pod", "expected exactly one object of a kind that makes pods (" + expected +
                               "), found " + (api.empty() ? "" : api + "/") + kind);
}

}  // namespace

PodOrigin pod_origin(const Value& root, const Dump& dump, const Version& release, const std::string& ns) {
  const Workload& workload = workload_of(root);
  PodOrigin origin;
  origin.kind = workload.kind;
  const Value& object = origin.path.emplace_back(root.as_object(workload.kind));
  const Value metadata = object.require("metadata");
  std::string name = string_field(metadata, "name");
  const std::string prefix = string_field(metadata, "generateName");
  if (name.empty()) name = prefix.empty() ? name_field(metadata) : prefix + k_drawn;
  const std::string own_ns = string_field(metadata, "namespace");
  if (!ns.empty() && !own_ns.empty() && own_ns != ns)
    metadata.require("namespace")
        .fail("forbidden-field", "expected the namespace " + ns + " of the command line");
  origin.ns = !own_ns.empty() ? own_ns : ns.empty() ? "default" : ns;
  workload.fill(object, name, dump, release, origin);
  return origin;
}

}  // namespace touchstone::kubernetes
