#include "proofs/scene.hpp"
#include "proofs/theorems/searched.hpp"

/// Which node is chosen: a least one in a strict weak order.
namespace touchstone::proofs::TOUCHSTONE_BUILD {

namespace {

constexpr std::string_view k_priorities = "priorities have 32 bits";
constexpr std::int64_t k_least_priority = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t k_most_priority = std::numeric_limits<std::int32_t>::max();

const std::vector<std::string_view> k_with_and_without_start = {"v1.37", "v1.14"};

std::optional<Quantity> any_start(Proof& proof, const std::string& name) {
  if (proof.choose<Quantity>(name + " has started", 2) == 0) return std::nullopt;
  return proof.number<Quantity>(name + ".start");
}

/// Any values of a candidate, with a start only in releases in which it decides.
scheduler::Rank any_rank(Proof& proof, const std::string& name, const Release& release) {
  scheduler::Rank rank;
  rank.pdb_violations = proof.number<Quantity>(name + ".violations");
  rank.first_priority = proof.number<Quantity>(name + ".first");
  rank.priority_sum = proof.number<Quantity>(name + ".sum");
  rank.victims = proof.number<Quantity>(name + ".victims");
  if (release.choice_by_start_time) rank.earliest_start = any_start(proof, name);
  return rank;
}

/// PRE-NODE-5: whether `a` started later than `b`. No start counts as later than any start.
Truth started_later(const std::optional<Quantity>& a, const std::optional<Quantity>& b) {
  if (!b) return false;
  return a ? Truth(*a > *b) : Truth(true);
}

/// PRE-NODE-1 to PRE-NODE-5: the lexicographic order of the five criteria, in one expression.
Truth is_better(const scheduler::Rank& a, const scheduler::Rank& b, const Release& release) {
  Truth better =
      release.choice_by_start_time ? started_later(a.earliest_start, b.earliest_start) : Truth(false);
  const auto before = [&better](Quantity x, Quantity y) { better = either(x < y, both(x == y, better)); };
  before(a.victims, b.victims);
  before(a.priority_sum, b.priority_sum);
  before(a.first_priority, b.first_priority);
  before(a.pdb_violations, b.pdb_violations);
  return better;
}

void order_of_keys(Proof& proof) {
  const Release release = choose_release(proof, k_with_and_without_start);
  const scheduler::Rank a = any_rank(proof, "a", release);
  const scheduler::Rank b = any_rank(proof, "b", release);
  const bool beats = scheduler::beats(a, b);
  proof.observe(beats ? "a beats b" : "a does not beat b");
  proof.claim("the five criteria decide, one after the other",
              beats ? is_better(a, b, release) : negation(is_better(a, b, release)));
  proof.witness("the start decides",
                both(beats, both(a.victims == b.victims, a.priority_sum == b.priority_sum)));
}

void strict_weak_order(Proof& proof) {
  const Release release = choose_release(proof, k_with_and_without_start);
  const scheduler::Rank a = any_rank(proof, "a", release);
  const scheduler::Rank b = any_rank(proof, "b", release);
  const scheduler::Rank c = any_rank(proof, "c", release);
  const auto ties = [](const scheduler::Rank& x, const scheduler::Rank& y) {
    return !scheduler::beats(x, y) && !scheduler::beats(y, x);
  };
  const bool aa = scheduler::beats(a, a);
  const bool ab = scheduler::beats(a, b);
  const bool bc = scheduler::beats(b, c);
  proof.claim("no candidate beats itself", !aa);
  if (ab && bc) proof.claim("if a beats b and b beats c, then a beats c", scheduler::beats(a, c));
  if (!ab && !bc && ties(a, b) && ties(b, c))
    proof.claim("if a ties with b and b ties with c, then a ties with c", ties(a, c));
  proof.observe(std::string(ab ? "a beats b" : "") + (bc ? "b beats c" : ""));
  proof.witness("a beats b and b beats c", ab && bc);
}

/// Candidates, one for each node, with these numbers of victims.
struct CandidateSet {
  CandidateSet(Proof& proof, const std::vector<std::size_t>& victims, Release of) : release(std::move(of)) {
    for (std::size_t node = 0; node < victims.size(); ++node) {
      question.cluster.nodes.emplace_back().name = "n" + std::to_string(node);
      Candidate candidate{node, {}, proof.number<Quantity>("n" + std::to_string(node) + ".violations")};
      for (std::size_t i = 0; i < victims[node]; ++i) {
        Pod& pod = question.cluster.pods.emplace_back();
        pod.name = "n" + std::to_string(node) + "-" + std::to_string(i);
        pod.uid = pod.name;
        pod.priority = proof.number<Quantity>(pod.name + ".priority");
        proof.assume(k_priorities, both(pod.priority >= Quantity(k_least_priority),
                                        pod.priority <= Quantity(k_most_priority)));
        pod.start_time_ns = any_start(proof, pod.name);
        candidate.victims.push_back(question.cluster.pods.size() - 1);
      }
      candidates.push_back(candidate);
    }
  }

  scheduler::Rank rank(std::size_t i) const {
    return scheduler::rank_of(question.cluster, candidates[i], release);
  }

