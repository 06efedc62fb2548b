#include <string>

#include "kubernetes/admission/pod_rules.hpp"
#include "kubernetes/objects/fields.hpp"
#include "kubernetes/objects/names.hpp"
#include "kubernetes/text/quantity.hpp"

namespace touchstone::kubernetes {

namespace {

enum class Level { container, pod };

bool is_cpu_or_memory(std::string_view resource) { return resource == "cpu" || resource == "memory"; }

/// True for resource names of Kubernetes itself: without a domain, or in kubernetes.io.
bool is_native(std::string_view resource) {
  return resource.find('/') == std::string_view::npos ||
         resource.find("kubernetes.io/") != std::string_view::npos;
}

/// IsOvercommitAllowed of pkg/apis/core/helper/helpers.go@v1.34.4: limits may exceed requests.
bool may_exceed_request(std::string_view resource) { return is_native(resource) && !is_hugepages(resource); }

bool is_resource_of(std::string_view resource, Level level) {
  const bool has_domain = resource.find('/') != std::string_view::npos;
  if (level == Level::container && has_domain) return is_qualified_name(resource);
  return is_cpu_or_memory(resource) || is_hugepages(resource) ||
         (level == Level::container && resource == "ephemeral-storage");
}

void check_amounts(const Value& resources, std::string_view key, Level level) {
  const auto amounts = resources.find(key);
  if (!amounts) return;
  for (const Value amount : amounts->members()) {
    if (!is_resource_of(amount.key(), level)) {
      amount.fail("invalid-field",
                  level == Level::pod
                      ? "expected cpu, memory or hugepages-<size>"
                      : "expected cpu, memory, ephemeral-storage, hugepages-<size> or a name with a domain");
    }
    if (is_native(amount.key())) continue;
    const Result<Quantity> milli = parse_quantity(amount.number_or_string(), Unit::milli);
    if (milli && milli.value() % 1000 != 0) amount.fail("invalid-field", "expected a whole number");
  }
}

/// Checks the requests and limits of a container, or of a pod as a whole. `about` is the container, or the
/// pod's spec.
void check_requirements(const Value& about, const ResourceList& requests, const ResourceList& limits,
                        Level level) {
  if (const auto resources = about.find("resources")) {
    check_amounts(*resources, "limits", level);
    check_amounts(*resources, "requests", level);
  }
  bool has_huge_pages = false;
  bool has_cpu_or_memory = false;
  const auto look_at = [&](const std::string& name) {
    has_huge_pages |= is_hugepages(name);
    has_cpu_or_memory |= is_cpu_or_memory(name);
  };
  for (const auto& [name, limit] : limits) look_at(name);
  for (const auto& [name, request] : requests) {
    look_at(name);
    const auto limit = limits.find(name);
    const bool may_exceed = may_exceed_request(name);
    if (limit == limits.end()) {
      if (!may_exceed) about.fail("missing-field", "expected a limit of " + name + " beside its request");
    } else if (request > limit->second) {
      about.fail("invalid-field", "expected a request of " + name + " within its limit");
    } else if (request < limit->second && !may_exceed) {
      about.fail("invalid-field", "expected a request of " + name + " that equals its limit");
    }
  }
  if (has_huge_pages && !has_cpu_or_memory)
    about.fail("forbidden-field", "expected cpu or memory beside huge pages");
}

/// validatePodResourceConsistency: checks the amounts of the pod as a whole against those of its containers.
void check_pod_level(const Value& spec, const Pod& pod, const PodLimits& limits) {
  const ResourceList requests = pod.pod_level_requests.value_or(ResourceList{});
  check_requirements(spec, requests, limits.pod, Level::pod);
  for (const auto& [name, total] : total_requests(spec, pod)) {
    const auto own = requests.find(name);
    if (own != requests.end() && total > own->second)
      spec.fail("invalid-field",
                "expected a request of the pod of at least what its containers request of " + name);
  }
  for (const auto& [name, total] : total_limits(spec, pod, limits)) {
    const auto own = limits.pod.find(name);
    if (is_hugepages(name) && own != limits.pod.end() && total > own->second)
      spec.fail("invalid-field",
                "expected a limit of the pod of at least the limits of its containers of " + name);
  }
  for (const ResourceList& of_container : limits.containers) {
    for (const auto& [name, limit] : of_container) {
      const auto own = limits.pod.find(name);
      if (own != limits.pod.end() && limit > own->second)
        spec.fail("invalid-field", "expected limits of containers within that of the pod of " + name);
    }
  }
}

}  // namespace

void check_resources(const Value& spec, const Pod& pod, const PodLimits& limits) {
  for_each_container(spec, pod, limits,
                     [](const Value& value, const Container& container, const ResourceList& own) {
                       check_requirements(value, container.requests, own, Level::container);
                     });
  if (pod.pod_level_requests || !limits.pod.empty()) check_pod_level(spec, pod, limits);
}

}  // namespace touchstone::kubernetes
