#include "proofs/scene.hpp"
#include "proofs/theorems/theorems.hpp"

/// Resources that are reserved for nominated pods.
namespace touchstone::proofs::TOUCHSTONE_BUILD {

namespace {

/// A node with one bound pod, and this number of pods that are nominated to it.
Question nominated_to_a_node(Proof& proof, std::size_t nominated) {
  Question question = one_node(proof, 1);
  for (std::size_t i = 0; i < nominated; ++i) {
    Pod pod = make_pod(proof, "n" + std::to_string(i));
    pod.nominated_node_name = "node";
    question.cluster.pods.push_back(pod);
  }
  proof.assume(k_wants_something, cpu_of(question.pod) > Quantity(0));
  return question;
}

/// Whether the filters accept the preemptor on the node as it is.
bool fits(const Question& question, const Release& release) {
  Trace trace = Trace::none();
  const scheduler::Cycle cycle(question, release, trace);
  return scheduler::run_filters_with_nominated_pods(cycle, cycle.nodes[0]).ok();
}

void both_passes(Proof& proof, std::size_t nominated) {
  const Question question = nominated_to_a_node(proof, nominated);
  const bool is_let_in = fits(question, release_of("v1.37"));
  proof.observe(is_let_in ? "fits" : "does not fit");
  Quantity used = cpu_of(question.pod) + cpu_of(question.cluster.pods[0]);
  const Quantity allocatable = question.cluster.nodes[0].allocatable.at("cpu");
  const Truth fits_alone = used <= allocatable;
  for (std::size_t i = 1; i < question.cluster.pods.size(); ++i) {
    const Pod& pod = question.cluster.pods[i];
    if (pod.priority >= question.pod.priority) used += cpu_of(pod);
  }
  const Truth fits_beside = used <= allocatable;
  proof.claim("the preemptor fits beside the bound and the nominated pods, and beside the bound pods alone",
              is_let_in ? both(fits_alone, fits_beside) : negation(both(fits_alone, fits_beside)));
  proof.witness("only a nominated pod keeps the preemptor from fitting", both(!is_let_in, fits_alone));
}

/// The preemptor's own entry in the list of pods, nominated to the node or already bound to it.
void own_entry(Proof& proof) {
  Question question = nominated_to_a_node(proof, 1);
  const Release release = release_of("v1.37");
  const auto asked = [&] {
    Trace trace = Trace::none();
    const scheduler::Cycle cycle(question, release, trace);
    const scheduler::DryRun found = scheduler::select_victims(cycle, 0, {});
    return found.status.ok() ? "victims:" + text_of(found.candidate.victims) : "no candidate";
  };
  question.pod.nominated_node_name = "node";
  const std::string without = asked();
  Pod entry = question.pod;
  if (proof.choose<Quantity>("preemptor is bound", 2) == 1) entry.node_name = "node";
  question.cluster.pods.push_back(entry);
  const std::string with = asked();
  proof.observe(without + " " + with);
  proof.claim("the preemptor's own entry changes nothing", with == without);
  proof.witness("a victim", with == "victims: 0");
}

/// The nomination of another pod never makes the preemptor fit.
void promises_take(Proof& proof, std::size_t nominated) {
  Question question = nominated_to_a_node(proof, nominated);
  const Release release = release_of("v1.37");
  const bool with = fits(question, release);
  question.cluster.pods.resize(1);
  const bool without = fits(question, release);
  proof.observe(std::string(with ? "fits" : "does not fit") + (without ? ", fits without" : ", nor without"));
  proof.claim("a pod that fits beside nominated pods fits without them", !with || without);
  proof.witness("the preemptor fits only without the nominated pods", !with && without);
}

}  // namespace

Theorems theorems_of_nominated_pods() {
  return {
      {.name = "both-passes",
       .clauses = {"PRE-NOMINATED-1", "PRE-NOMINATED-2"},
       .statement =
           "A node passes if and only if the preemptor fits beside the bound pods, and beside the bound pods "
           "and the nominated pods of its priority or higher: one node, a bound pod, 2 nominated pods, cpu.",
       .variants = {"equal-nominated-pods-do-not-count", "lower-nominated-pods-count",
                    "nominated-pods-are-invisible"},
       .body = [](Proof& proof) { both_passes(proof, 2); }},
      {.name = "own-entry-never-counts",
       .clauses = {"PRE-INPUT-3", "PRE-NOMINATED-1"},
       .statement = "The preemptor's own entry among the pods, nominated or bound, changes nothing: one "
                    "node, a bound and a nominated pod.",
       .variants = {"preemptor-counts-against-itself"},
       .body = own_entry},
      {.name = "promises-only-take",
       .clauses = {"PRE-NOMINATED-1"},
       .statement = "A pod that fits beside nominated pods fits without them, if no request is negative: one "
                    "node, a bound pod, 2 nominated pods, cpu.",
       .variants = {"no-pass-without-nominated-pods"},
       .without = "no request is negative",
       .body = [](Proof& proof) { promises_take(proof, 2); }},
  };
}

}  // namespace touchstone::proofs::TOUCHSTONE_BUILD
