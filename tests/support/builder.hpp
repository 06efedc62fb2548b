#pragma once

#include <string>
#include <utility>

#include "spec/releases/release.hpp"
#include "spec/vocabulary/cluster.hpp"

/// Builds small questions, with one line for each object.
namespace touchstone::tests {

/// A pod with one container. `cpu` is in milli.
inline Pod pod(std::string name, Quantity priority, Quantity cpu) {
  Pod pod;
  pod.ns = "default";
  pod.name = std::move(name);
  pod.priority = priority;
  pod.start_time_ns = 100;
  pod.containers.push_back({"c", {{"cpu", cpu}}, {}, false});
  return pod;
}

/// Builds a question. Nodes and pods keep their order; a pod is placed on the node that was added last.
class QuestionBuilder {
 public:
  QuestionBuilder& node(const std::string& name, Quantity cpu) {
    Node node;
    node.name = name;
    node.allocatable = {{"cpu", cpu}, {"memory", 1 << 30}, {"pods", 110}};
    question_.cluster.nodes.push_back(node);
    return *this;
  }
  QuestionBuilder& has(Pod pod) {
    pod.node_name = question_.cluster.nodes.back().name;
    question_.cluster.pods.push_back(std::move(pod));
    return *this;
  }
  QuestionBuilder& nominated(Pod pod) {
    pod.nominated_node_name = question_.cluster.nodes.back().name;
    question_.cluster.pods.push_back(std::move(pod));
    return *this;
  }
  /// A PDB that selects pods with the label app=`app`.
  QuestionBuilder& pdb(const std::string& app, Quantity allowed) {
    question_.cluster.pdbs.push_back({"default", app, LabelSelector{{{"app", app}}, {}}, allowed, {}});
    return *this;
  }
  Question asks(Pod pod) {
    question_.pod = std::move(pod);
    return question_;
  }

 private:
  Question question_;
};

inline Pod with_app(Pod pod, const std::string& app) {
  pod.labels["app"] = app;
  return pod;
}

inline Pod started(Pod pod, Quantity at) {
  pod.start_time_ns = at;
  return pod;
}

inline Pod unstarted(Pod pod) {
  pod.start_time_ns.reset();
  return pod;
}

inline Pod with_host_port(Pod pod, Quantity port, const std::string& address = "",
                          const std::string& protocol = "") {
  pod.containers[0].ports.push_back({protocol, address, port});
  return pod;
}

inline Release release(std::string_view name) { return find_release(name).value().release; }

}  // namespace touchstone::tests
