#include <set>

#include "proofs/theorems/volumes.hpp"

/// From which nodes bound volumes are reachable, and how volumes are found or made for claims that wait.
namespace touchstone::proofs::TOUCHSTONE_BUILD {

namespace {

constexpr std::string_view k_no_negative_size = "no size is negative";

const std::string k_zone_label = "topology.kubernetes.io/zone";

Quantity size_of(Proof& proof, const std::string& name) {
  const Quantity size = proof.number<Quantity>(name);
  proof.assume(k_no_negative_size, size >= Quantity(0));
  return size;
}

/// Adds a claim of the preemptor that waits for its pod.
PersistentVolumeClaim& add_waiting_claim(Proof& proof, Question& question, const std::string& name) {
  add_volume_of_pod(question.pod, "persistentVolumeClaim", name);
  PersistentVolumeClaim& claim = add_claim(question, "default", name);
  claim.class_name = "s";
  claim.access_modes = {"ReadWriteOnce"};
  claim.storage = size_of(proof, "size of " + name);
  return claim;
}

PersistentVolume& add_free_volume(Proof& proof, Question& question, const std::string& name) {
  PersistentVolume& volume = add_volume(question, name);
  volume.class_name = "s";
  volume.phase = "Available";
  volume.access_modes = {"ReadWriteOnce", "ReadOnlyMany"};
  volume.storage = size_of(proof, "size of " + name);
  return volume;
}

Question with_class(const std::string& provisioner) {
  Question question;
  add_node(question, "n0", {{"zone", "a"}});
  question.pod.ns = "default";
  question.cluster.storage.classes["s"] = {"s", provisioner, "WaitForFirstConsumer", {}};
  return question;
}

Status bind(Proof& proof, const Question& question, const Release& release) {
  Trace trace = Trace::none();
  const scheduler::Cycle cycle(question, release, trace);
  const Status status = scheduler::volume_binding(cycle, cycle.nodes[0]);
  proof.observe(told(status));
  return status;
}

bool is_beyond_help(const Status& status, const std::string& reason) {
  return status.code == Code::unschedulable_and_unresolvable &&
         status.reasons == std::vector<std::string>{reason};
}

/// A term of a volume's node affinity, and whether it holds in a release on a node of zone a.
struct VolumeTerm {
  explicit VolumeTerm(std::size_t number) : kind(number) {
    if (kind == 1 || kind == 2) term.match_expressions = {{"zone", "In", {kind == 1 ? "a" : "b"}}};
    if (kind == 3 || kind == 5) term.match_fields = {{"metadata.name", "In", {"n0"}}};
    if (kind == 4) term.match_fields = {{"metadata.name", "NotIn", {"n0"}}};
    if (kind == 5) term.match_expressions = {{"zone", "In", {"a"}}};
  }

  bool holds(const Release& release) const {
    if (kind == 0) return false;
    const bool expressions_hold = kind != 2;
    if (kind < 3) return expressions_hold;
    if (!is_from(release, 11)) return kind == 5;
    return is_from(release, 20) || kind == 4;
  }

