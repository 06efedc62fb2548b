#include "proofs/scene.hpp"
#include "proofs/theorems/theorems.hpp"

/// Which pods may preempt, in each family of releases.
namespace touchstone::proofs::TOUCHSTONE_BUILD {

namespace {

/// What PRE-ELIGIBLE-1 to PRE-ELIGIBLE-4 say about the releases between two changes.
struct Family {
  std::string_view release;
  bool knows_policy;           ///< preemptionPolicy Never keeps a pod from preempting
  bool forgives_unresolvable;  ///< an unresolvable nominated node is no reason to wait
  bool asks_who_evicts;        ///< the preemptor waits only for pods that the scheduler evicts
};

constexpr Family k_families[] = {
    {"v1.8.0", false, false, false}, {"v1.18.2", false, false, false}, {"v1.19.0", true, true, false},
    {"v1.26", true, true, false},    {"v1.27", true, true, true},      {"v1.37", true, true, true},
};

void eligible(Proof& proof, std::size_t pods) {
  const Family& family = k_families[proof.choose<Quantity>("release", std::size(k_families))];
  const Release release = release_of(family.release);
  const auto flag = [&proof](const std::string& name) { return proof.choose<Quantity>(name, 2) == 1; };

  Question question;
  question.cluster.nodes.emplace_back().name = "node";
  question.pod.name = "preemptor";
  question.pod.priority = proof.number<Quantity>("preemptor.priority");
  const bool is_nominated = flag("preemptor is nominated");
  if (is_nominated) question.pod.nominated_node_name = "node";
  const bool never = flag("preemptor's policy is Never");
  if (never) question.pod.preemption_policy = "Never";
  const bool beyond_help = flag("the node is beyond help");
  Truth waits = false;
  for (std::size_t i = 0; i < pods; ++i) {
    Pod& pod = question.cluster.pods.emplace_back();
    pod.name = "p" + std::to_string(i);
    pod.node_name = "node";
    pod.priority = proof.number<Quantity>(pod.name + ".priority");
    pod.terminating = flag(pod.name + " terminates");
    const std::size_t condition = proof.choose<Quantity>(pod.name + " is a disruption target", 3);
    const char* status[] = {"", "False", "True"};
    if (condition > 0) pod.conditions = {{"DisruptionTarget", status[condition], "PreemptionByScheduler"}};
    const bool by_scheduler = condition == 2;
    if (pod.terminating && (by_scheduler || !family.asks_who_evicts))
      waits = either(waits, pod.priority < question.pod.priority);
  }
  scheduler::FirstPass first_pass;
  const Code code = beyond_help ? Code::unschedulable_and_unresolvable : Code::unschedulable;
  first_pass.status[0] = {code, "", {"reason"}};

  Trace trace = Trace::none();
  const scheduler::Cycle cycle(question, release, trace);
  const bool may = scheduler::why_not_eligible(cycle, first_pass).empty();
  proof.observe(may ? "eligible" : "not eligible");
  const bool forgiven = family.forgives_unresolvable && beyond_help;
  const Truth may_not = either(family.knows_policy && never, both(is_nominated && !forgiven, waits));
  proof.claim("the pod is eligible exactly if the release says so", may ? negation(may_not) : may_not);
  proof.witness("the preemptor waits", both(!may, !never));
  proof.witness("a nominated preemptor does not wait", may && is_nominated);
}

}  // namespace

Theorems theorems_of_eligibility() {
  return {
      {.name = "eligibility",
       .clauses = {"PRE-ELIGIBLE-1", "PRE-ELIGIBLE-2", "PRE-ELIGIBLE-3", "PRE-ELIGIBLE-4"},
       .statement =
           "A pod may not preempt if its policy is Never, or if it waits for a terminating pod of lower "
           "priority on its nominated node: 2 pods on that node, both sides of every change, v1.8 to v1.36.",
       .variants = {"waits-for-pods-of-its-own-priority"},
       .body = [](Proof& proof) { eligible(proof, 2); },
       .tier = Tier::full},
      {.name = "eligibility-of-one",
       .clauses = {"PRE-ELIGIBLE-4"},
       .statement = "A pod may not preempt if its policy is Never, or if it waits for a terminating pod: one "
                    "pod on the nominated node, both sides of every change, v1.8 to v1.36.",
       .variants = {"any-terminating-pod-blocks", "never-is-ignored", "unresolvable-nomination-waits",
                    "condition-counts-whatever-its-status"},
       .body = [](Proof& proof) { eligible(proof, 1); }},
  };
}

}  // namespace touchstone::proofs::TOUCHSTONE_BUILD
