#include "reference/cycle/zone_key.hpp"

namespace touchstone::reference {

namespace {

/// The region or the zone of a node. An older label counts if the node has it, even without a value.
std::string place_label(const Node& node, const std::string& what, const Release& release) {
  const auto older = node.labels.find("failure-domain.beta.kubernetes.io/" + what);
  if (older != node.labels.end()) return older->second;
  const auto stable = node.labels.find("topology.kubernetes.io/" + what);
  if (!release.zone_key_has_stable_labels || stable == node.labels.end()) return "";
  return stable->second;
}

}  // namespace

std::string zone_key(const Node& node, const Release& release) {
  const std::string region = place_label(node, "region", release);
  const std::string zone = place_label(node, "zone", release);
  if (region.empty() && zone.empty()) return "";
  return region + '\0' + zone;
}

}  // namespace touchstone::reference
