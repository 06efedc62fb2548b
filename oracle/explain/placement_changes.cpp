#include "oracle/explain/placement_changes.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

#include "oracle/explain/explainer.hpp"
#include "oracle/explain/score_text.hpp"
#include "oracle/explain/wording.hpp"
#include "oracle/work.hpp"

namespace touchstone::oracle {

namespace {

constexpr std::size_t k_cycles_most = 36;
constexpr std::size_t k_cycles_least = 6;
constexpr std::size_t k_rivals_most = 3;      ///< feasible nodes that are changed
constexpr std::size_t k_rejected_most = 2;    ///< nodes that are changed so that the pod fits, for each kind
constexpr std::size_t k_neighbours_most = 3;  ///< pods of a node that are left out, one at a time
constexpr std::size_t k_weights_most = 3;     ///< weights that are reported

/// Pods that all tries together may look at: about ten seconds of the reference.
constexpr std::size_t k_looks_of_all_most = 25'000'000;

/// The number of cycles that may be run in a cluster.
std::size_t tries_for(const Question& question) {
  const std::size_t looks = 1 + pods_looked_at(question.cluster, question.pod);
  return std::clamp(k_looks_of_all_most / looks, k_cycles_least, k_cycles_most);
}

/// A weight of a scorer that would move the pod.
struct OtherWeight {
  std::size_t column = 0;
  Quantity weight = 0;  ///< 0: the scorer does not run
  Quantity change = 0;  ///< how far that is from the weight of the scorer
};

class Changes {
 public:
  Changes(const Question& question, const Release& release, const Placement& placement,
          const Decider& decider)
      : question_(question),
        release_(release),
        placement_(placement),
        decider_(decider),
        tries_most_(tries_for(question)) {}

  PlacementChanges find() {
    put_nomination();
    put_points();
    put_weights();
    for (const std::size_t place : rivals()) {
      Node& node = question_.cluster.nodes[placement_.feasible[place]];
      put_taints(node, "PreferNoSchedule", "SCORE-TAINT-1");
      put_labels(node);
      put_images(node);
      put_neighbours(node);
    }
    put_requests("cpu");
    put_requests("memory");
    put_own_terms();
    put_rejected_nodes();
    return std::move(changes_);
  }

 private:
  const std::string& name(NodeIndex node) const { return question_.cluster.nodes[node].name; }
  NodeIndex host() const { return *placement_.host; }

  /// Schedules the pod with a change. Returns the nodes that may be the host, if the present host is no
  /// longer one of them; otherwise nothing.
  std::vector<NodeIndex> moved_to(const Release& release) {
    if (changes_.tried >= tries_most_) return changes_.is_cut = true, std::vector<NodeIndex>();
    ++changes_.tried;
    Trace none = Trace::none();
    const Placement placement = decider_.schedule(question_, release, none);
    const bool stays =
        std::find(placement.best.begin(), placement.best.end(), host()) != placement.best.end();
    return stays ? std::vector<NodeIndex>() : placement.best;
  }

  bool put(const std::string& condition, std::string_view clause, const std::vector<NodeIndex>& best) {
    if (best.empty()) return false;
    std::vector<std::string> names;
    for (const NodeIndex node : best) names.push_back(name(node));
    changes_.found.push_back({condition + ", the pod would go to " + (names.size() == 1 ? "" : "one of ") +
                                  names_of(names, k_names_most),
                              clause});
    return true;
  }

  bool ask(const std::string& condition, std::string_view clause) {
    return put(condition, clause, moved_to(release_));
  }

  /// Changes an object of the question, asks, and restores the object.
  template <typename Object>
  bool ask_with(Object& object, const std::function<void(Object&)>& change, const std::string& condition,
                std::string_view clause) {
    Object before = object;
    change(object);
    const bool moves = ask(condition, clause);
    object = std::move(before);
    return moves;
  }

  std::size_t place_of(NodeIndex node) const {
    const auto& feasible = placement_.feasible;
    return static_cast<std::size_t>(std::find(feasible.begin(), feasible.end(), node) - feasible.begin());
  }

