#include <array>

#include "proofs/theorems/said.hpp"

/// The requests with which pods count for scores.
namespace touchstone::proofs::TOUCHSTONE_BUILD {

namespace {

constexpr std::int64_t k_default_cpu = 100;
constexpr std::int64_t k_default_memory = 209715200;

Quantity scored_amount(Proof& proof, const std::string& name) {
  const Quantity amount = proof.number<Quantity>(name);
  proof.assume(k_no_negative_request, amount >= Quantity(0));
  return amount;
}

/// The requests that count for scores: those of a pod on a node, or of the preemptor.
ResourceList scored(const Pod& pod, const Release& release, bool on_node) {
  return on_node ? scheduler::requests_with_defaults_on_node(pod, release)
                 : scheduler::requests_with_defaults_of_preemptor(pod, release);
}

/// A container that may lack requests.
void missing_requests(Proof& proof) {
  const bool on_node = chosen(proof, "on a node");
  const Release release = choose_release(proof, {"v1.8", "v1.17.6", "v1.29.6", "v1.37"});
  Pod pod;
  Container& container = pod.containers.emplace_back();
  container.name = "c";
  const Quantity cpu = scored_amount(proof, "cpu");
  const Quantity memory = scored_amount(proof, "memory");
  const bool has_cpu = chosen(proof, "requests cpu");
  const bool has_memory = chosen(proof, "requests memory");
  if (has_cpu) container.requests["cpu"] = cpu;
  if (has_memory) container.requests["memory"] = memory;
  const ResourceList found = scored(pod, release, on_node);
  proof.claim("cpu is the request, or 100 milli without one",
              found.at("cpu") == (has_cpu ? cpu : Quantity(k_default_cpu)));
  proof.claim("memory is the request, or 200 Mi without one",
              found.at("memory") == (has_memory ? memory : Quantity(k_default_memory)));
  proof.witness("a request of 0", both(Truth(has_cpu), found.at("cpu") == Quantity(0)));
}

/// What SCORE-REQUESTS-2 says about a release.
struct SaysOfScores {
  std::string_view release;
  bool init_containers;   ///< they count at all
  bool sidecars_on_node;  ///< sidecars of pods on nodes count beside the containers
  bool sidecars_before;   ///< sidecars of pods on nodes count beside later init containers
  bool sidecars_of_preemptor;
};
constexpr std::array<SaysOfScores, 6> k_scores_say = {{{"v1.17.5", false, false, false, false},
                                                       {"v1.17.6", true, false, false, false},
                                                       {"v1.27", true, false, false, false},
                                                       {"v1.28", true, false, true, true},
                                                       {"v1.31", true, false, true, true},
                                                       {"v1.32", true, true, true, true}}};

void sums_of_scored_requests(Proof& proof) {
  const SaysOfScores& says = k_scores_say[proof.choose<Quantity>("release", k_scores_say.size())];
  const bool on_node = chosen(proof, "on a node");
  const bool beside = on_node ? says.sidecars_on_node : says.sidecars_of_preemptor;
  const bool before = on_node ? says.sidecars_before : says.sidecars_of_preemptor;
  Pod pod;
  Quantity together = scored_amount(proof, "container");
  pod.containers.push_back({"c", {{"cpu", together}}, {}, false});
  std::vector<Quantity> alone;  // each init container, plus the sidecars before it
  Quantity sidecars = 0;
  for (const char* name : {"init0", "init1"}) {
    const Quantity cpu = scored_amount(proof, name);
    const bool is_sidecar = chosen(proof, std::string(name) + " is a sidecar");
    pod.init_containers.push_back({name, {{"cpu", cpu}}, {}, is_sidecar});
    if (!says.init_containers) continue;
    alone.push_back(cpu + (before ? sidecars : Quantity(0)));
    if (!is_sidecar) continue;
    sidecars += cpu;
    if (beside) together += cpu;
  }
  const Quantity found = scored(pod, release_of(says.release), on_node).at("cpu");
  Truth is_one = found == together;
  Truth is_most = found >= together;
  for (const Quantity& amount : alone) {
    is_one = either(is_one, found == amount);
    is_most = both(is_most, found >= amount);
  }
  proof.claim("the request is at least each sum that counts", is_most);
  proof.claim("the request is one of these sums", is_one);
  proof.witness("an init container requests the most", found > together);
}

void overhead_of_preemptor(Proof& proof) {
  const std::size_t which = proof.choose<Quantity>("release", 4);
  const Release release = release_of(std::array{"v1.17", "v1.18.0", "v1.26", "v1.27"}[which]);
  const Quantity cpu = scored_amount(proof, "cpu");
  const Quantity overhead = scored_amount(proof, "overhead");
  Pod pod;
  pod.containers.push_back({"c", {{"cpu", cpu}}, {}, false});
  pod.overhead["cpu"] = overhead;
  const Quantity added = scheduler::requests_with_defaults_of_preemptor(pod, release).at("cpu") - cpu;
  if (which == 0) return proof.claim("up to v1.17 overhead adds nothing", added == Quantity(0));
  if (which == 3) return proof.claim("from v1.27 on overhead adds its amount", added == overhead);
  proof.claim("from v1.18 to v1.26 overhead adds its cores, rounded up, as milli-CPUs",
              both((added - Quantity(1)) * Quantity(1000) < overhead, overhead <= added * Quantity(1000)));
  proof.claim("on a node overhead adds its amount",
              scheduler::requests_with_defaults_on_node(pod, release).at("cpu") == cpu + overhead);
  proof.witness("two cores and a half", both(overhead == Quantity(2500), added == Quantity(3)));
}

void pod_level_scores(Proof& proof) {
  const bool counts = chosen(proof, "v1.34, not v1.33");
  const Release release = release_of(counts ? "v1.34" : "v1.33");
  const Quantity cpu = scored_amount(proof, "cpu of a container");
  const Quantity memory = scored_amount(proof, "memory of a container");
  const Quantity whole = scored_amount(proof, "pod-level cpu");
  Pod pod;
  pod.containers.push_back({"c", {{"cpu", cpu}, {"memory", memory}}, {}, false});
  pod.containers.push_back({"d", {{"cpu", 0}}, {}, false});
  pod.pod_level_requests = ResourceList{{"cpu", whole}};
  const ResourceList on_node = scored(pod, release, true);
  const ResourceList own = scored(pod, release, false);
  const Quantity with_default = memory + Quantity(k_default_memory);
  proof.claim("a pod-level request replaces those of containers on a node, from v1.34 on",
              on_node.at("cpu") == (counts ? whole : cpu));
  proof.claim("beside a pod-level request, a default counts if no container requests the resource",
              on_node.at("memory") == (counts ? memory : with_default));
  proof.claim("pod-level requests of the pod to be scheduled do not count", own.at("cpu") == cpu);
  proof.claim("its containers have their defaults", own.at("memory") == with_default);
  proof.witness("the pod-level request is less than the container's", both(Truth(counts), whole < cpu));
}

}  // namespace

Theorems theorems_of_scored_requests() {
  return {
      {.name = "missing-requests-have-defaults",
       .clauses = {"SCORE-REQUESTS-1"},
       .statement = "A container counts with 100 milli-CPUs and 200 Mi if it does not request them. A "
                    "request of 0 is not missing: a container, on a node or not, v1.8 to v1.37.",
       .variants = {"default-memory-is-decimal", "request-of-zero-is-missing"},
       .body = missing_requests},
      {.name = "scored-requests-of-containers",
       .clauses = {"SCORE-REQUESTS-2"},
       .statement = "Scores count the containers, or the largest init container with the sidecars before "
                    "it: a container and 2 init containers that may be sidecars, on a node or not, both "
                    "sides of every change, v1.17 to v1.32.",
       .variants = {"init-containers-always-score", "sidecars-of-nodes-add-up",
                    "init-containers-never-score"},
       .body = sums_of_scored_requests},
      {.name = "scored-overhead-is-in-cores",
       .clauses = {"SCORE-REQUESTS-3"},
       .statement = "From v1.18 to v1.26 the cpu overhead of the pod to be scheduled counts in whole cores, "
                    "rounded up: any overhead, v1.17 to v1.27.",
       .variants = {"overhead-has-its-unit", "overhead-rounds-down"},
       .body = overhead_of_preemptor},
      {.name = "scored-pod-level-requests",
       .clauses = {"SCORE-REQUESTS-4"},
       .statement = "From v1.34 on pod-level requests count for pods on nodes, not for the pod to be "
                    "scheduled: 2 containers, v1.33 and v1.34.",
       .variants = {"defaults-stand-beside-pod-level", "own-pod-level-requests-score"},
       .body = pod_level_scores},
  };
}

}  // namespace touchstone::proofs::TOUCHSTONE_BUILD
