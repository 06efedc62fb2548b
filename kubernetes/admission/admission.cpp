#include "kubernetes/admission/admission.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "kubernetes/admission/limit_range.hpp"
#include "kubernetes/admission/pod_defaults.hpp"
#include "kubernetes/admission/pod_limits.hpp"
#include "kubernetes/admission/pod_rules.hpp"
#include "kubernetes/admission/priority_admission.hpp"
#include "kubernetes/admission/runtime_class.hpp"
#include "kubernetes/admission/selector_rules.hpp"
#include "kubernetes/admission/workloads.hpp"
#include "kubernetes/objects/fields.hpp"
#include "kubernetes/objects/known_fields.hpp"
#include "kubernetes/objects/label_keys.hpp"
#include "kubernetes/objects/totals.hpp"
#include "kubernetes/text/bytes.hpp"
#include "kubernetes/text/documents.hpp"
#include "kubernetes/text/json.hpp"

namespace touchstone::kubernetes {

namespace {

using Notes = std::vector<std::string>;

/// First minor with PodLevelResources as beta, on by default. Before it, the API server drops the field.
constexpr int k_pod_level_minor = 34;

/// Rejects a pod without containers, a pod that has a node, and a pod that exists in the dump.
void refuse(const Value& spec, const PodOrigin& origin, const Pod& pod, const Dump& dump) {
  const Value containers = spec.require("containers");
  if (pod.containers.empty()) containers.fail("missing-field", "expected at least one container");
  if (!pod.node_name.empty()) {
    spec.require("nodeName")
        .fail("pod-not-pending", "expected a pod without a node: a bound pod is not scheduled");
  }
  const std::vector<Pod>& pods = dump.cluster.pods;
  const bool exists = std::any_of(pods.begin(), pods.end(), [&](const Pod& other) {
    return other.ns == pod.ns && other.name == pod.name;
  });
  if (exists)
    origin.path.front().fail("already-exists",
                             "expected a name that no pod of the dump has, found " + pod.name);
}

/// Notes the fields of the metadata and the status of a manifest that are dropped. PrepareForCreate of
/// pkg/registry/core/pod/strategy.go@v1.34.4 and, before it, rest.BeforeCreate of the API machinery drop
/// them.
void note_dropped(const Value& object, const Value& metadata, Notes& notes) {
  std::string dropped;
  for (const std::string_view key : {"uid", "deletionTimestamp"}) {
    if (metadata.find(key)) dropped += (dropped.empty() ? "" : ", ") + ("metadata." + std::string(key));
  }
  const auto status = object.find("status");
  const bool has_status = status && status->members().begin() != status->members().end();
  if (has_status) dropped += std::string(dropped.empty() ? "" : ", ") + "status";
  if (!dropped.empty()) notes.push_back("without " + dropped + ", which the API server sets itself");
}

/// Plugin NamespaceLifecycle, and the notes about name, labels and namespace.
void admit_metadata(const PodOrigin& origin, const Dump& dump, Notes& notes) {
  const Value& object = origin.path.front();
  const Value metadata = object.require("metadata");
  if (origin.kind != "Pod") {
    notes.push_back("pod " + origin.name + " of " + object.object_name());
    for (const auto& [key, value] : origin.labels)
      notes.push_back("label " + key + "=" + value + " of its controller");
    if (origin.kind == "DaemonSet")
      notes.push_back(
          "the controller of a DaemonSet binds each pod to one node by affinity; this pod may go to any "
          "node");
  } else if (string_field(metadata, "name").empty()) {
    notes.push_back("name " + origin.name + " from generateName");
  }
  const auto ns = metadata.find("namespace");
  if (string_field(metadata, "namespace").empty()) notes.push_back("namespace " + origin.ns);
  if (!dump.cluster.namespaces.empty() && !dump.cluster.namespaces.contains(origin.ns)) {
    (ns ? *ns : metadata).fail("unknown-namespace", "expected a namespace of the dump, found " + origin.ns);
  }
  note_dropped(object, metadata, notes);
}

/// Adds what the controller of a workload adds to the template.
void add_of_controller(const PodOrigin& origin, const Dump& dump, Manifest& manifest) {
  Pod& pod = manifest.pod;
  pod.ns = origin.ns;
  pod.name = origin.name;
  pod.controller = origin.controller;
  for (const auto& [key, value] : origin.labels) pod.labels[key] = value;
  pod.tolerations.insert(pod.tolerations.end(), origin.tolerations.begin(), origin.tolerations.end());
  for (std::size_t i = 0; i < origin.claims.size(); ++i) {
    const PersistentVolumeClaim& claim = origin.claims[i];
    std::erase_if(pod.volumes, [&](const Volume& volume) { return volume.name == origin.volume_names[i]; });
    Volume volume{.name = origin.volume_names[i], .source = {}};
    volume.source.kind = "persistentVolumeClaim";
    volume.source.id = claim.name;
    pod.volumes.push_back(std::move(volume));
    if (dump.cluster.storage.claims.contains(claim.full_name())) continue;
    manifest.claims.push_back(claim);
    const std::string of_class = claim.storage_class();
    manifest.notes.push_back("claim " + claim.name + " of volumeClaimTemplates, " +
                             (of_class.empty() ? "without a storage class" : "of storage class " + of_class));
  }
}

/// Plugin DefaultTolerationSeconds, plugin/pkg/admission/defaulttolerationseconds@v1.34.4. Every pod
/// tolerates each of the two taints for 300 s, unless it has a toleration of its own for this taint.
void admit_tolerations(Pod& pod, Notes& notes) {
  constexpr std::array<std::string_view, 2> k_keys = {"node.kubernetes.io/not-ready",
                                                      "node.kubernetes.io/unreachable"};
  const std::vector<Toleration> own = pod.tolerations;
  for (const std::string_view key : k_keys) {
    const bool is_tolerated = std::any_of(own.begin(), own.end(), [&](const Toleration& toleration) {
      return (toleration.key == key || toleration.key.empty()) &&
             (toleration.effect == "NoExecute" || toleration.effect.empty());
    });
    if (is_tolerated) continue;
    pod.tolerations.push_back({.key = std::string(key), .op = "Exists", .value = "", .effect = "NoExecute"});
    notes.push_back("toleration of " + std::string(key) + ":NoExecute for 300 s");
  }
}

/// Admits the pod in the bytes that read_bytes returned.
Result<Manifest> manifest_of(std::string bytes, const std::string& name, const Dump& dump,
                             const Version& release, const std::string& ns) {
  const Result<std::vector<Document>> documents = documents_of(std::move(bytes), name);
  if (!documents) return documents.error();
  const std::vector<Document>& all = documents.value();
  if (all.size() != 1) {
    return Error{"not-one-pod", name,
                 "expected exactly one object, found " + std::to_string(all.size()) + " documents"};
  }
  try {
    return admit(all.front().root(), dump, release, ns);
  } catch (const InvalidInput& invalid) {
    return invalid.error;
  }
}

}  // namespace

/// Admits the pod of a manifest, in the order of an API server: decoding and defaults, admission plugins that
/// change the pod, merging of label keys, validation, plugins that only check.
Manifest admit(const Value& root, const Dump& dump, const Version& release, const std::string& ns) {
  const PodOrigin origin = pod_origin(root, dump, release, ns);
  refuse_unknown_fields(origin.path.front(), origin.kind, release);
  const Value& object = origin.object();
  Manifest manifest{.pod = read_new_pod(object), .claims = {}, .notes = {}};
  refuse_invalid_selectors_of_pod(object);
  Pod& pod = manifest.pod;
  Notes& notes = manifest.notes;
  const Value spec = object.require("spec");
  PodLimits limits = read_pod_limits(spec);
  if (release.minor < k_pod_level_minor) {
    pod.pod_level_requests.reset();
    limits.pod.clear();
  }
  admit_metadata(origin, dump, notes);
  add_of_controller(origin, dump, manifest);
  refuse(spec, origin, pod, dump);
  default_pod(spec, pod, limits, notes);
  const bool is_late = pod_level_is_defaulted_late(release);
  if (!is_late) default_pod_level(spec, pod, limits, release, notes);
  default_by_limit_ranges(dump.limit_ranges, pod, limits, notes);
  admit_priority(spec, dump.priority_classes, pod, notes);
  admit_tolerations(pod, notes);
  admit_runtime_class(spec, dump.runtime_classes, pod, notes);
  merge_label_keys(release, pod, notes);
  if (is_late) default_pod_level(spec, pod, limits, release, notes);
  check_pod(object, pod, release);
  check_resources(spec, pod, limits);
  check_limit_ranges(spec, dump.limit_ranges, pod, limits);
  Totals().add(object, pod);
  return manifest;
}

Result<Manifest> read_manifest(const std::string& path, const Dump& dump, const Version& release,
                               const std::string& ns) {
  Result<std::string> bytes = read_bytes(path, {});
  if (!bytes) return bytes.error();
  return manifest_of(std::move(bytes).value(), name_of_file(path), dump, release, ns);
}

Result<Manifest> parse_manifest(std::string_view bytes, const std::string& name, const Dump& dump,
                                const Version& release, const std::string& ns) {
  Result<std::string> plain = plain_bytes(bytes, name);
  if (!plain) return plain.error();
  return manifest_of(std::move(plain).value(), name, dump, release, ns);
}

}  // namespace touchstone::kubernetes
