#include "fuzz/behaviour/coverage_selection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "kubernetes/objects/question.hpp"
#include "oracle/compare/asked.hpp"
#include "reference/cycle/schedule.hpp"
#include "reference/preemption/preempt.hpp"

namespace touchstone::fuzz {

namespace {

/// A question, its configuration (null: the default one), the releases that answered it, oldest first, and
/// the answers computed so far.
struct Put {
  oracle::Command command;
  Question question;
  Json config;
  std::vector<Release> releases;
  std::map<std::size_t, std::optional<Placement>> answered;  ///< by index in releases
};

/// The whole cycle, or the preemption decision alone if that is what the question is for. Recorded answers do
/// not say where the next search begins.
Placement answer_of(const Put& put, const Release& release) {
  Placement placement;
  if (put.command == oracle::Command::schedule) {
    placement = reference::schedule(put.question, release);
    placement.next_start.reset();
  } else {
    placement.decision = reference::preempt(put.question, release);
  }
  return placement;
}

/// The command whose vectors show a row of the release table.
oracle::Command command_of(const Change& change) {
  return change.clause.starts_with("PRE-") ? oracle::Command::run : oracle::Command::schedule;
}

/// The vectors without paths and without large clusters, the smallest first, because they take less time.
/// Paths are of one release, which other vectors show. Of whole cycles the large ones stay: only a large
/// cluster ends the search for nodes early.
std::vector<Put> vectors_without_the_large() {
  std::vector<Put> all;
  const std::vector<oracle::VectorFile> files = oracle::read_vectors("spec/vectors").value();
  for (const oracle::VectorFile& file : files) {
    for (const oracle::VectorCase& each : file.cases) {
      Put put{file.command,
              kubernetes::read_question_text(each.question.dump(), each.name).value(),
              each.question.value("config", Json()),
              {},
              {}};
      const bool is_large = file.command == oracle::Command::run && put.question.cluster.nodes.size() > 50;
      if (is_large || each.name.starts_with("paths/")) continue;
      for (const auto& [release, answer] : each.answers)
        put.releases.push_back(find_release(release).value().release);
      std::sort(put.releases.begin(), put.releases.end(),
                [](const Release& x, const Release& y) { return x.version < y.version; });
      all.push_back(std::move(put));
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const Put& x, const Put& y) {
    return x.question.cluster.nodes.size() + x.question.cluster.pods.size() <
           y.question.cluster.nodes.size() + y.question.cluster.pods.size();
  });
  return all;
}

/// Whether a question decides a row of the release table, seen from one side. `has`: the release has the
/// row. A question decides the row if the answer changes when the row is removed from, or added to, that
/// release.
bool decides(Put& put, const Change& change, bool has) {
  if (put.command != command_of(change)) return false;
  const auto is_of_that_side = [&](const Release& release) {
    return has_change(change, release.version) == has;
  };
  // The release nearest to the change: the first that has the row, or the last that lacks it.
  auto release = std::find_if(put.releases.begin(), put.releases.end(), is_of_that_side);
  if (!has) {
    const auto last = std::find_if(put.releases.rbegin(), put.releases.rend(), is_of_that_side);
    release = last == put.releases.rend() ? put.releases.end() : last.base() - 1;
  }
  if (release == put.releases.end()) return false;
  const auto place = static_cast<std::size_t>(release - put.releases.begin());
  if (!put.answered.contains(place)) put.answered[place] = answer_of(put, *release);
  const std::optional<Placement> toggled = answer_of(put, with_toggled(*release, change));
  return put.answered[place] && toggled && *put.answered[place] != *toggled;
}

}  // namespace

TEST(Chosen, ShowEverythingWithTheSmallest) {
  const std::vector<Choosable> all = {{9, {"a", "b", "c"}}, {1, {"a"}}, {2, {"a"}}, {3, {"b"}}, {3, {"b"}}};
  EXPECT_EQ(chosen(all, 1), (std::vector<std::size_t>{1, 3, 0}));
  EXPECT_EQ(chosen(all, 2), (std::vector<std::size_t>{1, 2, 3, 4, 0}));
  EXPECT_EQ(chosen({}, 3), std::vector<std::size_t>{});
  EXPECT_EQ(chosen({{1, {}}}, 1), std::vector<std::size_t>{});
}

/// Sides of rows that no vector shows, and why no vector can show them yet.
const std::map<std::string, std::string> k_unshown = {
    {"without filter_groups: all predicates together", "every release has it"},
    {"with node_conditions_filter: off: nodes are tainted by condition", "not modelled"},
    {"without node_conditions_filter: off: nodes are tainted by condition", "not modelled"},
    {"with resource_claims_filter: on", "not modelled"},
    {"without resource_claims_filter: on", "not modelled"},
    {"with no_victims_left: candidate", "no filter that is modelled leads to it"},
    {"without no_victims_left: candidate", "no filter that is modelled leads to it"},
    {"with no_victims_left: error", "no filter that is modelled leads to it"},
    {"without no_victims_left: error", "no filter that is modelled leads to it"},
    {"without one_contradiction_rejects: yes", "before v1.24 no PreFilter names nodes"},
    {"without text_state_lost: of PodTopologySpread", "before v1.26 no failure is lost"},
    {"without filter_groups: node features last", "v1.35 knows no feature that the filter would ask for"},
    {"without node_features: of host networks and restarts", "v1.35 has no filter that asks for features"},
    {"without scorers: priority functions", "every release has it"},
    {"with host_choice: in turn, in the order of the search", "the counter is not in the question"},
    {"without host_choice: in turn, in the order of the search", "the counter is not in the question"},
    {"with host_choice: any", "the counter of v1.15 is not in the question"},
    {"without host_choice: any", "the counter of v1.15 is not in the question"},
    {"without own_overhead_in_cores: yes", "before v1.18 overhead does not count"},
    {"without system_constraints_need_all_keys: yes", "before v1.20 there are no system constraints"},
    {"with scored_requests: of the preemptor, as for the filter", "in v1.27 sidecars do not add up yet"},
    {"with spread_excluded_changes: do not count", "needs a configuration"},
    {"without spread_excluded_changes: do not count", "needs a configuration, and is skipped then"},
    {"with one_node_without_scorers: yes", "needs a configuration"},
    {"without one_node_without_scorers: yes", "needs a configuration"},
    {"with most_allocated_is_capped: yes", "needs a configuration"},
    {"without most_allocated_is_capped: yes", "needs a configuration"},
    {"with dropped_node_moves_start: no", "no answer says where the next search begins"},
    {"without dropped_node_moves_start: no", "no answer says where the next search begins"},
    {"with start: of the list that was searched", "no answer says where the next search begins"},
    {"without start: of the list that was searched", "no answer says where the next search begins"},
    {"with start_wraps_at_list: no", "no answer says where the next search begins"},
    {"without start_wraps_at_list: no", "no answer says where the next search begins"},
    {"with equal_errors_are_listed: no", "needs a Policy without SelectorSpreadPriority, which crashes"},
    {"without equal_errors_are_listed: no", "needs a Policy without SelectorSpreadPriority, which crashes"},
    {"with extender_needs_victims: no", "no release of v1.38 runs yet"},
};

TEST(Vectors, HaveBothSidesOfEveryChange) {
  std::vector<Put> all = vectors_without_the_large();
  std::set<std::string> unshown;
  for (const Change& change : release_table()) {
    // The questions are put without their Policy.
    if (is_over_time(change) || change.clause.starts_with("POL-")) continue;
    for (const bool has : {true, false}) {
      const bool shown =
          std::any_of(all.begin(), all.end(), [&](Put& put) { return decides(put, change, has); });
      if (!shown)
        unshown.insert((has ? "with " : "without ") + std::string(change.name) + ": " +
                       std::string(change.value));
    }
  }
  for (const std::string& side : unshown) EXPECT_TRUE(k_unshown.contains(side)) << side;
  for (const auto& [side, reason] : k_unshown) EXPECT_TRUE(unshown.contains(side)) << side << " is shown";
}

}  // namespace touchstone::fuzz
