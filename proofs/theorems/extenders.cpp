#include <array>

#include "proofs/theorems/said.hpp"

/// Theorems about extenders that answer by table.
namespace touchstone::proofs::TOUCHSTONE_BUILD {

namespace {

/// Two nodes with room for all pods, and a pod that requests nothing.
Question two_roomy_nodes() {
  Question question;
  for (const char* name : {"n0", "n1"}) add_node(question, name).allocatable["pods"] = 110;
  question.pod.ns = "default";
  question.pod.name = "preemptor";
  return question;
}

/// An extender that manages a resource which no pod names.
Extender& add_extender(Question& question, bool is_interested) {
  Extender& extender = question.extenders.emplace_back();
  extender.weight = 1;
  extender.node_cache_capable = true;
  if (!is_interested) extender.managed_resources.push_back({"example.com/not-named", false});
  return extender;
}

/// How an extender answers a call for scores.
enum class Scoring { of_both, of_the_first, fails, has_no_verb };

/// The total of a node, and whether an extender has an entry for it (EXT-SCORE-2).
struct Total {
  Quantity sum;
  bool has_entry = false;
};

/// Adds an extender that gives any scores. Adds to `totals` what it adds to each node.
void add_scoring_extender(Proof& proof, Question& question, const std::string& name, Quantity factor,
                          std::array<Total, 2>& totals) {
  Extender& extender = add_extender(question, true);
  const std::int64_t weight = chosen(proof, name + " weighs 3") ? 3 : 1;
  extender.weight = weight;
  const auto scoring =
      static_cast<Scoring>(proof.choose<Quantity>(name + " scores, scores n0, fails, no", 4));
  if (scoring != Scoring::has_no_verb) extender.prioritize_verb = "prioritize";
  extender.prioritize.emplace();
  if (scoring == Scoring::fails) extender.prioritize->error = "";
  for (std::size_t node = 0; node < 2; ++node) {
    const std::string of_node = "n" + std::to_string(node);
    const Quantity score = proof.number<Quantity>(name + "." + of_node);
    proof.assume("a score is 0 to 10", both(score >= Quantity(0), score <= Quantity(10)));
    if (node == 1 && scoring == Scoring::of_the_first) continue;
    extender.prioritize->nodes[of_node] = score;
    if (scoring == Scoring::fails) continue;
    totals[node].has_entry = true;
    if (scoring != Scoring::has_no_verb) totals[node].sum += score * Quantity(weight) * factor;
  }
}

void extenders_add_scores(Proof& proof) {
  const std::size_t which = proof.choose<Quantity>("release", 2);
  Release release = release_of(std::array{"v1.16.15", "v1.36.3"}[which]);
  release.scorers = {{Scorer::taint_toleration, "TaintToleration", 1}};
  const Quantity highest = which == 0 ? 10 : 100;
  Question question = two_roomy_nodes();
  std::array<Total, 2> totals = {Total{highest}, Total{highest}};
  for (const char* name : {"x", "y"})
    add_scoring_extender(proof, question, name, which == 0 ? Quantity(1) : Quantity(10), totals);
  const Placement placement = scheduler::schedule(question, release);
  proof.claim("two feasible nodes have totals", Truth(placement.totals.size() == 2));
  if (placement.totals.size() != 2) return;
  for (NodeIndex node = 0; node < 2; ++node) {
    proof.claim("an extender adds its score times its weight times the factor of the release",
                placement.totals[node] == totals[node].sum);
    const Total& other = totals[1 - node];
    const bool loses_tie = which == 1 && !totals[node].has_entry && other.has_entry;
    const bool is_best =
        std::find(placement.best.begin(), placement.best.end(), node) != placement.best.end();
    proof.claim("the best nodes have the highest total, and from v1.35 an entry if one of them has",
                exactly(is_best, loses_tie ? totals[node].sum > other.sum : totals[node].sum >= other.sum));
  }
  proof.witness("the extenders decide", totals[0].sum < totals[1].sum);
}

/// What an extender says about a node, or nothing.
enum class Passing { passes, failed, unresolvable, nothing };

Passing choose_passing(Proof& proof, const std::string& name) {
  return static_cast<Passing>(proof.choose<Quantity>(name + " passes, fails, is unresolvable, is absent", 4));
}

/// Adds an extender that says anything about each node.
std::array<Passing, 2> add_filtering_extender(Proof& proof, Extender& extender, const std::string& name) {
  extender.filter_verb = "filter";
  extender.filter.emplace();
  std::array<Passing, 2> says{};
  for (std::size_t node = 0; node < 2; ++node) {
    const std::string of_node = "n" + std::to_string(node);
    says[node] = choose_passing(proof, name + ": " + of_node);
    if (says[node] == Passing::nothing) continue;
    const std::array verdicts = {ExtenderVerdict::passes, ExtenderVerdict::failed,
                                 ExtenderVerdict::unresolvable};
    extender.filter->nodes[of_node] = {verdicts[static_cast<std::size_t>(says[node])], "reason of " + name};
  }
  return says;
}

/// The code of a node by what the first extender that does not let it pass says. Nothing: it has no status.
std::optional<Code> code_by(Passing says, bool is_new) {
  if (says == Passing::failed) return Code::unschedulable;
  return is_new ? std::optional(Code::unschedulable_and_unresolvable) : std::nullopt;
}

/// Two extenders. The first may fail, may be ignorable, and may not be interested.
void extenders_filter_in_turn(Proof& proof) {
  const bool is_new = chosen(proof, "v1.36.3, not v1.13.0");
  const Release release = release_of(is_new ? "v1.36.3" : "v1.13.0");
  Question question = two_roomy_nodes();
  const std::size_t state = proof.choose<Quantity>("x answers, fails, is not interested", 3);
  const bool is_ignorable = chosen(proof, "x is ignorable");
  std::array<Passing, 2> first = {Passing::passes, Passing::passes};
  {
    Extender& x = add_extender(question, state != 2);
    x.ignorable = is_ignorable;
    if (state == 0) {
      first = add_filtering_extender(proof, x, "x");
    } else {
      x.filter_verb = "filter";
      x.filter.emplace();
      x.filter->error = "failed";
    }
  }
  std::array<Passing, 2> second = add_filtering_extender(proof, add_extender(question, true), "y");
  const Placement placement = scheduler::schedule(question, release);
  if (state == 1 && !is_ignorable)
    return proof.claim("an extender that fails ends the attempt",
                       Truth(placement.decision.outcome == Outcome::error));
  if (is_new && is_ignorable) std::swap(first, second);  // EXT-ORDER-1
  std::size_t feasible = 0;
  for (NodeIndex node = 0; node < 2; ++node) {
    const bool passes = first[node] == Passing::passes && second[node] == Passing::passes;
    feasible += passes ? 1 : 0;
    const bool is_feasible =
        std::find(placement.feasible.begin(), placement.feasible.end(), node) != placement.feasible.end();
    proof.claim("a node is feasible if and only if each extender lets it pass", Truth(is_feasible == passes));
    if (passes) continue;
    const auto status = placement.decision.filter.find(node);
    const std::optional<Code> code =
        status == placement.decision.filter.end() ? std::nullopt : std::optional(status->second.code);
    proof.claim("the first extender that does not let a node pass gives its status",
                Truth(code == code_by(first[node] != Passing::passes ? first[node] : second[node], is_new)));
  }
  proof.claim("without a feasible node the pod does not fit",
              Truth((placement.decision.outcome == Outcome::fits) == (feasible > 0)));
  proof.witness("both extenders leave a node of their own",
                Truth(first[0] == Passing::passes && first[1] == Passing::failed &&
                      second[0] == Passing::unresolvable && second[1] == Passing::passes));
}

/// How an extender answers about the victims of a candidate.
enum class LeftVictims { dropped, kept, changed, emptied };

/// Two full nodes, each with a pod of any low priority and one of priority 9.
Question two_full_nodes(Proof& proof) {
  Question question;
  for (const std::string node : {"n0", "n1"}) {
    add_node(question, node).allocatable = {{"cpu", 2}, {"pods", 110}};
    for (const std::string pod : {"low", "high"}) {
      Pod& added = add_pod(question, pod + "-of-" + node, node);
      added.containers.push_back({"c", {{"cpu", 1}}, {}, false});
      added.priority = pod == "high" ? Quantity(9) : proof.number<Quantity>(added.name + ".priority");
      proof.assume("no priority exceeds 9", added.priority <= Quantity(9));
      if (pod == "low") proof.assume("one priority of a node is lower", added.priority < Quantity(9));
    }
  }
  question.pod.ns = "default";
  question.pod.name = "preemptor";
  question.pod.priority = 10;
  question.pod.containers.push_back({"c", {{"cpu", 1}}, {}, false});
  return question;
}

/// What preemption asks an extender, and how it answers about each node.
struct Preempting {
  bool fails = false;
  bool is_interested = true;
  bool is_ignorable = false;
  std::array<LeftVictims, 2> left = {LeftVictims::kept, LeftVictims::kept};
  std::array<Quantity, 2> violations = {0, 0};
};

Preempting add_preempting_extender(Proof& proof, Question& question, bool may_be_emptied) {
  const std::size_t state = proof.choose<Quantity>("x answers, fails, is not interested", 3);
  Preempting said;
  said.fails = state == 1;
  said.is_interested = state != 2;
  said.is_ignorable = chosen(proof, "x is ignorable");
  Extender& extender = add_extender(question, state != 2);
  extender.ignorable = said.is_ignorable;
  extender.preempt_verb = "preempt";
  extender.preempt.emplace();
  if (state != 0) {
    extender.preempt->error = "failed";
    return said;
  }
  for (std::size_t node = 0; node < 2; ++node) {
    const std::string name = "n" + std::to_string(node);
    const auto left = static_cast<LeftVictims>(
        proof.choose<Quantity>(name + " is dropped, kept, changed, emptied", may_be_emptied ? 4 : 3));
    said.left[node] = left;
    if (left == LeftVictims::dropped) continue;
    VictimsEntry& entry = extender.preempt->nodes[name];
    entry.kept = left == LeftVictims::kept;
    if (left != LeftVictims::changed) continue;
    entry.victims = {"default/high-of-" + name};
    entry.pdb_violations = proof.number<Quantity>(name + ".violations");
    proof.assume("no number of violations is negative", entry.pdb_violations >= Quantity(0));
    said.violations[node] = entry.pdb_violations;
  }
  return said;
}

void extenders_choose_victims(Proof& proof) {
  const std::size_t which = proof.choose<Quantity>("release", 3);
  const Release release = release_of(std::array{"v1.13.0", "v1.19.16", "v1.36.3"}[which]);
  Question question = two_full_nodes(proof);
  const Preempting asked = add_preempting_extender(proof, question, which == 2);
  const Decision decision = scheduler::schedule(question, release).decision;
  const bool is_asked = which != 1 && asked.is_interested;
  const auto is_emptied = [&asked](std::size_t node) { return asked.left[node] == LeftVictims::emptied; };
  const bool ends = asked.fails || is_emptied(0) || is_emptied(1);
  if (is_asked && ends && !asked.is_ignorable)
    return proof.claim("an extender that fails or leaves a candidate without victims ends preemption",
                       Truth(decision.outcome == Outcome::error));
  std::size_t candidates = 0;
  for (NodeIndex node = 0; node < 2; ++node) {
    const bool answers = is_asked && !asked.fails;
    const bool stays = !answers || (asked.left[node] != LeftVictims::dropped && !is_emptied(node));
    candidates += stays ? 1 : 0;
    const auto found = std::find_if(decision.candidates.begin(), decision.candidates.end(),
                                    [node](const Candidate& each) { return each.node == node; });
    proof.claim("a node stays a candidate if and only if the extender leaves it victims",
                Truth((found != decision.candidates.end()) == stays));
    if (found == decision.candidates.end()) continue;
    const bool is_changed = answers && asked.left[node] == LeftVictims::changed;
    const PodIndex victim = 2 * node + (is_changed ? 1 : 0);
    proof.claim("the victims are those of the extender", Truth(found->victims == std::vector{victim}));
    const bool counts = is_changed && which == 2;
    proof.claim("PDB violations of the extender count from v1.24",
                found->pdb_violations == (counts ? asked.violations[node] : Quantity(0)));
  }
  proof.claim("a node is nominated if a candidate is left",
              Truth((decision.outcome == Outcome::nominated) == (candidates > 0)));
  proof.witness("the extender leaves one candidate with other victims",
                Truth(is_asked && !asked.fails && asked.left[0] == LeftVictims::changed &&
                      asked.left[1] == LeftVictims::dropped));
}

}  // namespace

Theorems theorems_of_extenders() {
  return {
      {.name = "extenders-filter-in-turn",
       .clauses = {"EXT-FILTER-1", "EXT-FILTER-2", "EXT-ORDER-1", "EXT-INTEREST-1", "EXT-ERROR-1",
                   "EXT-DROP-1"},
       .statement = "A node is feasible if and only if each interested extender lets it pass. The first "
                    "that does not gives its status. An extender that fails and is not ignorable ends the "
                    "attempt: 2 nodes, 2 extenders that say anything, v1.13.0 and v1.36.3.",
       .variants = {"ignorable-extenders-keep-their-place", "every-extender-is-interested",
                    "each-extender-is-asked-about-all-nodes", "extenders-never-say-unresolvable",
                    "unresolvable-nodes-are-read-too-early", "dropped-nodes-have-no-status",
                    "no-extender-is-ignorable"},
       .body = extenders_filter_in_turn,
       .tier = Tier::full},
      {.name = "extenders-add-weighted-scores",
       .clauses = {"EXT-SCORE-1", "EXT-SCORE-2"},
       .statement = "An extender adds its score of a node, times its weight, times 1 up to v1.16 and times "
                    "10 from v1.17. A score that is missing, and a call that fails, add 0: 2 nodes, 2 "
                    "extenders with any scores from 0 to 10.",
       .variants = {"extender-scores-keep-their-scale", "the-last-extender-scores",
                    "unscored-nodes-have-an-entry"},
       .body = extenders_add_scores,
       .tier = Tier::full},
      {.name = "extenders-choose-among-candidates",
       .clauses = {"EXT-PREEMPT-1", "EXT-PREEMPT-2", "EXT-PREEMPT-3", "EXT-ERROR-1"},
       .statement = "The candidates after an extender are those that it was asked about and leaves victims, "
                    "with the victims and PDB violations of its answer. Preemption asks no extender in "
                    "v1.19.16, and none that is not interested: 2 nodes with 2 pods of any priority each.",
       .variants = {"preemption-asks-every-extender", "forgotten-extenders-are-asked",
                    "victims-of-extenders-are-ignored", "violations-of-extenders-are-kept",
                    "extenders-need-no-victims", "preemption-ignores-no-extender"},
       .body = extenders_choose_victims,
       .tier = Tier::full},
  };
}

}  // namespace touchstone::proofs::TOUCHSTONE_BUILD
