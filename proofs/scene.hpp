#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "proofs/engine/proof.hpp"
#include "spec/vocabulary/cluster.hpp"
#include "spec/releases/release.hpp"

/// Small clusters whose numbers are a theorem's. The shape, such as how many pods there are, is concrete.
namespace touchstone::proofs {

inline constexpr std::string_view k_no_negative_request = "no request is negative";

inline constexpr std::string_view k_wants_something = "the preemptor asks for some cpu";

/// The release that theorems are about which name none: the newest that is recorded.
inline constexpr std::string_view k_newest = "v1.37";

inline Release release_of(std::string_view name) { return find_release(name).value().release; }

/// One of several releases: a choice of the theorem.
inline Release choose_release(proving::Proof& proof, const std::vector<std::string_view>& names) {
  return release_of(names[proof.choose<Quantity>("release", names.size())]);
}

/// A pod that asks for cpu alone; it started when the pod of that number did.
inline Pod make_pod(proving::Proof& proof, const std::string& name) {
  Pod pod;
  pod.ns = "default";
  pod.name = name;
  pod.uid = name;
  pod.priority = proof.number<Quantity>(name + ".priority");
  const Quantity cpu = proof.number<Quantity>(name + ".cpu");
  proof.assume(k_no_negative_request, cpu >= Quantity(0));
  pod.containers.push_back({"c", {{"cpu", cpu}}, {}, false});
  return pod;
}

inline Quantity cpu_of(const Pod& pod) { return pod.containers[0].requests.at("cpu"); }

/// How many pods a node allows: enough for all, or as many as the theorem says.
enum class Places { enough, any };

inline Node make_node(proving::Proof& proof, const std::string& name, Places places = Places::enough) {
  Node node;
  node.name = name;
  node.labels["kubernetes.io/hostname"] = name;
  node.allocatable["cpu"] = proof.number<Quantity>(name + ".cpu");
  node.allocatable["pods"] =
      places == Places::enough ? Quantity(110) : proof.number<Quantity>(name + ".pods");
  return node;
}

/// One node with n pods, p0 to p(n-1), which started one after the other, and the preemptor.
inline Question one_node(proving::Proof& proof, std::size_t n, Places places = Places::enough) {
  Question question;
  question.cluster.nodes.push_back(make_node(proof, "node", places));
  for (std::size_t i = 0; i < n; ++i) {
    Pod pod = make_pod(proof, "p" + std::to_string(i));
    pod.node_name = "node";
    pod.start_time_ns = Quantity(i + 1);
    question.cluster.pods.push_back(pod);
  }
  question.pod = make_pod(proof, "preemptor");
  return question;
}

/// A PDB with any budget, over any of the pods there are.
inline void add_pdb(proving::Proof& proof, Question& question, const std::string& name) {
  PodDisruptionBudget pdb;
  pdb.ns = "default";
  pdb.name = name;
  pdb.selector = LabelSelector{{{name, "yes"}}, {}};
  pdb.disruptions_allowed = proof.number<Quantity>(name + ".allowed");
  question.cluster.pdbs.push_back(pdb);
  for (Pod& pod : question.cluster.pods) {
    if (proof.choose<Quantity>(name + " covers " + pod.name, 2) == 1) pod.labels[name] = "yes";
  }
}

/// Whether the preemptor and these pods find room on the node: what PRE-FIT-1 and PRE-FIT-2 say, in two
/// lines. Requires: the preemptor asks for some cpu.
inline proving::Truth finds_room(const Question& question, const std::vector<bool>& stays) {
  const ResourceList& allocatable = question.cluster.nodes[0].allocatable;
  Quantity cpu = cpu_of(question.pod);
  Quantity pods = 1;
  for (std::size_t i = 0; i < stays.size(); ++i) {
    if (!stays[i]) continue;
    cpu += cpu_of(question.cluster.pods[i]);
    pods += Quantity(1);
  }
  return proving::both(cpu <= allocatable.at("cpu"), pods <= allocatable.at("pods"));
}

inline std::string text_of(const std::vector<std::size_t>& numbers) {
  std::string text;
  for (const std::size_t number : numbers) text += " " + std::to_string(number);
  return text;
}

}  // namespace touchstone::proofs
