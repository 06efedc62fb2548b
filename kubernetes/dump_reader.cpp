#include "kubernetes/dump_reader.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "kubernetes/fields.hpp"
#include "kubernetes/selector_rules.hpp"
#include "kubernetes/texts.hpp"
#include "kubernetes/volumes.hpp"

namespace touchstone::kubernetes {

namespace {

constexpr std::string_view k_list = "List";
constexpr std::size_t k_progress_step = 512;

/// The kinds that count, and their apiVersion, or its group with a slash behind.
struct Kind {
  std::string_view name;
  std::string_view api;
};
constexpr std::array<Kind, 5> k_kinds = {{{"Node", "v1"},
                                          {"Pod", "v1"},
                                          {"Namespace", "v1"},
                                          {"PodDisruptionBudget", "policy/"},
                                          {"PriorityClass", "scheduling.k8s.io/"}}};

const StorageKind* storage_kind(std::string_view kind) {
  const auto found = std::find_if(k_storage_kinds.begin(), k_storage_kinds.end(),
                                  [kind](const StorageKind& each) { return each.kind == kind; });
  return found == k_storage_kinds.end() ? nullptr : &*found;
}

bool is_kind_of_kubernetes(std::string_view kind, std::string_view api_version) {
  const auto is_of = [api_version](std::string_view api) {
    const bool is_group = api.ends_with('/');
    return api_version.empty() || (is_group ? api_version.starts_with(api) : api_version == api);
  };
  for (const Kind& each : k_kinds) {
    if (each.name == kind) return is_of(each.api);
  }
  const StorageKind* storage = storage_kind(kind);
  return storage != nullptr && is_of(storage->api);
}

bool is_list_of_ours(std::string_view kind) {
  if (!kind.ends_with(k_list)) return false;
  kind.remove_suffix(k_list.size());
  return kind.empty() || is_kind_of_kubernetes(kind, "");
}

void count(Tally& tally, const std::string& first) {
  if (tally.count++ == 0) tally.first = first;
}

}  // namespace

std::optional<Error> DumpReader::add(std::string bytes, const std::string& name) {
  dump_.bytes += bytes.size();
  Result<std::vector<Text>> texts = json_texts(std::move(bytes), name);
  if (!texts) return texts.error();
  for (Text& text : std::move(texts).value()) {
    Result<Document> document = Document::take(std::move(text.json), std::move(text.name));
    if (!document) return document.error();
    Part& part = parts_.emplace_back(Part{std::move(document).value(), {}, {}});
    try {
      read(part);
    } catch (const InvalidInput& invalid) {
      return invalid.error;
    }
  }
  return std::nullopt;
}

Result<Dump> DumpReader::finish(const std::string& name) {
  const Cluster& cluster = dump_.cluster;
  const bool has_objects = !cluster.nodes.empty() || !cluster.pods.empty() || !cluster.pdbs.empty() ||
                           !dump_.priority_classes.empty() || !cluster.namespaces.empty() ||
                           !cluster.storage.empty();
  if (!has_objects) {
    std::string found;
    for (const auto& [kind, number] : dump_.ignored_kinds) {
      found += (found.empty() ? "only " : ", ") + std::to_string(number) + " of kind " + kind;
    }
    return Error{"no-objects", name,
                 "expected Nodes, Pods, PodDisruptionBudgets, PriorityClasses, Namespaces or objects of "
                 "storage, found " +
                     (found.empty() ? "no object" : found)};
  }
  dump_.warnings = warnings_of(dump_, tallies_);
  return std::move(dump_);
}

void DumpReader::read(Part& part) {
  part.root = part.document.root();
  const Value& root = *part.root;
  read_version(root);
  const std::string kind = string_field(root, "kind");
  if (!kind.ends_with(k_list)) return read_item(root, {});
  Defaults defaults;
  if (kind != k_list) {
    defaults = {kind.substr(0, kind.size() - k_list.size()), string_field(root, "apiVersion")};
  }
  part.items = root.find("items");
  if (!part.items) return;
  const std::string what = "objects of " + part.document.source_name();
  std::size_t done = 0;
  for (const Value item : part.items->elements()) {
    read_item(item, defaults);
    if (++done % k_progress_step == 0 && progress_) progress_(what, done, part.items->elements().size());
  }
}

void DumpReader::read_version(const Value& object) {
  const auto server = object.find("serverVersion");
  if (!server) return;
  const std::string version = string_field(*server, "gitVersion");
  if (dump_.server_version.empty()) dump_.server_version = version;
  if (version != dump_.server_version) count(tallies_.server_versions, version);
}

void DumpReader::read_item(const Value& item, const Defaults& defaults) {
  std::string kind = string_field(item, "kind");
  std::string api_version = string_field(item, "apiVersion");
  if (kind.empty()) kind = defaults.kind;
  if (api_version.empty()) api_version = defaults.api_version;
  if (kind.empty() && item.find("serverVersion")) {
    read_version(item);
  } else if (kind.empty()) {
    item.require("kind").fail("missing-field", "expected the kind of an object");
  } else if (is_kind_of_kubernetes(kind, api_version)) {
    read_object(item, kind);
  } else if (is_list_of_ours(kind)) {
    item.fail("nested-list", "expected an object, found a list of objects");
  } else {
    const bool is_foreign = is_kind_of_kubernetes(kind, "");
    ++dump_.ignored_kinds[is_foreign ? api_version + "/" + kind : kind];
  }
}

/// Each is read even if it is a duplicate, so that a mistake is named where it is first.
void DumpReader::read_object(const Value& item, std::string_view kind) {
  if (kind == "Node") {
    Node node = read_node(item);
    if (!is_duplicate(item.as_object("Node"))) dump_.cluster.nodes.push_back(std::move(node));
  } else if (kind == "Pod") {
    Pod pod = read_pod(item);
    refuse_invalid_selectors_of_pod(item);
    if (is_duplicate(item.as_object("Pod"))) return;
    totals_.add(item, pod);
    note_priority(item, pod);
    dump_.cluster.pods.push_back(std::move(pod));
  } else if (kind == "PodDisruptionBudget") {
    PodDisruptionBudget pdb = read_pdb(item);
    refuse_invalid_selector_of_pdb(item);
    if (!is_duplicate(item.as_object("PodDisruptionBudget"))) dump_.cluster.pdbs.push_back(std::move(pdb));
  } else if (kind == "PriorityClass") {
    PriorityClass priority_class = read_priority_class(item);
    if (is_duplicate(item.as_object("PriorityClass"))) return;
    dump_.priority_classes.push_back(std::move(priority_class));
  } else if (const StorageKind* storage = storage_kind(kind)) {
    Storage one;
    storage->read(item, one);
    if (!is_duplicate(item.as_object(storage->kind))) storage->read(item, dump_.cluster.storage);
  } else {
    Namespace ns = read_namespace(item);
    if (!is_duplicate(item.as_object("Namespace")))
      dump_.cluster.namespaces.emplace(std::move(ns.name), std::move(ns.labels));
  }
}

void DumpReader::note_priority(const Value& item, const Pod& pod) {
  const auto spec = item.find("spec");
  const std::string name = spec ? string_field(*spec, "priorityClassName") : "";
  if (name.empty()) return;
  count(spec->find("priority") ? tallies_.priority_classes[name] : tallies_.priorities_missing,
        "Pod " + pod.full_name());
}

bool DumpReader::is_duplicate(const Value& object) {
  const auto [entry, is_new] = seen_.emplace(object.object_name(), object);
  if (is_new) return false;
  // Items of a list of one kind have neither.
  if (!entry->second.same_content(object, {"kind", "apiVersion"})) {
    object.fail("contradictory-object", "expected the same object as " + entry->second.path());
  }
  count(tallies_.duplicates, object.path());
  return true;
}

}  // namespace touchstone::kubernetes
