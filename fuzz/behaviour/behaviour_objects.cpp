#include <algorithm>

#include "fuzz/behaviour/behaviour_parts.hpp"
#include "reference/filters/labels.hpp"
#include "spec/vocabulary/properties.hpp"

/// The part of behaviour_of() about the objects of a question that the release reads.
namespace touchstone::fuzz {

namespace {

bool is_invalid(const Requirement& requirement) {
  const std::string& op = requirement.op;
  if (op == "In" || op == "NotIn") return requirement.values.empty();
  const bool compares = op == "Gt" || op == "Lt";
  if (!compares) return false;
  return requirement.values.size() != 1 ||
         requirement.values[0].find_first_not_of("0123456789") != std::string::npos;
}

void see_requirement(CaseView& sight, const Requirement& requirement) {
  if (is_invalid(requirement)) return sight.note(Class::invalid_requirement);
  sight.note(Class::operator_in, requirement.op == "In");
  sight.note(Class::operator_not_in, requirement.op == "NotIn");
  sight.note(Class::operator_exists, requirement.op == "Exists");
  sight.note(Class::operator_does_not_exist, requirement.op == "DoesNotExist");
  sight.note(Class::operator_greater, requirement.op == "Gt");
  sight.note(Class::operator_less, requirement.op == "Lt");
}

bool is_known(const std::vector<std::string_view>& nodes, const std::string& name) {
  return std::binary_search(nodes.begin(), nodes.end(), name);
}

void see_node_affinity(CaseView& sight, const std::vector<std::string_view>& nodes) {
  const Pod& pod = sight.question.pod;
  const bool name_pins = sight.release.node_name_pins && !pod.node_name.empty();
  sight.note(Class::nodes_excluded_by_node_name, name_pins);
  if (!pod.node_affinity) return;
  bool some_pinned = false;
  bool some_free = false;
  for (const NodeSelectorTerm& term : *pod.node_affinity) {
    for (const Requirement& requirement : term.match_expressions) see_requirement(sight, requirement);
    bool pinned = false;
    for (const Requirement& field : term.match_fields) {
      sight.note(Class::match_fields);
      if (field.op != "In") continue;
      pinned = true;
      for (const std::string& name : field.values)
        sight.note(Class::unknown_pinned_name, !is_known(nodes, name));
    }
    (pinned ? some_pinned : some_free) = true;
  }
  if (!sight.release.prefilter_node_set || !some_pinned) return;
  sight.note(some_free ? Class::no_node_excluded : Class::nodes_excluded);
  sight.note(Class::named_node_is_pinned, name_pins && !some_free);
}

/// Notes taints, a cordon or features of a node where the pod runs, or would run after the eviction.
void see_tolerated(CaseView& sight, NodeIndex index) {
  const Node& node = sight.question.cluster.nodes[index];
  const auto hard = [](const Taint& taint) {
    return taint.effect == "NoSchedule" || taint.effect == "NoExecute";
  };
  const bool some_hard = std::any_of(node.taints.begin(), node.taints.end(), hard);
  sight.note(Class::taint_tolerated, some_hard);
  sight.note(Class::soft_taint_ignored, !some_hard && !node.taints.empty());
  sight.note(Class::cordon_tolerated, node.unschedulable);
  const std::vector<std::string>& wanted = sight.question.pod.node_features;
  sight.note(Class::feature_declared,
             std::any_of(wanted.begin(), wanted.end(), [&sight](const std::string& feature) {
               const std::vector<std::string_view>& known = sight.release.node_features;
               return std::find(known.begin(), known.end(), feature) != known.end();
             }));
}

/// The numbers of a pod's host ports.
std::vector<Quantity> port_numbers(const Pod& pod) {
  std::vector<Quantity> numbers;
  for (const Container& container : pod.containers) {
    for (const ContainerPort& port : container.ports) {
      if (port.host_port != 0) numbers.push_back(port.host_port);
    }
  }
  return numbers;
}

/// Notes the ports of the pods that stay on a node where the preemptor would run.
void see_ports_of_node(CaseView& sight, const std::vector<Quantity>& wanted, NodeIndex node,
                       const std::vector<PodIndex>& victims) {
  const Cluster& cluster = sight.question.cluster;
  sight.note(Class::port_held_twice, !victims.empty() && holds_port_twice(cluster, node, sight.release));
  for (PodIndex i = 0; i < cluster.pods.size(); ++i) {
    const Pod& other = cluster.pods[i];
    if (other.node_name != cluster.nodes[node].name || is_done(other)) continue;
    if (std::find(victims.begin(), victims.end(), i) != victims.end()) continue;
    for (const Quantity number : port_numbers(other)) {
      sight.note(Class::port_beside_a_port, std::find(wanted.begin(), wanted.end(), number) != wanted.end());
    }
  }
}

void see_ports(CaseView& sight) {
  const std::vector<Quantity> wanted = port_numbers(sight.question.pod);
  if (wanted.empty()) return;
  for (const Candidate& candidate : sight.decision.candidates)
    see_ports_of_node(sight, wanted, candidate.node, candidate.victims);
  for (const NodeIndex node : sight.decision.feasible) see_ports_of_node(sight, wanted, node, {});
}

void see_pdb(CaseView& sight, const PodDisruptionBudget& pdb, const std::vector<const Pod*>& lower) {
  const Release& release = sight.release;
  if (release.pdb_budget == PdbBudget::ignored) return sight.note(Class::pdbs_ignored);
  for (const Pod* pod : lower) {
    sight.note(Class::pdb_of_another_namespace, pdb.ns != pod->ns);
    if (pdb.ns != pod->ns) continue;
    if (!pdb.selector) {
      sight.note(Class::pdb_without_selector);
      continue;
    }
    const LabelSelector& selector = *pdb.selector;
    if (reference::is_empty(selector)) {
      sight.note(release.pdb_empty_selector_matches_all ? Class::empty_selector_matches
                                                        : Class::empty_selector_ignored);
    }
    sight.note(Class::pdb_with_invalid_selector,
               std::any_of(selector.match_expressions.begin(), selector.match_expressions.end(), is_invalid));
    const std::vector<std::string>& names = pdb.disrupted_pods;
    if (std::find(names.begin(), names.end(), pod->name) == names.end()) continue;
    if (pod->labels.empty() || !reference::matches(selector, pod->labels)) continue;
    sight.note(release.pdb_disrupted_pods_exempt ? Class::disrupted_pod_exempt : Class::disrupted_pod_counts);
  }
}

void see_nominated(CaseView& sight, const Pod& other) {
  const bool lower = other.priority < sight.question.pod.priority;
  sight.note(Class::lower_nomination_unseen, lower);
  sight.note(Class::nominated_pod_counted, !lower && sight.release.nominated_pods_count);
}

}  // namespace

void see_objects(CaseView& sight) {
  const Question& question = sight.question;
  const Pod& pod = question.pod;
  std::vector<std::string_view> nodes;
  for (const Node& node : question.cluster.nodes) nodes.emplace_back(node.name);
  std::sort(nodes.begin(), nodes.end());

  std::vector<const Pod*> lower;
  bool not_waited_for = false;
  for (const Pod& other : question.cluster.pods) {
    if (other.uid == pod.uid && other.name == pod.name && other.ns == pod.ns) {
      sight.note(Class::preemptor_is_listed);
      continue;
    }
    const bool bound = !other.node_name.empty();
    const std::string& name = bound ? other.node_name : other.nominated_node_name;
    if (name.empty()) continue;
    if (!is_known(nodes, name)) {
      sight.note(bound ? Class::pod_on_unknown_node : Class::nomination_to_unknown_node);
    } else if (is_done(other)) {
      sight.note(Class::pod_that_has_ended, bound);
    } else if (!bound) {
      see_nominated(sight, other);
    } else {
      sight.note(Class::pod_of_equal_priority, other.priority == pod.priority);
      sight.note(Class::terminating_pod, other.terminating);
      see_requests(sight, other, true);
      if (other.priority >= pod.priority) continue;
      lower.push_back(&other);
      not_waited_for = not_waited_for || (other.terminating && name == pod.nominated_node_name);
    }
  }
  see_requests(sight, pod, false);
  see_node_affinity(sight, nodes);
  see_ports(sight);
  for (const Candidate& candidate : sight.decision.candidates) see_tolerated(sight, candidate.node);
  for (const NodeIndex node : sight.decision.feasible) see_tolerated(sight, node);
  if (sight.decision.outcome == Outcome::fits) return;
  sight.note(Class::does_not_wait_for_what_others_end,
             not_waited_for && sight.decision.outcome != Outcome::ineligible);
  sight.note(Class::never_ignored, !sight.release.preemption_policy && pod.preemption_policy == "Never");
  if (sight.decision.candidates.empty()) return;
  for (const PodDisruptionBudget& pdb : question.cluster.pdbs) see_pdb(sight, pdb, lower);
}

}  // namespace touchstone::fuzz
