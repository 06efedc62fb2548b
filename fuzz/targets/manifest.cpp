#include "fuzz/targets/target.hpp"
#include "kubernetes/admission/admission.hpp"
#include "spec/releases/release.hpp"

namespace {

using namespace touchstone;

/// The cluster to which the pods are admitted.
const kubernetes::Dump& cluster() {
  static const kubernetes::Dump dump = kubernetes::parse_dump(R"(
kind: Namespace
metadata: {name: default}
---
{kind: PriorityClass, metadata: {name: high}, value: 1000}
---
{kind: PriorityClass, metadata: {name: usual}, value: 10, globalDefault: true, preemptionPolicy: Never}
---
{kind: LimitRange, metadata: {name: l, namespace: default}, spec: {limits: [{type: Container, default: {cpu: 1}}]}}
---
{kind: RuntimeClass, metadata: {name: kata}, overhead: {podFixed: {cpu: 1}}}
---
{kind: Pod, metadata: {name: taken}, spec: {nodeName: n1}}
)",
                                                              "cluster.yaml")
                                           .value();
  return dump;
}

}  // namespace

/// Law: any bytes are a pod as an API server would store it, or give an error that says where.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  const auto manifest = kubernetes::parse_manifest(text, "pod.yaml", cluster(), newest_release());
  if (!manifest) return fuzz::check_error(manifest.error(), "pod.yaml", text), 0;
  const Pod& pod = manifest.value().pod;
  if (!pod.node_name.empty() || pod.containers.empty() || pod.name.empty() || pod.ns.empty())
    fuzz::broken("a new pod has a name, a namespace, containers and no node", pod.full_name(), text);
  return 0;
}