  /// The places of the feasible nodes but the host, the highest total first.
  std::vector<std::size_t> rivals() const {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < placement_.feasible.size(); ++i) {
      if (placement_.feasible[i] != host()) places.push_back(i);
    }
    if (!placement_.totals.empty())
      std::stable_sort(places.begin(), places.end(), [this](std::size_t a, std::size_t b) {
        return placement_.totals[a] > placement_.totals[b];
      });
    if (places.size() > k_rivals_most) places.resize(k_rivals_most);
    return places;
  }

  /// Whether sums and products of the scores are far from the limits of an integer.
  bool is_plain() const {
    constexpr Quantity k_most = std::numeric_limits<std::int32_t>::max();
    return std::all_of(placement_.totals.begin(), placement_.totals.end(),
                       [](Quantity total) { return total >= 0 && total <= k_most; });
  }

  /// CYC-NOMINATED-1: the same pod without its nomination.
  void put_nomination() {
    if (placement_.totals.empty() && question_.pod.nominated_node_name == name(host()))
      ask_with<Pod>(
          question_.pod, [](Pod& pod) { pod.nominated_node_name.clear(); }, "without its nomination",
          "CYC-NOMINATED-1");
  }

  /// CYC-TOTAL-1: how many points the best rival lacks, and which scorers could give them.
  void put_points() {
    const std::vector<std::size_t> places = rivals();
    if (placement_.totals.empty() || places.empty() || !is_plain()) return;
    const std::size_t rival = places.front();
    const Quantity more = placement_.totals[place_of(host())] - placement_.totals[rival] + 1;
    std::vector<std::string> able;
    for (const ScoreColumn& column : placement_.scores) {
      const Quantity most = release_.highest_score * column.scorer.weight;
      if (most - column.scores[rival] >= more) able.push_back(std::string(column.scorer.name));
    }
    const std::string& node = name(placement_.feasible[rival]);
    const std::string points = std::to_string(more) + (more == 1 ? " point" : " points");
    changes_.found.push_back(
        {able.empty()
             ? "no scorer alone could give " + node + " the " + points + " more with which it would win"
             : node + " would win if " + or_of(able) + " gave it " + points + " more",
         "CYC-TOTAL-1"});
  }

  static std::string or_of(const std::vector<std::string>& names) {
    std::string text = names.front();
    for (std::size_t i = 1; i < names.size(); ++i) text += (i + 1 == names.size() ? " or " : ", ") + names[i];
    return text;
  }

  /// The nearest weight of a scorer with which another node has a higher total than the host.
  std::optional<OtherWeight> nearest_weight(std::size_t column) const {
    const ScoreColumn& scores = placement_.scores[column];
    const Quantity weight = scores.scorer.weight;
    const std::size_t own = place_of(host());
    std::optional<OtherWeight> nearest;
    for (std::size_t i = 0; i < placement_.feasible.size(); ++i) {
      const Quantity gap = placement_.totals[own] - placement_.totals[i];
      const Quantity more = (scores.scores[i] - scores.scores[own]) / weight;
      if (more == 0) continue;
      const Quantity change = gap / (more > 0 ? more : -more) + 1;
      const Quantity other = more > 0 ? weight + change : weight - change;
      if (other < 0 || (nearest && nearest->change <= change)) continue;
      nearest = OtherWeight{column, other, change};
    }
    return nearest;
  }

