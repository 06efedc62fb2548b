#include "proofs/scene.hpp"
#include "proofs/theorems/theorems.hpp"

/// What is promised to pods that are nominated.
namespace touchstone::proofs::TOUCHSTONE_BUILD {

namespace {

/// A node with a bound pod and some nominated ones.
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

/// Whether the filters let the preemptor in, as the node is.
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
  proof.claim("it fits beside the bound and the promised pods, and beside the bound ones alone",
              is_let_in ? both(fits_alone, fits_beside) : negation(both(fits_alone, fits_beside)));
  proof.witness("only a promise is in its way", both(!is_let_in, fits_alone));
}

/// The entry that the preemptor has among the pods, nominated to the node, or bound to it by then.
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
  proof.claim("its own entry changes nothing", with == without);
  proof.witness("a victim", with == "victims: 0");
}

/// A promise to another pod never makes room.
void promises_take(Proof& proof, std::size_t nominated) {
  Question question = nominated_to_a_node(proof, nominated);
  const Release release = release_of("v1.37");
  const bool with = fits(question, release);
  question.cluster.pods.resize(1);
  const bool without = fits(question, release);
  proof.observe(std::string(with ? "fits" : "does not fit") + (without ? ", fits without" : ", nor without"));
  proof.claim("who fits beside promises fits without them", !with || without);
  proof.witness("a promise takes the room", !with && without);
}

}  // namespace

Theorems theorems_of_nominated_pods() {
  return {
      {"both-passes",
       {"PRE-NOMINATED-1", "PRE-NOMINATED-2"},
       "The preemptor is let in exactly where it fits beside the bound pods, and beside these and the "
       "nominated ones of its "
       "priority or higher: one node, a bound pod, 2 nominated ones, cpu.",
       {"equal-nominated-pods-do-not-count", "lower-nominated-pods-count", "nominated-pods-are-invisible"},
       "",
       [](Proof& proof) { both_passes(proof, 2); }},
      {"own-entry-never-counts",
       {"PRE-INPUT-3", "PRE-NOMINATED-1"},
       "The preemptor's own entry among the pods, nominated or bound, changes nothing: one node, a bound and "
       "a nominated pod.",
       {"preemptor-counts-against-itself"},
       "",
       own_entry},
      {"promises-only-take",
       {"PRE-NOMINATED-1"},
       "Who fits beside nominated pods fits without them, be requests negative or not: one node, a bound "
       "pod, 2 nominated "
       "ones, cpu.",
       {"no-pass-without-nominated-pods"},
       "no request is negative",
       [](Proof& proof) { promises_take(proof, 2); }},
  };
}

}  // namespace touchstone::proofs::TOUCHSTONE_BUILD
