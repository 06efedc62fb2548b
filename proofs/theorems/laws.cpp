#include "proofs/scene.hpp"
#include "proofs/theorems/searched.hpp"

/// Laws for any number of pods or nodes, whose induction step is proved here, and invariance laws.
namespace touchstone::proofs::TOUCHSTONE_BUILD {

namespace {

constexpr std::string_view k_told_apart = "no two pods are equally important";

/// The names of victims of one node, sorted, so that the order of the list does not matter.
std::vector<std::string> names_of_victims(const Question& question, const std::vector<PodIndex>& victims) {
  std::vector<std::string> names;
  for (const PodIndex victim : victims) names.push_back(question.cluster.pods[victim].name);
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> victims_of(const Question& question) {
  const Release release = release_of(k_newest);
  Trace trace = Trace::none();
  const scheduler::Cycle cycle(question, release, trace);
  return names_of_victims(question, scheduler::select_victims(cycle, 0, {}).candidate.victims);
}

void any_order_of_pods(Proof& proof, std::size_t pods) {
  Question question = one_node(proof, pods);
  proof.assume(k_wants_something, cpu_of(question.pod) > Quantity(0));
  for (std::size_t i = 0; i < pods; ++i) {
    Pod& pod = question.cluster.pods[i];
    pod.start_time_ns = proof.number<Quantity>(pod.name + ".start");
    for (std::size_t j = 0; j < i; ++j) {
      const Pod& other = question.cluster.pods[j];
      proof.assume(k_told_apart,
                   either(pod.priority != other.priority, *pod.start_time_ns != *other.start_time_ns));
    }
  }
  const std::vector<std::string> before = victims_of(question);
  // Exchanges of neighbours generate every order.
  const std::size_t at = proof.choose<Quantity>("exchanged with the next", pods - 1);
  std::swap(question.cluster.pods[at], question.cluster.pods[at + 1]);
  const std::vector<std::string> after = victims_of(question);
  proof.observe(std::to_string(before.size()) + " victims, " + std::to_string(after.size()));
  proof.claim("the same victims", before == after);
  proof.witness("a victim", before.size() == 1);
}

/// The nodes that may be chosen, each named by the pod that runs there.
std::vector<std::string> admissible(const Question& question) {
  const Release release = release_of(k_newest);
  const Decision decision = scheduler::preempt(question, release);
  std::vector<std::string> names;
  for (const std::size_t i : decision.admissible)
    names.push_back(question.cluster.pods[decision.candidates[i].victims.front()].name);
  std::sort(names.begin(), names.end());
  return names;
}

/// The nodes are reversed and renamed, so that neither their list nor their names have the same order as
/// before.
void any_order_of_nodes(Proof& proof) {
  Question question;
  for (std::size_t n = 0; n < 2; ++n) {
    const std::string name = "n" + std::to_string(n);
    question.cluster.nodes.push_back(make_node(proof, name));
    Pod pod = make_pod(proof, "p" + std::to_string(n));
    pod.node_name = name;
    pod.start_time_ns = proof.number<Quantity>(pod.name + ".start");
    question.cluster.pods.push_back(pod);
  }
  question.pod = make_pod(proof, "preemptor");
  proof.assume(k_wants_something, cpu_of(question.pod) > Quantity(0));
  const std::vector<std::string> before = admissible(question);
  Question other = question;
  std::swap(other.cluster.nodes[0], other.cluster.nodes[1]);
  std::swap(other.cluster.nodes[0].name, other.cluster.nodes[1].name);
  for (Node& node : other.cluster.nodes) node.labels["kubernetes.io/hostname"] = node.name;
  std::swap(other.cluster.pods[0].node_name, other.cluster.pods[1].node_name);
  const std::vector<std::string> after = admissible(other);
  proof.observe(std::to_string(before.size()) + " admissible, " + std::to_string(after.size()));
  proof.claim("the same nodes may be chosen", before == after);
  proof.witness("a tie", before.size() == 2);
  proof.witness("one node is better", before.size() == 1);
}

/// The induction step of the reprieve. `rest` stands for all pods that are back by then and all that never
/// left.
void reprieve_step(Proof& proof) {
  Question question = one_node(proof, 2);
  Pod& rest = question.cluster.pods[0];
  Pod& pod = question.cluster.pods[1];
  pod.terminating = proof.choose<Quantity>("p1 terminates", 2) == 1;
  proof.assume("the rest stays", rest.priority >= question.pod.priority);
  proof.assume("the pod is a potential victim", pod.priority < question.pod.priority);
  const Searched node(proof, question, release_of(k_newest));
  const Quantity room = question.cluster.nodes[0].allocatable.at("cpu") - cpu_of(question.pod) - cpu_of(rest);
  proof.assume("the preemptor fits beside the rest", room >= Quantity(0));
  // PRE-VICTIM-8: if the pod may stay there is no victim, and the node is no candidate.
  const bool goes = !node.victims().empty();
  proof.claim("a pod is evicted if and only if it does not fit beside the rest",
              goes ? cpu_of(pod) > room : cpu_of(pod) <= room);
  const Quantity left = goes ? room : room - cpu_of(pod);
  proof.claim("the preemptor also fits after the step", left >= Quantity(0));
  const Quantity earlier = proof.number<Quantity>("cpu of a victim");
  proof.claim("a pod that could not be reprieved cannot be reprieved later",
              implies(earlier > room, earlier > left));
  proof.witness("the pod is evicted", goes);
  proof.witness("the pod stays", !goes);
}

/// The used resources of a node are a sum, so one pod can stand for all of its pods. `more`: what the broken
/// variant adds.
void parts_and_whole(Proof& proof, std::int64_t more) {
  Question question = one_node(proof, 2);
  proof.assume(k_wants_something, cpu_of(question.pod) > Quantity(0));
  const auto fits = [](const Question& asked) {
    const Release release = release_of(k_newest);
    Trace trace = Trace::none();
    const scheduler::Cycle cycle(asked, release, trace);
    return scheduler::run_filters(cycle, cycle.nodes[0]).ok();
  };
  const bool in_parts = fits(question);
  question.cluster.pods[0].containers[0].requests["cpu"] += cpu_of(question.cluster.pods[1]) + Quantity(more);
  question.cluster.pods.pop_back();
  const bool as_one = fits(question);
  proof.observe(std::string(in_parts ? "fits" : "does not fit") + (as_one ? ", fits" : ", does not fit"));
  proof.claim("two pods leave as much cpu as one pod of their total size", in_parts == as_one);
  proof.witness("the preemptor fits", as_one);
}

/// The induction step of the choice: one more node (`next`). `best` stands for all nodes that tie so far, and
/// `seen` for any earlier node.
void choice_step(Proof& proof) {
  Question question;
  std::vector<Candidate> candidates;
  for (const char* name : {"best", "next", "seen"}) {
    question.cluster.nodes.emplace_back().name = name;
    Pod& pod = question.cluster.pods.emplace_back();
    pod.name = name;
    pod.priority = proof.number<Quantity>(pod.name + ".priority");
    if (proof.choose<Quantity>(pod.name + " has started", 2) == 1)
      pod.start_time_ns = proof.number<Quantity>(pod.name + ".start");
    candidates.push_back(
        {candidates.size(), {candidates.size()}, proof.number<Quantity>(pod.name + ".violations")});
  }
  const Release release = release_of(k_newest);
  Trace trace = Trace::none();
  const scheduler::Cycle cycle(question, release, trace);
  const auto beats = [&](std::size_t a, std::size_t b) {
    return scheduler::beats(scheduler::rank_of(question.cluster, candidates[a], release),
                            scheduler::rank_of(question.cluster, candidates[b], release));
  };
  const bool was_beaten = beats(0, 2);
  proof.assume("no seen node beats the best", !beats(2, 0));
  const std::vector<std::size_t> now = scheduler::best_candidates(cycle, {candidates[0], candidates[1]});
  proof.observe("best:" + text_of(now));
  proof.claim("at least one node is best", !now.empty());
  if (now.empty()) return;
  const bool best_stays = now.front() == 0;
  proof.claim("no seen node beats the new best", !beats(2, now.front()));
  proof.claim("a node that tied with the old best ties with the new best, or loses to it",
              was_beaten || (best_stays ? !beats(0, 2) : beats(now.front(), 2)));
  proof.claim("a node that lost to the old best loses to the new best", !was_beaten || beats(now.front(), 2));
  proof.claim("the next node is among the best if and only if the old best does not beat it",
              (now.back() == 1) == !beats(0, 1));
  proof.claim("the best nodes tie", now.size() < 2 || (!beats(0, 1) && !beats(1, 0)));
  proof.witness("a tie", now.size() == 2);
  proof.witness("the next node is better", now.front() == 1);
}

/// No arithmetic overflows. Assumes only what the reader of objects ensures: numbers fit the API, and all
/// amounts of a node's pods add up within int64.
void no_overflow(Proof& proof, std::size_t pods) {
  Question question = one_node(proof, pods);
  add_pdb(proof, question, "pdb");
  constexpr std::string_view k_of_the_api = "numbers are those of the API";
  const auto has_32_bits = [&](Quantity number) {
    proof.assume(k_of_the_api, both(number >= Quantity(std::numeric_limits<std::int32_t>::min()),
                                    number <= Quantity(std::numeric_limits<std::int32_t>::max())));
  };
  const Quantity most = std::numeric_limits<Quantity>::max();
  const Quantity cpu = question.cluster.nodes[0].allocatable.at("cpu");
  proof.assume(k_of_the_api, both(cpu >= Quantity(0), cpu <= most));
  proof.assume(k_of_the_api, cpu_of(question.pod) <= most);
  has_32_bits(question.pod.priority);
  has_32_bits(question.cluster.pdbs[0].disruptions_allowed);
  Quantity left = most;
  for (const Pod& pod : question.cluster.pods) {
    has_32_bits(pod.priority);
    proof.assume("the amounts of a node add up within int64", cpu_of(pod) <= left);
    left -= cpu_of(pod);
  }
  const Release release = release_of(k_newest);
  const Decision decision = scheduler::preempt(question, release);
  proof.observe(std::to_string(decision.candidates.size()));
  proof.witness("an eviction", !decision.candidates.empty());
}

}  // namespace

Theorems theorems_of_laws() {
  return {
      {.name = "order-of-pods-does-not-matter",
       .clauses = {"PRE-VICTIM-4"},
       .statement = "If no two pods are equally important, the victims do not depend on the order of the "
                    "list: v1.37, one node, 3 pods, cpu.",
       .without = std::string(k_told_apart),
       .body = [](Proof& proof) { any_order_of_pods(proof, 3); },
       .tier = Tier::full},
      {.name = "names-and-order-of-nodes-do-not-matter",
       .clauses = {"PRE-NODE-6"},
       .statement = "The nodes that may be chosen depend neither on the order nor on the names of nodes: "
                    "v1.37, 2 nodes with a pod each, cpu.",
       .variants = {"ties-have-one-member"},
       .body = any_order_of_nodes},
      {.name = "node-account-is-a-sum",
       .clauses = {"PRE-FIT-2"},
       .statement = "A node's pods leave as much cpu as one pod that requests their sum: 2 pods, and, by "
                    "merging one pod at a time, any number.",
       .body = [](Proof& proof) { parts_and_whole(proof, 0); },
       .broken = [](Proof& proof) { parts_and_whole(proof, 1); }},
      {.name = "reprieve-by-induction",
       .clauses = {"PRE-VICTIM-6"},
       .statement =
           "Induction step of the reprieve, beside any rest: a pod is evicted if and only if it does not "
           "fit, the preemptor still fits, and a pod that could not be reprieved cannot be reprieved later. "
           "With node-account-is-a-sum: minimality and the lexicographic law for any number of pods, cpu.",
       .variants = {"exact-fit-is-too-much", "terminating-pods-are-exempt"},
       .body = reprieve_step},
      {.name = "choice-by-induction",
       .clauses = {"PRE-NODE-6"},
       .statement = "Induction step of the choice, with one more node: no seen node beats the new best, and "
                    "each node that is not best loses to the new best. So the choice is the least of any "
                    "number of nodes: v1.37, a victim each.",
       .variants = {"beaten-candidates-stay"},
       .body = choice_step},
      {.name = "no-number-leaves-int64",
       .clauses = {"PRE-FIT-2", "PRE-NODE-3", "PRE-PDB-4"},
       .statement = "No sum or difference overflows int64, from the first filter to the choice, if the "
                    "reader accepts the cluster: v1.37, one node, 2 pods, a PDB over any of them.",
       .without = "the amounts of a node add up within int64",
       .body = [](Proof& proof) { no_overflow(proof, 2); },
       .checks_overflow = true},
  };
}

}  // namespace touchstone::proofs::TOUCHSTONE_BUILD