  void put_weights() {
    if (placement_.totals.empty() || !is_plain()) return;
    std::vector<OtherWeight> weights;
    for (std::size_t i = 0; i < placement_.scores.size(); ++i) {
      if (const auto weight = nearest_weight(i)) weights.push_back(*weight);
    }
    std::stable_sort(weights.begin(), weights.end(),
                     [](const OtherWeight& a, const OtherWeight& b) { return a.change < b.change; });
    if (weights.size() > k_weights_most) weights.resize(k_weights_most);
    for (const OtherWeight& other : weights) {
      const WeightedScorer& scorer = placement_.scores[other.column].scorer;
      Release release = release_;
      for (WeightedScorer& each : release.scorers) {
        if (each == scorer) each.weight = other.weight;
      }
      if (other.weight == 0)
        std::erase_if(release.scorers, [](const auto& each) { return each.weight == 0; });
      const std::string condition = other.weight == 0 ? "without " + std::string(scorer.name)
                                                      : "with the weight " + std::to_string(other.weight) +
                                                            " of " + std::string(scorer.name) +
                                                            " in place of " + std::to_string(scorer.weight);
      put(condition, "SCORE-SET-1", moved_to(release));
    }
  }

  void put_taints(Node& node, std::string_view effect, std::string_view clause) {
    const std::vector<Taint> taints = node.taints;
    for (std::size_t i = 0; i < taints.size(); ++i) {
      if (taints[i].effect != effect) continue;
      ask_with<Node>(
          node, [i](Node& each) { each.taints.erase(each.taints.begin() + static_cast<std::ptrdiff_t>(i)); },
          "without the taint " + taints[i].key + " of " + node.name, clause);
    }
  }

  /// SCORE-NODEAFFINITY-1: gives a node a label with which a preferred term may hold.
  void put_labels(Node& node) {
    for (const PreferredNodeTerm& term : question_.pod.preferred_node_affinity) {
      const std::vector<Requirement>& expressions = term.preference.match_expressions;
      if (expressions.size() != 1 || expressions[0].op != "In" || expressions[0].values.empty()) continue;
      const Requirement& wanted = expressions[0];
      const auto label = node.labels.find(wanted.key);
      if (label != node.labels.end() && label->second == wanted.values[0]) continue;
      ask_with<Node>(
          node, [&wanted](Node& each) { each.labels[wanted.key] = wanted.values[0]; },
          "with the label " + wanted.key + "=" + wanted.values[0] + " on " + node.name,
          "SCORE-NODEAFFINITY-1");
    }
  }

  static bool has_image(const Node& node, const NodeImage& image) {
    return std::any_of(node.images.begin(), node.images.end(),
                       [&image](const NodeImage& each) { return each.names == image.names; });
  }

  /// SCORE-IMAGE-1: gives a node the images of the host that it does not have, one at a time.
  void put_images(Node& node) {
    const std::vector<NodeImage> images = question_.cluster.nodes[host()].images;
    for (const NodeImage& image : images) {
      if (image.names.empty() || has_image(node, image) || !is_of_pod(image)) continue;
      ask_with<Node>(
          node, [&image](Node& each) { each.images.push_back(image); },
          "with the image " + image.names[0] + " on " + node.name, "SCORE-IMAGE-1");
    }
  }

  /// Whether a container of the pod may name the image.
  bool is_of_pod(const NodeImage& image) const {
    return std::any_of(image.names.begin(), image.names.end(), [this](const std::string& known) {
      return std::any_of(question_.pod.containers.begin(), question_.pod.containers.end(),
                         [&known](const Container& container) {
                           return known == container.image || known == container.image + ":latest";
                         });
    });
  }

  /// CYC-SEES-1: leaves out a pod of a node, as if it had ended.
  void put_neighbours(const Node& node) {
    std::size_t tried = 0;
    for (Pod& pod : question_.cluster.pods) {
      if (pod.node_name != node.name || pod.phase == "Succeeded" || pod.phase == "Failed") continue;
      if (++tried > k_neighbours_most) return;
      const std::string condition = "without " + pod.full_name() + " on " + node.name;
      if (ask_with<Pod>(pod, [](Pod& each) { each.phase = "Succeeded"; }, condition, "CYC-SEES-1")) return;
    }
  }

