#pragma once

#include "proofs/theorems/said.hpp"

/// Builders of claims and volumes for small clusters.
namespace touchstone::proofs::TOUCHSTONE_BUILD {

inline Volume& add_volume_of_pod(Pod& pod, const std::string& kind, const std::string& id) {
  Volume& volume = pod.volumes.emplace_back();
  volume.name = "v" + (pod.volumes.size() == 1 ? std::string() : std::to_string(pod.volumes.size()));
  volume.source.kind = kind;
  volume.source.id = id;
  return volume;
}

inline PersistentVolumeClaim& add_claim(Question& question, const std::string& ns, const std::string& name) {
  PersistentVolumeClaim& claim = question.cluster.storage.claims[ns + "/" + name];
  claim.ns = ns;
  claim.name = name;
  return claim;
}

inline PersistentVolume& add_volume(Question& question, const std::string& name) {
  PersistentVolume& volume = question.cluster.storage.volumes[name];
  volume.name = name;
  return volume;
}

/// Adds a claim that is bound to a volume of a CSI driver, and that volume.
inline PersistentVolumeClaim& add_bound_claim(Question& question, const std::string& name,
                                              const std::string& volume, const std::string& driver) {
  PersistentVolumeClaim& claim = add_claim(question, "default", name);
  claim.volume_name = volume;
  claim.bind_completed = true;
  PersistentVolume& bound = add_volume(question, volume);
  bound.source.kind = "csi";
  bound.source.driver = driver;
  bound.source.id = "handle of " + volume;
  return claim;
}

}  // namespace touchstone::proofs::TOUCHSTONE_BUILD
