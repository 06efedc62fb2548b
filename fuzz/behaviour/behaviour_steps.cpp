#include <algorithm>
#include <optional>
#include <span>

#include "fuzz/behaviour/behaviour_parts.hpp"
#include "reference/preemption/preempt.hpp"

/// The part of behaviour_of() about the trace. The steps of one node are consecutive: without victims,
/// budgets, reprieves, candidate.
namespace touchstone::fuzz {

namespace {

/// A clause id without its number: it names the filter.
std::string_view filter_of(std::string_view clause) { return clause.substr(0, clause.rfind('-')); }

class Reader {
 public:
  explicit Reader(CaseView& view) : view_(view) {}

  void read(const Step& step) {
    cite(step.clause);
    for (const Finding& finding : step.findings) cite(finding.clause);
    read_findings(step);
    const auto missing_drivers =
        std::count_if(step.findings.begin(), step.findings.end(),
                      [](const Finding& finding) { return finding.clause == "PRE-ATTACH-7"; });
    view_.note(Class::reason_by_chance, missing_drivers > 1);
    switch (step.stage) {
      case Stage::attempt:
        view_.note(Class::rejected_by_a_filter, !step.findings.empty());
        break;
      case Stage::eligibility:
        view_.note(Class::never, !step.passed && step.clause == "PRE-ELIGIBLE-1");
        view_.note(Class::waits, !step.passed && step.clause == "PRE-ELIGIBLE-3");
        break;
      case Stage::potential:
        if (step.passed) ++potential_;
        break;
      case Stage::search:
        read_search(step);
        break;
      case Stage::without_victims:
        forget_node();
        break;
      case Stage::budget:
        read_budget(step);
        break;
      case Stage::reprieve:
        read_reprieve(step);
        break;
      case Stage::score_part:
      case Stage::score:
      case Stage::host:
      case Stage::candidate:
      case Stage::outcome:
        break;
      case Stage::choice:
        if (step.passed) read_choice(step.clause);
        break;
    }
  }

  std::vector<std::string_view> finish() {
    view_.note(Class::beyond_a_hundred_potential_nodes, potential_ > 100);
    const bool searched = potential_ > 0;
    view_.note(Class::all_nodes_searched, searched && !sampled_);
    view_.note(Class::offset_without_meaning, searched && !sampled_ && view_.question.offset);
    std::sort(clauses_.begin(), clauses_.end());
    clauses_.erase(std::unique(clauses_.begin(), clauses_.end()), clauses_.end());
    return std::move(clauses_);
  }

 private:
  /// Adds a clause. Nearly all steps cite a clause that an earlier step cited. Clauses are literals, so
  /// comparing addresses finds nearly all repetitions; finish() removes the rest.
  void cite(std::string_view clause) {
    const auto same = [clause](std::string_view known) { return known.data() == clause.data(); };
    if (std::none_of(clauses_.begin(), clauses_.end(), same)) clauses_.push_back(clause);
  }

  void read_findings(const Step& step) {
    std::size_t resources = 0;
    for (const Finding& finding : step.findings) {
      view_.note(Class::nominated_pod_in_the_way, finding.clause == "PRE-NOMINATED-1");
      view_.note(Class::port_keeps_a_pod_from_staying,
                 step.stage == Stage::reprieve && finding.clause == "PRE-PORTS-1");
      view_.note(Class::predicates_report_together,
                 finding.clause != "PRE-NOMINATED-1" &&
                     filter_of(finding.clause) != filter_of(step.findings.front().clause));
      if (filter_of(finding.clause) != "PRE-FIT" || finding.values.size() != 3) continue;
      ++resources;
      const Quantity requested = value_of(finding.values, Measure::requested);
      const Quantity left =
          value_of(finding.values, Measure::allocatable) - value_of(finding.values, Measure::used);
      view_.note(Class::off_by_one, finding.clause == "PRE-FIT-2" && requested - left == 1);
      view_.note(Class::short_of_memory, finding.what == "memory");
      view_.note(Class::short_of_ephemeral_storage, finding.what == "ephemeral-storage");
      view_.note(Class::short_of_an_extended_resource, finding.what.find('/') != std::string::npos);
      view_.note(Class::short_of_hugepages, finding.what.starts_with("hugepages-"));
    }
    view_.note(Class::short_of_several, resources > 1);
    view_.note(Class::first_reason_alone, view_.release.first_reason_alone && resources > 1);
  }

