#include "fuzz/behaviour/behaviour.hpp"

#include <algorithm>

#include "fuzz/behaviour/behaviour_parts.hpp"
#include "fuzz/hash.hpp"
#include "reference/filters/requests.hpp"
#include "reference/preemption/preempt.hpp"

namespace touchstone::fuzz {

namespace {

constexpr std::array<Class, 6> k_outcomes = {Class::fits,      Class::ineligible, Class::none,
                                             Class::nominated, Class::error,      Class::skipped};
static_assert(static_cast<std::size_t>(Outcome::skipped) + 1 == k_outcomes.size());

/// Whether, after the eviction, the preemptor and the other pods use up exactly some resource that the
/// preemptor requests.
/// requests.
bool fits_exactly(const CaseView& view, const Candidate& chosen) {
  const Node& node = view.question.cluster.nodes[chosen.node];
  ResourceList used = reference::requests_of_preemptor(view.question.pod, view.release);
  const ResourceList wanted = used;
  for (PodIndex i = 0; i < view.question.cluster.pods.size(); ++i) {
    const Pod& pod = view.pod(i);
    if (pod.node_name != node.name || pod.phase == "Succeeded" || pod.phase == "Failed") continue;
    if (std::find(chosen.victims.begin(), chosen.victims.end(), i) != chosen.victims.end()) continue;
    for (const auto& [name, amount] : reference::requests_on_node(pod, view.release)) used[name] += amount;
  }
  return std::any_of(wanted.begin(), wanted.end(), [&](const auto& item) {
    const auto have = node.allocatable.find(item.first);
    return item.second > 0 && have != node.allocatable.end() && have->second == used[item.first];
  });
}

void note_victims(CaseView& view, const Candidate& chosen) {
  const std::vector<PodIndex>& victims = chosen.victims;
  view.note(Class::one_victim, victims.size() == 1);
  view.note(Class::two_victims, victims.size() == 2);
  view.note(Class::three_or_more_victims, victims.size() > 2);
  for (const PodIndex victim : victims) {
    view.note(Class::victim_is_terminating, view.pod(victim).terminating);
    view.note(Class::victim_of_another_namespace, view.pod(victim).ns != view.question.pod.ns);
    view.note(Class::first_victim_is_not_the_highest,
              view.pod(victim).priority > view.pod(victims.front()).priority);
  }
  view.note(Class::violation_accepted, chosen.pdb_violations == 1);
  view.note(Class::several_violations, chosen.pdb_violations > 1);
  view.note(Class::exact_fit_after_eviction, fits_exactly(view, chosen));
}

void note_choice(CaseView& view, const Candidate& chosen) {
  const Decision& decision = view.decision;
  view.note(Class::only_candidate, decision.candidates.size() == 1);
  view.note(Class::tie_of_two, decision.admissible.size() == 2);
  view.note(Class::tie_of_several, decision.admissible.size() > 2);
  const auto unstarted = [&view](PodIndex victim) { return !view.pod(victim).start_time_ns; };
  view.note(Class::unstarted_wins, view.classes[static_cast<std::size_t>(Class::decided_by_start)] &&
                                       std::all_of(chosen.victims.begin(), chosen.victims.end(), unstarted));
  for (const Candidate& other : decision.candidates)
    view.note(Class::more_victims_win, other.victims.size() < chosen.victims.size());
}

void note_nominations(CaseView& view) {
  const Decision& decision = view.decision;
  const std::string& own = view.question.pod.nominated_node_name;
  const bool nominated = decision.outcome == Outcome::nominated;
  if (!own.empty()) {
    view.note(Class::own_nomination_kept, decision.nomination == Nomination::kept);
    view.note(Class::own_nomination_cleared, decision.nomination == Nomination::cleared);
  }
  if (!nominated) return;
  const std::string& node = view.question.cluster.nodes[decision.candidates[decision.chosen].node].name;
  if (!own.empty()) view.note(own == node ? Class::own_nomination_renewed : Class::own_nomination_moved);
  view.note(Class::lower_nomination_cleared, !decision.clears.empty());
  if (!decision.clears.empty()) return;
  for (const Pod& pod : view.question.cluster.pods) {
    const bool lower =
        pod.node_name.empty() && pod.nominated_node_name == node && pod.priority < view.question.pod.priority;
    view.note(Class::lower_nomination_kept, lower && pod.phase != "Succeeded" && pod.phase != "Failed");
  }
}

void note_message(CaseView& view) {
  const std::string& message = view.decision.message;
  const Release& release = view.release;
  const Outcome outcome = view.decision.outcome;
  const bool of_preemption = release.message_has_preemption;
  const auto says = [&message](std::string_view text) { return message.find(text) != std::string::npos; };
  if (message.empty() || outcome == Outcome::skipped) return;
  if (outcome == Outcome::error) return view.note(Class::message_of_an_error);
  view.note(Class::message_counts_reasons);
  view.note(Class::message_without_candidate, of_preemption && outcome == Outcome::none);
  view.note(Class::message_of_excluded_nodes, view.classes[static_cast<std::size_t>(Class::nodes_excluded)]);
  view.note(Class::message_of_a_rejection, says("pod affinity terms conflict"));
  view.note(Class::message_of_the_ineligible, of_preemption && outcome == Outcome::ineligible);
  view.note(Class::message_of_the_nominated,
            !release.text_nominated.empty() && outcome == Outcome::nominated);
  view.note(Class::message_with_two_full_stops, release.message_gets_full_stop && message.ends_with(".."));
  view.note(Class::message_of_claims, !release.text_claims.empty() && says(release.text_claims));
  view.note(Class::message_cut, message.ends_with(" ..."));
}

class Hash {
 public:
  void add(std::string_view text) {
    hash_.add(text);
    hash_.add(0);
  }
  /// Adds a number. A number above `most` counts as most + 1.
  void add(std::size_t number, std::size_t most) {
    hash_.add(static_cast<unsigned char>(std::min(number, most + 1)));
  }
  std::uint64_t value() const { return hash_.value(); }

