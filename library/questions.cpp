#include <algorithm>
#include <nlohmann/json.hpp>

#include "kubernetes/objects/question.hpp"
#include "library/loaded_cluster.hpp"
#include "oracle/protocol/engines.hpp"
#include "oracle/protocol/line.hpp"
#include "oracle/protocol/on_snapshot.hpp"
#include "oracle/protocol/protocol.hpp"

/// Questions about a loaded cluster.
namespace touchstone::library {

namespace {

using kubernetes::InvalidInput;
using kubernetes::Value;
using oracle::Command;
using oracle::Engine;
using oracle::Json;

/// What the two engines found, by the numbers of a cluster.
struct Taken {
  Outcome outcome = Outcome::none;
  std::string reason;
  std::optional<NodeIndex> node;
  std::vector<PodIndex> victims;
  Quantity violations = 0;
  std::vector<NodeIndex> choices;
  std::optional<Quantity> total;
  std::optional<Quantity> next_start;
};

Taken taken_of(optimized::Answer answer) {
  Taken taken;
  taken.outcome = answer.outcome;
  taken.reason = std::move(answer.reason);
  taken.choices = std::move(answer.feasible);
  if (taken.outcome != Outcome::nominated) return taken;
  taken.node = answer.node;
  taken.victims = std::move(answer.victims);
  taken.violations = answer.pdb_violations;
  taken.choices = std::move(answer.admissible);
  return taken;
}

Taken taken_of(optimized::Placed placed) {
  Taken taken = taken_of(std::move(placed.answer));
  taken.next_start = placed.next_start;
  if (!placed.host) return taken;
  taken.node = placed.host;
  taken.total = placed.highest;
  taken.choices = std::move(placed.best);
  return taken;
}

Taken taken_of(const Decision& decision) {
  Taken taken;
  taken.outcome = decision.outcome;
  taken.reason = decision.reason;
  taken.choices = decision.feasible;
  if (taken.outcome != Outcome::nominated) return taken;
  const Candidate& chosen = decision.candidates[decision.chosen];
  taken.node = chosen.node;
  taken.victims = chosen.victims;
  taken.violations = chosen.pdb_violations;
  for (const std::size_t i : decision.admissible) taken.choices.push_back(decision.candidates[i].node);
  return taken;
}

Taken taken_of(const Placement& placement) {
  Taken taken = taken_of(placement.decision);
  taken.next_start = placement.next_start;
  if (!placement.host) return taken;
  taken.node = placement.host;
  taken.choices = placement.best;
  if (!placement.totals.empty())
    taken.total = *std::max_element(placement.totals.begin(), placement.totals.end());
  return taken;
}

Found found_of(Taken taken, const Cluster& cluster) {
  Found found;
  found.outcome = taken.outcome;
  found.reason = std::move(taken.reason);
  if (taken.node) found.node = cluster.nodes[*taken.node].name;
  for (const PodIndex victim : taken.victims) found.victims.push_back(cluster.pods[victim].full_name());
  found.violations = taken.violations;
  for (const NodeIndex node : taken.choices) found.choices.push_back(cluster.nodes[node].name);
  found.total = taken.total;
  found.next_start = taken.next_start;
  return found;
}

/// The answer of the optimized engine. `cluster` has the numbers of the view's snapshot.
Json answer_in_part(Command command, View& view, const Cluster& cluster, const Question& question) {
  const optimized::Options options = oracle::options_of(question);
  const optimized::Snapshot& snapshot = view.snapshot();
  Json answer =
      command == Command::schedule
          ? oracle::placement_answer_in_part(
                cluster, oracle::placement_of(view.schedule(question.pod, options), snapshot, question.pod))
          : oracle::answer_in_part(
                cluster, oracle::decision_of(view.preempt(question.pod, options), snapshot, question.pod));
  if (!view.named().notes.empty()) answer["notes"] = view.named().notes;
  return answer;
}

}  // namespace

/// A kit of a view, which goes back when the question is answered.
class View::Lease {
 public:
  explicit Lease(View& view) : view_(view) {
    const std::lock_guard lock(view_.mutex_);
    if (!view_.unused_.empty()) {
      kit_ = std::move(view_.unused_.back());
      view_.unused_.pop_back();
    }
  }
  ~Lease() {
    const std::lock_guard lock(view_.mutex_);
    // There is space, since every kit was in this list or is new.
    if (view_.unused_.size() < view_.unused_.capacity()) view_.unused_.push_back(std::move(kit_));
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  Kit& kit() {
    if (!kit_) kit_ = std::make_unique<Kit>();
    return *kit_;
  }

 private:
  View& view_;
  std::unique_ptr<Kit> kit_;
};

View::View(NamedRelease named, const Cluster& cluster)
    : named_(std::move(named)), snapshot_(cluster, named_.release) {
  unused_.reserve(k_kits_most);
}

void View::renew(const Cluster& cluster) {
  unused_.clear();  // a memo is about one snapshot
  snapshot_ = optimized::Snapshot(cluster, named_.release);
}

optimized::Placed View::schedule(const Pod& pod, const optimized::Options& options) {
  Lease lease(*this);
  Kit& kit = lease.kit();
  CanonicalChoices choices;
  return optimized::schedule(snapshot_, pod, options, kit.workers, choices, kit.memo);
}

optimized::Answer View::preempt(const Pod& pod, const optimized::Options& options) {
  Lease lease(*this);
  return optimized::decide(snapshot_, pod, options, lease.kit().workers);
}

std::string LoadedCluster::ask(Engine engine, std::string_view line) {
  return oracle::answer_line(line, [&](const Value& root) -> oracle::Reply {
    const auto command = oracle::command_of(root);
    if (!command) return {oracle::unknown_command()};
    oracle::refuse_unknown_keys(root, {"cmd", "seq", "pod", "offset", "quota", "extenders", "anyOrder",
                                       "trace", *command == Command::schedule ? "start" : "cmd"});
    Result<Question> read = kubernetes::read_question(root);
    if (!read) return {Json{{"error", oracle::error_of(read.error())}}};
    Question question = std::move(read).value();
    const auto lock = reading();
    check_is_whole();
    check_amounts(root.require("pod"), question.pod);
    const Result<View*> found = view_of(question.pod);
    if (!found) return {Json{{"error", oracle::error_of(found.error())}}};
    View& view = *found.value();
    if (engine == Engine::optimized) return {answer_in_part(*command, view, objects_.all, question)};
    question.cluster = objects_.without_holes();
    return {oracle::answer_of(root, *command, question, view.named(), engine, oracle::reference_decider())};
  });
}

Found LoadedCluster::found_by_reference(Command command, const View& view, const Pod& pod,
                                        const Numbered& numbers) const {
  const Question question{objects_.without_holes(), pod, numbers.offset, numbers.quota, numbers.start, {}};
  const oracle::Decider& reference = oracle::reference_decider();
  const Release& release = view.named().release;
  Trace trace = Trace::none();
  return found_of(command == Command::schedule ? taken_of(reference.schedule(question, release, trace))
                                               : taken_of(reference.preempt(question, release, trace)),
                  question.cluster);
}

Result<Found> LoadedCluster::find(Command command, const LoadedPod& pod, const Numbered& numbers) {
  optimized::Options options;
  options.start = numbers.start;
  options.offset = numbers.offset;
  options.quota = numbers.quota;
  options.wants_scores = false;
  const auto lock = reading();
  try {
    check_is_whole();
    const bool counts_on_a_node = !pod.pod().node_name.empty() || !pod.pod().nominated_node_name.empty();
    if (counts_on_a_node) check_amounts(pod.document().root(), pod.pod());
  } catch (const InvalidInput& invalid) {
    return invalid.error;
  }
  const Result<View*> found = view_of(pod.pod());
  if (!found) return found.error();
  View& view = *found.value();
  optimized::Placed placed;
  if (command == Command::schedule) placed = view.schedule(pod.pod(), options);
  if (command == Command::run) placed.answer = view.preempt(pod.pod(), options);
  if (oracle::is_left_to_reference(placed.answer))
    return found_by_reference(command, view, pod.pod(), numbers);
  return found_of(taken_of(std::move(placed)), objects_.all);
}

}  // namespace touchstone::library
