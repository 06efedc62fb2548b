#include "reference/volumes/volumes.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include "reference/filters/labels.hpp"

namespace touchstone::reference {

namespace {

/// The region of a zone: "us-east1" for "us-east1-b". Empty: the text is not the name of a zone.
std::string region_of(const std::string& zone) {
  if (std::count(zone.begin(), zone.end(), '-') != 2) return "";
  return zone.substr(0, zone.rfind('-'));
}

std::vector<std::string> split(const std::string& text, std::string_view delimiter) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end = text.find(delimiter); end != std::string::npos; end = text.find(delimiter, begin)) {
    parts.push_back(text.substr(begin, end - begin));
    begin = end + delimiter.size();
  }
  parts.push_back(text.substr(begin));
  return parts;
}

std::string trimmed(std::string text) {
  while (text.starts_with(' ')) text.erase(0, 1);
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

/// The CSI handle of a GCE PD. If the label names several zones of one region, it is the handle of a regional
/// disk. No value if the zones are not all in one region.
std::optional<std::string> google_handle(const std::string& disk, const std::string& label) {
  const std::vector<std::string> zones = split(label, "__");
  if (zones.size() == 1) {
    const std::string zone = label.empty() ? "UNSPECIFIED" : label;
    return "projects/UNSPECIFIED/zones/" + zone + "/disks/" + disk;
  }
  std::set<std::string> regions;
  for (const std::string& zone : zones) regions.insert(region_of(zone));
  if (regions.size() != 1 || regions.contains("")) return std::nullopt;
  return "projects/UNSPECIFIED/regions/" + *regions.begin() + "/disks/" + disk;
}

/// The CSI handle of an AWS EBS volume. The id may have the form aws://us-east-1a/vol-1. No value if an id
/// with "aws://" does not end in a handle that begins with "vol-".
std::optional<std::string> amazon_handle(const std::string& id) {
  constexpr std::string_view k_scheme = "aws://";
  if (!id.starts_with(k_scheme)) return id;
  const std::size_t path = id.find('/', k_scheme.size());
  if (path == std::string::npos) return std::nullopt;
  std::string handle = id.substr(path);
  while (handle.starts_with('/')) handle.erase(0, 1);
  while (handle.ends_with('/')) handle.pop_back();
  if (!handle.starts_with("vol-") || handle.find('/') != std::string::npos) return std::nullopt;
  return handle;
}

/// Whether an Azure disk is managed, as its CSI driver requires. The case of letters does not matter.
bool is_managed(const VolumeSource& disk) {
  constexpr std::string_view k_managed = "managed";
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  return disk.disk_kind.empty() || std::ranges::equal(disk.disk_kind, k_managed, same);
}

}  // namespace

bool is_ephemeral(const Volume& volume) { return volume.source.kind == "ephemeral"; }

bool is_filtered(const Volume& volume) {
  return std::find(k_filtered_kinds.begin(), k_filtered_kinds.end(), volume.source.kind) !=
         k_filtered_kinds.end();
}

std::string claim_name(const Pod& pod, const Volume& volume) {
  if (is_ephemeral(volume)) return pod.name + "-" + volume.name;
  return volume.source.kind == "persistentVolumeClaim" ? volume.source.id : "";
}

bool is_made_for(const PersistentVolumeClaim& claim, const Pod& pod) { return claim.controller == pod.uid; }

std::string not_made_for(const PersistentVolumeClaim& claim, const Pod& pod, const Release& release) {
  std::string text = filled_in(release.text_made_for_another, "$claim", claim.name);
  text = filled_in(filled_in(text, "$namespace", claim.ns), "$namespace", pod.ns);
  return filled_in(text, "$pod", pod.name);
}

const PersistentVolumeClaim* find_claim(const Cycle& cycle, const Pod& pod, const Volume& volume) {
  const std::string name = claim_name(pod, volume);
  return name.empty() ? nullptr : find(cycle.cluster.storage.claims, pod.ns + "/" + name);
}

const InTreeKind* migrated_kind(std::string_view kind) {
  const auto found = std::find_if(k_in_tree_kinds.begin(), k_in_tree_kinds.end(),
                                  [kind](const InTreeKind& each) { return each.kind == kind; });
  return found == k_in_tree_kinds.end() ? nullptr : &*found;
}

bool is_listed(const InTreeKind& kind, const CsiNode* csi_node) {
  if (csi_node == nullptr) return false;
  const std::vector<std::string>& listed = csi_node->migrated_plugins;
  return std::find(listed.begin(), listed.end(), kind.plugin) != listed.end();
}

bool is_migrated(const InTreeKind& kind, const CsiNode* csi_node, const Release& release) {
  const Migration migration = release.*kind.migration;
  if (migration == Migration::where_listed) return is_listed(kind, csi_node);
  return migration == Migration::where_csi_node && csi_node != nullptr;
}

Status filter_error(const Cycle& cycle, std::string_view plugin, std::string_view clause,
                    const std::string& error) {
  std::string text = filled_in(cycle.release.text_filter_error, "$plugin", std::string(plugin));
  text = filled_in(filled_in(text, "$pod", cycle.pod.name), "$error", error);
  return {Code::error, plugin, {text}, {{clause, error, {}, {}}}};
}

std::string missing_claim(const Cycle& cycle) {
  if (cycle.release.missing_claim != MissingClaim::ends_attempt) return "";
  for (const Volume& volume : cycle.pod.volumes) {
    if (volume.source.kind != "persistentVolumeClaim") continue;
    const PersistentVolumeClaim* claim = find_claim(cycle, cycle.pod, volume);
    const std::string quoted = "persistentvolumeclaim \"" + volume.source.id + "\" ";
    if (claim == nullptr) return quoted + "not found";
    if (claim->terminating) return quoted + "is being deleted";
  }
  return "";
}

std::string zone_label(const PersistentVolume& volume) {
  for (const char* key : {k_beta_zone, k_zone}) {
    const auto label = volume.labels.find(key);
    if (label != volume.labels.end() && !label->second.empty()) return label->second;
  }
  return "";
}

std::optional<std::string> translated_handle(const VolumeSource& source, const std::string& zones) {
  if (source.kind == "gcePersistentDisk") return google_handle(source.id, zones);
  if (source.kind == "awsElasticBlockStore") return amazon_handle(source.id);
  if (source.kind == "azureDisk" && !is_managed(source)) return std::nullopt;
  return source.id;
}

std::vector<std::string> zones_in(const std::string& label) {
  std::vector<std::string> zones = split(label, "__");
  for (std::string& zone : zones) zone = trimmed(zone);
  return zones;
}

}  // namespace touchstone::reference
