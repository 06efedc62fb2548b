#include <array>

#include "proofs/scene.hpp"
#include "proofs/theorems/theorems.hpp"

/// What a pod requests of a node.
namespace touchstone::proofs::TOUCHSTONE_BUILD {

namespace {

/// What the clauses say about a release.
struct Says {
  std::string_view release;
  bool init_containers_on_nodes;  ///< PRE-REQUESTS-2
  bool overhead;                  ///< PRE-REQUESTS-3
  bool sidecars;                  ///< PRE-REQUESTS-4
};
constexpr std::array<Says, 6> k_requests_say = {{{"v1.17.5", false, false, false},
                                                 {"v1.17.6", true, false, false},
                                                 {"v1.18.2", false, true, false},
                                                 {"v1.18.3", true, true, false},
                                                 {"v1.27", true, true, false},
                                                 {"v1.28", true, true, true}}};

Quantity amount_asked(Proof& proof, const std::string& name) {
  const Quantity amount = proof.number<Quantity>(name);
  proof.assume(k_no_negative_request, amount >= Quantity(0));
  return amount;
}

Quantity asked_for(const ResourceList& list, const std::string& name) {
  const auto found = list.find(name);
  return found == list.end() ? Quantity(0) : found->second;
}

void what_a_pod_requests(Proof& proof, std::size_t containers) {
  const Says& says = k_requests_say[proof.choose<Quantity>("release", k_requests_say.size())];
  const Release release = release_of(says.release);
  const bool on_node = proof.choose<Quantity>("on a node", 2) == 1;
  Pod pod;
  Quantity together = 0;
  for (std::size_t i = 0; i < containers; ++i) {
    const Quantity cpu = amount_asked(proof, "container" + std::to_string(i));
    pod.containers.push_back({"c" + std::to_string(i), {{"cpu", cpu}}, {}, false});
    together += cpu;
  }
  std::vector<Quantity> alone;  // each init container, plus the sidecars before it
  Quantity sidecars = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string name = "init" + std::to_string(i);
    const Quantity cpu = amount_asked(proof, name);
    const bool is_sidecar = proof.choose<Quantity>(name + " is a sidecar", 2) == 1;
    pod.init_containers.push_back({name, {{"cpu", cpu}}, {}, is_sidecar});
    if (on_node && !says.init_containers_on_nodes) continue;
    if (is_sidecar && says.sidecars) {
      sidecars += cpu;
    } else {
      alone.push_back(cpu + sidecars);
    }
  }
  const Quantity overhead = amount_asked(proof, "overhead");
  pod.overhead["cpu"] = overhead;

