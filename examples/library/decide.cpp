/// Finds where a pod would preempt, with the C++ header of the library.
///
///     c++ -std=c++17 decide.cpp $(pkg-config --cflags --libs touchstone) -o decide && ./decide
#include <iostream>
#include <touchstone.hpp>

namespace {

const char* const k_cluster = R"({
  "release": "v1.37.2",
  "nodes": [{"metadata": {"name": "a"}, "status": {"allocatable": {"cpu": "2", "memory": "4Gi", "pods": "10"}}}],
  "pods": [{"metadata": {"name": "batch", "namespace": "jobs", "uid": "0", "labels": {"app": "batch"}},
            "spec": {"nodeName": "a", "priority": 0,
                     "containers": [{"name": "c", "resources": {"requests": {"cpu": "2"}}}]},
            "status": {"phase": "Running"}}]})";

const char* const k_pod = R"({
  "metadata": {"name": "web", "namespace": "shop", "uid": "1"},
  "spec": {"priority": 100, "containers": [{"name": "c", "resources": {"requests": {"cpu": "1"}}}]}})";

}  // namespace

int main() {
  auto cluster = touchstone::Cluster::load(k_cluster);
  auto pod = touchstone::Pod::read(k_pod);
  auto decision = touchstone::Decision::make();
  if (!cluster || !pod || !decision) return 1;

  if (const auto asked = cluster->preempt(pod.value(), decision.value()); !asked) {
    std::cerr << asked.error().text << "\n";
    return 1;
  }
  std::cout << "node " << decision->node() << ", evicts";
  for (const std::string& victim : decision->victims()) std::cout << " " << victim;
  std::cout << ", " << decision->violations() << " PDB violations\n";

  // A budget that allows no disruption makes the eviction a violation; it remains the only choice.
  cluster
      ->put("PodDisruptionBudget", R"({
  "metadata": {"name": "all", "namespace": "jobs"},
  "spec": {"selector": {"matchLabels": {"app": "batch"}}}, "status": {"disruptionsAllowed": 0}})")
      .value();
  cluster->preempt(pod.value(), decision.value()).value();
  std::cout << "node " << decision->node() << ", " << decision->violations() << " PDB violations\n";

  const auto wrong = touchstone::Pod::read("{");
  std::cout << wrong.error().code << " at " << wrong.error().place << "\n";
}
