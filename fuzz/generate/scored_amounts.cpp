#include <algorithm>
#include <set>
#include <string>

#include "fuzz/generate/draw.hpp"
#include "reference/filters/requests.hpp"
#include "reference/scores/scored_requests.hpp"

/// Generates amounts for scores: room on nodes, and amounts near those at which a score is rounded to another
/// number.
namespace touchstone::fuzz {

namespace {

void add(ResourceList& sum, const ResourceList& amounts) {
  for (const auto& [name, amount] : amounts) sum[name] += amount;
}

/// The requests of the pods on each node together with the preemptor's, as the filter counts them.
ResourceList filtered_load(const Question& question, const Node& node, const Release& release) {
  ResourceList load = reference::requests_of_preemptor(question.pod, release);
  for (const Pod& pod : question.cluster.pods) {
    if (pod.node_name == node.name && !is_done(pod)) add(load, reference::requests_on_node(pod, release));
  }
  return load;
}

/// The same, as NodeResourcesFit scores them.
ResourceList scored_load(const Question& question, const Node& node, const Release& release) {
  ResourceList load = reference::requests_with_defaults_of_preemptor(question.pod, release);
  for (const Pod& pod : question.cluster.pods) {
    if (pod.node_name == node.name && !is_done(pod))
      add(load, reference::requests_with_defaults_on_node(pod, release));
  }
  return load;
}

/// How much more than the load a node has.
Quantity draw_free(Draw& draw, const std::string& resource) {
  if (resource == "cpu") return draw.one_of<Quantity>({4000, 0, 500, 1000, 13, 7900, 64000, 100});
  if (resource == "memory")
    return draw.one_of<Quantity>({4 * k_gi, 0, k_gi, 16 * k_gi, 3, 200 * k_mi, 999'999'937, 256 * k_gi});
  if (resource == "ephemeral-storage") return draw.one_of<Quantity>({k_gi, 0, 5});
  return draw.one_of<Quantity>({4, 0, 1, 100});
}

void draw_requests(Draw& draw, Container& container) {
  if (draw.once_in(4)) return;
  ResourceList& requests = container.requests;
  requests["cpu"] = draw.one_of<Quantity>({500, 100, 250, 333, 1, 1000, 1999, 0});
  requests["memory"] =
      draw.one_of<Quantity>({128 * k_mi, 200 * k_mi, k_gi, 64 * k_mi, 200 * k_mi + 1, 1'000'000, 3, 0});
  if (draw.once_in(6)) requests.erase("cpu");
  if (draw.once_in(6)) requests.erase("memory");
}

}  // namespace

void draw_odd_requests(Draw& draw, Question& question) {
  for (Container& container : question.pod.containers) draw_requests(draw, container);
  for (Pod& pod : question.cluster.pods) {
    for (Container& container : pod.containers) draw_requests(draw, container);
  }
}

void make_room(Draw& draw, const Release& release, Question& question) {
  for (Node& node : question.cluster.nodes) {
    if (draw.once_in(8)) continue;
    ResourceList load = filtered_load(question, node, release);
    for (const auto& [name, amount] : node.allocatable) load[name] += 0;
    load["memory"] += 0;
    for (const auto& [name, amount] : load) {
      if (name == "pods" || name.starts_with("attachable-volumes-")) continue;
      if (name == "memory" && draw.once_in(16)) continue;
      node.allocatable[name] = std::max(node.allocatable[name], amount + draw_free(draw, name));
    }
    if (!draw.once_in(16)) node.allocatable["pods"] = 110;
  }
}

void draw_borders(Draw& draw, const Release& release, Question& question) {
  for (Node& node : question.cluster.nodes) {
    const ResourceList least = filtered_load(question, node, release);
    const ResourceList scored = scored_load(question, node, release);
    for (const std::string resource : {"cpu", "memory"}) {
      if (draw.once_in(4)) continue;
      const Quantity load = reference::amount_of(scored, resource);
      const Quantity percent = draw.once_in(2) ? draw.one_of<Quantity>({50, 25, 75, 20, 80, 10, 40, 60})
                                               : 1 + static_cast<Quantity>(draw.below(100));
      // With this amount the load is a whole number of hundredths.
      const Quantity border = (load * 100 + percent - 1) / percent;
      node.allocatable[resource] =
          std::max(reference::amount_of(least, resource), border + draw.one_of<Quantity>({0, 1, -1, 0}));
    }
  }
}

void draw_storage_scores(Draw& draw, Question& question) {
  constexpr const char* k_scored_driver = "scored.example.com";
  Storage& storage = question.cluster.storage;
  const bool by_capacity = draw.once_in(2);
  StorageClass& of_claims = storage.classes["scored"];
  of_claims.name = "scored";
  of_claims.provisioner = by_capacity ? k_scored_driver : "kubernetes.io/no-provisioner";
  of_claims.binding_mode = "WaitForFirstConsumer";
  if (by_capacity) storage.csi_drivers[k_scored_driver] = {k_scored_driver, true, false};
  const std::size_t claims = by_capacity ? 1 + draw.below(2) : 1;
  for (std::size_t i = 0; i < claims; ++i) {
    const std::string name = "scored-" + std::to_string(i);
    PersistentVolumeClaim& claim = storage.claims[question.pod.ns + "/" + name];
    claim.ns = question.pod.ns;
    claim.name = name;
    claim.class_name = "scored";
    claim.access_modes = {"ReadWriteOnce"};
    Quantity storage_wanted = draw.one_of<Quantity>({5, 1, 10, 3}) * k_gi;
    storage_wanted += draw.one_of<Quantity>({0, 0, 1});
    claim.storage = storage_wanted;
    claim.phase = "Pending";
    mount_claim(question.pod, name);
  }
  for (Node& node : question.cluster.nodes) {
    node.labels[k_hostname] = node.name;
    if (draw.once_in(8)) continue;
    Quantity amount = draw.one_of<Quantity>({10, 20, 100, 5, 15, 11, 33}) * k_gi;
    amount += draw.one_of<Quantity>({0, -1, 1});
    if (by_capacity) {
      CsiStorageCapacity& capacity = storage.capacities["default/of-" + node.name];
      capacity.ns = "default";
      capacity.name = "of-" + node.name;
      capacity.storage_class = "scored";
      capacity.node_topology = LabelSelector{{{k_hostname, node.name}}, {}};
      capacity.capacity = amount;
      continue;
    }
    PersistentVolume& volume = storage.volumes["pv-of-" + node.name];
    volume.name = "pv-of-" + node.name;
    volume.class_name = "scored";
    volume.storage = amount;
    volume.access_modes = {"ReadWriteOnce"};
    volume.source = volume_source("csi", volume.name);
    volume.source.driver = "local.example.com";
    volume.phase = "Available";
    volume.node_affinity = {{{{k_hostname, "In", {node.name}}}, {}}};
  }
}

}  // namespace touchstone::fuzz
