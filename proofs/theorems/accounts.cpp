#include "proofs/scene.hpp"
#include "proofs/theorems/searched.hpp"

/// Filters whose bookkeeping of a node may differ from a fresh computation, or whose answer is not monotone
/// in the pods of the node. For them a property of resources fails from some number of pods on; the theorems
/// show which number.
namespace touchstone::proofs::TOUCHSTONE_BUILD {

namespace {

/// Whether the release's filters accept the preemptor, run afresh on a cluster without these pods.
bool fits_afresh(const Question& question, const Release& release, const std::vector<PodIndex>& gone) {
  Question after = question;
  after.cluster.pods.clear();
  for (PodIndex i = 0; i < question.cluster.pods.size(); ++i) {
    if (std::find(gone.begin(), gone.end(), i) == gone.end())
      after.cluster.pods.push_back(question.cluster.pods[i]);
  }
  Trace trace = Trace::none();
  const scheduler::Cycle cycle(after, release, trace);
  return scheduler::run_filters_with_nominated_pods(cycle, cycle.nodes[0]).ok();
}

/// A node with pods. Each of them, and the preemptor, has host port 80 or none.
Question with_ports(Proof& proof, std::size_t pods) {
  Question question = one_node(proof, pods);
  const auto may_have_port = [&proof](Pod& pod) {
    if (proof.choose<Quantity>(pod.name + " has port 80", 2) == 1)
      pod.containers[0].ports.push_back({"", "", Quantity(80)});
  };
  for (Pod& pod : question.cluster.pods) may_have_port(pod);
  may_have_port(question.pod);
  return question;
}

/// The preemptor spreads over two zones: that of the node and an empty one. Each pod may match, and may be
/// terminating.
Question with_spread(Proof& proof, std::size_t pods) {
  Question question = one_node(proof, pods);
  question.cluster.nodes[0].labels["zone"] = "a";
  Node& other = question.cluster.nodes.emplace_back();
  other.name = "other";
  other.labels["zone"] = "b";
  other.allocatable = {{"cpu", Quantity(0)}, {"pods", Quantity(110)}};
  question.pod.labels["app"] = "x";
  TopologySpreadConstraint constraint;
  constraint.topology_key = "zone";
  constraint.when_unsatisfiable = "DoNotSchedule";
  constraint.max_skew = Quantity(1);
  constraint.label_selector = LabelSelector{{{"app", "x"}}, {}};
  question.pod.topology_spread = {constraint};
  for (Pod& pod : question.cluster.pods) {
    if (proof.choose<Quantity>(pod.name + " matches", 2) == 1) pod.labels["app"] = "x";
    pod.terminating = proof.choose<Quantity>(pod.name + " terminates", 2) == 1;
  }
  return question;
}

/// The preemptor requires a pod of an app beside it. Each pod may be of that app.
Question with_affinity(Proof& proof, std::size_t pods) {
  Question question = one_node(proof, pods);
  PodAffinityTerm term;
  term.label_selector = LabelSelector{{{"app", "x"}}, {}};
  term.topology_key = "kubernetes.io/hostname";
  question.pod.pod_affinity = {term};
  for (Pod& pod : question.cluster.pods) {
    if (proof.choose<Quantity>(pod.name + " is of the app", 2) == 1) pod.labels["app"] = "x";
  }
  return question;
}

/// The preemptor has a claim that only one pod may use. Each pod may have the claim, too.
Question with_claim(Proof& proof, std::size_t pods) {
  Question question = one_node(proof, pods);
  question.pod.ns = "default";
  Volume volume;
  volume.name = "data";
  volume.source.kind = "persistentVolumeClaim";
  volume.source.id = "claim";
  question.pod.volumes = {volume};
  PersistentVolumeClaim& claim = question.cluster.storage.claims["default/claim"];
  claim.ns = "default";
  claim.name = "claim";
  claim.access_modes = {"ReadWriteOncePod"};
  claim.volume_name = "pv";
  claim.bind_completed = true;
  question.cluster.storage.volumes["pv"].name = "pv";
  for (Pod& pod : question.cluster.pods) {
    if (proof.choose<Quantity>(pod.name + " has the claim", 2) == 1) pod.volumes = {volume};
  }
  return question;
}

using Scene = Question (*)(Proof&, std::size_t);

/// If the node is a candidate, the preemptor fits after the evictions, by filters that run afresh.
void evictions_help(Proof& proof, const Searched& node) {
  if (!node.is_candidate()) return;
  proof.claim("filters that run afresh accept the preemptor",
              fits_afresh(node.question, node.release, node.victims()));
  proof.witness("a victim", node.victims().size() == 1);
}

void evictions_help(Proof& proof, Scene scene, std::size_t pods) {
  evictions_help(proof, Searched(proof, scene(proof, pods), release_of("v1.37")));
}

/// If evicting some of the lower pods would help, the node is a candidate.
void helps_is_found(Proof& proof, const Searched& node) {
  if (fits_afresh(node.question, node.release, {})) return;
  for (std::size_t bits = 1; bits < std::size_t{1} << node.lower.size(); ++bits) {
    std::vector<PodIndex> gone;
    for (std::size_t at = 0; at < node.lower.size(); ++at) {
      if ((bits >> at & 1) != 0) gone.push_back(node.lower[at]);
    }
    if (fits_afresh(node.question, node.release, gone))
      proof.claim("a node is a candidate if some eviction helps", node.is_candidate());
  }
  proof.witness("no candidate, although some pod has a lower priority",
                !node.is_candidate() && !node.lower.empty());
}

void helps_is_found(Proof& proof, Scene scene, std::size_t pods) {
  helps_is_found(proof, Searched(proof, scene(proof, pods), release_of("v1.37")));
}

void evictions_help_and_are_found(Proof& proof, Scene scene, std::size_t pods) {
  const Searched node(proof, scene(proof, pods), release_of("v1.37"));
  evictions_help(proof, node);
  helps_is_found(proof, node);
}

}  // namespace

Theorems theorems_of_accounts() {
  return {
      {.name = "ports-are-free-with-one-pod",
       .clauses = {"PRE-PORTS-2"},
       .statement =
           "With one pod, a host port that the release counts as free is free: v1.37, one node, cpu.",
       .variants = {"room-is-not-checked"},
       .body = [](Proof& proof) { evictions_help(proof, with_ports, 1); }},
      {.name = "ports-seem-free",
       .clauses = {"PRE-PORTS-2"},
       .statement = "With 2 pods that hold the same host port, the port may not be free, and the eviction is "
                    "ineffective: v1.37, one node, cpu.",
       .body = [](Proof& proof) { evictions_help(proof, with_ports, 2); },
       .kind = Kind::exhibit},
      {.name = "spread-is-right-with-one-pod",
       .clauses = {"PRE-SPREAD-4", "PRE-SPREAD-6"},
       .statement = "With one pod, terminating or not, a node is a candidate if an eviction helps under the "
                    "spread constraint: v1.37, 2 zones, cpu.",
       .variants = {"dry-run-does-not-spread-anew"},
       .body = [](Proof& proof) { helps_is_found(proof, with_spread, 1); }},
      {.name = "terminating-pods-were-never-counted",
       .clauses = {"PRE-SPREAD-4", "PRE-SPREAD-6"},
       .statement = "With 2 pods, one of them terminating, the spread constraint may stay violated, and the "
                    "eviction is ineffective: v1.37, 2 zones, cpu.",
       .body = [](Proof& proof) { evictions_help(proof, with_spread, 2); },
       .kind = Kind::exhibit},
      {.name = "claim-is-free-with-one-pod",
       .clauses = {"PRE-RWOP-1"},
       .statement = "With one pod, a ReadWriteOncePod claim is free if and only if the release counts it as "
                    "free: v1.37, one node, cpu.",
       .variants = {"room-is-not-checked", "claim-in-use-is-never-freed"},
       .body = [](Proof& proof) { evictions_help_and_are_found(proof, with_claim, 1); }},
      {.name = "claim-seems-free",
       .clauses = {"PRE-RWOP-1"},
       .statement = "With 2 pods that use the same claim, the claim may not be free, and the eviction is "
                    "ineffective: v1.37, one node, cpu.",
       .body = [](Proof& proof) { evictions_help(proof, with_claim, 2); },
       .kind = Kind::exhibit},
      {.name = "affinity-is-not-monotone",
       .clauses = {"PRE-AFFINITY-3", "PRE-VICTIM-3"},
       .statement = "A node may be no candidate although an eviction would help: the dry run removes all "
                    "pods of lower priority, including the pod that the preemptor's affinity requires: "
                    "v1.37, one node, 2 pods, cpu.",
       .body = [](Proof& proof) { helps_is_found(proof, with_affinity, 2); },
       .kind = Kind::exhibit},
  };
}

}  // namespace touchstone::proofs::TOUCHSTONE_BUILD
