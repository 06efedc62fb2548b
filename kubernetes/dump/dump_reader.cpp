#include "kubernetes/dump/dump_reader.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <utility>

#include "kubernetes/admission/selector_rules.hpp"
#include "kubernetes/objects/fields.hpp"
#include "kubernetes/objects/selecting.hpp"
#include "kubernetes/objects/volumes.hpp"
#include "kubernetes/text/documents.hpp"

namespace touchstone::kubernetes {

namespace {

constexpr std::string_view k_list = "List";
constexpr std::size_t k_progress_step = 512;

/// A kind that counts, and its apiVersion, or its group followed by a slash.
struct Kind {
  std::string_view name;
  std::string_view api;
};
/// ReplicaSet is in two groups: API servers served it in both up to v1.15.
constexpr std::array<Kind, 12> k_kinds = {{{"Node", "v1"},
                                           {"Pod", "v1"},
                                           {"Namespace", "v1"},
                                           {"PodDisruptionBudget", "policy/"},
                                           {"PriorityClass", "scheduling.k8s.io/"},
                                           {"LimitRange", "v1"},
                                           {"RuntimeClass", "node.k8s.io/"},
                                           {"Service", "v1"},
                                           {"ReplicationController", "v1"},
                                           {"ReplicaSet", "apps/"},
                                           {"ReplicaSet", "extensions/"},
                                           {"StatefulSet", "apps/"}}};

const StorageKind* storage_kind(std::string_view kind) {
  const auto found = std::find_if(k_storage_kinds.begin(), k_storage_kinds.end(),
                                  [kind](const StorageKind& each) { return each.kind == kind; });
  return found == k_storage_kinds.end() ? nullptr : &*found;
}

/// The name of a kind that counts, as a literal. Empty for other kinds, and for a kind of another API group.
std::string_view known_kind(std::string_view kind, std::string_view api_version) {
  const auto is_of = [api_version](std::string_view api) {
    const bool is_group = api.ends_with('/');
    return api_version.empty() || (is_group ? api_version.starts_with(api) : api_version == api);
  };
  for (const Kind& each : k_kinds) {
    if (each.name == kind && is_of(each.api)) return each.name;
  }
  const StorageKind* storage = storage_kind(kind);
  return storage != nullptr && is_of(storage->api) ? storage->kind : "";
}

bool is_list(const Value& item, std::string_view kind) {
  return kind == k_list || (kind.ends_with(k_list) && item.find("items"));
}

/// The resourceVersion of an object; nothing if it is not a number. A larger number is newer. The API
/// guarantees this from v1.35 on (KEP 5504), and every API server on etcd behaved so before.
std::optional<std::uint64_t> version_of(const Value& object) {
  const auto metadata = object.find("metadata");
  const std::string text = metadata ? string_field(*metadata, "resourceVersion") : "";
  std::uint64_t version = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return version;
}

}  // namespace

std::optional<Error> DumpReader::add(std::string bytes, const std::string& name) {
  dump_.bytes += bytes.size();
  Result<std::vector<Document>> documents = documents_of(std::move(bytes), name);
  if (!documents) return documents.error();
  try {
    for (Document& document : std::move(documents).value())
      find_objects(documents_.emplace_back(std::move(document)));
  } catch (const InvalidInput& invalid) {
    return invalid.error;
  }
  return std::nullopt;
}

Result<Dump> DumpReader::finish(const std::string& name) {
  if (objects_.empty()) {
    std::string found;
    for (const auto& [kind, number] : dump_.ignored_kinds) {
      found += (found.empty() ? "only " : ", ") + std::to_string(number) + " of kind " + kind;
    }
    return Error{
        "no-objects", name,
        "expected Nodes, Pods, PodDisruptionBudgets, PriorityClasses, Namespaces, objects that select "
        "pods, or objects of storage, found " +
            (found.empty() ? "no object" : found)};
  }
  try {
    read_objects();
  } catch (const InvalidInput& invalid) {
    return invalid.error;
  }
  dump_.warnings = warnings_of(dump_, tallies_);
  return std::move(dump_);
}

/// Finds the objects of a document. Lists may contain lists; `open` replaces recursion.
void DumpReader::find_objects(const Document& document) {
  const Value& root = containing_values_.emplace_back(document.root());
  find_version(root);
  std::vector<OpenList> open;
  const std::string kind = string_field(root, "kind");
  if (kind.ends_with(k_list)) {
    find_items(root, kind, open);
  } else {
    find_object(root, {}, open);
  }
  while (!open.empty()) {
    OpenList& list = open.back();
    if (!(list.next != list.items.end())) {
      open.pop_back();
      continue;
    }
    const Value item = *list.next;
    ++list.next;
    const Defaults defaults = list.defaults;
    find_object(item, defaults, open);
  }
}

void DumpReader::find_items(const Value& list, const std::string& kind, std::vector<OpenList>& open) {
  const auto found = list.find("items");
  if (!found) return;
  Defaults defaults;
  if (kind != k_list)
    defaults = {kind.substr(0, kind.size() - k_list.size()), string_field(list, "apiVersion")};
  const Elements items = containing_values_.emplace_back(*found).elements();
  open.push_back({items, items.begin(), std::move(defaults)});
}

void DumpReader::find_version(const Value& object) {
  const auto server = object.find("serverVersion");
  if (!server) return;
  const std::string version = string_field(*server, "gitVersion");
  if (dump_.server_version.empty()) dump_.server_version = version;
  if (version != dump_.server_version) count(tallies_.server_versions, version);
}

void DumpReader::find_object(const Value& item, const Defaults& defaults, std::vector<OpenList>& open) {
  std::string kind = string_field(item, "kind");
  std::string api_version = string_field(item, "apiVersion");
  if (kind.empty()) kind = defaults.kind;
  if (api_version.empty()) api_version = defaults.api_version;
  const std::string_view known = known_kind(kind, api_version);
  if (kind.empty() && item.find("serverVersion")) {
    find_version(item);
  } else if (kind.empty()) {
    item.require("kind").fail("missing-field", "expected the kind of an object");
  } else if (!known.empty()) {
    add_object(item, known);
  } else if (is_list(item, kind)) {
    find_version(item);
    find_items(containing_values_.emplace_back(item), kind, open);
  } else {
    const bool is_foreign = !known_kind(kind, "").empty();
    ++dump_.ignored_kinds[is_foreign ? api_version + "/" + kind : kind];
  }
}

/// Adds an object. If two copies of it differ, the newer one counts, at the position of the first.
void DumpReader::add_object(const Value& item, std::string_view kind) {
  const Value object = item.as_object(kind);
  const std::string name = object.object_name();
  const bool has_name = name != kind;  // an object without a name is read later, and rejected
  if (has_name) {
    const auto [entry, is_new] = named_.emplace(name, objects_.size());
    if (!is_new) {
      Value& first = objects_[entry->second].value;
      // Items of a list of one kind leave out these two fields.
      if (first.same_content(object, {"kind", "apiVersion"}))
        return count(tallies_.duplicates, object.path());
      const auto known = version_of(first);
      const auto version = version_of(object);
      if (!known || !version || *known == *version) {
        object.fail("contradictory-object", "expected the same object as " + first.path() +
                                                ", or a resourceVersion that shows which one is newer");
      }
      count(tallies_.differing, object.path());
      if (*version > *known) first = object;
      return;
    }
  }
  objects_.push_back({object, kind});
}

void DumpReader::read_objects() {
  std::size_t done = 0;
  for (const Object& object : objects_) {
    read_object(object);
    if (++done % k_progress_step == 0 && progress_) progress_("objects", done, objects_.size());
  }
  std::vector<SelectingObject>& selecting = dump_.cluster.selecting;
  std::stable_sort(selecting.begin(), selecting.end(),
                   [](const SelectingObject& a, const SelectingObject& b) { return a.kind < b.kind; });
}

void DumpReader::read_object(const Object& object) {
  const Value& item = object.value;
  Cluster& cluster = dump_.cluster;
  if (object.kind == "Node") {
    cluster.nodes.push_back(read_node(item));
  } else if (object.kind == "Pod") {
    Pod pod = read_pod(item);
    refuse_invalid_selectors_of_pod(item);
    totals_.add(item, pod);
    note_priority(item, pod);
    if (const auto seconds = read_grace_seconds(item)) dump_.grace_seconds[pod.full_name()] = *seconds;
    cluster.pods.push_back(std::move(pod));
  } else if (object.kind == "PodDisruptionBudget") {
    cluster.pdbs.push_back(read_pdb(item));
    refuse_invalid_selector(item, object.kind);
  } else if (object.kind == "PriorityClass") {
    dump_.priority_classes.push_back(read_priority_class(item));
  } else if (object.kind == "LimitRange") {
    dump_.limit_ranges.push_back(read_limit_range(item));
  } else if (object.kind == "RuntimeClass") {
    dump_.runtime_classes.push_back(read_runtime_class(item));
  } else if (object.kind == "Namespace") {
    Namespace ns = read_namespace(item);
    cluster.namespaces.emplace(std::move(ns.name), std::move(ns.labels));
  } else if (const SelectingNames* selecting = selecting_kind(object.kind)) {
    cluster.selecting.push_back(read_selecting(item, *selecting));
    if (!selects_by_labels(selecting->kind)) refuse_invalid_selector(item, object.kind);
  } else {
    read_storage(object);
  }
}

/// Reads a storage object. Finds the default storage class as GetDefaultClass of
/// pkg/volume/util/storageclass.go@v1.34.4 does: the youngest default class counts. Of several of the same
/// age, the first by name counts.
void DumpReader::read_storage(const Object& object) {
  const std::string name = storage_kind(object.kind)->read(object.value, dump_.cluster.storage);
  if (object.kind != "StorageClass") return;
  const Value metadata = object.value.require("metadata");
  const Labels annotations = labels_field(metadata, "annotations");
  const auto is_default = [&](const std::string& group) {
    const auto annotation = annotations.find("storageclass." + group + "kubernetes.io/is-default-class");
    return annotation != annotations.end() && annotation->second == "true";
  };
  if (!is_default("") && !is_default("beta.")) return;
  const std::string created = string_field(metadata, "creationTimestamp");
  std::string& best = dump_.default_storage_class;
  const bool is_better =
      best.empty() || created > default_class_created_ || (created == default_class_created_ && name < best);
  if (!is_better) return;
  best = name;
  default_class_created_ = created;
}

void DumpReader::note_priority(const Value& item, const Pod& pod) {
  const auto spec = item.find("spec");
  const std::string name = spec ? string_field(*spec, "priorityClassName") : "";
  if (name.empty()) return;
  count(spec->find("priority") ? tallies_.priority_classes[name] : tallies_.priorities_missing,
        "Pod " + pod.full_name());
}

}  // namespace touchstone::kubernetes
