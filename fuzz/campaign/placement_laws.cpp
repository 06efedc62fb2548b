#include "fuzz/campaign/placement_laws.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "fuzz/campaign/renamed.hpp"
#include "spec/vocabulary/placement_properties.hpp"

namespace touchstone::fuzz {

namespace {

/// What a placement says about one node.
struct ScoredNode {
  std::map<std::string, Quantity> scores;  ///< by scorer
  Quantity total = 0;
  bool is_best = false;

  bool operator==(const ScoredNode&) const = default;
};

/// A placement without the order of its nodes. Reasons and messages, which have names, are left out.
std::map<std::string, ScoredNode> by_name(const Question& question, const Placement& placement) {
  std::map<std::string, ScoredNode> nodes;
  for (std::size_t i = 0; i < placement.feasible.size(); ++i) {
    ScoredNode& node = nodes[question.cluster.nodes[placement.feasible[i]].name];
    for (const ScoreColumn& column : placement.scores) node.scores[column.scorer.name] = column.scores[i];
    if (!placement.totals.empty()) node.total = placement.totals[i];
    node.is_best = std::count(placement.best.begin(), placement.best.end(), placement.feasible[i]) > 0;
  }
  return nodes;
}

bool is_placed(const Placement& placement) { return placement.decision.outcome == Outcome::fits; }

/// Whether both placements are there and differ in a node's scores, its total, or whether it is the best.
bool differ(const Question& question, const Placement& before, const Question& changed,
            const Placement& after) {
  return is_placed(before) && by_name(question, before) != by_name(changed, after);
}

void forget(std::map<std::string, ScoredNode>& nodes, Scorer scorer, const Release& release) {
  for (const WeightedScorer& weighted : release.scorers) {
    if (weighted.scorer != scorer) continue;
    for (auto& [name, node] : nodes) node.scores.erase(weighted.name);
  }
  for (auto& [name, node] : nodes) {
    node.total = 0;
    node.is_best = false;
  }
}

/// A pod that no scorer sees, with the labels of the preemptor and large requests.
Pod unseen_pod(const Question& question, const std::string& name) {
  Pod pod;
  pod.ns = question.pod.ns;
  pod.name = name;
  pod.uid = name;
  pod.labels = question.pod.labels;
  pod.priority = std::numeric_limits<std::int32_t>::min();
  pod.containers.push_back({"c", {{"cpu", 1500}, {"memory", Quantity{1} << 30}}, {}, false});
  pod.preferred_pod_affinity = question.pod.preferred_pod_affinity;
  return pod;
}

bool has_different_sizes(const Cluster& cluster) {
  std::map<std::string, std::set<Quantity>> sizes;
  for (const Node& node : cluster.nodes) {
    for (const NodeImage& image : node.images) {
      for (const std::string& name : image.names) sizes[name].insert(image.size);
    }
  }
  return std::any_of(sizes.begin(), sizes.end(), [](const auto& item) { return item.second.size() > 1; });
}

}  // namespace

bool depends_on_unseen_pods(const oracle::Decider& decider, const Question& question,
                            const Release& release) {
  if (question.pod.priority == std::numeric_limits<std::int32_t>::min()) return false;
  Question changed = question;
  for (const Node& node : question.cluster.nodes) {
    Pod ended = unseen_pod(question, "ended-on-" + node.name);
    ended.node_name = node.name;
    ended.phase = "Succeeded";
    Pod nominated = unseen_pod(question, "nominated-to-" + node.name);
    nominated.nominated_node_name = node.name;
    changed.cluster.pods.push_back(ended);
    changed.cluster.pods.push_back(nominated);
  }
  return differ(question, schedule(decider, question, release), changed, schedule(decider, changed, release));
}

bool placement_depends_on_names(const oracle::Decider& decider, const Question& question,
                                const Release& release) {
  const Placement before = schedule(decider, question, release);
  const Placement after = schedule(decider, with_renamed(question), release);
  return is_placed(before) && (before.feasible != after.feasible || before.scores != after.scores ||
                               before.totals != after.totals || before.best != after.best);
}

bool placement_depends_on_order(const oracle::Decider& decider, const Question& question,
                                const Release& release) {
  if (has_different_sizes(question.cluster)) return false;
  Question changed = question;
  std::reverse(changed.cluster.pods.begin(), changed.cluster.pods.end());
  if (!question.start) std::reverse(changed.cluster.nodes.begin(), changed.cluster.nodes.end());
  return differ(question, schedule(decider, question, release), changed, schedule(decider, changed, release));
}

bool weight_changes_more(const oracle::Decider& decider, const Question& question, const Release& release) {
  const Placement before = schedule(decider, question, release);
  if (!is_placed(before) || release.zones_without_pods_break) return false;
  for (std::size_t changed = 0; changed < before.scores.size(); ++changed) {
    Release other = release;
    for (WeightedScorer& scorer : other.scorers) {
      if (scorer == before.scores[changed].scorer) scorer.weight += 1;
    }
    const Placement after = schedule(decider, question, other);
    if (after.scores.size() != before.scores.size()) return true;
    for (std::size_t i = 0; i < before.feasible.size(); ++i) {
      const Quantity old_weight = before.scores[changed].scorer.weight;
      const Quantity more = before.scores[changed].scores[i] / old_weight;
      if (after.totals[i] != before.totals[i] + more) return true;
      for (std::size_t column = 0; column < before.scores.size(); ++column) {
        const Quantity expected = before.scores[column].scores[i] + (column == changed ? more : 0);
        if (after.scores[column].scores[i] != expected) return true;
      }
    }
  }
  return false;
}

bool depends_on_empty_preferences(const oracle::Decider& decider, const Question& question,
                                  const Release& release) {
  const std::string none = "label-that-nothing-has";
  Question changed = question;
  changed.pod.preferred_node_affinity.push_back({50, {{{none, "Exists", {}}}, {}}});
  PodAffinityTerm term;
  term.topology_key = none;
  term.label_selector = LabelSelector{{{none, "x"}}, {}};
  if (!release.ignores_preferred_terms_of_others) changed.pod.preferred_pod_affinity.push_back({50, term});
  const Placement before = schedule(decider, question, release);
  const Placement after = schedule(decider, changed, release);
  return is_placed(before) && (before.totals != after.totals || before.best != after.best);
}

bool depends_on_tolerated_taints(const oracle::Decider& decider, const Question& question,
                                 const Release& release) {
  Question changed = question;
  changed.pod.tolerations.push_back({"", "Exists", "", "PreferNoSchedule"});
  const Placement before = schedule(decider, question, release);
  const Placement after = schedule(decider, changed, release);
  if (!is_placed(before)) return false;
  if (before.scores.size() != after.scores.size() || before.feasible != after.feasible) return true;
  for (std::size_t i = 0; i < after.scores.size(); ++i) {
    std::vector<Quantity> expected = before.scores[i].scores;
    const WeightedScorer& scorer = after.scores[i].scorer;
    if (scorer.scorer == Scorer::taint_toleration)
      expected.assign(expected.size(), release.highest_score * scorer.weight);
    if (after.scores[i].scores != expected) return true;
  }
  return false;
}

bool depends_on_start(const oracle::Decider& decider, const Question& question, const Release& release) {
  const std::size_t count = question.cluster.nodes.size();
  if (count == 0 || release.scorers.empty()) return false;
  Question begun = question;
  begun.start = question.start.value_or(0) % static_cast<Quantity>(count);
  Question wrapped = begun;
  *wrapped.start += 7 * static_cast<Quantity>(count);
  const Placement placement = schedule(decider, begun, release);
  if (!is_placed(placement)) return false;
  // Where a PreFilter excludes nodes, the start counts modulo the number of the others.
  const bool excludes = placement.decision.filter.size() + placement.feasible.size() < count;
  Placement of_wrapped = schedule(decider, wrapped, release);
  // If the nominated node takes the pod, there is no search, and the start stays as it is (CYC-NOMINATED-1).
  if (of_wrapped.next_start == wrapped.start) of_wrapped.next_start = begun.start;
  if (!excludes && of_wrapped != placement) return true;
  if (count >= 100) return false;
  Question without = question;
  without.start.reset();
  auto before = by_name(question, schedule(decider, without, release));
  auto after = by_name(question, placement);
  for (auto* nodes : {&before, &after}) {
    for (auto& [name, node] : *nodes) node.is_best = false;  // CYC-HOST-4
  }
  return before != after;
}

bool placement_depends_on_cordoned_node(const oracle::Decider& decider, const Question& question,
                                        const Release& release) {
  if (question.cluster.nodes.empty() || question.start) return false;
  Question smaller = question;
  smaller.pod.tolerations.clear();
  Question larger = smaller;
  Node node;
  node.name = "cordoned";
  node.unschedulable = true;
  larger.cluster.nodes.push_back(node);
  const Placement before = schedule(decider, smaller, release);
  if (!is_placed(before)) return false;
  auto nodes_before = by_name(smaller, before);
  auto nodes_after = by_name(larger, schedule(decider, larger, release));
  forget(nodes_before, Scorer::image_locality, release);
  forget(nodes_after, Scorer::image_locality, release);
  return nodes_before != nodes_after;
}

bool terminating_pod_keeps_away(const oracle::Decider& decider, const Question& question,
                                const Release& release) {
  const Placement before = schedule(decider, question, release);
  if (!is_placed(before)) return false;
  Question changed = question;
  Pod pod = unseen_pod(question, "terminating");
  pod.containers[0].requests = {{"cpu", 0}, {"memory", 0}};
  pod.preferred_pod_affinity.clear();
  pod.node_name = question.cluster.nodes[before.feasible.back()].name;
  pod.terminating = true;
  changed.cluster.pods.push_back(pod);
  const Placement after = schedule(decider, changed, release);
  if (!is_placed(after) || before.feasible != after.feasible) return false;  // a filter sees the pod
  const auto columns = [](const Placement& placement) {
    std::vector<ScoreColumn> spread = placement.scores;
    std::erase_if(spread, [](const ScoreColumn& column) {
      return column.scorer.scorer != Scorer::pod_topology_spread &&
             column.scorer.scorer != Scorer::selector_spread;
    });
    return spread;
  };
  return columns(before) != columns(after);
}

bool image_lowers_score(const oracle::Decider& decider, const Question& question, const Release& release) {
  const Placement before = schedule(decider, question, release);
  if (!is_placed(before) || has_different_sizes(question.cluster)) return false;
  Question changed = question;
  Node& node = changed.cluster.nodes[before.feasible.back()];
  for (const Node& other : question.cluster.nodes) {
    for (const NodeImage& image : other.images) {
      const auto is_same = [&image](const NodeImage& own) { return own.names == image.names; };
      if (std::none_of(node.images.begin(), node.images.end(), is_same)) node.images.push_back(image);
    }
  }
  const Placement after = schedule(decider, changed, release);
  if (before.scores.size() != after.scores.size()) return true;
  for (std::size_t i = 0; i < before.scores.size(); ++i) {
    const bool is_of_images = before.scores[i].scorer.scorer == Scorer::image_locality;
    for (std::size_t j = 0; j < before.feasible.size(); ++j) {
      const Quantity old_score = before.scores[i].scores[j];
      const Quantity score = after.scores[i].scores[j];
      if (is_of_images ? score < old_score : score != old_score) return true;
    }
  }
  return false;
}

std::vector<BrokenLaw> broken_by_placement(const oracle::Decider& decider, const Question& question,
                                           const Release& release) {
  std::vector<BrokenLaw> broken = broken_laws(question, release, schedule(decider, question, release));
  const auto demand = [&](bool is_broken, std::string_view clause, const char* text) {
    if (is_broken) broken.push_back({clause, text});
  };
  demand(depends_on_unseen_pods(decider, question, release), "CYC-SEES-1",
         "a pod that has ended or is nominated changes a score");
  demand(placement_depends_on_names(decider, question, release), "CYC-ORDER-1",
         "the placement changes when objects are renamed");
  demand(placement_depends_on_order(decider, question, release), "CYC-ORDER-1",
         "the placement changes when lists are reversed");
  demand(weight_changes_more(decider, question, release), "CYC-TOTAL-1",
         "another weight of a scorer changes more than its column");
  demand(depends_on_empty_preferences(decider, question, release), "SCORE-NODEAFFINITY-1",
         "a preferred term that matches nothing changes a total");
  demand(depends_on_tolerated_taints(decider, question, release), "SCORE-TAINT-1",
         "a tolerated taint changes a score");
  demand(depends_on_start(decider, question, release), "CYC-SEARCH-2",
         "the start changes more than the order of the search");
  demand(placement_depends_on_cordoned_node(decider, question, release), "SCORE-NORMAL-1",
         "a node that is not feasible changes a score");
  demand(terminating_pod_keeps_away(decider, question, release), "SCORE-SPREAD-4",
         "a terminating pod changes a score of PodTopologySpread or SelectorSpread");
  demand(image_lowers_score(decider, question, release), "SCORE-IMAGE-1",
         "an image on one more node lowers a score");
  return broken;
}

}  // namespace touchstone::fuzz