  std::size_t kind;  ///< 0: empty, 1 and 2: zone In (a), (b), 3: name In, 4: name NotIn, 5: 1 and 3
  NodeSelectorTerm term;
};

void volumes_are_reached(Proof& proof) {
  const Release release =
      choose_release(proof, {"v1.10.1", "v1.10.2", "v1.11", "v1.19", "v1.20", "v1.32", "v1.33", k_newest});
  Question question = with_class("");
  PersistentVolumeClaim& claim = add_bound_claim(question, "c", "pv", "d");
  add_volume_of_pod(question.pod, "persistentVolumeClaim", claim.name);
  PersistentVolume& volume = question.cluster.storage.volumes.at("pv");
  bool is_reached = true;
  const std::size_t terms = proof.choose<Quantity>("terms", 3);
  if (chosen(proof, "the volume has node affinity")) {
    volume.node_affinity.emplace();
    const bool one_suffices = is_from(release, 10, 2);
    is_reached = !one_suffices;
    for (std::size_t i = 0; i < terms; ++i) {
      const VolumeTerm term(proof.choose<Quantity>("term " + std::to_string(i), 6));
      volume.node_affinity->push_back(term.term);
      is_reached = one_suffices ? is_reached || term.holds(release) : is_reached && term.holds(release);
    }
  }
  const Status status = bind(proof, question, release);
  proof.claim("a node passes if and only if the volume's node affinity allows it", status.ok() == is_reached);
  const char* reason = is_from(release, 33) ? "node(s) didn't match PersistentVolume's node affinity"
                                            : "node(s) had volume node affinity conflict";
  if (!is_reached)
    proof.claim("no eviction helps, with the reason as the release words it", is_beyond_help(status, reason));
  proof.witness("the affinity allows the node", is_reached && volume.node_affinity);
  proof.witness("the affinity does not allow the node", !is_reached);
}

/// A GCE persistent disk. Its CSI driver may have taken over on the node.
void zones_of_drivers(Proof& proof) {
  const Release release = choose_release(proof, {"v1.22", "v1.23", "v1.27", k_newest});
  Question question = with_class("");
  Node& node = question.cluster.nodes[0];
  node.labels = {{k_zone_label, "a"}};
  const std::size_t zone_of_driver = proof.choose<Quantity>("zone of the driver on the node", 3);
  if (zone_of_driver > 0) node.labels["topology.gke.io/zone"] = zone_of_driver == 1 ? "a" : "b";
  const bool is_listed = chosen(proof, "the CSINode lists the plugin");
  question.cluster.storage.csi_nodes["n0"].name = "n0";
  if (is_listed) question.cluster.storage.csi_nodes["n0"].migrated_plugins = {"kubernetes.io/gce-pd"};
  add_bound_claim(question, "c", "pv", "");
  add_volume_of_pod(question.pod, "persistentVolumeClaim", "c");
  PersistentVolume& volume = question.cluster.storage.volumes.at("pv");
  volume.source = {};
  volume.source.kind = "gcePersistentDisk";
  volume.source.id = "disk";
  const std::size_t wanted = proof.choose<Quantity>("zone that the volume requires", 3);
  if (wanted > 0) {
    NodeSelectorTerm term;
    term.match_expressions = {{k_zone_label, "In", {wanted == 1 ? "a" : "b"}}};
    volume.node_affinity = std::vector{term};
  }
  const std::size_t label = proof.choose<Quantity>("zone label of the volume", 3);
  if (label > 0) volume.labels[k_zone_label] = label == 1 ? "a" : "b";
  const Status status = bind(proof, question, release);

  const bool in_terms_of_driver = is_from(release, 23) && is_listed;
  const std::size_t zone = in_terms_of_driver ? zone_of_driver : 1;
  const std::size_t required = in_terms_of_driver && wanted == 0 ? label : wanted;
  proof.claim("after migration to the CSI driver, the affinity uses the driver's topology key",
              status.ok() == (required == 0 || required == zone));
  proof.witness("the driver's zone decides", !status.ok() && zone_of_driver == 2);
  proof.witness("the volume's label decides", !status.ok() && wanted == 0);
}

/// Two claims and two volumes of any sizes.
void smallest_first(Proof& proof) {
  Question question = with_class("");
  const Quantity c0 = *add_waiting_claim(proof, question, "c0").storage;
  const Quantity c1 = *add_waiting_claim(proof, question, "c1").storage;
  const Quantity v0 = add_free_volume(proof, question, "v0").storage;
  const Quantity v1 = add_free_volume(proof, question, "v1").storage;
  const Status status = bind(proof, question, release_of(k_newest));
  const Truth each_has_one = either(both(c0 <= v0, c1 <= v1), both(c0 <= v1, c1 <= v0));
  proof.claim("a node passes if and only if each claim can get its own volume that is large enough",
              exactly(status.ok(), each_has_one));
  proof.witness("both claims find a volume", status.ok());
  proof.witness("one volume is large enough for either claim", both(!status.ok(), both(c0 <= v0, c1 <= v0)));
}

/// One claim and one volume that differ in up to two of many respects.
void volumes_are_found(Proof& proof) {
  const Release release = choose_release(
      proof, {"v1.11", "v1.12", "v1.13", "v1.14", "v1.15", "v1.16", "v1.30", "v1.31", "v1.34", k_newest});
  Question question = with_class("");
  PersistentVolumeClaim& claim = add_waiting_claim(proof, question, "c");
  claim.uid = "uid";
  PersistentVolume& volume = add_free_volume(proof, question, "pv");
  const std::vector<std::string> respects = {
      "none",          "class",        "class in the annotation", "phase",         "volumeMode",
      "selector",      "access modes", "node affinity",           "kept for it",   "kept for another",
      "selected-node", "another node", "attributes of the claim", "of the volume", "it is being deleted"};
  std::set<std::string> differs;
  for (const std::string name : {"it differs in", "and in"})
    differs.insert(respects[proof.choose<Quantity>(name, respects.size())]);
  const auto does = [&differs](const std::string& respect) { return differs.contains(respect); };
  if (does("class")) volume.class_name = "another";
  if (does("class in the annotation")) {
    claim.beta_class = "s";
    claim.class_name.reset();
  }
  if (does("phase")) volume.phase = "Released";
  if (does("volumeMode")) volume.volume_mode = "Block";
  if (does("selector")) claim.selector = LabelSelector{{{"disk", "ssd"}}, {}};
  if (does("access modes")) claim.access_modes = {"ReadWriteMany"};
  NodeSelectorTerm elsewhere;
  elsewhere.match_expressions = {{"zone", "In", {"b"}}};
  if (does("node affinity")) volume.node_affinity = std::vector{elsewhere};
  if (does("kept for another")) volume.claim = ClaimReference{"default", "another", ""};
  if (does("kept for it")) volume.claim = ClaimReference{"default", "c", "uid"};
  if (does("selected-node")) claim.selected_node = "n0";
  if (does("another node")) claim.selected_node = "n1";
  if (does("attributes of the claim")) claim.attributes_class = "gold";
  if (does("of the volume")) volume.attributes_class = "gold";
  if (does("it is being deleted")) volume.terminating = true;
  const Status status = bind(proof, question, release);

  const bool has_annotation = claim.selected_node.has_value();
  const bool is_immediate = has_annotation && is_from(release, 12) && !is_from(release, 14);
  const bool is_promised = has_annotation && is_from(release, 14);
  const bool errs =
      is_from(release, 31) && !is_from(release, 34) && !claim.attributes_class.empty() && !is_promised;
  const bool same_attributes = !is_from(release, 31) || claim.attributes_class == volume.attributes_class;
  const bool could_serve = !does("class") && (is_from(release, 16) || !does("class in the annotation")) &&
                           (!is_from(release, 13) || !does("volumeMode")) && same_attributes &&
                           !does("it is being deleted");
  const bool is_reached = !does("node affinity");
  const bool is_kept_for_it = does("kept for it");
  const bool is_free = !does("kept for another") && (!is_from(release, 13) || !does("phase")) &&
                       !does("selector") && !does("access modes");
  const bool may_be_taken =
      could_serve && is_reached && (is_kept_for_it || is_free) && !is_promised && !is_immediate;
  const Truth is_found = both(may_be_taken, *claim.storage <= volume.storage);
  if (is_immediate) {
    proof.claim("a claim with a selected node has immediate binding in v1.12 and v1.13, which is an error",
                status.code == Code::error);
  } else if (errs) {
    proof.claim("attributes cause an error of the filter in v1.31 to v1.33", status.code == Code::error);
  } else {
    proof.claim("a node passes if and only if the claim finds the volume", exactly(status.ok(), is_found));
    if (!status.ok())
      proof.claim("without a volume no eviction helps",
                  is_beyond_help(status, "node(s) didn't find available persistent volumes to bind"));
  }
  proof.witness("the volume is found", is_found);
  proof.witness("a volume that is reserved for the claim", both(is_kept_for_it, is_found));
  proof.witness("the volume is not found", negation(is_found));
}

/// A claim for which no volume exists.
void volumes_are_made(Proof& proof) {
  const Release release = choose_release(proof, {"v1.11", "v1.12", "v1.20", "v1.21", k_newest});
  const char* provisioners[] = {"", "kubernetes.io/no-provisioner", "d"};
  const std::size_t provisioner = proof.choose<Quantity>("provisioner", 3);
  Question question = with_class(provisioners[provisioner]);
  Storage& storage = question.cluster.storage;
  const PersistentVolumeClaim& claim = add_waiting_claim(proof, question, "c");
  // Bit 0: the class allows a topology that the node is in. Bit 1: one that it is not in.
  const std::size_t topologies = proof.choose<Quantity>("topologies that the class allows", 4);
  if ((topologies & 2) != 0) storage.classes.at("s").allowed_topologies.push_back({{"zone", "In", {"b"}}});
  if ((topologies & 1) != 0)
    storage.classes.at("s").allowed_topologies.push_back({{"zone", "In", {"a", "c"}}});
  const bool tells = chosen(proof, "the driver tells of its storage");
  storage.csi_drivers["d"] = {"d", tells, false};
  Truth is_enough = false;
  for (const std::string name : {"k0", "k1"}) {
    const std::size_t kind = proof.choose<Quantity>(name + " tells", 4);
    if (kind == 0) continue;
    CsiStorageCapacity& capacity = storage.capacities["default/" + name];
    capacity.storage_class = kind == 1 ? "another" : "s";
    capacity.node_topology = LabelSelector{{{"zone", kind == 2 ? "b" : "a"}}, {}};
    capacity.capacity = size_of(proof, "capacity of " + name);
    Quantity most = *capacity.capacity;
    if (name == "k0" && chosen(proof, name + " has a maximum")) {
      capacity.maximum_volume_size = size_of(proof, "maximum of " + name);
      most = *capacity.maximum_volume_size;
    }
    if (kind == 3) is_enough = either(is_enough, most >= *claim.storage);
  }
  const Status status = bind(proof, question, release);
  const bool can_be_made =
      is_from(release, 12) && provisioner == 2 && (topologies == 0 || (topologies & 1) != 0);
  const Truth has_storage = either(!tells || !is_from(release, 21), is_enough);
  proof.claim("a node passes if and only if a volume can be provisioned and storage is not short",
              exactly(status.ok(), both(can_be_made, has_storage)));
  if (!status.ok())
    proof.claim(
        "without a volume no eviction helps, with the reason as the release words it",
        is_beyond_help(status, can_be_made ? "node(s) did not have enough free storage"
                                           : "node(s) didn't find available persistent volumes to bind"));
  proof.witness("the volume is provisioned", both(status.ok(), is_enough));
  proof.witness("storage is short", both(can_be_made, negation(has_storage)));
}

/// Zone and region labels, old and new, of a node and of a volume.
void zones_of_volumes(Proof& proof) {
  const Release release =
      choose_release(proof, {"v1.8", "v1.9", "v1.10", "v1.18", "v1.19", "v1.28", "v1.29", k_newest});
  Question question;
  Node& node = add_node(question, "n0");
  question.pod.ns = "default";
  question.pod.name = "preemptor";
  const bool is_ephemeral = chosen(proof, "the volume is ephemeral");
  add_volume_of_pod(question.pod, is_ephemeral ? "ephemeral" : "persistentVolumeClaim",
                    is_ephemeral ? "" : "c");
  add_bound_claim(question, is_ephemeral ? "preemptor-v" : "c", "pv", "d");
  PersistentVolume& volume = question.cluster.storage.volumes.at("pv");
  const std::string beta = "failure-domain.beta.kubernetes.io/zone";
  const std::string region = "failure-domain.beta.kubernetes.io/region";
  const std::size_t zone = proof.choose<Quantity>("zone of the node", 3);
  if (zone > 0) node.labels[k_zone_label] = zone == 1 ? "a" : "b";
  const std::size_t beta_zone = proof.choose<Quantity>("beta zone of the node", 3);
  if (beta_zone > 0) node.labels[beta] = beta_zone == 1 ? "a" : "b";
  if (chosen(proof, "the node is in a region")) node.labels[region] = "r";
  const std::vector<std::pair<const char*, std::set<std::string>>> labels = {
      {"a", {"a"}}, {"b", {"b"}}, {"b__a", {"a", "b"}}, {"b__", {}}, {"c__b", {"b", "c"}}};
  const auto [text, zones] = labels[proof.choose<Quantity>("label of the volume", labels.size())];
  const bool is_beta = chosen(proof, "it is the beta one");
  volume.labels[is_beta ? beta : k_zone_label] = text;
  Trace trace = Trace::none();
  const scheduler::Cycle cycle(question, release, trace);
  const Status status = scheduler::volume_zone(cycle, cycle.nodes[0]);
  proof.observe(told(status));

  const bool only_beta = !is_from(release, 19);
  const bool is_somewhere = node.labels.contains(beta) || node.labels.contains(region) ||
                            (!only_beta && node.labels.contains(k_zone_label));
  const bool counts = !is_ephemeral && !zones.empty() && is_somewhere && (is_beta || !only_beta);
  std::string own = is_beta ? beta : k_zone_label;
  if (is_beta && !node.labels.contains(beta) && is_from(release, 29)) own = k_zone_label;
  const bool is_there = node.labels.contains(own) && zones.contains(node.labels.at(own));
  proof.claim("a node passes if and only if it is in one of the volume's zones, or has no zone label",
              status.ok() == (!counts || is_there));
  if (!status.ok()) {
    const Code code = is_from(release, 9) ? Code::unschedulable_and_unresolvable : Code::unschedulable;
    proof.claim("no eviction helps, from v1.9 on, with the reason as the release words it",
                status.code == code &&
                    status.reasons == std::vector<std::string>{is_from(release, 10)
                                                                   ? "node(s) had no available volume zone"
                                                                   : "NoVolumeZoneConflict"});
  }
  proof.witness("the node is in another zone", !status.ok());
  proof.witness("the node is in one of two zones", status.ok() && zones.size() == 2 && counts);
}

}  // namespace

Theorems theorems_of_volume_binding() {
  return {
      {.name = "bound-volumes-are-reached",
       .clauses = {"PRE-BIND-1"},
       .statement =
           "A node passes if and only if the node affinity of a bound volume allows it: up to 2 terms of any "
           "kind, of labels, of fields or empty, both sides of every change, v1.10.1 to v1.36.",
       .variants = {"volume-affinity-is-ignored"},
       .body = volumes_are_reached,
       .tier = Tier::full},
      {.name = "zones-of-a-driver-that-took-over",
       .clauses = {"PRE-BIND-1", "PRE-ATTACH-2"},
       .statement = "After migration to the CSI driver, a zone that the disk's affinity or label requires "
                    "applies to the driver's topology key: a GCE PD, a node of any zones, both sides of "
                    "every change, v1.22 to v1.36.",
       .variants = {"volume-affinity-is-ignored"},
       .body = zones_of_drivers},
      {.name = "each-claim-finds-its-own-volume",
       .clauses = {"PRE-BIND-2"},
       .statement = "A node passes if and only if each claim can get a volume that is large enough, and no "
                    "volume has two claims: v1.37, 2 claims and 2 volumes of any size.",
       .variants = {"volume-of-the-size-is-too-small", "one-volume-for-two-claims"},
       .body = smallest_first},
      {.name = "volumes-that-claims-find",
       .clauses = {"PRE-BIND-2"},
       .statement = "A claim finds a volume if and only if the volume is free or reserved for the claim, is "
                    "large enough, and has what the claim requests: a claim and a volume of any size that "
                    "differ in any 2 of 14 respects, both sides of every change, v1.11 to v1.36.",
       .variants = {"volume-of-the-size-is-too-small"},
       .body = volumes_are_found,
       .tier = Tier::full},
      {.name = "volumes-are-made",
       .clauses = {"PRE-BIND-3"},
       .statement = "A volume is provisioned if and only if the class has a provisioner and allows the node, "
                    "and the driver has enough storage, if it reports capacity: a claim of any size, up to 2 "
                    "capacities of any size, both sides of every change, v1.11 to v1.36.",
       .variants = {"storage-is-never-short"},
       .body = volumes_are_made,
       .tier = Tier::full},
      {.name = "zones-of-volumes",
       .clauses = {"PRE-ZONE-1", "PRE-ZONE-2"},
       .statement = "A node passes if and only if it is in a zone of the volume, or has no zone label: "
                    "labels of up to 2 zones, old and new, both sides of every change, v1.8 to v1.36.",
       .variants = {"wrong-zone-is-curable", "several-zones-are-one"},
       .body = zones_of_volumes,
       .tier = Tier::full},
  };
}

}  // namespace touchstone::proofs::TOUCHSTONE_BUILD
