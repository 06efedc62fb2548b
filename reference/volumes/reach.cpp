#include <algorithm>

#include "reference/filters/labels.hpp"
#include "reference/volumes/volumes.hpp"

/// Node affinity of volumes: which nodes can use a volume.
namespace touchstone::reference {

namespace {

using Terms = std::vector<NodeSelectorTerm>;

/// PRE-BIND-1: whether a term of a volume's node affinity holds on a node. VolumeFields says how its
/// matchFields count.
bool term_holds(const NodeSelectorTerm& term, const Node& node, const Release& release) {
  if (term.match_expressions.empty() && term.match_fields.empty()) return false;
  if (release.volume_fields == VolumeFields::reject_bare_terms)
    return !term.match_expressions.empty() && matches(term.match_expressions, node.labels);
  const bool asks_fields = release.volume_fields == VolumeFields::matched_against_no_fields;
  const auto may_hold = [asks_fields](const Requirement& field) {
    return asks_fields ? field_holds(field, "") : is_valid_field(field);
  };
  return std::all_of(term.match_fields.begin(), term.match_fields.end(), may_hold) &&
         matches(term.match_expressions, node.labels);
}

bool has_requirement(const Terms& terms, const std::string& key, bool with_values = false) {
  return std::any_of(terms.begin(), terms.end(), [&](const NodeSelectorTerm& term) {
    return std::any_of(term.match_expressions.begin(), term.match_expressions.end(),
                       [&](const Requirement& requirement) {
                         return requirement.key == key && (!with_values || !requirement.values.empty());
                       });
  });
}

/// Adds to every term the requirement that the node is in one of the zones of a volume's label. If there is
/// no term, adds one with this requirement alone.
void require_zones(const std::string& label, const std::string& key, Terms& terms) {
  std::vector<std::string> zones = zones_in(label);
  std::erase(zones, "");
  if (zones.empty()) return;
  if (terms.empty()) terms.emplace_back();
  for (NodeSelectorTerm& term : terms) term.match_expressions.push_back({key, "In", zones});
}

}  // namespace

bool is_reachable(const PersistentVolume& volume, const Node& node, const Release& release) {
  if (!volume.node_affinity) return true;
  const Terms& terms = *volume.node_affinity;
  const auto holds = [&](const NodeSelectorTerm& term) { return term_holds(term, node, release); };
  return release.one_volume_term_suffices ? std::any_of(terms.begin(), terms.end(), holds)
                                          : std::all_of(terms.begin(), terms.end(), holds);
}

PersistentVolume with_translated_affinity(const PersistentVolume& volume, const CsiNode* csi_node,
                                          const Release& release) {
  const InTreeKind* kind = migrated_kind(volume.source.kind);
  if (kind == nullptr || !is_listed(*kind, csi_node) || !is_migrated(*kind, csi_node, release)) return volume;
  if (kind->topology_key.empty()) return volume;

  Terms terms = volume.node_affinity.value_or(Terms{});
  const bool is_beta = !has_requirement(terms, k_zone) &&
                       (has_requirement(terms, k_beta_zone) ||
                        (!volume.labels.contains(k_zone) && volume.labels.contains(k_beta_zone)));
  const std::string from = is_beta ? k_beta_zone : k_zone;
  const std::string to(kind->topology_key);
  const bool names_zones = has_requirement(terms, from, true);
  const bool names_regions = is_beta && has_requirement(terms, k_beta_region, true);
  for (NodeSelectorTerm& term : terms) {
    for (Requirement& requirement : term.match_expressions) {
      if (names_zones && requirement.key == from) requirement.key = to;
      if (names_regions && requirement.key == k_beta_region) requirement.key = k_region;
    }
  }
  if (!names_zones && volume.labels.contains(from)) require_zones(volume.labels.at(from), to, terms);
  PersistentVolume result = volume;
  if (!terms.empty()) result.node_affinity = terms;
  return result;
}

}  // namespace touchstone::reference
