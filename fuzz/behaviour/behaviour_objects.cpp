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

void note_requirement(CaseView& view, const Requirement& requirement) {
  if (is_invalid(requirement)) return view.note(Class::invalid_requirement);
  view.note(Class::operator_in, requirement.op == "In");
  view.note(Class::operator_not_in, requirement.op == "NotIn");
  view.note(Class::operator_exists, requirement.op == "Exists");
  view.note(Class::operator_does_not_exist, requirement.op == "DoesNotExist");
  view.note(Class::operator_greater, requirement.op == "Gt");
  view.note(Class::operator_less, requirement.op == "Lt");
}

bool is_known(const std::vector<std::string_view>& nodes, const std::string& name) {
  return std::binary_search(nodes.begin(), nodes.end(), name);
}

void note_node_affinity(CaseView& view, const std::vector<std::string_view>& nodes) {
  const Pod& pod = view.question.pod;
  const bool name_pins = view.release.node_name_pins && !pod.node_name.empty();
  view.note(Class::nodes_excluded_by_node_name, name_pins);
  if (!pod.node_affinity) return;
  bool some_pinned = false;
  bool some_free = false;
  for (const NodeSelectorTerm& term : *pod.node_affinity) {
    for (const Requirement& requirement : term.match_expressions) note_requirement(view, requirement);
    bool pinned = false;
    for (const Requirement& field : term.match_fields) {
      view.note(Class::match_fields);
      if (field.op != "In") continue;
      pinned = true;
      for (const std::string& name : field.values)
        view.note(Class::unknown_pinned_name, !is_known(nodes, name));
    }
    (pinned ? some_pinned : some_free) = true;
  }
  if (!view.release.prefilter_node_set || !some_pinned) return;
  view.note(some_free ? Class::no_node_excluded : Class::nodes_excluded);
  view.note(Class::named_node_is_pinned, name_pins && !some_free);
}

/// Notes taints, a cordon or features of a node where the pod runs, or would run after the eviction.
void note_tolerated(CaseView& view, NodeIndex index) {
  const Node& node = view.question.cluster.nodes[index];
  const auto hard = [](const Taint& taint) {
    return taint.effect == "NoSchedule" || taint.effect == "NoExecute";
  };
  const bool some_hard = std::any_of(node.taints.begin(), node.taints.end(), hard);
  view.note(Class::taint_tolerated, some_hard);
  view.note(Class::soft_taint_ignored, !some_hard && !node.taints.empty());
  view.note(Class::cordon_tolerated, node.unschedulable);
  const std::vector<std::string>& wanted = view.question.pod.node_features;
  view.note(Class::feature_declared,
            std::any_of(wanted.begin(), wanted.end(), [&view](const std::string& feature) {
              const std::vector<std::string_view>& known = view.release.node_features;
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
void note_ports_of_node(CaseView& view, const std::vector<Quantity>& wanted, NodeIndex node,
                        const std::vector<PodIndex>& victims) {
  const Cluster& cluster = view.question.cluster;
  view.note(Class::port_held_twice, !victims.empty() && holds_port_twice(cluster, node, view.release));
  for (PodIndex i = 0; i < cluster.pods.size(); ++i) {
    const Pod& other = cluster.pods[i];
    if (other.node_name != cluster.nodes[node].name || is_done(other)) continue;
    if (std::find(victims.begin(), victims.end(), i) != victims.end()) continue;
    for (const Quantity number : port_numbers(other)) {
      view.note(Class::port_beside_a_port, std::find(wanted.begin(), wanted.end(), number) != wanted.end());
    }
  }
}

void note_ports(CaseView& view) {
  const std::vector<Quantity> wanted = port_numbers(view.question.pod);
  if (wanted.empty()) return;
  for (const Candidate& candidate : view.decision.candidates)
    note_ports_of_node(view, wanted, candidate.node, candidate.victims);
  for (const NodeIndex node : view.decision.feasible) note_ports_of_node(view, wanted, node, {});
}

void note_pdb(CaseView& view, const PodDisruptionBudget& pdb, const std::vector<const Pod*>& lower) {
  const Release& release = view.release;
  if (release.pdb_budget == PdbBudget::ignored) return view.note(Class::pdbs_ignored);
  for (const Pod* pod : lower) {
    view.note(Class::pdb_of_another_namespace, pdb.ns != pod->ns);
    if (pdb.ns != pod->ns) continue;
    if (!pdb.selector) {
      view.note(Class::pdb_without_selector);
      continue;
    }
    const LabelSelector& selector = *pdb.selector;
    if (reference::is_empty(selector)) {
      view.note(release.pdb_empty_selector_matches_all ? Class::empty_selector_matches
                                                       : Class::empty_selector_ignored);
    }
    view.note(Class::pdb_with_invalid_selector,
              std::any_of(selector.match_expressions.begin(), selector.match_expressions.end(), is_invalid));
    const std::vector<std::string>& names = pdb.disrupted_pods;
    if (std::find(names.begin(), names.end(), pod->name) == names.end()) continue;
    if (pod->labels.empty() || !reference::matches(selector, pod->labels)) continue;
    view.note(release.pdb_disrupted_pods_exempt ? Class::disrupted_pod_exempt : Class::disrupted_pod_counts);
  }
}

void note_nominated(CaseView& view, const Pod& other) {
  const bool lower = other.priority < view.question.pod.priority;
  view.note(Class::lower_nomination_unseen, lower);
  view.note(Class::nominated_pod_counted, !lower && view.release.nominated_pods_count);
}

}  // namespace

void note_objects(CaseView& view) {
  const Question& question = view.question;
  const Pod& pod = question.pod;
  std::vector<std::string_view> nodes;
  for (const Node& node : question.cluster.nodes) nodes.emplace_back(node.name);
  std::sort(nodes.begin(), nodes.end());

  std::vector<const Pod*> lower;
  bool not_waited_for = false;
  for (const Pod& other : question.cluster.pods) {
    if (other.uid == pod.uid && other.name == pod.name && other.ns == pod.ns) {
      view.note(Class::preemptor_is_listed);
      continue;
    }
    const bool bound = !other.node_name.empty();
    const std::string& name = bound ? other.node_name : other.nominated_node_name;
    if (name.empty()) continue;
    if (!is_known(nodes, name)) {
      view.note(bound ? Class::pod_on_unknown_node : Class::nomination_to_unknown_node);
    } else if (is_done(other)) {
      view.note(Class::pod_that_has_ended, bound);
    } else if (!bound) {
      note_nominated(view, other);
    } else {
      view.note(Class::pod_of_equal_priority, other.priority == pod.priority);
      view.note(Class::terminating_pod, other.terminating);
      note_requests(view, other, true);
      if (other.priority >= pod.priority) continue;
      lower.push_back(&other);
      not_waited_for = not_waited_for || (other.terminating && name == pod.nominated_node_name);
    }
  }
  note_requests(view, pod, false);
  note_node_affinity(view, nodes);
  note_ports(view);
  for (const Candidate& candidate : view.decision.candidates) note_tolerated(view, candidate.node);
  for (const NodeIndex node : view.decision.feasible) note_tolerated(view, node);
  if (view.decision.outcome == Outcome::fits) return;
  view.note(Class::does_not_wait_for_what_others_end,
            not_waited_for && view.decision.outcome != Outcome::ineligible);
  view.note(Class::never_ignored, !view.release.preemption_policy && pod.preemption_policy == "Never");
  if (view.decision.candidates.empty()) return;
  for (const PodDisruptionBudget& pdb : question.cluster.pdbs) note_pdb(view, pdb, lower);
}

}  // namespace touchstone::fuzz
