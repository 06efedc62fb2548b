#include "oracle/compare/cluster_difference.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "oracle/protocol/decider.hpp"
#include "oracle/protocol/placement_answer.hpp"

namespace touchstone::oracle {

namespace {

/// What counts in an answer: the outcome, and each choice that the side may make, with its victims.
Json essence_of(const Json& answer) {
  Json essence{{"outcome", answer.value("outcome", Json())}};
  for (const char* key : {"best", "ineligible", "reason"}) {
    if (answer.contains(key)) essence[key] = answer.at(key);
  }
  for (const Json& each : answer.value("admissible", Json::array())) {
    Json victims = each.value("victims", Json::array());
    std::sort(victims.begin(), victims.end());
    essence["choices"].push_back({{"node", each.at("node")}, {"victims", victims}});
  }
  return essence;
}

std::set<std::string> victims_in_any(const Json& answer) {
  std::set<std::string> victims;
  const Json admissible = answer.value("admissible", Json::array());
  for (const Json& each : admissible) {
    const Json of_node = each.value("victims", Json::array());
    for (const Json& victim : of_node) victims.insert(victim.get<std::string>());
  }
  return victims;
}

std::vector<std::string> without(const std::set<std::string>& all, const std::set<std::string>& left_out) {
  std::vector<std::string> rest;
  std::set_difference(all.begin(), all.end(), left_out.begin(), left_out.end(), std::back_inserter(rest));
  return rest;
}

}  // namespace

ClusterDifference compare_cluster(const Cluster& cluster, const Profiles& from, const Profiles& to,
                                  const std::function<bool()>& step) {
  ClusterDifference result;
  std::set<std::string> victims_from;
  std::set<std::string> victims_to;
  for (const PodIndex index : queue_of(cluster, {}, from)) {
    const Question question{cluster, cluster.pods[index], {}, {}};
    const std::string name = question.pod.full_name();
    const auto answer_by = [&question](const Profiles& profiles) {
      const auto profile = profiles.find(scheduler_of(question.pod));
      if (profile == profiles.end()) return Json{{"skipped", "no profile has the name of its scheduler"}};
      Trace trace = Trace::none();
      return placement_answer(question.cluster,
                              reference_decider().schedule(question, profile->second, trace));
    };
    const Json ours = answer_by(from);
    const Json theirs = answer_by(to);
    ++result.pods;
    const Json& skipped = ours.contains("skipped") ? ours : theirs;
    if (skipped.contains("skipped")) {
      result.skipped.push_back(name + ": " + skipped.at("skipped").get<std::string>());
    } else {
      const std::set<std::string> of_from = victims_in_any(ours);
      const std::set<std::string> of_to = victims_in_any(theirs);
      victims_from.insert(of_from.begin(), of_from.end());
      victims_to.insert(of_to.begin(), of_to.end());
      if (essence_of(ours) != essence_of(theirs))
        result.differ.push_back({name,
                                 question.pod.priority,
                                 ours,
                                 theirs,
                                 {of_from.begin(), of_from.end()},
                                 {of_to.begin(), of_to.end()}});
    }
    if (!step()) break;
  }
  result.no_longer_victims = without(victims_from, victims_to);
  result.new_victims = without(victims_to, victims_from);
  return result;
}

}  // namespace touchstone::oracle