  /// Lowers the largest request of a container, to the largest of a few amounts that moves the pod.
  void put_requests(const std::string& resource) {
    const auto request_of = [&resource](const Container& container) {
      const auto found = container.requests.find(resource);
      return found == container.requests.end() ? Quantity(0) : found->second;
    };
    std::vector<Container>& containers = question_.pod.containers;
    const auto largest = std::max_element(
        containers.begin(), containers.end(),
        [&](const Container& a, const Container& b) { return request_of(a) < request_of(b); });
    if (largest == containers.end() || question_.pod.pod_level_requests) return;
    const Quantity all = request_of(*largest);
    const Quantity unit = resource == "cpu" ? 10 : 1024 * 1024;
    for (const Quantity quarters : {3, 2, 1, 0}) {
      const Quantity request = all / 4 / unit * quarters * unit;
      if (request >= all) continue;
      const std::string text = request == 0
                                   ? "with a request of 0 " + resource
                                   : "with a request of " + amount_of(resource, request) + " " + resource;
      if (ask_with<Container>(
              *largest, [&](Container& each) { each.requests[resource] = request; },
              text + " in place of " + amount_of(resource, all) + " in container " + largest->name,
              clause_of(Scorer::node_resources, release_)))
        return;
    }
  }

  /// The pod without its soft terms of one kind.
  void put_own_terms() {
    Pod& pod = question_.pod;
    if (!pod.preferred_node_affinity.empty())
      ask_with<Pod>(
          pod, [](Pod& each) { each.preferred_node_affinity.clear(); }, "without its preferred node affinity",
          "SCORE-NODEAFFINITY-1");
    if (!pod.preferred_pod_affinity.empty() || !pod.preferred_pod_anti_affinity.empty())
      ask_with<Pod>(
          pod,
          [](Pod& each) {
            each.preferred_pod_affinity.clear();
            each.preferred_pod_anti_affinity.clear();
          },
          "without its preferred affinity and anti-affinity to other pods", "SCORE-AFFINITY-1");
    const auto is_soft = [](const TopologySpreadConstraint& constraint) {
      return constraint.when_unsatisfiable == "ScheduleAnyway";
    };
    if (std::any_of(pod.topology_spread.begin(), pod.topology_spread.end(), is_soft))
      ask_with<Pod>(
          pod, [&](Pod& each) { std::erase_if(each.topology_spread, is_soft); },
          "without its spread constraints ScheduleAnyway", "SCORE-SPREAD-1");
  }

  /// Changes rejected nodes so that the pod fits: a taint, a cordon, an amount that is short.
  void put_rejected_nodes() {
    std::map<std::string_view, std::size_t> tried;  // by clause
    for (const auto& [index, status] : placement_.decision.filter) {
      if (status.findings.size() != 1) continue;
      const Finding& finding = status.findings.front();
      Node& node = question_.cluster.nodes[index];
      if (tried[finding.clause] >= k_rejected_most) continue;
      ++tried[finding.clause];
      if (finding.clause.starts_with("PRE-TAINT")) {
        put_taints(node, "NoSchedule", finding.clause);
      } else if (finding.clause.starts_with("PRE-UNSCHEDULABLE")) {
        ask_with<Node>(
            node, [](Node& each) { each.unschedulable = false; }, "without the cordon of " + node.name,
            finding.clause);
      } else if (is_shortage(finding) && finding.clause == "PRE-FIT-2") {
        put_shortage(node, finding);
      }
    }
  }

  void put_shortage(Node& node, const Finding& finding) {
    const Quantity missing = shortage_of(finding);
    Quantity allocatable = node.allocatable[finding.what];
    if (__builtin_add_overflow(allocatable, missing, &allocatable)) return;
    ask_with<Node>(
        node, [&](Node& each) { each.allocatable[finding.what] = allocatable; },
        "with " + amount_of(finding.what, missing) + " more " + finding.what + " on " + node.name,
        finding.clause);
  }

  Question question_;  ///< a copy: one object at a time is changed, and restored
  const Release& release_;
  const Placement& placement_;
  const Decider& decider_;
  std::size_t tries_most_;
  PlacementChanges changes_;
};

}  // namespace

PlacementChanges placement_changes(const Question& question, const Release& release,
                                   const Placement& placement, const Decider& decider) {
  return Changes(question, release, placement, decider).find();
}

}  // namespace touchstone::oracle
