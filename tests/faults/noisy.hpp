#pragma once

#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "oracle/protocol/protocol.hpp"

/// Questions with many objects and fields that the decision does not depend on.
namespace touchstone::tests {

using oracle::Json;

class NoisyMaker {
 public:
  explicit NoisyMaker(std::uint64_t seed) : random_(seed) {}

  Json question(std::size_t nodes, std::size_t pods_of_a_node, std::size_t pdbs) {
    Json question;
    for (std::size_t n = 0; n < nodes; ++n) {
      const std::string node = "worker-" + std::to_string(n + 17);
      question["nodes"].push_back(make_node(node, pods_of_a_node));
      for (std::size_t p = 0; p < pods_of_a_node; ++p) {
        question["pods"].push_back(make_pod(node + "-pod-" + std::to_string(p)));
        question["pods"].back()["spec"]["nodeName"] = node;
      }
    }
    for (std::size_t b = 0; b < pdbs; ++b)
      question["pdbs"].push_back(make_pdb("budget-" + std::to_string(b)));
    question["pod"] = make_pod("preemptor");
    Json& spec = question["pod"]["spec"];
    spec["priority"] = 2'000'000'000;
    // The request is so large that most pods of a node are victims.
    spec["containers"][0]["resources"]["requests"]["cpu"] = std::to_string(pods_of_a_node * 1150) + "m";
    return question;
  }

 private:
  std::size_t any(std::size_t below) { return random_() % below; }

  Json make_node(const std::string& name, std::size_t pods) {
    Json node = Json::parse(R"({
      "metadata": {"name": "", "labels": {"kubernetes.io/hostname": "", "zone": "", "team": "sre"}},
      "spec": {"taints": [{"key": "dedicated", "value": "batch", "effect": "PreferNoSchedule"}]},
      "status": {"allocatable": {"cpu": "", "memory": "", "ephemeral-storage": "100Gi", "pods": ""},
                 "conditions": [{"type": "Ready", "status": "True"}]}})");
    node["metadata"]["name"] = name;
    node["metadata"]["labels"]["kubernetes.io/hostname"] = name;
    node["metadata"]["labels"]["zone"] = any(2) == 0 ? "east" : "west";
    node["status"]["allocatable"]["cpu"] = std::to_string(pods * 1500) + "m";
    node["status"]["allocatable"]["memory"] = std::to_string(pods) + "Gi";
    node["status"]["allocatable"]["pods"] = std::to_string(pods);
    return node;
  }

  Json make_pod(const std::string& name) {
    Json pod = Json::parse(R"({
      "metadata": {"name": "", "namespace": "shop", "uid": "", "labels": {"app": "", "track": "stable"}},
      "spec": {"priority": 0,
               "tolerations": [{"key": "dedicated", "operator": "Exists"}],
               "containers": [
                 {"name": "main", "ports": [{"hostPort": 0, "protocol": "TCP"}],
                  "resources": {"requests": {"cpu": "", "memory": "512Mi"}, "limits": {"cpu": "4"}}},
                 {"name": "sidecar", "resources": {"requests": {"cpu": "250m"}}}]},
      "status": {"startTime": "", "conditions": [{"type": "Ready", "status": "True"}]}})");
    pod["metadata"]["name"] = name;
    pod["metadata"]["uid"] = "5d0f-" + name;
    if (any(4) == 0) pod["metadata"]["namespace"] = "billing";
    pod["metadata"]["labels"]["app"] = any(2) == 0 ? "web" : "cache";
    pod["spec"]["priority"] = 1000 * static_cast<int>(any(7)) - 1000;
    Json& main = pod["spec"]["containers"][0];
    main["ports"][0]["hostPort"] = 8000 + any(1000);
    main["resources"]["requests"]["cpu"] = std::to_string(500 * any(3) + 500) + "m";
    pod["status"]["startTime"] =
        "2026-01-0" + std::to_string(any(9) + 1) + "T10:" + std::to_string(any(50) + 10) + ":07Z";
    return pod;
  }

  Json make_pdb(const std::string& name) {
    Json pdb = Json::parse(R"({
      "metadata": {"name": "", "namespace": "shop"},
      "spec": {"selector": {"matchLabels": {"app": ""}}},
      "status": {"disruptionsAllowed": 0, "currentHealthy": 3}})");
    pdb["metadata"]["name"] = name;
    pdb["spec"]["selector"]["matchLabels"]["app"] = any(2) == 0 ? "web" : "cache";
    pdb["status"]["disruptionsAllowed"] = any(2);
    return pdb;
  }

  std::mt19937_64 random_;
};

}  // namespace touchstone::tests