  const auto list =
      on_node ? scheduler::requests_on_node(pod, release) : scheduler::requests_of_preemptor(pod, release);
  const Quantity found = list.at("cpu") - (says.overhead ? overhead : Quantity(0));
  Truth is_one = found == together + sidecars;
  Truth is_least = found >= together + sidecars;
  for (const Quantity& amount : alone) {
    is_one = either(is_one, found == amount);
    is_least = both(is_least, found >= amount);
  }
  proof.claim("the request is at least what runs at any time", is_least);
  proof.claim("the request equals what runs at some time", is_one);
  proof.witness("an init container requests the most", found > together + sidecars);
}

void pod_level(Proof& proof) {
  const bool counts = proof.choose<Quantity>("release", 2) == 1;
  const Release release = release_of(counts ? "v1.34" : "v1.33");
  Pod pod;
  const Quantity cpu = amount_asked(proof, "container.cpu");
  const Quantity gpu = amount_asked(proof, "container.gpu");
  pod.containers.push_back({"c", {{"cpu", cpu}, {"example.com/gpu", gpu}}, {}, false});
  const Quantity whole = amount_asked(proof, "pod.cpu");
  const Quantity overhead = amount_asked(proof, "overhead");
  pod.pod_level_requests = {{{"cpu", whole}, {"example.com/gpu", amount_asked(proof, "pod.gpu")}}};
  pod.overhead["cpu"] = overhead;
  for (const auto& list :
       {scheduler::requests_of_preemptor(pod, release), scheduler::requests_on_node(pod, release)}) {
    proof.claim("cpu is the pod-level request, from v1.34 on",
                list.at("cpu") == (counts ? whole : cpu) + overhead);
    proof.claim("other resources are those of the containers", list.at("example.com/gpu") == gpu);
  }
  proof.witness("the pod-level request is less than the container's", both(Truth(counts), whole < cpu));
}

/// A container that is being resized, or, from v1.36 on, a whole pod.
void resize(Proof& proof) {
  const std::size_t which = proof.choose<Quantity>("release", 3);
  const Release release = release_of(std::array{"v1.32", "v1.34", "v1.36"}[which]);
  const bool of_pod = proof.choose<Quantity>("of the whole pod", 2) == 1;
  const Quantity wanted = amount_asked(proof, "spec");
  const Quantity actual = amount_asked(proof, "actual");
  const Quantity allocated = amount_asked(proof, "allocated");
  Pod pod;
  pod.containers.push_back({"c", {{"cpu", wanted}}, {}, false});
  if (of_pod) {
    pod.pod_level_requests = {{{"cpu", wanted}}};
    pod.resource_status = {true, ResourceList{{"cpu", actual}}, ResourceList{{"cpu", allocated}}};
  } else {
    pod.container_statuses.push_back(
        {"c", {true, ResourceList{{"cpu", actual}}, ResourceList{{"cpu", allocated}}}});
  }
  const std::size_t pending = proof.choose<Quantity>("resize is pending", 3);
  if (pending > 0)
    pod.conditions.push_back({"PodResizePending", "True", pending == 1 ? "Infeasible" : "Deferred"});

  proof.claim("the preemptor counts with its spec",
              scheduler::requests_of_preemptor(pod, release).at("cpu") == wanted);
  const Quantity found = scheduler::requests_on_node(pod, release).at("cpu");
  const bool counts = of_pod ? which == 2 : which > 0;
  if (!counts) {
    proof.claim("a pod on a node counts with its spec", found == wanted);
    return;
  }
  const bool is_feasible = pending != 1;
  proof.claim(
      "a pod on a node counts with at least its actual and allocated amounts, and its spec if the resize is "
      "feasible",
      both(both(found >= actual, found >= allocated), either(Truth(!is_feasible), found >= wanted)));
  proof.claim("a pod on a node counts with one of these amounts",
              either(either(found == actual, found == allocated), both(Truth(is_feasible), found == wanted)));
  proof.witness("an infeasible resize to more than what counts", both(Truth(!is_feasible), found < wanted));
}

/// The three amounts of a container that count: by its spec, allocated, and in force by its status.
struct Reported {
  Quantity wanted;
  Quantity allocated;
  Quantity in_force;
};

/// Adds a container with any status: none, or one whose maps are absent, empty or filled.
Reported any_container(Proof& proof, const std::string& name, bool is_feasible, Pod& pod,
                       std::vector<Container>& list) {
  const Quantity spec = amount_asked(proof, name + ".spec");
  list.push_back({name, {{"cpu", spec}}, {}, false});
  Reported reported{spec, is_feasible ? spec : Quantity(0), is_feasible ? spec : Quantity(0)};
  const std::size_t kind = proof.choose<Quantity>(name + "'s status", 5);
  if (kind == 0) return reported;
  ResourceStatus status;
  status.has_resources = kind >= 3;
  if (kind == 1) status.allocated = ResourceList{};
  if (kind == 2 || kind == 4)
    status.allocated = ResourceList{{"cpu", amount_asked(proof, name + ".allocated")}};
  if (kind == 3 || kind == 4)
    status.requests = ResourceList{{"cpu", amount_asked(proof, name + ".in force")}};
  if (status.allocated) reported.allocated = asked_for(*status.allocated, "cpu");
  reported.in_force = status.requests ? asked_for(*status.requests, "cpu") : reported.allocated;
  pod.container_statuses.push_back({name, status});
  return reported;
}

/// Some containers, perhaps an init container, and the pod's own status.
void three_totals(Proof& proof, std::size_t containers, bool with_init_container) {
  const Release release = release_of(k_newest);
  Pod pod;
  const bool is_feasible = proof.choose<Quantity>("the resize is infeasible", 2) == 0;
  if (!is_feasible) pod.conditions.push_back({"PodResizePending", "True", "Infeasible"});
  Reported together{0, 0, 0};
  for (std::size_t i = 0; i < containers; ++i) {
    const Reported one = any_container(proof, "c" + std::to_string(i), is_feasible, pod, pod.containers);
    together = {together.wanted + one.wanted, together.allocated + one.allocated,
                together.in_force + one.in_force};
  }
  Reported first{0, 0, 0};
  if (with_init_container) first = any_container(proof, "init", is_feasible, pod, pod.init_containers);
  std::vector<Quantity> totals;  // the largest of these is requested
  if (is_feasible) totals = {together.wanted, first.wanted};
  if (proof.choose<Quantity>("the pod's own status has both maps", 2) == 1) {
    const Quantity allocated = amount_asked(proof, "pod.allocated");
    const Quantity in_force = amount_asked(proof, "pod.in force");
    pod.resource_status = {true, ResourceList{{"cpu", in_force}}, ResourceList{{"cpu", allocated}}};
    totals.insert(totals.end(), {allocated, in_force});
  } else {
    totals.insert(totals.end(), {together.allocated, first.allocated, together.in_force, first.in_force});
  }
  const Quantity found = asked_for(scheduler::requests_on_node(pod, release), "cpu");
  Truth is_one = false;
  Truth is_most = true;
  for (const Quantity& total : totals) {
    is_one = either(is_one, found == total);
    is_most = both(is_most, found >= total);
  }
  proof.claim("the request is at least each of the totals", is_most);
  proof.claim("the request equals one of the totals", is_one);
  proof.witness("the request is less than the spec", both(Truth(!is_feasible), found < together.wanted));
}

/// A pod-level request for memory, and a pod status that also has cpu.
void pod_level_names(Proof& proof) {
  const bool every_name = proof.choose<Quantity>("release", 2) == 1;
  const bool is_feasible = proof.choose<Quantity>("the resize is infeasible", 2) == 0;
  Pod pod;
  if (!is_feasible) pod.conditions.push_back({"PodResizePending", "True", "Infeasible"});
  const Quantity cpu = amount_asked(proof, "container.cpu");
  const Quantity memory = amount_asked(proof, "pod.memory");
  const Quantity in_force = amount_asked(proof, "in force.cpu");
  pod.containers.push_back({"c", {{"cpu", cpu}}, {}, false});
  pod.pod_level_requests = ResourceList{{"memory", memory}};
  pod.resource_status = {true, ResourceList{{"cpu", in_force}}, std::nullopt};
  const auto list = scheduler::requests_on_node(pod, release_of(every_name ? "v1.37" : "v1.36"));
  proof.claim("a resource that only the status has counts from v1.37 on",
              asked_for(list, "cpu") == (every_name ? in_force : cpu));
  const Quantity unnamed = every_name && !is_feasible ? Quantity(0) : is_feasible ? memory : Quantity(0);
  proof.claim("a resource of the spec counts if and only if the resize is feasible",
              asked_for(list, "memory") == unnamed);
  proof.witness("the pod-level request is less than the container's",
                both(Truth(every_name), in_force < cpu));
}

struct Named {
  std::string_view name;
  bool counts;
};
constexpr std::array<Named, 10> k_resource_names = {{{"cpu", true},
                                                     {"memory", true},
                                                     {"ephemeral-storage", true},
                                                     {"hugepages-2Mi", true},
                                                     {"attachable-volumes-csi", true},
                                                     {"example.com/gpu", true},
                                                     {"pods.kubernetes.io/x", true},
                                                     {"storage", false},
                                                     {"requests.example.com/gpu", false},
                                                     {"cpus", false}}};

void names(Proof& proof) {
  const Named& named = k_resource_names[proof.choose<Quantity>("name", k_resource_names.size())];
  const Quantity amount = amount_asked(proof, "amount");
  Pod pod;
  pod.containers.push_back({"c", {{std::string(named.name), amount}}, {}, false});
  const auto list = scheduler::requests_of_preemptor(pod, release_of(k_newest));
  proof.claim("a resource counts or not, by its name",
              Truth(list.contains(std::string(named.name)) == named.counts));
  proof.claim("a resource that counts has the requested amount",
              either(Truth(!named.counts), asked_for(list, std::string(named.name)) == amount));
  proof.witness("a resource that does not count", Truth(!named.counts));
}

}  // namespace

