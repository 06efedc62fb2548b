#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "proofs/engine/proof.hpp"
#include "spec/releases/release.hpp"
#include "spec/vocabulary/cluster.hpp"

/// Builders of small clusters. Their numbers are symbols of a theorem. Their shape, such as the number of
/// pods, is concrete.
namespace touchstone::proofs {

inline constexpr std::string_view k_no_negative_request = "no request is negative";

inline constexpr std::string_view k_wants_something = "the preemptor asks for some cpu";

/// The newest recorded release. Theorems that name no release are about this one.
inline constexpr std::string_view k_newest = "v1.37";

inline Release release_of(std::string_view name) { return find_release(name).value().release; }

/// Chooses one of several releases. The theorem is checked for each of them.
inline Release choose_release(proving::Proof& proof, const std::vector<std::string_view>& names) {
  return release_of(names[proof.choose<Quantity>("release", names.size())]);
}

/// A pod without a start time that requests only cpu. Its priority and its cpu are numbers of the theorem.
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

/// How many pods a node allows: 110, which is enough for all, or any number.
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

/// One node with n pods, p0 to p(n-1), and the preemptor. The pods started one after the other, p0 first.
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

/// Adds a PDB with any budget. It covers any subset of the cluster's pods.
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

/// Whether the preemptor fits on the node beside the pods that stay, by PRE-FIT-1 and PRE-FIT-2. Requires:
/// the cluster has one node, and the preemptor requests some cpu.
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
