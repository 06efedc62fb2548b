#include <algorithm>

#include "kubernetes/objects/objects.hpp"
#include "kubernetes/objects/selecting.hpp"
#include "kubernetes/objects/volumes.hpp"
#include "library/loaded_cluster.hpp"

/// Changes of a loaded cluster.
namespace touchstone::library {

namespace {

using kubernetes::Document;
using kubernetes::InvalidInput;
using kubernetes::Value;

const kubernetes::StorageKind* storage_kind(std::string_view kind) {
  const auto found = std::find_if(kubernetes::k_storage_kinds.begin(), kubernetes::k_storage_kinds.end(),
                                  [kind](const kubernetes::StorageKind& each) { return each.kind == kind; });
  return found == kubernetes::k_storage_kinds.end() ? nullptr : &*found;
}

[[noreturn]] void fail_without_kind(std::string_view kind) {
  throw InvalidInput(
      {"unknown-kind", "kind",
       "expected a kind that scheduling reads, such as Pod, found " + std::string(kind.substr(0, 100))});
}

std::string full_name(const std::string& ns, const std::string& name) {
  return ns.empty() ? name : ns + "/" + name;
}

}  // namespace

template <typename F>
void LoadedCluster::change(const F& act) {
  is_broken_ = true;
  act();
  if (objects_.has_many_holes()) {
    objects_ = Objects(objects_.without_holes());
    for (const auto& [name, view] : views_) view->renew(objects_.all);
  }
  is_broken_ = false;
}

void LoadedCluster::put_node(const Node& node) {
  const auto number = objects_.nodes.find(node.name);
  if (number) {
    objects_.all.nodes[*number] = node;
    for (const auto& [name, view] : views_) view->snapshot().change_node(*number, node);
    return;
  }
  objects_.all.nodes.push_back(node);
  objects_.nodes.add(node.name);
  for (const auto& [name, view] : views_) view->snapshot().add_node(node);
}

void LoadedCluster::remove_pod(const std::string& full_name, std::size_t number) {
  totals_.remove(objects_.all.pods[number]);
  objects_.all.pods[number] = Pod();
  objects_.pods.remove(full_name);
  for (const auto& [name, view] : views_) view->snapshot().remove_pod(number);
}

/// Requires: the amounts of the pod have been added to the totals, and those of a pod that it replaces
/// subtracted.
void LoadedCluster::put_pod(const Pod& pod) {
  const auto number = objects_.pods.find(pod.full_name());
  if (number) {
    objects_.all.pods[*number] = pod;
    for (const auto& [name, view] : views_) view->snapshot().change_pod(*number, pod);
    return;
  }
  objects_.all.pods.push_back(pod);
  objects_.pods.add(pod.full_name());
  for (const auto& [name, view] : views_) view->snapshot().add_pod(pod);
}

void LoadedCluster::put_pdb(const PodDisruptionBudget& pdb) {
  const std::string name_of_pdb = pdb.ns + "/" + pdb.name;
  const auto number = objects_.pdbs.find(name_of_pdb);
  if (number) {
    objects_.all.pdbs[*number] = pdb;
    for (const auto& [name, view] : views_)
      view->snapshot().change_pdb(static_cast<std::uint32_t>(*number), pdb);
    return;
  }
  objects_.all.pdbs.push_back(pdb);
  objects_.pdbs.add(name_of_pdb);
  for (const auto& [name, view] : views_) view->snapshot().add_pdb(pdb);
}

void LoadedCluster::put_checked_pod(const Value& value, const Pod& pod) {
  const auto old = objects_.pods.find(pod.full_name());
  const Pod* const replaced = old ? &objects_.all.pods[*old] : nullptr;
  totals_.check(value, pod, replaced);
  change([&] {
    if (replaced != nullptr && replaced->uid == pod.uid) totals_.remove(*replaced);
    if (replaced != nullptr && replaced->uid != pod.uid) remove_pod(pod.full_name(), *old);
    totals_.add(value, pod);
    put_pod(pod);
  });
}

void LoadedCluster::put_value(std::string_view kind, const Value& value) {
  if (kind == "Pod") return put_checked_pod(value, kubernetes::read_pod(value));
  if (kind == "Node") {
    const Node node = kubernetes::read_node(value);
    return change([&] { put_node(node); });
  }
  if (kind == "PodDisruptionBudget") {
    const PodDisruptionBudget pdb = kubernetes::read_pdb(value);
    return change([&] { put_pdb(pdb); });
  }
  if (kind == "Namespace") {
    const kubernetes::Namespace read = kubernetes::read_namespace(value);
    return change([&] {
      objects_.all.namespaces[read.name] = read.labels;
      for (const auto& [name, view] : views_) view->snapshot().set_namespace(read.name, read.labels);
    });
  }
  if (const kubernetes::SelectingNames* selecting = kubernetes::selecting_kind(kind)) {
    const SelectingObject object = kubernetes::read_selecting(value, *selecting);
    return change([&] {
      put_selecting(objects_.all.selecting, object);
      for (const auto& [name, view] : views_) view->snapshot().set_selecting(objects_.all.selecting);
    });
  }
  const kubernetes::StorageKind* const storage = storage_kind(kind);
  if (storage == nullptr) fail_without_kind(kind);
  Storage one;
  const std::string name_of_object = storage->read(value, one);
  change([&] {
    put_storage(objects_.all.storage, storage->key, name_of_object, std::move(one));
    for (const auto& [name, view] : views_) view->snapshot().set_storage(objects_.all.storage);
  });
}

bool LoadedCluster::remove_object(std::string_view kind, const std::string& ns, const std::string& name) {
  if (kind == "Pod") {
    const auto number = objects_.pods.find(ns + "/" + name);
    if (number) change([&] { remove_pod(ns + "/" + name, *number); });
    return number.has_value();
  }
  if (kind == "Node") {
    const auto number = objects_.nodes.find(name);
    if (!number) return false;
    change([&] {
      objects_.all.nodes[*number] = Node();
      objects_.nodes.remove(name);
      for (const auto& [profile, view] : views_) view->snapshot().remove_node(*number);
    });
    return true;
  }
  if (kind == "PodDisruptionBudget") {
    const auto number = objects_.pdbs.find(ns + "/" + name);
    if (!number) return false;
    change([&] {
      objects_.all.pdbs[*number] = PodDisruptionBudget();
      objects_.pdbs.remove(ns + "/" + name);
      for (const auto& [profile, view] : views_)
        view->snapshot().remove_pdb(static_cast<std::uint32_t>(*number));
    });
    return true;
  }
  if (kind == "Namespace") {
    const bool was_there = objects_.all.namespaces.erase(name) > 0;
    change([&] {
      for (const auto& [profile, view] : views_) view->snapshot().set_namespace(name, std::nullopt);
    });
    return was_there;
  }
  bool was_there = false;
  if (const kubernetes::SelectingNames* selecting = kubernetes::selecting_kind(kind)) {
    change([&] {
      was_there = remove_selecting(objects_.all.selecting, selecting->kind, ns, name);
      for (const auto& [profile, view] : views_) view->snapshot().set_selecting(objects_.all.selecting);
    });
    return was_there;
  }
  const kubernetes::StorageKind* const storage = storage_kind(kind);
  if (storage == nullptr) fail_without_kind(kind);
  change([&] {
    was_there = remove_storage(objects_.all.storage, storage->key, full_name(ns, name));
    for (const auto& [profile, view] : views_) view->snapshot().set_storage(objects_.all.storage);
  });
  return was_there;
}

std::optional<Error> LoadedCluster::put(std::string_view kind, std::string_view json) {
  const Result<Document> document = Document::parse(json, "object");
  if (!document) return document.error();
  const auto lock = writing();
  try {
    check_is_whole();
    put_value(kind, document.value().root());
    return std::nullopt;
  } catch (const InvalidInput& invalid) {
    return invalid.error;
  }
}

std::optional<Error> LoadedCluster::remove(std::string_view kind, std::string_view ns,
                                           std::string_view name) {
  const auto lock = writing();
  try {
    check_is_whole();
    if (remove_object(kind, std::string(ns), std::string(name))) return std::nullopt;
  } catch (const InvalidInput& invalid) {
    return invalid.error;
  }
  return Error{"unknown-object", std::string(kind),
               "expected an object of the cluster, found " + full_name(std::string(ns), std::string(name))};
}

std::optional<Error> LoadedCluster::bind(const LoadedPod& pod, std::string_view node) {
  Pod bound = pod.pod();
  bound.node_name = node;
  bound.nominated_node_name.clear();
  const auto lock = writing();
  try {
    check_is_whole();
    if (!objects_.nodes.find(bound.node_name))
      return Error{"unknown-object", "Node", "expected a node of the cluster, found " + bound.node_name};
    put_checked_pod(pod.document().root(), bound);
    return std::nullopt;
  } catch (const InvalidInput& invalid) {
    return invalid.error;
  }
}

}  // namespace touchstone::library
