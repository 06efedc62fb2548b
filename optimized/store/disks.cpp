#include "optimized/store/disks.hpp"

#include <algorithm>
#include <cctype>
#include <set>

namespace touchstone::optimized {

namespace {

std::vector<std::string> split(const std::string& label) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin != std::string::npos;) {
    const std::size_t end = label.find("__", begin);
    parts.push_back(label.substr(begin, end == std::string::npos ? end : end - begin));
    begin = end == std::string::npos ? end : end + 2;
  }
  return parts;
}

/// The handle of a GCE persistent disk. None: its zones are not all in one region.
std::optional<std::string> google_handle(const std::string& disk, const std::string& label) {
  const std::vector<std::string> zones = split(label);
  if (zones.size() == 1) {
    const std::string zone = label.empty() ? "UNSPECIFIED" : label;
    return "projects/UNSPECIFIED/zones/" + zone + "/disks/" + disk;
  }
  std::set<std::string> regions;
  for (const std::string& zone : zones)
    regions.insert(std::count(zone.begin(), zone.end(), '-') == 2 ? zone.substr(0, zone.rfind('-')) : "");
  if (regions.size() != 1 || regions.begin()->empty()) return std::nullopt;
  return "projects/UNSPECIFIED/regions/" + *regions.begin() + "/disks/" + disk;
}

/// The handle of an EBS volume, which may be written as aws://ZONE/vol-ID. None: that form is malformed.
std::optional<std::string> amazon_handle(const std::string& id) {
  constexpr std::string_view k_scheme = "aws://";
  if (!id.starts_with(k_scheme)) return id;
  const std::size_t slash = id.find('/', k_scheme.size());
  if (slash == std::string::npos) return std::nullopt;
  std::string handle = id.substr(slash);
  handle.erase(0, std::min(handle.find_first_not_of('/'), handle.size()));
  handle.erase(handle.find_last_not_of('/') + 1);
  if (!handle.starts_with("vol-") || handle.find('/') != std::string::npos) return std::nullopt;
  return handle;
}

/// Whether an Azure disk is a managed disk; only managed disks have a CSI driver. An absent kind counts as
/// managed. Upper and lower case are equal.
bool is_managed(const VolumeSource& disk) {
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  return disk.disk_kind.empty() || std::ranges::equal(disk.disk_kind, std::string_view("managed"), same);
}

bool names(const std::vector<NodeSelectorTerm>& terms, const std::string& key, bool with_values) {
  for (const NodeSelectorTerm& term : terms) {
    for (const Requirement& requirement : term.match_expressions) {
      if (requirement.key == key && !(with_values && requirement.values.empty())) return true;
    }
  }
  return false;
}

const InTreeKind* find_kind(std::string_view InTreeKind::* member, std::string_view value) {
  const auto found = std::find_if(k_in_tree_kinds.begin(), k_in_tree_kinds.end(),
                                  [&](const InTreeKind& each) { return each.*member == value; });
  return found == k_in_tree_kinds.end() ? nullptr : &*found;
}

}  // namespace

bool is_filtered(const Volume& volume) {
  return std::find(k_filtered_kinds.begin(), k_filtered_kinds.end(), volume.source.kind) !=
         k_filtered_kinds.end();
}

bool is_counted(const Volume& volume) {
  return is_filtered(volume) || (volume.source.kind == "csi" && !volume.source.id.empty());
}

const InTreeKind* disk_kind(std::string_view kind) { return find_kind(&InTreeKind::kind, kind); }

const InTreeKind* disk_kind_of_plugin(std::string_view plugin) {
  return find_kind(&InTreeKind::plugin, plugin);
}

bool is_listed(const InTreeKind& kind, const CsiNode* csi_node) {
  if (csi_node == nullptr) return false;
  const std::vector<std::string>& listed = csi_node->migrated_plugins;
  return std::find(listed.begin(), listed.end(), kind.plugin) != listed.end();
}

bool is_migrated(const InTreeKind& kind, const CsiNode* csi_node, const Release& release) {
  const Migration migration = release.*kind.migration;
  if (csi_node == nullptr || migration == Migration::nowhere) return false;
  return migration == Migration::where_csi_node || is_listed(kind, csi_node);
}

std::optional<std::string> handle_of(const VolumeSource& source, const std::string& zones) {
  if (source.kind == "azureDisk" && !is_managed(source)) return std::nullopt;
  if (source.kind == "gcePersistentDisk") return google_handle(source.id, zones);
  return source.kind == "awsElasticBlockStore" ? amazon_handle(source.id) : source.id;
}

std::string zones_of(const PersistentVolume& volume) {
  for (const char* key : {k_beta_zone, k_zone}) {
    const auto label = volume.labels.find(key);
    if (label != volume.labels.end() && !label->second.empty()) return label->second;
  }
  return "";
}

std::vector<std::string> parts_of(const std::string& label) {
  std::vector<std::string> parts = split(label);
  for (std::string& part : parts) {
    part.erase(0, std::min(part.find_first_not_of(' '), part.size()));
    part.erase(part.find_last_not_of(' ') + 1);
  }
  return parts;
}

DriverAndHandle attached_as(const VolumeSource& source, const std::string& zones, const CsiNode* csi_node,
                            const Release& release) {
  if (source.kind == "csi" && !source.id.empty()) return {{source.driver, source.id}};
  const InTreeKind* kind = disk_kind(source.kind);
  if (kind == nullptr || !is_migrated(*kind, csi_node, release)) return std::nullopt;
  const std::optional<std::string> handle = handle_of(source, zones);
  if (!handle) return std::nullopt;
  return {{std::string(kind->driver), *handle}};
}

NodeTerms terms_of_driver(const PersistentVolume& volume, const InTreeKind& kind) {
  if (kind.topology_key.empty()) return volume.node_affinity;
  std::vector<NodeSelectorTerm> terms = volume.node_affinity.value_or(std::vector<NodeSelectorTerm>{});
  // The beta labels count if the affinity does not name the newer zone label, and either the affinity names
  // the beta zone label or the volume has only the beta one.
  const bool labelled_by_beta = !volume.labels.contains(k_zone) && volume.labels.contains(k_beta_zone);
  const bool is_beta = !names(terms, k_zone, false) && (names(terms, k_beta_zone, false) || labelled_by_beta);
  const std::string from = is_beta ? k_beta_zone : k_zone;
  const bool has_zones = names(terms, from, true);
  const bool has_beta_regions = is_beta && names(terms, k_beta_region, true);
  for (NodeSelectorTerm& term : terms) {
    for (Requirement& requirement : term.match_expressions) {
      if (has_beta_regions && requirement.key == k_beta_region) requirement.key = k_region;
      if (has_zones && requirement.key == from) requirement.key = kind.topology_key;
    }
  }
  const auto label = volume.labels.find(from);
  std::vector<std::string> zones;
  if (!has_zones && label != volume.labels.end()) zones = parts_of(label->second);
  std::erase(zones, "");
  if (!zones.empty() && terms.empty()) terms.emplace_back();
  for (NodeSelectorTerm& term : terms) {
    if (!zones.empty()) term.match_expressions.push_back({std::string(kind.topology_key), "In", zones});
  }
  return terms.empty() ? volume.node_affinity : NodeTerms(terms);
}

}  // namespace touchstone::optimized
