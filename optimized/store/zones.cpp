#include "optimized/store/zones.hpp"

namespace touchstone::optimized {

namespace {

/// The value of the older label, or where it is missing, of the stable one. `word`: region or zone.
std::string place_label(const Labels& labels, const std::string& word, const Release& release) {
  if (const auto older = labels.find("failure-domain.beta.kubernetes.io/" + word); older != labels.end())
    return older->second;
  if (!release.zone_key_has_stable_labels) return "";
  const auto stable = labels.find("topology.kubernetes.io/" + word);
  return stable == labels.end() ? "" : stable->second;
}

}  // namespace

std::uint32_t Zones::number_of(const Labels& labels, const Release& release) {
  const std::string region = place_label(labels, "region", release);
  const std::string zone = place_label(labels, "zone", release);
  if (region.empty() && zone.empty()) return k_none;
  return numbers_.emplace(region + '\0' + zone, count()).first->second;
}

}  // namespace touchstone::optimized
