#include <array>

#include "proofs/theorems/score_said.hpp"

/// Theorems about normalisation, and about NodeAffinity, whose score is a normalised sum.
namespace touchstone::proofs::TOUCHSTONE_BUILD {

namespace {

constexpr std::string_view k_no_negative_score = "no raw score is negative";

std::vector<Quantity> any_raw_scores(Proof& proof, std::size_t n) {
  std::vector<Quantity> raw;
  for (std::size_t i = 0; i < n; ++i) {
    raw.push_back(proof.number<Quantity>("raw" + std::to_string(i)));
    proof.assume(k_no_negative_score, raw.back() >= Quantity(0));
  }
  return raw;
}

/// The largest of the scores. Each comparison is decided.
Quantity largest_of(const std::vector<Quantity>& scores) {
  Quantity largest = scores.front();
  for (const Quantity& score : scores) {
    if (score > largest) largest = score;
  }
  return largest;
}

void normalisation(Proof& proof, std::size_t n, bool reverse) {
  const bool is_exact = chosen(proof, "the highest score is 10");
  const std::int64_t highest = is_exact ? k_exact : 100;
  const Release release = with_highest(highest);
  const std::vector<Quantity> raw = any_raw_scores(proof, n);
  const Quantity largest = largest_of(raw);
  const std::vector<Quantity> scores =
      reverse ? scheduler::normalized_in_reverse(raw, release) : scheduler::normalized(raw, release);
  const Quantity first = reverse ? Quantity(0) : Quantity(highest);
  for (std::size_t i = 0; i < n; ++i) {
    proof.claim("a normalised score is in its range", in_range(scores[i], highest));
    if (largest == Quantity(0)) {
      proof.claim("if every raw score is 0, every score is 0, or in reverse the highest score",
                  scores[i] == Quantity(highest) - first);
      continue;
    }
    proof.claim("the largest raw score becomes the highest score, or in reverse 0",
                implies(raw[i] == largest, scores[i] == first));
    if (!is_exact) continue;
    const Quantity part = reverse ? Quantity(highest) - scores[i] : scores[i];
    proof.claim("a score is the highest score times raw / largest, rounded down",
                is_quotient(part, raw[i] * Quantity(highest), largest));
    for (std::size_t j = 0; j < n; ++j) {
      const Truth keeps = reverse ? scores[j] <= scores[i] : scores[i] <= scores[j];
      proof.claim("the order of raw scores is kept, or reversed", implies(raw[i] <= raw[j], keeps));
    }
  }
  proof.witness("different raw scores have the same score",
                both(raw[0] < raw[1], both(scores[0] == scores[1], Truth(is_exact))));
}

/// Whether a larger raw score has a larger score.
void strictly_ordered(Proof& proof) {
  const std::vector<Quantity> raw = any_raw_scores(proof, 3);
  const std::vector<Quantity> scores = scheduler::normalized(raw, with_highest(k_exact));
  proof.claim("a larger raw score has a larger score", implies(raw[0] < raw[1], scores[0] < scores[1]));
}

/// NodeAffinity of two nodes. The second preferred term is the pod's or the configuration's.
void sums_of_preferences(Proof& proof) {
  Release release = with_highest(k_exact);
  Question question;
  std::array<Quantity, 2> sums = {0, 0};
  for (const char* name : {"n0", "n1"}) add_node(question, name);
  for (std::size_t term = 0; term < 2; ++term) {
    const std::string key = "key" + std::to_string(term);
    const Quantity weight = proof.number<Quantity>("weight of " + key);
    proof.assume("weights are positive", weight > Quantity(0));
    const PreferredNodeTerm preferred{weight, {{{key, "Exists", {}}}, {}}};
    const bool is_added = term == 1 && chosen(proof, "the configuration has the second term");
    (is_added ? release.added_preferred_terms : question.pod.preferred_node_affinity).push_back(preferred);
    for (std::size_t node = 0; node < 2; ++node) {
      if (!chosen(proof, question.cluster.nodes[node].name + " matches " + key)) continue;
      question.cluster.nodes[node].labels[key] = "";
      sums[node] += weight;
    }
  }
  Trace trace = Trace::none();
  const scheduler::Cycle cycle(question, release, trace);
  const std::vector<Quantity> scores = *scheduler::preferred_node_affinity(cycle, {0, 1});
  const Quantity largest = largest_of({sums[0], sums[1]});
  for (std::size_t node = 0; node < 2; ++node) {
    if (largest == Quantity(0)) {
      proof.claim("without a term that matches, the score is 0", scores[node] == Quantity(0));
    } else {
      proof.claim("the score is the sum of the weights, normalised by the largest sum",
                  is_quotient(scores[node], sums[node] * Quantity(k_exact), largest));
    }
  }
  proof.witness("a score of 3", scores[0] == Quantity(3));
}

}  // namespace

Theorems theorems_of_normalised_scores() {
  return {
      {.name = "normalisation-keeps-order",
       .clauses = {"SCORE-NORMAL-1", "SCORE-SET-2"},
       .statement = "Normalised scores are in their range. The largest raw score becomes the highest score, "
                    "and no order changes: 3 nodes with any raw scores, 10 (exactly) and 100.",
       .variants = {"first-score-is-the-largest", "division-comes-first"},
       .body = [](Proof& proof) { normalisation(proof, 3, false); }},
      {.name = "normalisation-in-reverse-reverses-order",
       .clauses = {"SCORE-NORMAL-2", "SCORE-SET-2"},
       .statement = "A normalisation in reverse gives the largest raw score 0, and reverses every order: 3 "
                    "nodes with any raw scores, 10 (exactly) and 100.",
       .variants = {"reverse-is-not-reversed", "reverse-rounds-down", "nothing-in-reverse-is-nothing"},
       .body = [](Proof& proof) { normalisation(proof, 3, true); }},
      {.name = "normalisation-merges-scores",
       .clauses = {"SCORE-NORMAL-1"},
       .statement = "Two of 3 raw scores may have the same normalised score, although one is larger.",
       .body = strictly_ordered,
       .kind = Kind::exhibit},
      {.name = "preferences-add-up",
       .clauses = {"SCORE-NODEAFFINITY-1", "SCORE-NODEAFFINITY-3", "SCORE-NORMAL-1"},
       .statement = "NodeAffinity scores the sum of the weights of the terms that match, of the pod and of "
                    "the configuration: 2 nodes, 2 terms with any weights, highest score 10.",
       .variants = {"one-preference-counts", "added-preferences-are-ignored"},
       .body = sums_of_preferences},
  };
}

}  // namespace touchstone::proofs::TOUCHSTONE_BUILD
