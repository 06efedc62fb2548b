#include "proofs/scene.hpp"
#include "proofs/theorems/theorems.hpp"

/// When the search looks at a part of the potential nodes.
namespace touchstone::proofs::TOUCHSTONE_BUILD {

namespace {

constexpr std::string_view k_a_count = "a count of nodes is not negative";

void quota(Proof& proof) {
  const Quantity nodes = proof.number<Quantity>("potential nodes");
  proof.assume(k_a_count, nodes >= Quantity(0));
  const Quantity quota = subject::candidate_quota(nodes);
  proof.claim("up to 100 nodes, all of them", implies(nodes <= Quantity(100), quota == nodes));
  proof.claim("up to 1009, 100",
              implies(both(nodes > Quantity(100), nodes < Quantity(1010)), quota == Quantity(100)));
  proof.claim("beyond, a tenth, rounded down",
              implies(nodes >= Quantity(1010),
                      both(quota * Quantity(10) <= nodes, nodes < (quota + Quantity(1)) * Quantity(10))));
  proof.witness("101 nodes of which 100 are enough", both(nodes == Quantity(101), quota == Quantity(100)));
}

/// Upstream multiplies in 32 bits: nodes * 10 / 100.
void quota_in_32_bits(Proof& proof, std::int64_t most) {
  const Quantity nodes = proof.number<Quantity>("potential nodes");
  proof.assume(k_a_count, nodes >= Quantity(0));
  proof.assume("so many nodes", nodes <= Quantity(most));
  proof.claim("ten times as many fit 32 bits",
              nodes * Quantity(10) <= Quantity(std::numeric_limits<std::int32_t>::max()));
  proof.witness("that number of nodes", nodes == Quantity(most));
}

/// A few nodes, from any of them on.
void few_nodes(Proof& proof, std::size_t nodes) {
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
  const Release release = release_of("v1.36");
  Trace trace = Trace::none();
  std::vector<NodeIndex> potential;
  for (NodeIndex node = 0; node < nodes; ++node) potential.push_back(node);
  const auto found = [&] {
    const subject::Cycle cycle(question, release, trace);
    std::map<NodeIndex, Status> statuses;
    std::vector<NodeIndex> names;
    for (const Candidate& candidate : subject::find_candidates(cycle, question, potential, {}, statuses))
      names.push_back(candidate.node);
    std::sort(names.begin(), names.end());
    return names;
  };
  const std::vector<NodeIndex> all = found();
  question.offset = Quantity(proof.choose<Quantity>("offset", nodes + 1));
  const std::vector<NodeIndex> sampled = found();
  proof.observe("candidates:" + text_of(all) + ", sampled:" + text_of(sampled));
  proof.claim("the same candidates", all == sampled);
  proof.witness("two of them", all.size() == 2);
}

}  // namespace

Theorems theorems_of_sampling() {
  return {
      {"quota-of-candidates",
       {"PRE-SEARCH-2"},
       "Up to 100 potential nodes the quota is all of them, up to 1009 it is 100, beyond a tenth, rounded "
       "down: any number "
       "of nodes.",
       {"quota-without-a-least", "quota-rounds-up"},
       "",
       quota},
      {"quota-fits-32-bits",
       {"PRE-SEARCH-2"},
       "Upstream's product of 32 bits is right up to 214748364 nodes.",
       {},
       "so many nodes",
       [](Proof& proof) { quota_in_32_bits(proof, 214748364); }},
      {"quota-overflows-32-bits",
       {"PRE-SEARCH-2"},
       "With 214748365 potential nodes it overflows.",
       {},
       "",
       [](Proof& proof) { quota_in_32_bits(proof, 214748365); },
       nullptr,
       Tier::quick,
       Kind::exhibit},
      {"few-nodes-are-all-searched",
       {"PRE-SEARCH-1", "PRE-SEARCH-3", "PRE-SEARCH-4", "PRE-SEARCH-5"},
       "With a quota of all nodes the sampling search finds the candidates of the full one, from any offset: "
       "3 nodes with a "
       "pod each, v1.36. With quota-of-candidates: below 101 potential nodes sampling never matters.",
       {"quota-without-a-least"},
       "",
       [](Proof& proof) { few_nodes(proof, 3); }},
  };
}

}  // namespace touchstone::proofs::TOUCHSTONE_BUILD