Theorems theorems_of_requests() {
  return {
      {.name = "what-runs-at-a-time-is-requested",
       .clauses = {"PRE-REQUESTS-1", "PRE-REQUESTS-2", "PRE-REQUESTS-3", "PRE-REQUESTS-4"},
       .statement = "A pod requests the maximum that runs at one time, plus its overhead: 2 containers, 2 "
                    "init containers of which any may be sidecars, on a node or not, both sides of every "
                    "change, v1.17 to v1.28.",
       .variants = {"init-containers-take-nothing", "init-containers-on-nodes-take-nothing",
                    "overhead-takes-nothing", "sidecars-take-turns"},
       .body = [](Proof& proof) { what_a_pod_requests(proof, 2); },
       .tier = Tier::full},
      {.name = "requests-of-the-pod-stand-for-the-sum",
       .clauses = {"PRE-REQUESTS-5"},
       .statement = "From v1.34 on a pod-level cpu request replaces those of the containers. A pod-level "
                    "request for an extended resource does not: a container, v1.33 and v1.34.",
       .variants = {"pod-level-requests-of-anything"},
       .body = pod_level},
      {.name = "resize-counts-what-is-taken",
       .clauses = {"PRE-REQUESTS-6"},
       .statement = "A pod on a node that is being resized counts with the maximum of spec, actual and "
                    "allocated amounts. The spec is left out if the resize is infeasible. The preemptor "
                    "counts with its spec: a container or a whole pod, v1.32, v1.34 and v1.36.",
       .variants = {"infeasible-resize-is-charged"},
       .body = resize},
      {.name = "resize-counts-the-largest-total",
       .clauses = {"PRE-REQUESTS-8"},
       .statement = "From v1.37 on a pod that is being resized counts with the largest of three totals: a "
                    "container and an init container with any status, and any status of the pod.",
       .variants = {"resize-is-summed-by-container", "status-of-init-containers-is-ignored",
                    "own-status-of-the-pod-is-ignored", "infeasible-spec-counts-without-status"},
       .body = [](Proof& proof) { three_totals(proof, 1, true); },
       .tier = Tier::full},
      {.name = "empty-maps-count-as-nothing",
       .clauses = {"PRE-REQUESTS-8"},
       .statement = "From v1.37 on a pod that is being resized counts with the largest of three totals, and "
                    "an empty map is not an absent one: 2 containers with any status.",
       .variants = {"empty-map-is-no-map", "resize-is-summed-by-container"},
       .body = [](Proof& proof) { three_totals(proof, 2, false); },
       .tier = Tier::full},
      {.name = "pod-level-names-of-the-status-count",
       .clauses = {"PRE-REQUESTS-8"},
       .statement = "From v1.37 on a pod-level request that only the pod's status has replaces the sum of "
                    "the containers: v1.36 and v1.37.",
       .variants = {"pod-level-names-of-the-spec-alone"},
       .body = pod_level_names},
      {.name = "some-names-do-not-count",
       .clauses = {"PRE-REQUESTS-7"},
       .statement =
           "Whether a request counts depends on the name of the resource: ten names, any amount, v1.37.",
       .variants = {"every-name-counts"},
       .body = names},
  };
}

}  // namespace touchstone::proofs::TOUCHSTONE_BUILD
