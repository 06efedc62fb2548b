#include <algorithm>
#include <set>

#include "reference/filters/filters.hpp"
#include "reference/volumes/volumes.hpp"

/// VolumeRestrictions: disks that two pods of a node cannot both use, and claims with access mode
/// ReadWriteOncePod.
namespace touchstone::reference {

namespace {

constexpr std::string_view k_once = "ReadWriteOncePod";

bool shares_monitor(const VolumeSource& a, const VolumeSource& b) {
  return std::any_of(a.monitors.begin(), a.monitors.end(), [&b](const std::string& monitor) {
    return std::find(b.monitors.begin(), b.monitors.end(), monitor) != b.monitors.end();
  });
}

bool has_twice(const std::vector<std::string>& names) {
  return std::set<std::string>(names.begin(), names.end()).size() < names.size();
}

/// PRE-DISK-1: whether the preemptor's disk `a` conflicts with the disk `b` of a pod on the node.
bool conflict(const VolumeSource& a, const VolumeSource& b, const Release& release) {
  if (a.kind != b.kind || a.id != b.id) return false;
  const bool both_read = a.read_only && b.read_only;
  if (a.kind == "awsElasticBlockStore") return true;
  if (a.kind == "gcePersistentDisk" || a.kind == "iscsi") return !both_read;
  const bool same_monitors =
      shares_monitor(a, b) || (release.rbd_monitors_by_occurrence && has_twice(b.monitors));
  return a.kind == "rbd" && a.pool == b.pool && same_monitors && !both_read;
}

bool is_restricted(const Volume& volume) {
  const std::string& kind = volume.source.kind;
  return kind == "gcePersistentDisk" || kind == "awsElasticBlockStore" || kind == "iscsi" || kind == "rbd";
}

/// PRE-RWOP-1: the names of the preemptor's claims with access mode ReadWriteOncePod. Requires: the claims
/// exist. In the releases that read them, restrictions_rejection() has checked this.
std::set<std::string> exclusive_claims(const Cycle& cycle) {
  std::set<std::string> names;
  for (const Volume& volume : cycle.pod.volumes) {
    if (!cycle.release.claims_for_one_pod || volume.source.kind != "persistentVolumeClaim") continue;
    const PersistentVolumeClaim* claim = find_claim(cycle, cycle.pod, volume);
    if (claim != nullptr && std::find(claim->access_modes.begin(), claim->access_modes.end(), k_once) !=
                                claim->access_modes.end())
      names.insert(claim->name);
  }
  return names;
}

/// The number of a pod's volumes that name one of these claims. The pod's namespace is not compared.
Quantity mentions(const Pod& pod, const std::set<std::string>& claims) {
  return static_cast<Quantity>(
      std::count_if(pod.volumes.begin(), pod.volumes.end(), [&claims](const Volume& volume) {
        return volume.source.kind == "persistentVolumeClaim" && claims.contains(volume.source.id);
      }));
}

/// A pod of the preemptor's namespace that uses a claim. If `now` is given, it replaces the state of its
/// node.
std::optional<PodIndex> user_of(const Cycle& cycle, const std::string& claim,
                                const NodeState* now = nullptr) {
  for (const NodeState& node : cycle.nodes) {
    const bool has_changed = now != nullptr && now->index == node.index;
    for (const PodOnNode& pod : has_changed ? now->pods : node.pods) {
      if (pod.object->ns == cycle.pod.ns && mentions(*pod.object, {claim}) > 0) return pod.pod;
    }
  }
  return std::nullopt;
}

/// PRE-RWOP-1: the number of these claims that at least one pod uses, before the dry run.
Quantity claims_in_use(const Cycle& cycle, const std::set<std::string>& claims) {
  return static_cast<Quantity>(std::count_if(
      claims.begin(), claims.end(), [&cycle](const std::string& name) { return user_of(cycle, name); }));
}

/// PRE-RWOP-1: the release's counter of claims in use. Each pod that the dry run removes or adds changes the
/// counter by its mentions.
Quantity account(const Cycle& cycle, const NodeState& state, const std::set<std::string>& claims) {
  Quantity account = claims_in_use(cycle, claims);
  const auto change = [&](const PodOnNode& pod, Quantity by) {
    account += by * mentions(*pod.object, claims);
  };
  for_each_change(cycle.nodes[state.index].pods, state.pods, change);
  return account;
}

/// The pod and the claim to name in the trace: a pod that uses a claim. If there is none, a pod that only the
/// counter counts, because it is in another namespace.
Finding user_now(const Cycle& cycle, const NodeState& state, const std::set<std::string>& claims) {
  const auto found = [&cycle](const std::string& claim, std::optional<PodIndex> pod) {
    return Finding{"PRE-RWOP-1", cycle.pod.ns + "/" + claim, pod, {}};
  };
  Finding on_account = found(*claims.begin(), std::nullopt);
  for (const std::string& claim : claims) {
    if (const std::optional<PodIndex> user = user_of(cycle, claim, &state)) return found(claim, user);
    for (const PodOnNode& pod : state.pods) {
      if (mentions(*pod.object, {claim}) > 0) on_account = found(claim, pod.pod);
    }
  }
  return on_account;
}

}  // namespace

ClaimRejection restrictions_rejection(const Cycle& cycle) {
  for (const Volume& volume : cycle.pod.volumes) {
    if (!cycle.release.restrictions_ask_for_claims || volume.source.kind != "persistentVolumeClaim") continue;
    if (find_claim(cycle, cycle.pod, volume) != nullptr) continue;
    const std::string reason = "persistentvolumeclaim \"" + volume.source.id + "\" not found";
    return {plugin_of(Filter::volume_restrictions), reason, reason};
  }
  return {};
}

bool restrictions_are_skipped(const Cycle& cycle) {
  const std::vector<Volume>& volumes = cycle.pod.volumes;
  return cycle.release.restrictions_may_be_skipped &&
         std::none_of(volumes.begin(), volumes.end(), is_restricted) &&
         claims_in_use(cycle, exclusive_claims(cycle)) == 0;
}

Status volume_restrictions(const Cycle& cycle, const NodeState& state) {
  const std::vector<Volume>& volumes = cycle.pod.volumes;
  for (const Volume& volume : volumes) {
    for (const PodOnNode& other : state.pods) {
      for (const Volume& theirs : other.object->volumes) {
        if (!conflict(volume.source, theirs.source, cycle.release)) continue;
        return {Code::unschedulable,
                plugin_of(Filter::volume_restrictions),
                {std::string(cycle.release.text_no_disk)},
                {{"PRE-DISK-1", volume.source.kind + " " + volume.source.id, other.pod, {}}}};
      }
    }
  }
  const std::set<std::string> claims = exclusive_claims(cycle);
  if (restrictions_are_skipped(cycle)) return {};  // PRE-RWOP-2
  if (account(cycle, state, claims) <= 0) return {};
  return {Code::unschedulable,
          plugin_of(Filter::volume_restrictions),
          {std::string(cycle.release.text_claim_in_use)},
          {user_now(cycle, state, claims)}};
}

}  // namespace touchstone::reference
