#include "proofs/theorems/affinity_said.hpp"
#include "proofs/theorems/searched.hpp"

/// Theorems about affinity between pods.
namespace touchstone::proofs::TOUCHSTONE_BUILD {

namespace {

PodAffinityTerm term_over(const std::string& name, const std::string& value, const std::string& key) {
  PodAffinityTerm term;
  term.label_selector = LabelSelector{{{name, value}}, {}};
  term.topology_key = key;
  return term;
}

/// Claims that the filter answers as the clauses say. Returns what they say.
AffinityAsSaid::Answer holds_of_affinity(Proof& proof, const Question& question, const Release& release,
                                         const std::vector<Stay>& stays) {
  Trace trace = Trace::none();
  const scheduler::Cycle cycle(question, release, trace);
  const Status status = scheduler::inter_pod_affinity(cycle, first_node(cycle, stays));
  proof.observe(told(status));
  const AffinityAsSaid said(question, release, stays);
  proof.claim("the filter rejects a node if the clauses say so, with their status code",
              status.code == said.code());
  proof.claim("the reason is the first failed check, as the release words it",
              status.reasons == said.reasons());
  return said.answer();
}

/// One term, of the preemptor or of a pod on the node, which may select the other of the two.
void affinity_means(Proof& proof) {
  const Release release = choose_release(proof, {"v1.21", "v1.22", "v1.33", "v1.34", "v1.36", k_newest});
  Question question;
  add_node(question, "n0", {{k_host, "n0"}});
  Pod& pod = add_pod(question, "p0", "n0");
  question.pod.ns = "default";
  const bool is_own = chosen(proof, "the term is the preemptor's");
  Pod& owner = is_own ? question.pod : pod;
  Pod& other = is_own ? pod : question.pod;
  PodAffinityTerm term = term_over("app", "x", k_host);
  const std::size_t selector = proof.choose<Quantity>("labelSelector", 4);
  if (selector == 0) term.label_selector.reset();
  if (selector == 1) term.label_selector = LabelSelector{};
  if (selector == 2) other.labels["app"] = "x";
  const std::size_t named = proof.choose<Quantity>("namespaces", 3);
  if (named > 0) term.namespaces = {named == 1 ? "default" : "other"};
  const std::size_t by_labels = proof.choose<Quantity>("namespaceSelector", 4);
  if (by_labels > 0) term.namespace_selector.emplace();
  if (by_labels == 2) term.namespace_selector->match_labels = {{"team", "t"}};
  if (by_labels == 3) term.namespace_selector->match_expressions = {{"team", "DoesNotExist", {}}};
  if (chosen(proof, "the other pod is of another namespace")) other.ns = "other";
  const std::size_t known = proof.choose<Quantity>("its namespace is known", 3);
  if (known > 0) question.cluster.namespaces[other.ns] = known == 1 ? Labels{} : Labels{{"team", "t"}};
  owner.pod_anti_affinity = {term};
  const AffinityAsSaid::Answer answer = holds_of_affinity(proof, question, release, {Stay::bound});
  proof.witness("the preemptor's term matches the pod", answer == AffinityAsSaid::Answer::anti_affinity);
  proof.witness("the pod's term matches the preemptor", answer == AffinityAsSaid::Answer::of_others);
  proof.witness("no term matches", answer == AffinityAsSaid::Answer::fits);
}

Labels any_labels(Proof& proof, const std::string& name) {
  Labels labels;
  const std::size_t has = proof.choose<Quantity>(name + " has labels", 4);
  if ((has & 1) != 0) labels["app"] = "x";
  if ((has & 2) != 0) labels["tier"] = "y";
  return labels;
}

/// Affinity terms over two topology keys, a pod on the node, which may be removed, and a pod on another node.
void affinity_is_met(Proof& proof) {
  const Release release =
      choose_release(proof, {"v1.9", "v1.10", "v1.11", "v1.12", "v1.18", "v1.19", k_newest});
  Question question;
  Node& asked = add_node(question, "n0", {{k_host, "n0"}});
  if (chosen(proof, "n0 is in a zone")) asked.labels["zone"] = "a";
  Node& other = add_node(question, "n1", {{k_host, "n1"}});
  const std::size_t zone = proof.choose<Quantity>("zone of n1", 3);
  if (zone < 2) other.labels["zone"] = zone == 0 ? "a" : "b";
  question.pod.ns = "default";
  question.pod.labels = any_labels(proof, "preemptor");
  question.pod.pod_affinity = {term_over("app", "x", "zone")};
  if (chosen(proof, "a term more")) question.pod.pod_affinity.push_back(term_over("tier", "y", k_host));
  add_pod(question, "p0", "n0").labels = any_labels(proof, "p0");
  const Stay stay = chosen(proof, "p0 is taken away") ? Stay::taken_away : Stay::bound;
  add_pod(question, "p1", "n1").labels = any_labels(proof, "p1");
  const AffinityAsSaid::Answer answer = holds_of_affinity(proof, question, release, {stay});
  proof.witness("the affinity is satisfied", answer == AffinityAsSaid::Answer::fits);
  proof.witness("the affinity is not satisfied", answer == AffinityAsSaid::Answer::affinity);
}

/// Anti-affinity of the preemptor, with a pod on the node and a pod on another node.
void affinity_of_preemptor(Proof& proof) {
  const Release release =
      choose_release(proof, {"v1.9", "v1.11", "v1.12", "v1.17", "v1.18", "v1.19", k_newest});
  Question question;
  Node& asked = add_node(question, "n0", {{"zone", "a"}});
  if (chosen(proof, "n0 is in a rack")) asked.labels["rack"] = "r";
  Node& other = add_node(question, "n1", {{"rack", "r"}});
  if (chosen(proof, "n1 is in the zone, too")) other.labels["zone"] = "a";
  question.pod.ns = "default";
  question.pod.pod_anti_affinity = {term_over("app", "x", "rack")};
  if (chosen(proof, "a term more")) question.pod.pod_anti_affinity.push_back(term_over("tier", "y", "zone"));
  std::vector<Stay> stays;
  Pod& pod = add_any_stay(proof, question, "p0", stays);
  pod.labels = any_labels(proof, "p0");
  add_pod(question, "p1", "n1").labels = any_labels(proof, "p1");
  const AffinityAsSaid::Answer answer = holds_of_affinity(proof, question, release, stays);
  proof.witness("the filter accepts the node", answer == AffinityAsSaid::Answer::fits);
  proof.witness("a pod violates the anti-affinity", answer == AffinityAsSaid::Answer::anti_affinity);
}

/// Anti-affinity of pods on two nodes, and terms of the preemptor.
void affinity_of_others(Proof& proof) {
  const Release release = choose_release(proof, {"v1.8", "v1.9", "v1.11", "v1.12", "v1.17", "v1.18", "v1.20",
                                                 "v1.21", "v1.26", "v1.27", k_newest});
  Question question;
  add_node(question, "n0", {{"zone", "a"}});
  add_node(question, "n1", {{"zone", chosen(proof, "n1 is in the zone, too") ? "a" : "b"}, {"rack", "r"}});
  question.pod.ns = "default";
  question.pod.labels = {{"app", "p"}};
  const std::size_t own = proof.choose<Quantity>("terms of the preemptor", 3);
  if (own == 1) question.pod.pod_affinity = {term_over("app", "nobody", "zone")};
  if (own == 2) question.pod.pod_anti_affinity = {term_over("app", "x", "zone")};
  std::vector<Stay> stays;
  Pod& pod = add_any_stay(proof, question, "p0", stays);
  pod.labels = {{"app", "x"}};
  const std::size_t terms = proof.choose<Quantity>("terms of p0", 3);
  if (terms > 0) pod.pod_anti_affinity = {term_over("app", "p", "zone")};
  if (terms > 1) pod.pod_anti_affinity.push_back(term_over("app", "q", "rack"));
  const std::size_t ns = proof.choose<Quantity>("namespace of p0", 3);
  if (ns > 0) pod.ns = "other";
  if (ns == 2 && terms > 0) pod.pod_anti_affinity[0].namespaces = {"default"};
  Pod& elsewhere = add_pod(question, "p1", "n1");
  if (chosen(proof, "p1 has a term")) elsewhere.pod_anti_affinity = {term_over("app", "p", "zone")};
  const AffinityAsSaid::Answer answer = holds_of_affinity(proof, question, release, stays);
  for (const auto& [name, wanted] :
       {std::pair{"the filter accepts the node", AffinityAsSaid::Answer::fits},
        {"the preemptor's affinity fails first", AffinityAsSaid::Answer::affinity},
        {"the preemptor's anti-affinity fails first", AffinityAsSaid::Answer::anti_affinity},
        {"another pod's anti-affinity fails first", AffinityAsSaid::Answer::of_others}})
    proof.witness(name, answer == wanted);
}

/// By the release's own bookkeeping, no victim could have stayed beside the pods that stay.
void affinity_is_minimal(Proof& proof, std::size_t pods) {
  Question question = one_node(proof, pods);
  question.pod.labels["app"] = "p";
  question.pod.pod_anti_affinity = {term_over("app", "x", k_host)};
  if (chosen(proof, "the preemptor wants to be beside an app")) {
    question.pod.pod_affinity = {term_over("tier", "y", k_host)};
    if (chosen(proof, "the preemptor is of it")) question.pod.labels["tier"] = "y";
  }
  for (Pod& pod : question.cluster.pods) {
    pod.labels = any_labels(proof, pod.name);
    if (chosen(proof, pod.name + " wants to be away from the preemptor"))
      pod.pod_anti_affinity = {term_over("app", "p", k_host)};
  }
  const Searched node(proof, std::move(question), release_of(k_newest));
  const auto fits = [&node](const std::vector<bool>& stay) {
    std::vector<Stay> stays;
    for (const bool stays_here : stay) stays.push_back(stays_here ? Stay::bound : Stay::taken_away);
    return AffinityAsSaid(node.question, node.release, stays).answer() == AffinityAsSaid::Answer::fits;
  };
  for (const PodIndex back : node.victims()) {
    std::vector<bool> stays = node.stays;
    stays[back] = true;
    proof.claim("no victim could have stayed", negation(both(finds_room(node.question, stays), fits(stays))));
  }
  proof.witness("two victims", node.victims().size() == 2);
  proof.witness("a victim, although all pods fit by resources",
                both(node.victims().size() == 1, finds_room(node.question, std::vector<bool>(pods, true))));
}

}  // namespace

Theorems theorems_of_affinity() {
  return {
      {.name = "affinity-terms-mean-pods",
       .clauses = {"PRE-AFFINITY-1"},
       .statement = "A term of the preemptor matches a pod, or the reverse, if the term's selectors match: "
                    "any selector of labels and of namespaces, a known or unknown namespace, both sides of "
                    "every change, v1.21 to v1.37.",
       .variants = {"term-looks-at-the-other-namespace"},
       .body = affinity_means,
       .tier = Tier::full},
      {.name = "affinity-is-met",
       .clauses = {"PRE-AFFINITY-2", "PRE-AFFINITY-3"},
       .statement = "Required affinity is satisfied by pods that the terms match, or by the first pod of its "
                    "kind: up to 2 terms, a pod on the node, removed or not, and one on another node, with "
                    "and without topology keys, both sides of every change, v1.9 to v1.36.",
       .variants = {"unmet-affinity-is-curable", "no-pod-is-the-first-of-its-kind"},
       .body = affinity_is_met,
       .tier = Tier::full},
      {.name = "anti-affinity-of-the-preemptor",
       .clauses = {"PRE-AFFINITY-4", "PRE-AFFINITY-5", "PRE-AFFINITY-6"},
       .statement = "The preemptor's anti-affinity rejects a node as the release counts pods that stay, are "
                    "removed, are reprieved or are nominated: up to 2 terms, such a pod and one of another "
                    "node, both sides of every change, v1.9 to v1.36.",
       .variants = {"evicted-pods-stay-in-the-index", "affinity-does-not-see-nominated-pods",
                    "pods-put-back-are-counted-right"},
       .body = affinity_of_preemptor,
       .tier = Tier::full},
      {.name = "anti-affinity-of-others",
       .clauses = {"PRE-AFFINITY-7", "PRE-AFFINITY-8", "PRE-AFFINITY-6", "PRE-AFFINITY-9"},
       .statement = "The anti-affinity of other pods rejects a node unless the release skips the filter. The "
                    "reason is the first failed check, as the release words it: a pod that stays, is "
                    "removed, is reprieved or is nominated, one of another node, terms of the preemptor, "
                    "both sides of every change, v1.8 to v1.36.",
       .variants = {"anti-affinity-is-not-symmetric", "affinity-is-always-asked",
                    "others-anti-affinity-is-told-first"},
       .body = affinity_of_others,
       .tier = Tier::full},
      {.name = "affinity-victims-are-minimal",
       .clauses = {"PRE-VICTIM-6", "PRE-AFFINITY-2", "PRE-AFFINITY-4", "PRE-AFFINITY-7"},
       .statement = "By the release's own bookkeeping, no victim could have stayed beside the pods that "
                    "stay: v1.37, one node with 2 pods that affinity and anti-affinity match or not, or "
                    "whose anti-affinity rejects the preemptor, cpu.",
       .variants = {"reprieve-ends-at-the-first-victim"},
       .body = [](Proof& proof) { affinity_is_minimal(proof, 2); },
       .tier = Tier::full},
  };
}

}  // namespace touchstone::proofs::TOUCHSTONE_BUILD
