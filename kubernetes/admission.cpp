#include "kubernetes/admission.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "kubernetes/bytes.hpp"
#include "kubernetes/fields.hpp"
#include "kubernetes/json.hpp"
#include "kubernetes/pod_defaults.hpp"
#include "kubernetes/priority_admission.hpp"
#include "kubernetes/selector_rules.hpp"
#include "kubernetes/texts.hpp"
#include "kubernetes/totals.hpp"

namespace touchstone::kubernetes {

namespace {

using Notes = std::vector<std::string>;

/// What can only be said of a pod that is there already, or of none.
void refuse(const Value& object, const Pod& pod, const Dump& dump) {
  const Value spec = object.require("spec");
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
  if (exists) object.fail("already-exists", "expected a name that no pod of the dump has");
}

/// PrepareForCreate of pkg/registry/core/pod/strategy.go@v1.34.4 and, before it, rest.BeforeCreate of the API
/// machinery; plugin NamespaceLifecycle.
void admit_metadata(const Value& object, const Pod& pod, const Dump& dump, Notes& notes) {
  const Value metadata = object.require("metadata");
  if (string_field(metadata, "name").empty()) notes.push_back("name " + pod.name + " from generateName");
  const auto ns = metadata.find("namespace");
  if (string_field(metadata, "namespace").empty()) notes.push_back("namespace default");
  if (!dump.cluster.namespaces.empty() && !dump.cluster.namespaces.contains(pod.ns)) {
    (ns ? *ns : metadata).fail("unknown-namespace", "expected a namespace of the dump, found " + pod.ns);
  }
  std::string dropped;
  for (const std::string_view key : {"uid", "deletionTimestamp"}) {
    if (metadata.find(key)) dropped += (dropped.empty() ? "" : ", ") + ("metadata." + std::string(key));
  }
  const auto status = object.find("status");
  const bool has_status = status && status->members().begin() != status->members().end();
  if (has_status) dropped += std::string(dropped.empty() ? "" : ", ") + "status";
  if (!dropped.empty()) notes.push_back("without " + dropped + ", which the API server sets itself");
}

/// Plugin DefaultTolerationSeconds, plugin/pkg/admission/defaulttolerationseconds@v1.34.4: every pod
/// tolerates both taints for 300 s, unless it says something of its own about them.
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

/// Plugin RuntimeClass, plugin/pkg/admission/runtimeclass@v1.34.4, and plugin LimitRanger: what they would
/// add is not known here.
void note_what_is_missing(const Value& spec, const Pod& pod, const Dump& dump, Notes& notes) {
  const std::string runtime_class = string_field(spec, "runtimeClassName");
  if (!runtime_class.empty()) {
    notes.push_back("nothing from RuntimeClass " + runtime_class +
                    ": its overhead, node selector and tolerations are not known");
  } else if (!pod.overhead.empty()) {
    spec.require("overhead").fail("forbidden-field", "expected no overhead without a runtimeClassName");
  }
  const auto limit_ranges = dump.ignored_kinds.find("LimitRange");
  if (limit_ranges != dump.ignored_kinds.end()) {
    notes.push_back("nothing from LimitRanges, of which the dump has " +
                    std::to_string(limit_ranges->second));
  }
}

Manifest admit(const Value& root, const Dump& dump) {
  const Value object = root.as_object("Pod");
  Manifest manifest{read_new_pod(object), {}};
  refuse_invalid_selectors_of_pod(object);
  Pod& pod = manifest.pod;
  Notes& notes = manifest.notes;
  refuse(object, pod, dump);
  const Value spec = object.require("spec");
  admit_metadata(object, pod, dump, notes);
  default_pod(spec, pod, notes);
  admit_priority(spec, dump.priority_classes, pod, notes);
  admit_tolerations(pod, notes);
  note_what_is_missing(spec, pod, dump, notes);
  Totals().add(root, pod);
  return manifest;
}

/// Errors: throws InvalidInput (not-one-pod).
void expect_pod(const Value& root) {
  const std::string kind(root.require("kind").string());
  const std::string api_version = string_field(root, "apiVersion");
  if (kind == "Pod" && (api_version.empty() || api_version == "v1")) return;
  const bool is_foreign = kind == "Pod";
  root.fail("not-one-pod",
            "expected exactly one object of kind Pod, found " + (is_foreign ? api_version + "/" : "") + kind);
}

/// Of what read_bytes gave.
Result<Manifest> manifest_of(std::string bytes, const std::string& name, const Dump& dump) {
  Result<std::vector<Text>> texts = json_texts(std::move(bytes), name);
  if (!texts) return texts.error();
  const std::vector<Text> all = std::move(texts).value();
  if (all.size() != 1) {
    return Error{
        "not-one-pod", name,
        "expected exactly one object of kind Pod, found " + std::to_string(all.size()) + " documents"};
  }
  const Result<Document> document = Document::parse(all[0].json, all[0].name);
  if (!document) return document.error();
  try {
    const Value root = document.value().root();
    expect_pod(root);
    return admit(root, dump);
  } catch (const InvalidInput& invalid) {
    return invalid.error;
  }
}

}  // namespace

Result<Manifest> read_manifest(const std::string& path, const Dump& dump) {
  Result<std::string> bytes = read_bytes(path, {});
  if (!bytes) return bytes.error();
  return manifest_of(std::move(bytes).value(), name_of_file(path), dump);
}

Result<Manifest> parse_manifest(std::string_view bytes, const std::string& name, const Dump& dump) {
  Result<std::string> plain = plain_bytes(bytes, name);
  if (!plain) return plain.error();
  return manifest_of(std::move(plain).value(), name, dump);
}

}  // namespace touchstone::kubernetes