  void read_search(const Step& step) {
    sampled_ = true;
    if (step.clause == "PRE-SEARCH-3") start_ = value_of(step.values, Measure::number);
    view_.note(Class::search_starts_further_on, start_ > 0);
    if (step.clause != "PRE-SEARCH-4") return;
    const Quantity visited = value_of(step.values, Measure::visited);
    view_.note(Class::search_ends_early, visited < potential_);
    view_.note(Class::search_goes_round, start_ + visited > potential_);
  }

  void forget_node() {
    passed_budgets_.clear();
    violating_.clear();
    previous_ = nullptr;
    one_fell_ = false;
    budget_pod_.reset();
  }

  void read_budget(const Step& step) {
    view_.note(Class::several_pdbs_on_one_pod, budget_pod_ == step.pod);
    budget_pod_ = step.pod;
    if (step.passed) {
      passed_budgets_.push_back(step.what);
      return;
    }
    violating_.push_back(*step.pod);
    view_.note(Class::budget_below_zero, value_of(step.values, Measure::left) < 0);
    view_.note(Class::budget_spent_by_another_pod,
               std::find(passed_budgets_.begin(), passed_budgets_.end(), step.what) != passed_budgets_.end());
  }

  bool violates(PodIndex pod) const {
    return std::find(violating_.begin(), violating_.end(), pod) != violating_.end();
  }

  void read_reprieve(const Step& step) {
    const bool violating = violates(*step.pod);
    view_.note(Class::pod_reprieved, step.passed);
    view_.note(Class::violating_pod_reprieved, step.passed && violating);
    view_.note(Class::pod_reprieved_after_a_victim, step.passed && one_fell_);
    one_fell_ = one_fell_ || !step.passed;
    if (previous_ != nullptr) {
      const bool before = violates(*previous_->pod);
      view_.note(Class::violating_and_other_pods, before != violating);
      if (before == violating) compare(view_.pod(*previous_->pod), view_.pod(*step.pod), step.passed);
    }
    previous_ = &step;
  }

  /// Notes what decides between two pods that are neighbours in the order of importance.
  void compare(const Pod& first, const Pod& second, bool second_stays) {
    if (first.priority != second.priority) return;
    const bool parted = previous_->passed != second_stays;
    const bool equal = reference::equally_important(first, second, view_.release);
    const bool by_start = view_.release.importance_by_start_time;
    view_.note(Class::list_decides_who_stays, parted && equal);
    view_.note(Class::start_decides_who_stays,
               parted && by_start && first.start_time_ns != second.start_time_ns);
    view_.note(Class::unstarted_pods_alike, by_start && !first.start_time_ns && !second.start_time_ns);
  }

  void read_choice(std::string_view clause) {
    view_.note(Class::decided_by_violations, clause == "PRE-NODE-1");
    view_.note(Class::decided_by_first_priority, clause == "PRE-NODE-2");
    view_.note(Class::decided_by_sum, clause == "PRE-NODE-3");
    view_.note(Class::decided_by_count, clause == "PRE-NODE-4");
    view_.note(Class::decided_by_start, clause == "PRE-NODE-5");
  }

  CaseView& view_;
  std::vector<std::string_view> clauses_;
  Quantity potential_ = 0;
  Quantity start_ = 0;
  bool sampled_ = false;
  // State of the node whose steps are read.
  std::vector<std::string_view> passed_budgets_;
  std::vector<PodIndex> violating_;
  std::optional<PodIndex> budget_pod_;
  const Step* previous_ = nullptr;
  bool one_fell_ = false;
};

}  // namespace

std::vector<std::string_view> note_steps(CaseView& view) {
  Reader reader(view);
  for (const Step& step : view.trace.steps()) reader.read(step);
  return reader.finish();
}

}  // namespace touchstone::fuzz
