#pragma once

#include <string>
#include <vector>

#include "spec/releases/release.hpp"
#include "spec/vocabulary/choices.hpp"
#include "spec/vocabulary/cluster.hpp"

/// What scores look at, added to a generated question.
namespace touchstone::tests {

/// Adds generated images, preferred terms, soft constraints, zones, Services, controllers, taints, missing
/// requests and larger nodes, so that the preemptor fits on several nodes.
class Preferences {
 public:
  Preferences(Question& question, Choices& choices) : question_(question), choices_(choices) {}

  void add() {
    for (Node& node : question_.cluster.nodes) add_to(node);
    add_copies();
    add_to(question_.pod);
    for (Pod& pod : question_.cluster.pods) {
      if (once_in(2)) add_to(pod);
    }
    for (std::size_t i = below(4); i > 0; --i) question_.cluster.selecting.push_back(selecting_object());
    if (once_in(2)) question_.pod.controller = controller();
    if (!once_in(3)) question_.start = static_cast<Quantity>(below(question_.cluster.nodes.size() + 3));
  }

  /// One of the objects that select pods.
  SelectingObject selecting_object() {
    SelectingObject object;
    object.kind = static_cast<SelectingKind>(below(4));
    object.ns = once_in(6) ? "other" : question_.pod.ns;
    object.name = "r" + std::to_string(below(2));
    if (once_in(6)) return object;
    object.selector = LabelSelector{};
    if (!once_in(6)) object.selector->match_labels["app"] = text({"x", "y"});
    if (once_in(3)) object.selector->match_labels["tier"] = text({"a", "bad value"});
    if (object.kind > SelectingKind::replication_controller && once_in(3))
      object.selector->match_expressions.push_back({"app", text({"Exists", "In"}), {}});
    return object;
  }

 private:
  std::size_t below(std::size_t n) { return choices_.pick(n, "preference"); }
  bool once_in(std::size_t n) { return below(n) == 0; }
  std::string text(const std::vector<std::string>& texts) { return texts[below(texts.size())]; }

  Controller controller() {
    const std::string kind = text({"ReplicaSet", "ReplicationController", "StatefulSet", "Job"});
    return {text({"v1", "apps/v1"}), kind, "r" + std::to_string(below(2)), text({"u1", "u2"})};
  }

  void add_to(Node& node) {
    for (const char* resource : {"cpu", "memory", "pods"}) {
      Quantity& amount = node.allocatable[resource];
      if (!once_in(4))
        amount = amount * static_cast<Quantity>(1 + below(4)) + static_cast<Quantity>(below(3));
    }
    static const std::vector<std::string> k_keys = {
        "zone", "topology.kubernetes.io/zone", "topology.kubernetes.io/region",
        "failure-domain.beta.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/region"};
    for (const std::string& key : k_keys) {
      if (once_in(2)) node.labels[key] = text({"a", "b", "c", ""});
    }
    if (!once_in(4)) node.labels["kubernetes.io/hostname"] = once_in(8) ? "" : node.name;
    if (once_in(3)) node.taints.push_back({text({"k", "l"}), "v", "PreferNoSchedule"});
    if (once_in(5)) node.taints.push_back({text({"k", "l"}), "v", "PreferNoSchedule"});
    for (std::size_t i = below(4); i > 0; --i) {
      constexpr Quantity k_size = Quantity{1} << 26;
      node.images.push_back(
          {{text({"app:latest", "app:1", "base:latest"})},
           k_size * static_cast<Quantity>(1 + below(30)) + static_cast<Quantity>(below(3))});
      if (once_in(3)) node.images.back().names.push_back("other:latest");
    }
    if (once_in(4)) node.avoided.push_back(controller());
  }

  /// More nodes without pods, so that the search may end before it has found all of them.
  void add_copies() {
    std::vector<Node>& nodes = question_.cluster.nodes;
    if (nodes.empty() || !once_in(8)) return;
    const std::size_t count = 60 + below(120);
    for (std::size_t i = 0; i < count; ++i) {
      Node copy = nodes[below(nodes.size())];
      copy.name = "copy-" + std::to_string(i);
      add_to(copy);
      nodes.push_back(copy);
    }
  }

  PodAffinityTerm term() {
    PodAffinityTerm term;
    term.topology_key = text({"zone", "kubernetes.io/hostname", "topology.kubernetes.io/zone"});
    if (!once_in(10)) term.label_selector = LabelSelector{{{"app", text({"x", "y"})}}, {}};
    if (once_in(5)) term.namespaces = {text({"default", "other"})};
    if (once_in(5)) term.namespace_selector = LabelSelector{{{"team", text({"a", "b"})}}, {}};
    return term;
  }