 private:
  Fnv1a hash_;
};

/// Hashes the behaviour. Numbers count exactly up to a small limit, which is enough to distinguish small
/// clusters. The criterion that decided the choice is added as a class.
std::uint64_t signature_of(const CaseView& view, const std::vector<std::string_view>& cited) {
  const Decision& decision = view.decision;
  Hash hash;
  hash.add(static_cast<std::size_t>(decision.outcome), 15);
  hash.add(view.question.cluster.nodes.size(), 3);
  hash.add(decision.candidates.size(), 3);
  hash.add(decision.admissible.size(), 2);
  if (decision.outcome == Outcome::nominated) {
    const Candidate& chosen = decision.candidates[decision.chosen];
    hash.add(chosen.victims.size(), 3);
    hash.add(static_cast<std::size_t>(chosen.pdb_violations), 2);
  }
  for (std::size_t i = static_cast<std::size_t>(Class::decided_by_violations);
       i <= static_cast<std::size_t>(Class::decided_by_start); ++i)
    hash.add(view.classes[i] ? 1 : 0, 1);
  for (const std::string_view clause : cited) hash.add(clause);
  return hash.value();
}

}  // namespace

Behaviour behaviour_of(const Question& question, const Release& release, const Decision& decision,
                       const Trace& trace) {
  CaseView view{question, release, decision, trace};
  view.note(k_outcomes[static_cast<std::size_t>(decision.outcome)]);
  std::vector<std::string_view> clauses = note_steps(view);
  if (decision.outcome != Outcome::skipped && !question.cluster.nodes.empty()) note_objects(view);
  if (decision.outcome == Outcome::nominated) {
    const Candidate& chosen = decision.candidates[decision.chosen];
    note_victims(view, chosen);
    note_choice(view, chosen);
  }
  note_nominations(view);
  note_message(view);
  const bool none = decision.outcome == Outcome::none;
  view.note(Class::no_candidate, none && std::binary_search(clauses.begin(), clauses.end(), "PRE-OUTCOME-3"));
  view.note(Class::no_potential_node,
            none && std::binary_search(clauses.begin(), clauses.end(), "PRE-OUTCOME-2"));

  Behaviour behaviour{view.classes, std::move(clauses), 0};
  behaviour.signature = signature_of(view, behaviour.clauses);
  for (std::size_t i = 0; i < k_classes; ++i) {
    if (view.classes[i] && !k_class_infos[i].clause.empty())
      behaviour.clauses.push_back(k_class_infos[i].clause);
  }
  std::sort(behaviour.clauses.begin(), behaviour.clauses.end());
  behaviour.clauses.erase(std::unique(behaviour.clauses.begin(), behaviour.clauses.end()),
                          behaviour.clauses.end());
  return behaviour;
}

}  // namespace touchstone::fuzz
