#include "kubernetes/admission/priority_admission.hpp"

#include <array>
#include <string_view>

#include "kubernetes/objects/fields.hpp"

namespace touchstone::kubernetes {

namespace {

constexpr std::size_t k_names_shown_max = 10;

/// A class that exists in every cluster: pkg/apis/scheduling/v1/helpers.go@v1.34.4.
struct SystemClass {
  std::string_view name;
  Quantity value;
};
constexpr std::array<SystemClass, 2> k_system_classes = {
    {{"system-node-critical", 2'000'001'000}, {"system-cluster-critical", 2'000'000'000}}};

const PriorityClass* global_default(const std::vector<PriorityClass>& classes) {
  const PriorityClass* lowest = nullptr;
  for (const PriorityClass& each : classes) {
    if (each.global_default && (lowest == nullptr || each.value < lowest->value)) lowest = &each;
  }
  return lowest;
}

PriorityClass class_named(const Value& name, const std::vector<PriorityClass>& classes) {
  for (const PriorityClass& each : classes) {
    if (each.name == name.string()) return each;
  }
  for (const SystemClass& each : k_system_classes) {
    if (each.name != name.string()) continue;
    return {.name = std::string(each.name),
            .value = each.value,
            .global_default = false,
            .preemption_policy = "PreemptLowerPriority"};
  }
  if (classes.empty()) {
    name.fail("unknown-priority-class", "expected a PriorityClass of the dump, found " +
                                            std::string(name.string()) +
                                            "; the dump has none: add priorityclasses to it");
  }
  std::string known;
  for (std::size_t i = 0; i < classes.size() && i < k_names_shown_max; ++i) {
    known += (i == 0 ? "" : ", ") + classes[i].name;
  }
  if (classes.size() > k_names_shown_max) known += ", ...";
  name.fail("unknown-priority-class",
            "expected a PriorityClass of the dump (" + known + "), found " + std::string(name.string()));
}

}  // namespace

void admit_priority(const Value& spec, const std::vector<PriorityClass>& classes, Pod& pod,
                    std::vector<std::string>& notes) {
  // The default values are those of a pod without a class.
  PriorityClass given;
  std::string origin = "no PriorityClass is named, and none is the global default";
  if (!string_field(spec, "priorityClassName").empty()) {
    const Value name = spec.require("priorityClassName");
    given = class_named(name, classes);
    origin = "from PriorityClass " + given.name;
  } else if (const PriorityClass* found = global_default(classes)) {
    given = *found;
    origin = "from PriorityClass " + given.name + ", the global default";
  }
  // SetDefaults_PriorityClass of pkg/apis/scheduling/v1/defaults.go@v1.34.4.
  if (given.preemption_policy.empty()) given.preemption_policy = "PreemptLowerPriority";

  const auto priority = spec.find("priority");
  if (priority && pod.priority != given.value) {
    priority->fail("forbidden-field", "expected no priority, or " + std::to_string(given.value) + " (" +
                                          origin + "), found " + std::to_string(pod.priority));
  }
  if (!pod.preemption_policy.empty() && pod.preemption_policy != given.preemption_policy) {
    const Value policy = spec.require("preemptionPolicy");
    policy.fail("forbidden-field", "expected no preemptionPolicy, or " + given.preemption_policy + " (" +
                                       origin + "), found " + pod.preemption_policy);
  }
  pod.priority = given.value;
  pod.preemption_policy = given.preemption_policy;
  const bool has_class = !given.name.empty();
  notes.push_back("priority " + std::to_string(given.value) + (has_class ? " " : ": ") + origin);
  if (given.preemption_policy != "PreemptLowerPriority") {
    notes.push_back("preemptionPolicy " + given.preemption_policy + " " + origin);
  }
}

}  // namespace touchstone::kubernetes
