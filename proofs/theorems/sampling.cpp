#include "proofs/scene.hpp"
#include "proofs/theorems/theorems.hpp"

/// When the search visits only a part of the potential nodes.
namespace touchstone::proofs::TOUCHSTONE_BUILD {

namespace {

constexpr std::string_view k_a_count = "a count of nodes is not negative";

void quota(Proof& proof) {
  const Quantity nodes = proof.number<Quantity>("potential nodes");
  proof.assume(k_a_count, nodes >= Quantity(0));
  const Quantity quota = scheduler::candidate_quota(nodes);
  proof.claim("up to 100 nodes, the quota is all of them", implies(nodes <= Quantity(100), quota == nodes));
  proof.claim("up to 1009 nodes, the quota is 100",
              implies(both(nodes > Quantity(100), nodes < Quantity(1010)), quota == Quantity(100)));
  proof.claim("from 1010 nodes on, the quota is a tenth, rounded down",
              implies(nodes >= Quantity(1010),
                      both(quota * Quantity(10) <= nodes, nodes < (quota + Quantity(1)) * Quantity(10))));
  proof.witness("a quota of 100 for 101 nodes", both(nodes == Quantity(101), quota == Quantity(100)));
}

/// Upstream computes nodes * 10 / 100 in 32 bits.
void quota_in_32_bits(Proof& proof, std::int64_t most) {
  const Quantity nodes = proof.number<Quantity>("potential nodes");
  proof.assume(k_a_count, nodes >= Quantity(0));
  proof.assume("no more nodes than the limit", nodes <= Quantity(most));
  proof.claim("ten times the number of nodes fits 32 bits",
              nodes * Quantity(10) <= Quantity(std::numeric_limits<std::int32_t>::max()));
  proof.witness("as many nodes as the limit", nodes == Quantity(most));
}

/// Nodes with one pod on each.
Question some_nodes(Proof& proof, std::size_t nodes) {
  Question question;
  for (std::size_t i = 0; i < nodes; ++i) {
    const std::string name = "n" + std::to_string(i);
    question.cluster.nodes.push_back(make_node(proof, name));
    Pod pod = make_pod(proof, "p" + std::to_string(i));
    pod.node_name = name;
    pod.start_time_ns = Quantity(1);
    question.cluster.pods.push_back(pod);
  }
  question.pod = make_pod(proof, "preemptor");
  return question;
}

/// The candidates in the order of the release's list.
std::vector<Candidate> candidates_of(const Question& question) {
  const Release release = release_of(k_newest);
  Trace trace = Trace::none();
  std::vector<NodeIndex> potential;
  for (NodeIndex node = 0; node < question.cluster.nodes.size(); ++node) potential.push_back(node);
  const scheduler::Cycle cycle(question, release, trace);
  std::map<NodeIndex, Status> statuses;
  return scheduler::find_candidates(cycle, question, potential, {}, statuses);
}

std::vector<NodeIndex> nodes_of(const std::vector<Candidate>& candidates) {
  std::vector<NodeIndex> nodes;
  for (const Candidate& candidate : candidates) nodes.push_back(candidate.node);
  return nodes;
}

/// A few nodes, searched from any offset.
void few_nodes(Proof& proof, std::size_t nodes) {
  Question question = some_nodes(proof, nodes);
  std::vector<NodeIndex> all = nodes_of(candidates_of(question));
  question.offset = Quantity(proof.choose<Quantity>("offset", nodes + 1));
  std::vector<NodeIndex> sampled = nodes_of(candidates_of(question));
  for (std::vector<NodeIndex>* list : {&all, &sampled}) std::sort(list->begin(), list->end());
  proof.observe("candidates:" + text_of(all) + ", sampled:" + text_of(sampled));
  proof.claim("the same candidates", all == sampled);
  proof.witness("two candidates", all.size() == 2);
}

/// One candidate is enough if it violates no PDB. States PRE-SEARCH-3 to PRE-SEARCH-5 for all nodes at once.
void one_is_enough(Proof& proof, std::size_t nodes) {
  Question question = some_nodes(proof, nodes);
  add_pdb(proof, question, "pdb");
  const std::vector<Candidate> all = candidates_of(question);
  const std::size_t offset = proof.choose<Quantity>("offset", nodes + 2);
  question.offset = Quantity(offset);
  question.quota = Quantity(1);
  const std::vector<NodeIndex> sampled = nodes_of(candidates_of(question));
  const auto first = [&](bool violating) {
    std::vector<NodeIndex> found;
    for (std::size_t i = 0; i < nodes && found.empty(); ++i) {
      for (const Candidate& candidate : all) {
        const bool violates = candidate.pdb_violations > Quantity(0);
        if (candidate.node == (offset + i) % nodes && violates == violating) found = {candidate.node};
      }
    }
    return found;
  };
  const std::vector<NodeIndex> expected = first(false);
  const std::vector<NodeIndex> with_violations = first(true);
  proof.observe("candidates:" + text_of(nodes_of(all)) + ", sampled:" + text_of(sampled));
  const bool begins_right = expected.empty() || (!sampled.empty() && sampled.front() == expected.front());
  proof.claim("the first candidate from the offset on that violates no PDB is found", begins_right);
  for (std::size_t i = expected.size(); i < sampled.size(); ++i)
    proof.claim("at most the first violating candidate is kept beside it",
                !with_violations.empty() && sampled[i] == with_violations.front());
  proof.claim("at most one candidate with and one without violations",
              sampled.size() <= expected.size() + with_violations.size());
  proof.witness("one candidate with and one without violations", sampled.size() == 2);
}

}  // namespace

Theorems theorems_of_sampling() {
  return {
      {.name = "quota-of-candidates",
       .clauses = {"PRE-SEARCH-2"},
       .statement = "The quota is all potential nodes up to 100, then 100 up to 1009 nodes, then a tenth, "
                    "rounded down: any number of nodes.",
       .variants = {"quota-without-a-least", "quota-rounds-up"},
       .body = quota},
      {.name = "quota-fits-32-bits",
       .clauses = {"PRE-SEARCH-2"},
       .statement = "Upstream's 32-bit product is right up to 214748364 nodes.",
       .without = "no more nodes than the limit",
       .body = [](Proof& proof) { quota_in_32_bits(proof, 214748364); }},
      {.name = "quota-overflows-32-bits",
       .clauses = {"PRE-SEARCH-2"},
       .statement = "Upstream's 32-bit product overflows with 214748365 potential nodes.",
       .body = [](Proof& proof) { quota_in_32_bits(proof, 214748365); },
       .kind = Kind::exhibit},
      {.name = "few-nodes-are-all-searched",
       .clauses = {"PRE-SEARCH-1", "PRE-SEARCH-3", "PRE-SEARCH-4", "PRE-SEARCH-5"},
       .statement = "If the quota is all nodes, the sampling search finds the same candidates as the full "
                    "search, from any offset: v1.37, 3 nodes with a pod each. With quota-of-candidates: "
                    "below 101 potential nodes sampling never matters.",
       .variants = {"quota-without-a-least"},
       .body = [](Proof& proof) { few_nodes(proof, 3); }},
      {.name = "search-ends-with-the-first",
       .clauses = {"PRE-SEARCH-3", "PRE-SEARCH-4", "PRE-SEARCH-5"},
       .statement = "With a quota of one, the search finds the first candidate from the offset on that "
                    "violates no PDB. It also keeps at most the first candidate that violates one: v1.37, 2 "
                    "nodes with a pod each, a PDB over any of them.",
       .variants = {"offset-does-not-wrap", "offset-is-zero", "search-does-not-sample",
                    "search-ends-at-the-quota-alone", "full-list-takes-more"},
       .body = [](Proof& proof) { one_is_enough(proof, 2); }},
  };
}

}  // namespace touchstone::proofs::TOUCHSTONE_BUILD
