#include "library/objects.hpp"

#include <algorithm>

namespace touchstone::library {

namespace {

/// Copies the objects that are not holes.
template <typename T>
std::vector<T> those_there(const std::vector<T>& list, const Numbers& numbers) {
  std::vector<T> there;
  there.reserve(numbers.count());
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (numbers.has(i)) there.push_back(list[i]);
  }
  return there;
}

}  // namespace

std::optional<std::size_t> Numbers::find(const std::string& name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? std::nullopt : std::optional(found->second);
}

std::size_t Numbers::add(const std::string& name) {
  const std::size_t number = is_there_.size();
  by_name_.emplace(name, number);
  is_there_.push_back(true);
  return number;
}

void Numbers::remove(const std::string& name) {
  const auto found = by_name_.find(name);
  is_there_[found->second] = false;
  by_name_.erase(found);
}

Objects::Objects(Cluster cluster) : all(std::move(cluster)) {
  for (const Node& node : all.nodes) nodes.add(node.name);
  for (const Pod& pod : all.pods) pods.add(pod.full_name());
  for (const PodDisruptionBudget& pdb : all.pdbs) pdbs.add(pdb.ns + "/" + pdb.name);
}

Cluster Objects::without_holes() const {
  Cluster cluster;
  cluster.nodes = those_there(all.nodes, nodes);
  cluster.pods = those_there(all.pods, pods);
  cluster.pdbs = those_there(all.pdbs, pdbs);
  cluster.namespaces = all.namespaces;
  cluster.storage = all.storage;
  cluster.selecting = all.selecting;
  return cluster;
}

bool Objects::has_many_holes() const {
  // Renumbering takes the time of some thousand changes for each thousand objects.
  constexpr std::size_t k_holes_least = 1000;
  const std::size_t holes = nodes.holes() + pods.holes() + pdbs.holes();
  return holes > k_holes_least + nodes.count() + pods.count() + pdbs.count();
}

void put_storage(Storage& storage, std::string_view key, const std::string& name, Storage one) {
  remove_storage(storage, key, name);
  storage.claims.merge(one.claims);
  storage.volumes.merge(one.volumes);
  storage.classes.merge(one.classes);
  storage.csi_nodes.merge(one.csi_nodes);
  storage.csi_drivers.merge(one.csi_drivers);
  storage.attachments.merge(one.attachments);
  storage.capacities.merge(one.capacities);
}

bool remove_storage(Storage& storage, std::string_view key, const std::string& name) {
  if (key == "pvcs") return storage.claims.erase(name) > 0;
  if (key == "pvs") return storage.volumes.erase(name) > 0;
  if (key == "storageClasses") return storage.classes.erase(name) > 0;
  if (key == "csiNodes") return storage.csi_nodes.erase(name) > 0;
  if (key == "csiDrivers") return storage.csi_drivers.erase(name) > 0;
  if (key == "csiStorageCapacities") return storage.capacities.erase(name) > 0;
  return std::erase_if(storage.attachments,
                       [&name](const auto& entry) { return entry.second.name == name; }) > 0;
}

void put_selecting(std::vector<SelectingObject>& list, SelectingObject object) {
  const auto same = std::find_if(list.begin(), list.end(), [&object](const SelectingObject& each) {
    return each.kind == object.kind && each.ns == object.ns && each.name == object.name;
  });
  if (same != list.end()) {
    *same = std::move(object);
    return;
  }
  const auto after =
      std::upper_bound(list.begin(), list.end(), object.kind,
                       [](SelectingKind kind, const SelectingObject& each) { return kind < each.kind; });
  list.insert(after, std::move(object));
}

bool remove_selecting(std::vector<SelectingObject>& list, SelectingKind kind, std::string_view ns,
                      std::string_view name) {
  return std::erase_if(list, [&](const SelectingObject& each) {
           return each.kind == kind && each.ns == ns && each.name == name;
         }) > 0;
}

}  // namespace touchstone::library
