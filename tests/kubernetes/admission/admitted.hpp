#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "kubernetes/admission/admission.hpp"
#include "spec/releases/release.hpp"

/// Helpers for tests of admission: manifests, and the results of admitting them.
namespace touchstone::kubernetes {

inline Version minor(int number) { return {.minor = number, .patch = 0}; }

/// A cluster read from YAML.
inline Dump dump_of(const std::string& yaml) {
  Result<Dump> dump = parse_dump(yaml, "cluster.yaml");
  if (dump) return std::move(dump).value();
  ADD_FAILURE() << dump.error().path << " " << dump.error().message;
  return {};
}

/// A manifest of Pod default/a in flow-style YAML. Its spec has these members, and one container if they
/// contain no containers.
inline std::string pod_with(std::string members) {
  if (members.find("containers:") == std::string::npos)
    members = "containers: [{name: c}]" + std::string(members.empty() ? "" : ", ") + members;
  return "{kind: Pod, metadata: {name: a, labels: {app: web, rev: r1}}, spec: {" + members + "}}";
}

inline Manifest admit(const std::string& yaml, const Dump& dump = {},
                      const Version& release = newest_release(), const std::string& ns = "") {
  Result<Manifest> manifest = parse_manifest(yaml, "pod.yaml", dump, release, ns);
  if (manifest) return std::move(manifest).value();
  ADD_FAILURE() << yaml << "\n" << manifest.error().path << " " << manifest.error().message;
  return {};
}

/// "code path" of the error, without the name of the file; empty if the pod is admitted.
inline std::string refused(const std::string& yaml, const Dump& dump = {},
                           const Version& release = newest_release(), const std::string& ns = "") {
  const Result<Manifest> manifest = parse_manifest(yaml, "pod.yaml", dump, release, ns);
  if (manifest) return "";
  const std::string& path = manifest.error().path;
  return manifest.error().code + " " + path.substr(std::min(path.size(), std::string("pod.yaml: ").size()));
}

inline bool has_note(const Manifest& manifest, const std::string& note) {
  return std::find(manifest.notes.begin(), manifest.notes.end(), note) != manifest.notes.end();
}

}  // namespace touchstone::kubernetes