  TopologySpreadConstraint constraint() {
    TopologySpreadConstraint constraint;
    constraint.topology_key = text({"zone", "kubernetes.io/hostname", "topology.kubernetes.io/zone"});
    constraint.when_unsatisfiable = once_in(5) ? "DoNotSchedule" : "ScheduleAnyway";
    constraint.max_skew = static_cast<Quantity>(1 + below(4));
    constraint.label_selector = LabelSelector{{}, {}};
    if (!once_in(5)) constraint.label_selector->match_labels["app"] = text({"x", "y"});
    if (once_in(5)) constraint.node_affinity_policy = "Ignore";
    if (once_in(5)) constraint.node_taints_policy = "Honor";
    if (once_in(5)) constraint.match_label_keys = {"tier"};
    return constraint;
  }

  void add_to(Pod& pod) {
    if (!once_in(3)) pod.labels["app"] = text({"x", "y"});
    if (once_in(3)) pod.labels["tier"] = text({"a", "b"});
    const auto weight = [this] { return static_cast<Quantity>(1 + below(100)); };
    for (std::size_t i = below(3); i > 0 && once_in(2); --i)
      pod.preferred_pod_affinity.push_back({weight(), term()});
    for (std::size_t i = below(3); i > 0 && once_in(2); --i)
      pod.preferred_pod_anti_affinity.push_back({weight(), term()});
    if (once_in(6)) pod.pod_affinity.push_back(term());
    for (std::size_t i = below(3); i > 0; --i) {
      PreferredNodeTerm preferred{weight(), {}};
      if (!once_in(3)) preferred.preference.match_expressions = {{"zone", "In", {text({"a", "b"})}}};
      if (once_in(3))
        preferred.preference.match_fields = {{"metadata.name", "In", {text({"n0", "n1", "n2"})}}};
      pod.preferred_node_affinity.push_back(preferred);
    }
    if (once_in(3)) pod.topology_spread.push_back(constraint());
    if (once_in(5)) pod.topology_spread.push_back(constraint());
    if (once_in(4))
      pod.tolerations.push_back({text({"k", ""}), "Exists", "", text({"", "PreferNoSchedule"})});
    for (Container& container : pod.containers) {
      container.image = text({"app", "app:1", "base", "other"});
      if (once_in(4)) container.requests.erase(text({"cpu", "memory"}));
    }
    for (Container& container : pod.init_containers) container.image = text({"app", "base"});
  }

  Question& question_;
  Choices& choices_;
};

inline void with_preferences(Question& question, Choices& choices) { Preferences(question, choices).add(); }

/// A release as a configuration might change its scores and its search.
inline Release with_scores(Release release, Choices& choices) {
  const auto once_in = [&choices](std::size_t n) { return choices.pick(n, "configuration") == 0; };
  const auto below = [&choices](std::size_t n) {
    return static_cast<Quantity>(choices.pick(n, "configuration"));
  };
  for (WeightedScorer& scorer : release.scorers) {
    if (once_in(3)) scorer.weight = 1 + below(100);
  }
  if (once_in(8)) release.scorers.clear();
  if (once_in(4) && !release.scorers.empty()) release.scorers.erase(release.scorers.begin());
  if (once_in(3)) release.percentage_of_nodes = below(101);
  if (release.version.minor < 22) return release;
  if (once_in(3)) {
    release.fit_resources = {{"cpu", 1 + below(3)}, {"example.com/gpu", 3}, {"ephemeral-storage", 2}};
    release.balanced_resources = {{"memory", 1}, {"cpu", 1}, {"example.com/gpu", 1}};
  }
  release.fit_strategy = static_cast<FitStrategy>(below(3));
  release.fit_shape = {{0, below(11)}, {30 + below(20), below(11)}, {100, below(11)}};
  release.hard_pod_affinity_weight = below(3) * 50;
  release.ignores_preferred_terms_of_others = release.version.minor >= 27 && once_in(3);
  if (once_in(3)) release.added_preferred_terms = {{1 + below(100), {{{"zone", "Exists", {}}}, {}}}};
  if (once_in(3)) {
    release.system_constraints = false;
    TopologySpreadConstraint constraint;
    constraint.topology_key = "topology.kubernetes.io/zone";
    constraint.when_unsatisfiable = once_in(2) ? "DoNotSchedule" : "ScheduleAnyway";
    constraint.max_skew = 1 + below(3);
    release.default_constraints = {constraint};
  }
  return release;
}

}  // namespace touchstone::tests
