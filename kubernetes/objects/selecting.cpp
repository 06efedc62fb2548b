#include "kubernetes/objects/selecting.hpp"

#include <algorithm>

#include "kubernetes/objects/fields.hpp"
#include "kubernetes/objects/selectors.hpp"

namespace touchstone::kubernetes {

const std::array<SelectingNames, 4> k_selecting_kinds = {
    {{SelectingKind::service, "services", "Service", "v1"},
     {SelectingKind::replication_controller, "replicationControllers", "ReplicationController", "v1"},
     {SelectingKind::replica_set, "replicaSets", "ReplicaSet", "apps/v1"},
     {SelectingKind::stateful_set, "statefulSets", "StatefulSet", "apps/v1"}}};

const SelectingNames* selecting_kind(std::string_view name) {
  const auto found = std::find_if(k_selecting_kinds.begin(), k_selecting_kinds.end(),
                                  [name](const SelectingNames& each) { return each.name == name; });
  return found == k_selecting_kinds.end() ? nullptr : &*found;
}

bool selects_by_labels(SelectingKind kind) {
  return kind == SelectingKind::service || kind == SelectingKind::replication_controller;
}

SelectingObject read_selecting(const Value& value, const SelectingNames& names) {
  const Value object = value.as_object(names.name);
  const Value metadata = object.require("metadata");
  SelectingObject selecting{
      .kind = names.kind, .ns = namespace_field(metadata), .name = name_field(metadata), .selector = {}};
  const auto spec = object.find("spec");
  if (!spec) return selecting;
  if (!selects_by_labels(names.kind)) {
    selecting.selector = label_selector_field(*spec, "selector");
  } else if (spec->find("selector")) {
    selecting.selector =
        LabelSelector{.match_labels = labels_field(*spec, "selector"), .match_expressions = {}};
  }
  return selecting;
}

}  // namespace touchstone::kubernetes
