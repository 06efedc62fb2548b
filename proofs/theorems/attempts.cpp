#include <array>
#include <set>

#include "proofs/theorems/said.hpp"

/// What is decided before a node is dry-run: which nodes the preemptor names, which nodes are filtered, and
/// what ends the attempt.
namespace touchstone::proofs::TOUCHSTONE_BUILD {

namespace {

constexpr std::array<std::string_view, 3> k_pinned_names = {"n1", "n2", "n9"};

/// Adds a term with up to two requirements on the name of a node. Returns the names that it leaves; empty if
/// it pins no name.
std::optional<std::set<std::string>> add_pins(Proof& proof, const std::string& name, Pod& pod) {
  NodeSelectorTerm& term = pod.node_affinity->emplace_back();
  std::optional<std::set<std::string>> left;
  for (std::size_t i = 0; i < 2; ++i) {
    const std::size_t which = proof.choose<Quantity>(name + " pin " + std::to_string(i), 5);
    if (which == 0) continue;
    const std::string pinned(k_pinned_names[which == 4 ? 0 : which - 1]);
    term.match_fields.push_back({"metadata.name", which == 4 ? "NotIn" : "In", {pinned}});
    if (which == 4) continue;
    if (!left) {
      left = {pinned};
    } else if (!left->contains(pinned)) {
      left->clear();
    }
  }
  return left;
}

void pins(Proof& proof) {
  const std::size_t which = proof.choose<Quantity>("release", 3);
  const std::size_t terms = proof.choose<Quantity>("terms", 3);
  Question question;
  add_node(question, "n1");
  add_node(question, "n2");
  if (terms > 0) question.pod.node_affinity.emplace();
  bool all_pin = terms > 0;
  bool contradicts = false;  // some term contradicts itself, and each term before it pins a name
  std::set<std::string> united;
  for (std::size_t i = 0; i < terms; ++i) {
    const auto left = add_pins(proof, "term " + std::to_string(i), question.pod);
    contradicts = contradicts || (all_pin && left && left->empty());
    all_pin = all_pin && left;
    if (left) united.insert(left->begin(), left->end());
  }
  if (which == 1 && contradicts) {
    united.clear();
    all_pin = true;
  }
  const Release release = release_of(std::array{"v1.23", "v1.26", "v1.27"}[which]);
  Trace trace = Trace::none();
  const scheduler::Cycle cycle(question, release, trace);
  const scheduler::NodeNames found = scheduler::pinned_nodes(cycle);
  const bool has_set = which > 0 && all_pin;
  proof.claim("a set of names exists if and only if every term pins a name",
              Truth(found.all_nodes == !has_set));
  if (has_set)
    proof.claim("the set has the names that at least one term allows", Truth(found.names == united));
  proof.witness("pins that contradict each other", Truth(has_set && found.names.empty()));
}

/// Two nodes that allow no pod, and a preemptor that names one by spec.nodeName, by node affinity, or by
/// both.
void name_and_pins(Proof& proof) {
  constexpr std::array<std::string_view, 4> k_names = {"", "n1", "n2", "n9"};
  const bool pins = proof.choose<Quantity>("release", 2) == 1;
  const std::string name(k_names[proof.choose<Quantity>("nodeName", k_names.size())]);
  const std::string pin(k_names[proof.choose<Quantity>("node affinity", k_names.size())]);
  const bool is_nominated = chosen(proof, "is nominated to n1");
  Question question = one_node(proof, 0);
  question.cluster.nodes[0].name = "n1";
  question.cluster.nodes.push_back(question.cluster.nodes[0]);
  question.cluster.nodes[1].name = "n2";
  question.pod.node_name = name;
  if (!pin.empty()) question.pod.node_affinity = {{{{}, {{"metadata.name", "In", {pin}}}}}};
  if (is_nominated) question.pod.nominated_node_name = "n1";
  for (Node& node : question.cluster.nodes) node.allocatable["pods"] = Quantity(0);
  proof.assume("there is cpu", cpu_of(question.pod) <= question.cluster.nodes[0].allocatable.at("cpu"));

  const Release release = release_of(pins ? "v1.37" : "v1.36");
  Trace trace = Trace::none();
  const scheduler::Cycle cycle(question, release, trace);
  const scheduler::FirstPass found = scheduler::filter_nodes(cycle);
  const bool contradict = pins && !name.empty() && !pin.empty() && name != pin;
  proof.claim("the pod is rejected if and only if its nodeName is not a pinned name",
              Truth(found.rejection.empty() == !contradict));
  for (const NodeIndex node : {NodeIndex{0}, NodeIndex{1}}) {
    const std::string& own = question.cluster.nodes[node].name;
    const bool left_out = (pins && !name.empty() && name != own) || (!pin.empty() && pin != own);
    const bool asked_all_the_same = is_nominated && node == 0;
    proof.claim("a node that the pod does not name is excluded, unless the pod is nominated to it",
                Truth(found.excluded.contains(node) == (!contradict && left_out && !asked_all_the_same)));
    const Status& status = found.status.at(node);
    const bool helps = (name.empty() || name == own) && (pin.empty() || pin == own);
    proof.claim("no eviction helps on a node that the pod does not name",
                Truth((status.code == Code::unschedulable) == (helps && !contradict)));
  }
  proof.witness("the name and the pins contradict each other", Truth(contradict));
  proof.witness("a name that no node has", Truth(name == "n9"));
}

/// Two nodes, on which the preemptor may fit. It names some nodes.
void excluded(Proof& proof) {
  constexpr std::array<std::string_view, 5> k_excluding = {"v1.24", "v1.29.4", "v1.29.5", "v1.30.2", "v1.34"};
  const std::size_t which = proof.choose<Quantity>("release", k_excluding.size());
  const bool has_status = which >= 2;
  Question question = one_node(proof, 0);
  question.cluster.nodes[0].name = "n1";
  question.cluster.nodes.push_back(question.cluster.nodes[0]);
  question.cluster.nodes[1].name = "n2";
  Requirement pin{"metadata.name", "In", {}};
  const bool names_first = chosen(proof, "names n1");
  const bool names_unknown = chosen(proof, "names n9");
  if (names_first) pin.values.emplace_back("n1");
  if (names_unknown) {
    question.pod.node_affinity = {{{{}, {pin}}, {{}, {{"metadata.name", "In", {"n9"}}}}}};
  } else {
    question.pod.node_affinity = {{{{}, {pin}}}};
  }
  if (!names_first && !names_unknown) return;  // an empty list is invalid
  if (!names_first) question.pod.node_affinity->erase(question.pod.node_affinity->begin());
  const bool is_nominated = chosen(proof, "is nominated to n1");
  if (is_nominated) question.pod.nominated_node_name = "n1";
  const Release release = release_of(k_excluding[which]);
  Trace trace = Trace::none();
  const scheduler::Cycle cycle(question, release, trace);
  const scheduler::FirstPass found = scheduler::filter_nodes(cycle);
  proof.observe(found.error.empty() ? "no error" : "error");

  const Truth has_room = both(cpu_of(question.pod) > Quantity(0),
                              cpu_of(question.pod) <= question.cluster.nodes[0].allocatable.at("cpu"));
  proof.assume(k_wants_something, cpu_of(question.pod) > Quantity(0));
  const bool errs = names_unknown && (which < 2 || (which == 2 && !names_first));
  const Truth is_let_in = both(Truth(is_nominated && names_first), has_room);
  const Truth fails = both(Truth(errs), negation(is_let_in));
  proof.claim("a name that no node has is an error, unless the pod fits on the nominated node",
              exactly(!found.error.empty(), fails));
  proof.witness("the nominated node is filtered first", both(Truth(errs), is_let_in));
  if (!found.error.empty()) return;
  const bool excludes_first = !names_first;
  const auto status = [&found](NodeIndex node) -> const Status* {
    const auto known = found.status.find(node);
    return known == found.status.end() ? nullptr : &known->second;
  };
  if (!excludes_first)
    proof.claim("the scheduler filters a named node", exactly(status(0) == nullptr, has_room));
  if (excludes_first && !is_nominated)
    proof.claim("an excluded first node has a status or none, by release",
                Truth((status(0) != nullptr) == has_status));
  proof.claim("an excluded second node has a status or none, by release",
              Truth((status(1) != nullptr) == has_status));
  if (status(1) != nullptr)
    proof.claim("no eviction helps on an excluded node",
                Truth(status(1)->code == Code::unschedulable_and_unresolvable));
  proof.witness("a node has no status", Truth(status(1) == nullptr));
}

Decision decision_on(const Question& question, const Release& release) {
  return scheduler::preempt(question, release);
}

void no_node(Proof& proof) {
  const std::size_t which = proof.choose<Quantity>("release", 3);
  Question question;
  question.pod = make_pod(proof, "preemptor");
  const bool is_nominated = chosen(proof, "is nominated");
  if (is_nominated) question.pod.nominated_node_name = "n1";
  const Decision decision =
      decision_on(question, release_of(std::array{"v1.23.1", "v1.23.2", "v1.37"}[which]));
  proof.claim("the attempt is an error", Truth(decision.outcome == Outcome::error));
  proof.claim("the error keeps the nomination up to v1.23.1, and clears it from v1.23.2 on",
              Truth(decision.nomination == (which == 0 ? Nomination::kept : Nomination::cleared)));
  proof.witness("a nomination", Truth(is_nominated));
}

/// Pinned names that contradict each other, with one node and one pod.
void contradiction(Proof& proof) {
  constexpr std::array<std::string_view, 6> k_rejecting = {"v1.26.8", "v1.26.9", "v1.28.1",
                                                           "v1.28.2", "v1.33",   "v1.34"};
  const std::size_t which = proof.choose<Quantity>("release", k_rejecting.size());
  Question question = one_node(proof, 1);
  const auto in = [](const std::string& name) { return Requirement{"metadata.name", "In", {name}}; };
  question.pod.node_affinity = {{{{}, {in("node"), in("n9")}}}};
  question.pod.nominated_node_name = "node";
  const Decision decision = decision_on(question, release_of(k_rejecting[which]));
  const bool is_lost = which == 0 || which == 2;
  const Truth has_victim = question.cluster.pods[0].priority < question.pod.priority;
  const bool errs = decision.outcome == Outcome::error;
  proof.observe(errs ? "error" : "none");
  proof.claim("if the release loses the rejection, a potential victim causes an error",
              exactly(errs, both(Truth(is_lost), has_victim)));
  proof.claim("without an error no pod is evicted", Truth(errs || decision.outcome == Outcome::none));
  const bool is_kept = errs || which == 5;
  proof.claim("an error keeps the nomination, and from v1.34 on the rejection also keeps it",
              Truth(decision.nomination == (is_kept ? Nomination::kept : Nomination::cleared)));
  proof.claim("if the release keeps the rejection, no node is dry-run",
              Truth(is_lost || decision.dry_run.empty()));
  proof.witness("an error", Truth(errs));
}

/// A node on which no eviction helps, and perhaps a second node.
void potential(Proof& proof) {
  Question question = one_node(proof, 1);
  question.cluster.nodes[0].unschedulable = true;
  proof.assume(k_wants_something, cpu_of(question.pod) > Quantity(0));
  const bool has_second = chosen(proof, "there is another node");
  if (has_second) {
    question.cluster.nodes.push_back(make_node(proof, "n2"));
    Pod other = make_pod(proof, "other");
    other.node_name = "n2";
    question.cluster.pods.push_back(other);
  }
  const Decision decision = decision_on(question, release_of(k_newest));
  proof.observe(std::to_string(decision.candidates.size()) + " " + std::to_string(decision.dry_run.size()));
  const auto is_first = [](const Candidate& candidate) { return candidate.node == 0; };
  proof.claim("no pod is evicted from the unschedulable node",
              Truth(std::none_of(decision.candidates.begin(), decision.candidates.end(), is_first)));
  proof.claim("the unschedulable node is not dry-run", Truth(!decision.dry_run.contains(0)));
  if (!has_second)
    proof.claim("without another node, no pod is evicted", Truth(decision.outcome == Outcome::none));
  proof.witness("an eviction from the other node", Truth(!decision.candidates.empty()));
}

/// An unbound pod that is nominated to the node, to an unknown node, or to none.
void promised(Proof& proof) {
  Question question = one_node(proof, 0);
  proof.assume(k_wants_something, cpu_of(question.pod) > Quantity(0));
  Pod other = make_pod(proof, "other");
  const std::size_t where = proof.choose<Quantity>("nominated to", 3);
  other.nominated_node_name = std::array{"", "node", "gone"}[where];
  question.cluster.pods.push_back(other);
  const Decision decision = decision_on(question, release_of(k_newest));
  const Truth counts = both(Truth(where == 1), other.priority >= question.pod.priority);
  const Quantity cpu = question.cluster.nodes[0].allocatable.at("cpu");
  const Truth fits_alone = cpu_of(question.pod) <= cpu;
  const Truth fits_beside = cpu_of(question.pod) + cpu_of(other) <= cpu;
  const bool fits = decision.outcome == Outcome::fits;
  proof.observe(fits ? "fits" : "does not");
  proof.claim("a nomination uses resources only if it is to this node",
              exactly(fits, both(fits_alone, implies(counts, fits_beside))));
  proof.witness("only the nominated pod keeps the preemptor from fitting", both(Truth(!fits), fits_alone));
}

}  // namespace

Theorems theorems_of_attempts() {
  return {
      {.name = "unbound-pods-count-where-they-are-nominated",
       .clauses = {"PRE-INPUT-2"},
       .statement = "An unbound pod uses resources on its nominated node, if that node exists: v1.37, one "
                    "node, a pod.",
       .variants = {"nominations-are-not-read"},
       .body = promised},
      {.name = "a-cluster-without-nodes-is-an-error",
       .clauses = {"PRE-CYCLE-2", "PRE-OUTCOME-4"},
       .statement = "Without nodes the attempt is an error. From v1.23.2 on the error clears a nomination: "
                    "v1.23.1, v1.23.2 and v1.37.",
       .variants = {"no-node-is-no-error", "error-keeps-the-nomination"},
       .body = no_node},
      {.name = "names-are-united-over-terms",
       .clauses = {"PRE-PREFILTER-1", "PRE-PREFILTER-2"},
       .statement = "If every term pins node names, the pinned set has the names that at least one term "
                    "allows. Up to v1.26 one contradictory term empties the set: up to 2 terms of 2 "
                    "requirements, v1.23, v1.26 and v1.27.",
       .variants = {"every-metadata-name-pins", "one-contradiction-rejects-all"},
       .body = pins,
       .tier = Tier::full},
      {.name = "node-names-exclude-other-nodes",
       .clauses = {"PRE-NODENAME-2", "PRE-PREFILTER-3"},
       .statement =
           "From v1.37 on nodeName excludes all other nodes before the filters run. A nodeName that node "
           "affinity does not allow rejects the pod: 2 nodes that allow no pod, v1.36 and v1.37.",
       .variants = {"node-name-excludes-nothing"},
       .body = name_and_pins},
      {.name = "excluded-nodes-and-unknown-names",
       .clauses = {"PRE-PREFILTER-3", "PRE-PREFILTER-5", "PRE-CYCLE-3"},
       .statement =
           "An excluded node has no status up to v1.29.4, and an unresolvable one later. A name that no node "
           "has is an error up to v1.29.4, and in v1.29.5 if it is the only name, unless the pod fits on the "
           "nominated node, which is filtered first: 2 nodes, both sides of every change, v1.24 to v1.34.",
       .variants = {"excluded-nodes-are-dry-run", "unknown-pinned-node-crashes",
                    "nominated-node-waits-its-turn"},
       .body = excluded},
      {.name = "contradictions-reject-every-node",
       .clauses = {"PRE-PREFILTER-4", "PRE-PREFILTER-6", "PRE-OUTCOME-5"},
       .statement = "With contradictory pinned names no node is dry-run. From v1.34 on the nomination is "
                    "kept. If the release loses this rejection, a potential victim causes an error: one node "
                    "with a pod, both sides of every change, v1.26.8 to v1.34.",
       .variants = {"lost-rejection-is-copied", "rejected-preemptor-loses-its-nomination",
                    "errors-of-nodes-are-passed-over"},
       .body = contradiction},
      {.name = "hopeless-nodes-are-not-dry-run",
       .clauses = {"PRE-POTENTIAL-1", "PRE-POTENTIAL-2"},
       .statement = "A node where no eviction can help is not dry-run. Without another node no pod is "
                    "evicted: v1.37, 2 nodes with a pod each.",
       .variants = {"unresolvable-nodes-are-potential", "nowhere-means-everywhere"},
       .body = potential},
  };
}

}  // namespace touchstone::proofs::TOUCHSTONE_BUILD
