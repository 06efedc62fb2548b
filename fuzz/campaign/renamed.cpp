#include "fuzz/campaign/renamed.hpp"

#include <functional>
#include <map>

#include "fuzz/generate/facts.hpp"

namespace touchstone::fuzz {

namespace {

/// Gives an object another name. The new names sort in the opposite order. Each character becomes two
/// letters. A final "z" sorts after all other letters, so that a name comes after the longer names that
/// begin with it.
void rename(std::string& name) {
  if (name.empty()) return;
  constexpr int k_letters = 16;
  std::string other;
  for (const char c : name) {
    const int rank = 255 - static_cast<unsigned char>(c);
    other += static_cast<char>('a' + rank / k_letters);
    other += static_cast<char>('a' + rank % k_letters);
  }
  name = other + "z";
}

void rename_host(Labels& labels) {
  const auto host = labels.find(k_hostname);
  if (host != labels.end()) rename(host->second);
}

/// The new names of the claims of ephemeral volumes, by namespace/name. The name of such a claim begins with
/// the name of its pod.
using ClaimNames = std::map<std::string, std::string>;

ClaimNames names_of_ephemeral_claims(const Question& question) {
  ClaimNames names;
  const auto add = [&names](const Pod& pod) {
    std::string pod_name = pod.name;
    rename(pod_name);
    for (const Volume& volume : pod.volumes) {
      if (volume.source.kind == "ephemeral")
        names[pod.ns + "/" + pod.name + "-" + volume.name] = pod_name + "-" + volume.name;
    }
  };
  for (const Pod& pod : question.cluster.pods) add(pod);
  add(question.pod);
  return names;
}

void rename_claim(const std::string& ns, std::string& name, const ClaimNames& names) {
  const auto found = names.find(ns + "/" + name);
  if (found == names.end()) return rename(name);
  name = found->second;
}

template <typename Object>
std::map<std::string, Object> with_renamed(const std::map<std::string, Object>& objects,
                                           const std::function<void(Object&)>& change) {
  std::map<std::string, Object> renamed;
  for (const auto& [key, object] : objects) {
    Object other = object;
    change(other);
    const std::size_t ns = key.find('/') == std::string::npos ? 0 : key.find('/') + 1;
    renamed[key.substr(0, ns) + other.name] = std::move(other);
  }
  return renamed;
}

/// Renames claims, volumes, and the nodes that storage objects refer to.
Storage with_renamed(const Storage& storage, const ClaimNames& names) {
  Storage renamed = storage;
  renamed.claims = with_renamed<PersistentVolumeClaim>(storage.claims, [&](PersistentVolumeClaim& claim) {
    rename_claim(claim.ns, claim.name, names);
    rename(claim.volume_name);
    if (claim.selected_node) rename(*claim.selected_node);
  });
  renamed.volumes = with_renamed<PersistentVolume>(storage.volumes, [&](PersistentVolume& volume) {
    rename(volume.name);
    if (volume.claim) rename_claim(volume.claim->ns, volume.claim->name, names);
    if (!volume.node_affinity) return;
    for (NodeSelectorTerm& term : *volume.node_affinity) {
      for (Requirement& requirement : term.match_expressions) {
        if (requirement.key != k_hostname) continue;
        for (std::string& host : requirement.values) rename(host);
      }
    }
  });
  for (auto& [name, capacity] : renamed.capacities) {
    if (capacity.node_topology) rename_host(capacity.node_topology->match_labels);
  }
  renamed.csi_nodes = with_renamed<CsiNode>(storage.csi_nodes, [](CsiNode& node) { rename(node.name); });
  renamed.attachments.clear();
  for (auto [node, attachment] : storage.attachments) {
    for (std::string* name : {&attachment.name, &attachment.node_name, &attachment.volume}) rename(*name);
    renamed.attachments.emplace(attachment.node_name, attachment);
  }
  return renamed;
}

/// Renames the nodes that matchFields of a term name.
void rename_fields(NodeSelectorTerm& term) {
  for (Requirement& field : term.match_fields) {
    for (std::string& name : field.values) rename(name);
  }
}

}  // namespace

Question with_renamed(const Question& question) {
  Question renamed = question;
  for (Node& node : renamed.cluster.nodes) {
    rename(node.name);
    rename_host(node.labels);
  }
  const ClaimNames names = names_of_ephemeral_claims(question);
  renamed.cluster.storage = with_renamed(question.cluster.storage, names);
  renamed.cluster.pods.push_back(renamed.pod);
  for (Pod& pod : renamed.cluster.pods) {
    for (std::string* name : {&pod.name, &pod.node_name, &pod.nominated_node_name}) rename(*name);
    for (Volume& volume : pod.volumes) {
      if (volume.source.kind == "persistentVolumeClaim") rename_claim(pod.ns, volume.source.id, names);
    }
  }
  renamed.pod = renamed.cluster.pods.back();
  renamed.cluster.pods.pop_back();
  for (PodDisruptionBudget& pdb : renamed.cluster.pdbs) {
    rename(pdb.name);
    for (std::string& name : pdb.disrupted_pods) rename(name);
  }
  if (renamed.pod.node_affinity) {
    for (NodeSelectorTerm& term : *renamed.pod.node_affinity) rename_fields(term);
  }
  for (PreferredNodeTerm& term : renamed.pod.preferred_node_affinity) rename_fields(term.preference);
  return renamed;
}

}  // namespace touchstone::fuzz
