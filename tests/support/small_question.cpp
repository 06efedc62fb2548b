#include "tests/support/small_question.hpp"

#include "tests/support/builder.hpp"

namespace touchstone::tests {

namespace {

/// One of a few values, by choice.
template <typename T>
T one_of(Choices& choices, const std::vector<T>& values) {
  return values[choices.pick(values.size(), "value")];
}

/// Pods that are alike differ in size and labels only, so that the order of lists decides.
Pod small_pod(Choices& choices, const std::string& name, bool alike) {
  Pod made = pod(name, 0, one_of<Quantity>(choices, {1000, 2000, 500, 1000, 0}));
  if (!alike) {
    made.priority = one_of<Quantity>(choices, {0, 5, 0, -5, 10, 5, 1000000000, -2147483648});
    if (choices.pick(3, "start") == 1) made = started(made, 200);
    if (choices.pick(4, "unstarted") == 1) made = unstarted(made);
  }
  for (const char* label : {"app", "tier"}) {
    const std::size_t pick = choices.pick(3, "label");
    if (pick > 0) made.labels[label] = pick == 1 ? "x" : "y";
  }
  if (choices.pick(10, "port") == 1) made = with_host_port(made, one_of<Quantity>(choices, {80, 81}));
  if (choices.pick(8, "terminating") == 1) {
    made.terminating = true;
    if (choices.pick(2, "condition") == 1)
      made.conditions = {{"DisruptionTarget", "True", "PreemptionByScheduler"}};
  }
  return made;
}

PodDisruptionBudget small_pdb(Choices& choices, std::size_t number) {
  PodDisruptionBudget pdb{"default", "b" + std::to_string(number), LabelSelector{}, 0, {}};
  pdb.disruptions_allowed = one_of<Quantity>(choices, {0, 1, 0, 2});
  const std::size_t kind = choices.pick(4, "selector");
  if (kind == 0) pdb.selector->match_labels["app"] = "x";
  if (kind == 1) pdb.selector->match_expressions = {{"tier", "Exists", {}}};
  if (kind == 2) pdb.selector->match_expressions = {{"app", "NotIn", {"y"}}};
  if (choices.pick(4, "disrupted") == 1) pdb.disrupted_pods = {"n0p0"};
  return pdb;
}

}  // namespace

Question small_question(Choices& choices, std::size_t most_nodes, std::size_t most_pods) {
  QuestionBuilder builder;
  std::vector<Quantity> free;
  const bool alike = choices.pick(2, "alike") == 0;
  const std::size_t nodes = 1 + choices.pick(most_nodes, "nodes");
  for (std::size_t n = 0; n < nodes; ++n) {
    const std::string name = "n" + std::to_string(n);
    builder.node(name, 0);
    const std::size_t pods = 1 + choices.pick(most_pods, "pods");
    for (std::size_t i = 0; i < pods; ++i) {
      const Pod made = small_pod(choices, name + "p" + std::to_string(i), alike);
      if (choices.pick(12, "nominated") == 1) {
        builder.nominated(made);
      } else {
        builder.has(made);
      }
    }
    free.push_back(one_of<Quantity>(choices, {0, 500, 0, 1000}));
  }
  Pod preemptor = small_pod(choices, "p", alike);
  preemptor.terminating = false;
  preemptor.priority = one_of<Quantity>(choices, {100, 2000000000, 100, 10, 100, 100, 100, 0});
  preemptor.containers[0].requests["cpu"] = one_of<Quantity>(choices, {1000, 2000, 1500, 3000});
  if (choices.pick(5, "nomination") == 1) preemptor.nominated_node_name = "n0";
  if (choices.pick(16, "never") == 1) preemptor.preemption_policy = "Never";
  Question question = builder.asks(preemptor);
  const std::size_t pdbs = one_of<std::size_t>(choices, {1, 2, 0, 3});
  for (std::size_t i = 0; i < pdbs; ++i) question.cluster.pdbs.push_back(small_pdb(choices, i));

  // Nodes are as large as what runs on them and a little more, so that the preemptor seldom fits as it is.
  for (std::size_t n = 0; n < nodes; ++n) {
    Node& node = question.cluster.nodes[n];
    node.unschedulable = choices.pick(12, "unschedulable") == 1;
    node.allocatable["cpu"] = free[n];
    for (const Pod& other : question.cluster.pods) {
      if (other.node_name == node.name) node.allocatable["cpu"] += other.containers[0].requests.at("cpu");
    }
  }
  return question;
}

void print(std::ostream& out, const Question& question) {
  for (const Node& node : question.cluster.nodes) {
    out << node.name << " cpu=" << node.allocatable.at("cpu") << (node.unschedulable ? " unschedulable" : "")
        << "\n";
  }
  std::vector<Pod> pods = question.cluster.pods;
  pods.push_back(question.pod);
  for (const Pod& pod : pods) {
    out << pod.name << "@" << pod.node_name << " priority=" << pod.priority
        << " cpu=" << pod.containers[0].requests.at("cpu")
        << " start=" << (pod.start_time_ns ? std::to_string(*pod.start_time_ns) : "none");
    for (const auto& [key, value] : pod.labels) out << " " << key << "=" << value;
    for (const ContainerPort& port : pod.containers[0].ports) out << " hostPort=" << port.host_port;
    if (!pod.nominated_node_name.empty()) out << " nominated=" << pod.nominated_node_name;
    out << (pod.terminating ? " terminating" : "") << "\n";
  }
  for (const PodDisruptionBudget& pdb : question.cluster.pdbs) {
    out << "pdb " << pdb.name << " allows " << pdb.disruptions_allowed;
    for (const auto& [key, value] : pdb.selector->match_labels) out << " " << key << "=" << value;
    for (const Requirement& requirement : pdb.selector->match_expressions)
      out << " " << requirement.key << " " << requirement.op;
    out << (pdb.disrupted_pods.empty() ? "" : " with disrupted n0p0") << "\n";
  }
}

}  // namespace touchstone::tests