  Question question;
  Release release;
  std::vector<Candidate> candidates;
};

/// PRE-NODE-1 to PRE-NODE-5: the values of a candidate's victims that are compared.
void keys_of_victims(Proof& proof, std::size_t victims) {
  const CandidateSet considered(proof, {victims}, choose_release(proof, k_with_and_without_start));
  const scheduler::Rank rank = considered.rank(0);
  const std::vector<Pod>& pods = considered.question.cluster.pods;
  Quantity sum = 0;
  for (const Pod& pod : pods) sum += pod.priority + Quantity(std::int64_t{1} << 31);
  proof.claim("the violations of the candidate",
              rank.pdb_violations == considered.candidates[0].pdb_violations);
  proof.claim("the priority of the first victim in the list", rank.first_priority == pods.front().priority);
  proof.claim("the sum of priorities, each with the offset 2^31", rank.priority_sum == sum);
  proof.claim("the number of victims", rank.victims == Quantity(victims));
  proof.observe(rank.earliest_start ? "started" : "not started");
  Truth is_of_some = !rank.earliest_start.has_value();
  for (const Pod& pod : pods) {
    Truth is_highest = considered.release.choice_by_start_time && pod.start_time_ns.has_value();
    for (const Pod& other : pods) is_highest = both(is_highest, other.priority <= pod.priority);
    if (!pod.start_time_ns) continue;
    if (!rank.earliest_start) {
      proof.claim("no start only if no victim of the highest priority has one", negation(is_highest));
      continue;
    }
    proof.claim("no victim of the highest priority started earlier",
                implies(is_highest, *rank.earliest_start <= *pod.start_time_ns));
    is_of_some = either(is_of_some, both(is_highest, *rank.earliest_start == *pod.start_time_ns));
  }
  proof.claim("the start is that of a victim of the highest priority", is_of_some);
  proof.witness("the first victim in the list does not have the highest priority",
                pods.front().priority < pods.back().priority);
}

void least_nodes(Proof& proof, const std::vector<std::size_t>& victims) {
  const CandidateSet considered(proof, victims, choose_release(proof, k_with_and_without_start));
  Trace trace = Trace::none();
  const scheduler::Cycle cycle(considered.question, considered.release, trace);
  const std::vector<std::size_t> best = scheduler::best_candidates(cycle, considered.candidates);
  proof.observe("best:" + text_of(best));
  for (std::size_t i = 0; i < victims.size(); ++i) {
    Truth is_beaten = false;
    for (std::size_t j = 0; j < victims.size(); ++j)
      is_beaten = either(is_beaten, is_better(considered.rank(j), considered.rank(i), considered.release));
    const bool is_best = std::find(best.begin(), best.end(), i) != best.end();
    proof.claim("the best candidates are those that no candidate beats",
                is_best ? negation(is_beaten) : is_beaten);
  }
  proof.witness("two candidates tie as the best", best.size() == 2);
}

void sums(Proof& proof, std::size_t most) {
  const std::size_t victims = proof.choose<Quantity>("victims", most) + 1;
  const CandidateSet considered(proof, {victims}, release_of("v1.14"));
  const Quantity sum = considered.rank(0).priority_sum;
  // Induction step: one victim adds at most 2^32 - 1, so 2^31 victims add up to less than 2^63.
  const Quantity before = proof.number<Quantity>("sum of the victims before");
  const Quantity count = proof.number<Quantity>("number of the victims before");
  constexpr std::int64_t k_each = (std::int64_t{1} << 32) - 1;
  proof.assume("the earlier victims add at most 2^32 - 1 each",
               both(before >= Quantity(0), before <= count * Quantity(k_each)));
  proof.assume("there are 2^31 victims at most",
               both(count >= Quantity(0), count + Quantity(victims) <= Quantity(std::int64_t{1} << 31)));
  proof.claim("no victim makes the sum smaller", sum >= Quantity(0));
  proof.claim("each victim adds less than 2^32", sum <= Quantity(victims) * Quantity(k_each));
  const Truth fits = count + Quantity(victims) <= Quantity(std::int64_t{1} << 31);
  proof.claim("the sum for up to 2^31 victims fits int64",
              implies(fits, before <= Quantity(std::numeric_limits<std::int64_t>::max()) - sum));
  proof.witness("exactly 2^31 victims", count + Quantity(victims) == Quantity(std::int64_t{1} << 31));
}

/// Compares the first victim in the list with the most important victim.
void first_is_highest(Proof& proof, std::size_t pods, std::string_view release) {
  Question question = one_node(proof, pods);
  add_pdb(proof, question, "pdb");
  const Searched node(proof, std::move(question), release_of(release));
  if (node.victims().empty()) return;
  const scheduler::Rank rank = scheduler::rank_of(node.question.cluster, node.found.candidate, node.release);
  for (const PodIndex victim : node.victims())
    proof.claim("no victim has a higher priority than the first",
                node.question.cluster.pods[victim].priority <= rank.first_priority);
  proof.witness("two victims, one of which violates",
                both(node.victims().size() == 2, node.found.candidate.pdb_violations == Quantity(1)));
}

/// Claims when the number of victims can decide: all criteria before it are equal.
void count_decides(Proof& proof, std::size_t few, std::size_t many) {
  const CandidateSet considered(proof, {few, many}, release_of("v1.14"));
  const scheduler::Rank a = considered.rank(0);
  const scheduler::Rank b = considered.rank(1);
  const Truth ties = both(a.pdb_violations == b.pdb_violations,
                          both(a.first_priority == b.first_priority, a.priority_sum == b.priority_sum));
  Truth some_least = false;
  for (const Pod& pod : considered.question.cluster.pods)
    some_least = either(some_least, pod.priority == Quantity(k_least_priority));
  proof.claim("the number decides only if some victim has the least priority", implies(ties, some_least));
  proof.witness("the number decides", ties);
}

}  // namespace

Theorems theorems_of_choice() {
  return {
      {.name = "five-keys-decide",
       .clauses = {"PRE-NODE-1", "PRE-NODE-2", "PRE-NODE-3", "PRE-NODE-4", "PRE-NODE-5"},
       .statement = "A candidate beats another if and only if it is less in the lexicographic order of "
                    "violations, first priority, sum, number and start (later is less): any two candidates, "
                    "releases with and without the start.",
       .variants = {"earliest-start-wins", "violations-do-not-decide", "victims-are-not-counted"},
       .body = order_of_keys},
      {.name = "keys-of-victims",
       .clauses = {"PRE-NODE-1", "PRE-NODE-2", "PRE-NODE-3", "PRE-NODE-4", "PRE-NODE-5"},
       .statement = "The choice compares the violations, the priority of the first victim, the sum of "
                    "priorities with an offset, the number of victims, and the earliest start among victims "
                    "of the highest priority: 3 victims, releases with and without the start.",
       .variants = {"last-victim-for-the-first", "highest-victim-for-the-first", "sum-without-the-offset",
                    "start-does-not-decide", "start-of-any-victim"},
       .body = [](Proof& proof) { keys_of_victims(proof, 3); }},
      {.name = "beats-is-a-strict-weak-order",
       .clauses = {"PRE-NODE-6"},
       .statement = "No candidate beats itself. Beating is transitive, and ties are transitive: any three "
                    "candidates, releases with and without the start.",
       .variants = {"equal-starts-beat-each-other"},
       .body = strict_weak_order},
      {.name = "best-are-those-whom-none-beats",
       .clauses = {"PRE-NODE-6"},
       .statement =
           "The admissible nodes are exactly the nodes that no other node beats: 4 nodes with a victim each.",
       .variants = {"beaten-candidates-stay"},
       .body = [](Proof& proof) { least_nodes(proof, {1, 1, 1, 1}); },
       .tier = Tier::full},
      {.name = "best-of-several-victims",
       .clauses = {"PRE-NODE-6", "PRE-NODE-2"},
       .statement = "The admissible nodes are exactly the nodes that no other node beats: 3 nodes with 2, 2 "
                    "and 1 victims.",
       .variants = {"ties-have-one-member"},
       .body = [](Proof& proof) { least_nodes(proof, {2, 2, 1}); },
       .tier = Tier::full},
      {.name = "first-victim-is-the-highest",
       .clauses = {"PRE-NODE-2", "PRE-VICTIM-7"},
       .statement = "If victims are sorted again, the first victim, whose priority is compared, has the "
                    "highest priority: v1.37, one node, 3 pods, a PDB over any of them.",
       .variants = {"victims-in-two-groups"},
       .body = [](Proof& proof) { first_is_highest(proof, 3, "v1.37"); },
       .tier = Tier::full},
      {.name = "first-victim-is-not-the-highest",
       .clauses = {"PRE-NODE-2", "PRE-VICTIM-7"},
       .statement = "If victims are not sorted again, the first victim may have a lower priority: v1.29.6, 2 "
                    "pods and a PDB.",
       .body = [](Proof& proof) { first_is_highest(proof, 2, "v1.29.6"); },
       .kind = Kind::exhibit},
      {.name = "sum-of-priorities-fits-int64",
       .clauses = {"PRE-NODE-3"},
       .statement = "The sum of priorities of up to 2^31 victims fits int64. Induction step: 1 to 3 victims "
                    "are added to any number of earlier victims.",
       .variants = {"sum-without-the-offset"},
       .body = [](Proof& proof) { sums(proof, 3); }},
      {.name = "number-decides-one-against-two",
       .clauses = {"PRE-NODE-4"},
       .statement = "If the earlier criteria are equal, one victim beats two by number only if a victim has "
                    "the least possible priority, -2147483648.",
       .variants = {"sum-without-the-offset"},
       .body = [](Proof& proof) { count_decides(proof, 1, 2); }},
      {.name = "number-decides-two-against-three",
       .clauses = {"PRE-NODE-4"},
       .statement = "Two victims may beat three by number, although no victim has the least priority.",
       .body = [](Proof& proof) { count_decides(proof, 2, 3); },
       .kind = Kind::exhibit},
  };
}

}  // namespace touchstone::proofs::TOUCHSTONE_BUILD
