#include "kubernetes/admission/runtime_class.hpp"

#include <algorithm>

#include "kubernetes/objects/fields.hpp"
#include "kubernetes/objects/pod_parts.hpp"

namespace touchstone::kubernetes {

namespace {

RuntimeClass class_named(const Value& name, const std::vector<RuntimeClass>& classes) {
  const auto found = std::find_if(classes.begin(), classes.end(),
                                  [&](const RuntimeClass& each) { return each.name == name.string(); });
  if (found != classes.end()) return *found;
  name.fail("unknown-runtime-class",
            "expected a RuntimeClass of the dump, found " + std::string(name.string()) +
                (classes.empty() ? "; the dump has none: add runtimeclasses to it" : ""));
}

void select_nodes(const Value& spec, const RuntimeClass& from, Pod& pod) {
  for (const auto& [key, value] : from.node_selector) {
    const auto [entry, is_new] = pod.node_selector.emplace(key, value);
    if (is_new || entry->second == value) continue;
    spec.require("nodeSelector")
        .fail("forbidden-field", "expected " + key + ": " + value + " or no such key (RuntimeClass " +
                                     from.name + "), found " + entry->second);
  }
}

}  // namespace

RuntimeClass read_runtime_class(const Value& value) {
  const Value object = value.as_object("RuntimeClass");
  const Value metadata = object.require("metadata");
  RuntimeClass runtime_class{
      .name = name_field(metadata), .overhead = {}, .node_selector = {}, .tolerations = {}};
  if (const auto overhead = object.find("overhead"))
    runtime_class.overhead = resources_field(*overhead, "podFixed").value_or(ResourceList{});
  if (const auto scheduling = object.find("scheduling")) {
    runtime_class.node_selector = labels_field(*scheduling, "nodeSelector");
    runtime_class.tolerations = list_field(*scheduling, "tolerations", read_toleration);
  }
  return runtime_class;
}

void admit_runtime_class(const Value& spec, const std::vector<RuntimeClass>& classes, Pod& pod,
                         std::vector<std::string>& notes) {
  RuntimeClass given;
  if (const auto name = spec.find("runtimeClassName")) given = class_named(*name, classes);
  if (!pod.overhead.empty() && pod.overhead != given.overhead) {
    spec.require("overhead")
        .fail("forbidden-field", given.overhead
                                     ? "expected no overhead, or that of RuntimeClass " + given.name
                                     : "expected no overhead without a RuntimeClass that has one");
  }
  if (given.name.empty()) return;
  std::string what;
  if (given.overhead) {
    pod.overhead = *given.overhead;
    what += "overhead";
  }
  select_nodes(spec, given, pod);
  if (!given.node_selector.empty()) what += std::string(what.empty() ? "" : ", ") + "nodeSelector";
  pod.tolerations.insert(pod.tolerations.end(), given.tolerations.begin(), given.tolerations.end());
  if (!given.tolerations.empty()) what += std::string(what.empty() ? "" : ", ") + "tolerations";
  notes.push_back((what.empty() ? "nothing" : what) + " from RuntimeClass " + given.name);
}

}  // namespace touchstone::kubernetes
