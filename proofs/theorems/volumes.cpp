#include "proofs/theorems/volumes.hpp"

#include <set>

/// Claims that reject a pod before any node is filtered, disks that cannot be attached twice, and claims that
/// only one pod may use.
namespace touchstone::proofs::TOUCHSTONE_BUILD {

namespace {

/// A claim of the preemptor in any state.
struct ClaimScene {
  bool is_ephemeral, is_there, is_lost, is_deleted, is_of_another, waits, has_volume;
  std::size_t bound;  ///< 0: to nothing, 1: to a volume, 2: to a volume, with the bind-completed annotation
};

ClaimScene any_claim(Proof& proof, Question& question) {
  ClaimScene scene{};
  scene.is_ephemeral = chosen(proof, "the volume is ephemeral");
  scene.is_there = chosen(proof, "the claim is there");
  const std::string name = scene.is_ephemeral ? "preemptor-v" : "c";
  Pod& pod = question.pod;
  pod.ns = "default";
  pod.name = "preemptor";
  pod.uid = "uid";
  add_volume_of_pod(pod, scene.is_ephemeral ? "ephemeral" : "persistentVolumeClaim",
                    scene.is_ephemeral ? "" : "c");
  question.cluster.storage.classes["s"] = {"s", "", "Immediate", {}};
  if (!scene.is_there) return scene;
  PersistentVolumeClaim& claim = add_claim(question, "default", name);
  claim.class_name = "s";
  scene.is_lost = chosen(proof, "the claim is lost");
  if (scene.is_lost) claim.phase = "Lost";
  scene.is_deleted = claim.terminating = chosen(proof, "the claim is being deleted");
  scene.is_of_another = chosen(proof, "the claim was made for another pod");
  claim.controller = scene.is_of_another ? "another" : "uid";
  scene.waits = chosen(proof, "its class waits for the pod");
  if (scene.waits) question.cluster.storage.classes["s"].binding_mode = "WaitForFirstConsumer";
  scene.bound = proof.choose<Quantity>("the claim is bound", 3);
  claim.bind_completed = scene.bound == 2;
  if (scene.bound > 0) claim.volume_name = "pv";
  scene.has_volume = scene.bound > 0 && chosen(proof, "its volume is there");
  if (scene.has_volume) add_volume(question, "pv").storage = Quantity(1);
  return scene;
}

/// What PRE-CLAIM-1 and PRE-CLAIM-2 say about the claim, and PRE-BIND-4 about its volume.
struct ClaimSaid {
  std::string plugin;  ///< rejects the pod before any node is filtered; empty: none
  bool ends_attempt = false;
  bool volume_missing = false;
};

ClaimSaid said_of_claim(const ClaimScene& scene, const Release& release) {
  ClaimSaid said;
  const bool asks_before_nodes = is_from(release, 20);
  if (!is_from(release, 10) || (scene.is_ephemeral && !is_from(release, 21))) return said;
  const bool is_bound = scene.bound == 2 || (scene.bound == 1 && !is_from(release, 12));
  const bool is_awaited = !is_bound && scene.bound == 0 && scene.waits;
  const bool is_missing_volume = is_bound && !scene.has_volume;
  if (!asks_before_nodes) {
    const bool errs_without_volume =
        is_from(release, 19) ? !is_from(release, 19, 5) : !is_from(release, 18, 13);
    const bool is_usable = scene.is_there && !scene.is_deleted;
    said.ends_attempt = !is_usable || (!is_bound && !is_awaited && !is_from(release, 18, 9)) ||
                        (is_missing_volume && errs_without_volume);
    said.volume_missing = is_usable && is_missing_volume && !errs_without_volume;
    return said;
  }
  const bool named_and_missing = !scene.is_ephemeral && !scene.is_there;
  if (is_from(release, 27) && named_and_missing) {
    said.plugin = "VolumeRestrictions";
  } else if (!scene.is_there || (is_from(release, 23) && scene.is_lost) || scene.is_deleted ||
             (scene.is_ephemeral && scene.is_of_another) || (!is_bound && !is_awaited)) {
    said.plugin = "VolumeBinding";
  } else if (is_from(release, 27) && !scene.is_ephemeral && scene.bound > 0 && !scene.has_volume) {
    said.plugin = "VolumeZone";
  }
  said.volume_missing = said.plugin.empty() && is_missing_volume;
  return said;
}

void claims_before_nodes(Proof& proof) {
  const Release release = choose_release(proof, {"v1.9", "v1.11", "v1.12", "v1.18.8", "v1.18", "v1.20",
                                                 "v1.22", "v1.23", "v1.26", "v1.27", k_newest});
  Question question;
  add_node(question, "n0").allocatable = {{"pods", Quantity(110)}};
  const ClaimScene scene = any_claim(proof, question);
  Trace trace = Trace::none();
  const scheduler::Cycle cycle(question, release, trace);
  const scheduler::FirstPass found = scheduler::filter_nodes(cycle);
  const Status status = found.status.contains(0) ? found.status.at(0) : Status{};
  proof.observe(found.error + found.rejection + told(status));
  const ClaimSaid said = said_of_claim(scene, release);
  proof.claim("the attempt ends with an error if and only if the clauses say so",
              said.ends_attempt == !found.error.empty());
  proof.claim("claims reject the pod before the filters run if and only if the clauses say so",
              said.plugin.empty() == found.rejection.empty());
  const bool beyond_help = status.code == Code::unschedulable_and_unresolvable;
  if (!said.plugin.empty())
    proof.claim("after this rejection every node is unresolvable, by the first plugin that rejects",
                beyond_help && status.plugin == said.plugin);
  const std::string missing =
      std::string(is_from(release, 23) ? "node(s) unavailable due to one or more " : "") +
      "pvc(s) bound to non-existent pv(s)";
  proof.claim("a node is also unresolvable if the volume is missing",
              said.volume_missing ==
                  (beyond_help && found.rejection.empty() && status.reasons == std::vector{missing}));
  proof.witness("rejected", !said.plugin.empty());
  proof.witness("an error", said.ends_attempt);
  proof.witness("the volume is missing", said.volume_missing);
  proof.witness("bound", found.feasible.size() == 1 && scene.bound == 2);
}

NodeSelectorTerm in_hosts(const std::vector<std::string>& hosts) {
  NodeSelectorTerm term;
  if (!hosts.empty()) term.match_expressions = {{"kubernetes.io/hostname", "In", hosts}};
  return term;
}

/// The host names that bits stand for: bit 0 for n0, bit 1 for n1.
std::vector<std::string> hosts_of(std::size_t bits) {
  std::vector<std::string> hosts;
  if ((bits & 1) != 0) hosts.push_back("n0");
  if ((bits & 2) != 0) hosts.push_back("n1");
  return hosts;
}

/// Two volumes whose node affinity names hosts. One has up to two terms, the other has one.
void host_names_of_volumes(Proof& proof) {
  const Release release = choose_release(proof, {"v1.26", "v1.27.16", "v1.29.10", "v1.29.11", "v1.30.6",
                                                 "v1.30.7", "v1.31.2", "v1.31.3", k_newest});
  Question question;
  for (const char* name : {"n0", "n1"}) {
    Node& node = add_node(question, name, {{"kubernetes.io/hostname", name}, {"zone", "a"}});
    node.allocatable = {{"pods", Quantity(110)}};
  }
  question.pod.ns = "default";
  question.pod.uid = "preemptor";
  const std::size_t first = proof.choose<Quantity>("hosts of the first term", 4);
  const std::size_t also = proof.choose<Quantity>("hosts that it wants besides", 4);
  const std::size_t second = proof.choose<Quantity>("hosts of a second term", 4);
  const std::size_t other = proof.choose<Quantity>("hosts of the other volume", 4);
  for (const std::string claim : {"c0", "c1"}) {
    add_volume_of_pod(question.pod, "persistentVolumeClaim", claim);
    PersistentVolumeClaim& of_pod = add_claim(question, "default", claim);
    of_pod.volume_name = "pv of " + claim;
    of_pod.bind_completed = true;
    PersistentVolume& volume = add_volume(question, of_pod.volume_name);
    NodeSelectorTerm term = in_hosts(hosts_of(claim == "c0" ? first : other));
    term.match_expressions.push_back({"zone", "Exists", {}});
    if (claim == "c0" && also > 0)
      term.match_expressions.push_back({"kubernetes.io/hostname", "In", hosts_of(also)});
    volume.node_affinity = std::vector{term};
    if (claim == "c0" && second > 0) volume.node_affinity->push_back(in_hosts(hosts_of(second)));
  }
  Trace trace = Trace::none();
  const scheduler::Cycle cycle(question, release, trace);
  const scheduler::FirstPass found = scheduler::filter_nodes(cycle);
  const auto status_of = [&found](NodeIndex n) {
    return found.status.contains(n) ? found.status.at(n) : Status{};
  };
  proof.observe(found.rejection + told(status_of(0)) + ", " + told(status_of(1)));

  const bool takes_names = is_from(release, 27) && !is_from(release, 32) &&
                           (is_from(release, 31)   ? !is_from(release, 31, 3)
                            : is_from(release, 30) ? !is_from(release, 30, 7)
                                                   : !is_from(release, 29, 11));
  // One bit for each node. A volume without names allows all nodes. Names of a term that have nothing in
  // common count as no names.
  const std::size_t of_first = first == 0 ? also : (also == 0 ? first : first & also);
  const std::size_t of_volume = of_first | second;
  const std::size_t left = (of_volume == 0 ? 3 : of_volume) & (other == 0 ? 3 : other);
  const bool none_left = takes_names && left == 0;
  proof.claim("the pod is rejected if and only if no node is left", none_left == !found.rejection.empty());
  for (NodeIndex n = 0; n < 2; ++n) {
    const bool is_left = !takes_names || (left >> n & 1) != 0;
    if (none_left) {
      const Code code = is_from(release, 30) ? Code::unschedulable_and_unresolvable : Code::unschedulable;
      proof.claim("after this rejection all nodes are rejected, up to v1.29 as if evictions helped",
                  status_of(n).code == code);
    } else {
      proof.claim("a node is excluded if and only if its name is not among the host names",
                  is_left == !found.excluded.contains(n));
    }
  }
  if (none_left)
    proof.claim("a dry run fails with an error up to v1.29",
                is_from(release, 30) == found.state_lost.error.empty());
  proof.witness("no node is left", none_left);
  proof.witness("one node is left", takes_names && left == 1);
}

/// The preemptor and a pod with one disk each, the same or another.
void disks_conflict(Proof& proof) {
  const Release release = choose_release(proof, {"v1.8", "v1.9", "v1.10", k_newest});
  Question question;
  add_node(question, "n0");
  Pod& pod = add_pod(question, "p0", "n0");
  const char* kinds[] = {"awsElasticBlockStore", "gcePersistentDisk", "iscsi", "rbd", "azureDisk"};
  const std::string kind = kinds[proof.choose<Quantity>("kind", 5)];
  VolumeSource& own = add_volume_of_pod(question.pod, kind, "disk").source;
  VolumeSource& other = add_volume_of_pod(pod, kind, "disk").source;
  if (chosen(proof, "another disk")) other.id = "another";
  own.read_only = chosen(proof, "the preemptor only reads");
  other.read_only = chosen(proof, "the pod only reads");
  if (chosen(proof, "another pool")) other.pool = "another";
  own.monitors = {"m", "n"};
  const std::size_t monitors = proof.choose<Quantity>("monitors", 3);
  other.monitors = std::vector<std::vector<std::string>>{{"o", "n"}, {"o"}, {"o", "o"}}[monitors];
  Trace trace = Trace::none();
  const scheduler::Cycle cycle(question, release, trace);
  const Status status = scheduler::volume_restrictions(cycle, cycle.nodes[0]);
  proof.observe(told(status));
  const bool one_writes = !own.read_only || !other.read_only;
  const bool shares_monitor = monitors == 0 || (monitors == 2 && !is_from(release, 9));
  const bool is_same_image = own.pool == other.pool && shares_monitor;
  const bool conflicts = own.id == other.id && kind != "azureDisk" &&
                         (kind == "awsElasticBlockStore" || (one_writes && (kind != "rbd" || is_same_image)));
  proof.claim(
      "a node is rejected if and only if a pod has the disk, unless both only read and the kind allows "
      "sharing",
      conflicts ? status.code == Code::unschedulable : status.ok());
  const char* reason = is_from(release, 10) ? "node(s) had no available disk" : "NoDiskConflict";
  if (conflicts)
    proof.claim("the reason is as the release words it", status.reasons == std::vector<std::string>{reason});
  proof.witness("a conflict", conflicts);
  proof.witness("both only read the disk", status.ok() && own.read_only && other.read_only && kind == "rbd");
}

/// A pod of the node that stays, is removed, comes back or is nominated, and a pod of another node.
void claims_of_one_pod(Proof& proof) {
  const Release release = choose_release(proof, {"v1.26", "v1.27", "v1.28", k_newest});
  Question question;
  add_node(question, "n0");
  add_node(question, "n1");
  Pod& preemptor = question.pod;
  preemptor.ns = "default";
  for (const std::string name : {"c", "d"}) {
    add_volume_of_pod(preemptor, "persistentVolumeClaim", name);
    add_claim(question, "default", name).access_modes = {"ReadWriteOncePod"};
  }
  const bool one_is_shared = chosen(proof, "d is for many");
  if (one_is_shared) question.cluster.storage.claims.at("default/d").access_modes = {"ReadWriteMany"};
  const bool has_disk = chosen(proof, "the preemptor has a disk of its own");
  if (has_disk) add_volume_of_pod(preemptor, "gcePersistentDisk", "disk");
  std::vector<Stay> stays;
  const auto use = [&](Pod& pod) {
    const std::size_t claims = proof.choose<Quantity>(pod.name + " has claims", 4);
    if ((claims & 1) != 0) add_volume_of_pod(pod, "persistentVolumeClaim", "c");
    if ((claims & 2) != 0) add_volume_of_pod(pod, "persistentVolumeClaim", "d");
    if (chosen(proof, pod.name + " is of another namespace")) pod.ns = "other";
  };
  use(add_any_stay(proof, question, "p0", stays));
  use(add_pod(question, "p1", "n1"));
  Trace trace = Trace::none();
  const scheduler::Cycle cycle(question, release, trace);
  const Status status = scheduler::volume_restrictions(cycle, first_node(cycle, stays));
  proof.observe(told(status));

  const auto is_exclusive = [&](const std::string& name) { return name == "c" || !one_is_shared; };
  std::set<std::string> in_use;
  std::int64_t mentions = 0;
  for (PodIndex i = 0; i < 2; ++i) {
    const Pod& pod = question.cluster.pods[i];
    const bool is_bound = !pod.node_name.empty();
    for (const Volume& volume : pod.volumes) {
      if (!is_exclusive(volume.source.id)) continue;
      if (is_bound && pod.ns == "default") in_use.insert(volume.source.id);
      if (i == 0) ++mentions;
    }
  }
  auto counter = static_cast<std::int64_t>(in_use.size());
  const bool begins_with_none = counter == 0;
  if (stays[0] == Stay::taken_away) counter -= mentions;
  if (stays[0] == Stay::nominated) counter += mentions;
  const bool is_skipped = is_from(release, 28) && begins_with_none && !has_disk;
  const bool rejects = is_from(release, 27) && !is_skipped && counter > 0;
  proof.claim("a node is rejected if and only if the counter is above 0 and the filter is not skipped",
              rejects ? status.code == Code::unschedulable : status.ok());
  proof.witness("a claim is in use", rejects);
  proof.witness("a claim was in use, and is free", status.ok() && counter == 0 && !begins_with_none);
  proof.witness("the filter is skipped although the counter is above 0", is_skipped && counter > 0);
}

}  // namespace

Theorems theorems_of_volumes() {
  return {
      {.name = "claims-reject-before-nodes",
       .clauses = {"PRE-CLAIM-2", "PRE-CLAIM-1", "PRE-BIND-4"},
       .statement =
           "If a claim is unusable, the pod is rejected, or its attempt ends, before the filters run. If the "
           "volume is missing, the node is rejected: a claim, by name or of an ephemeral volume, in any "
           "state, both sides of every change except those of v1.19, v1.9 to v1.36.",
       .variants = {"claim-of-another-is-taken", "deleted-claim-is-used", "missing-volume-errs"},
       .body = claims_before_nodes,
       .tier = Tier::full},
      {.name = "host-names-are-taken-for-nodes",
       .clauses = {"PRE-CLAIM-3", "PRE-PREFILTER-3"},
       .statement = "In releases that use the host names of volumes as node names, a node is excluded if and "
                    "only if its name is not among them: 2 nodes, 2 volumes of up to 2 terms of any of these "
                    "host names, v1.26 to v1.36.",
       .variants = {"volumes-pin-no-host"},
       .body = host_names_of_volumes,
       .tier = Tier::full},
      {.name = "disks-are-not-attached-twice",
       .clauses = {"PRE-DISK-1"},
       .statement = "A node is rejected if and only if a pod has one of the preemptor's disks, unless both "
                    "only read and the kind of disk allows sharing: a disk each, of any kind, v1.8 to v1.36.",
       .variants = {"readers-share-no-disk"},
       .body = disks_conflict,
       .tier = Tier::full},
      {.name = "claims-of-one-pod-are-counted",
       .clauses = {"PRE-RWOP-1", "PRE-RWOP-2"},
       .statement =
           "A node is rejected if and only if the counter of ReadWriteOncePod claims is above 0, unless the "
           "counter begins with 0 and the filter is skipped: 2 claims, a pod that stays, is removed, is "
           "reprieved or is nominated, one of another node, both sides of every change, v1.26 to v1.36.",
       .variants = {"claim-in-use-is-never-freed", "restrictions-are-always-asked"},
       .body = claims_of_one_pod,
       .tier = Tier::full},
  };
}

}  // namespace touchstone::proofs::TOUCHSTONE_BUILD
