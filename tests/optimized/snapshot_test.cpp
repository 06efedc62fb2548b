#include <gtest/gtest.h>

#include "tests/optimized/differential.hpp"
#include "tests/support/any_question.hpp"

/// A snapshot that is changed step by step answers as one that is built of the changed cluster.
namespace touchstone::tests {

namespace {

/// A cluster, and the snapshot that follows its changes. Numbers of the snapshot stand beside the objects.
class Followed {
 public:
  Followed(Cluster cluster, const Release& release)
      : cluster_(std::move(cluster)), release_(release), snapshot_(cluster_, release) {
    for (std::size_t i = 0; i < cluster_.nodes.size(); ++i) nodes_.push_back(i);
    for (std::size_t i = 0; i < cluster_.pods.size(); ++i) pods_.push_back(i);
    for (std::uint32_t i = 0; i < cluster_.pdbs.size(); ++i) pdbs_.push_back(i);
  }

  /// One change, picked and drawn by chance. Returns its name.
  std::string change(Choices& choices) {
    const std::size_t kind = choices.pick(12, "kind of change");
    const auto some = [&choices](std::size_t size) { return choices.pick(size, "object"); };
    if (kind < 5 && !cluster_.pods.empty()) return change_pod(kind, some(cluster_.pods.size()), choices);
    if (kind < 8 && !cluster_.nodes.empty()) return change_node(kind, some(cluster_.nodes.size()), choices);
    if (kind == 11) return change_storage(choices);
    if (kind == 10) {
      const std::string ns = choices.pick(2, "namespace") == 0 ? "default" : "other";
      cluster_.namespaces[ns] = {{"team", choices.pick(2, "team") == 0 ? "a" : "b"}};
      snapshot_.set_namespace(ns, cluster_.namespaces[ns]);
      return "namespace changed";
    }
    if (!cluster_.pdbs.empty()) return change_pdb(kind, some(cluster_.pdbs.size()), choices);
    return "nothing";
  }

  /// Both answers, the rebuilt one in the numbers of the changed snapshot.
  std::pair<optimized::Answer, optimized::Answer> ask(const Pod& pod, optimized::Workers& workers) const {
    CanonicalChoices choices;
    const optimized::Snapshot rebuilt(cluster_, release_);
    optimized::Answer expected = optimized::decide(rebuilt, pod, {}, workers, choices);
    const auto translate = [](std::vector<std::size_t>& numbers, const std::vector<std::size_t>& to) {
      for (std::size_t& number : numbers) number = to[number];
    };
    translate(expected.feasible, nodes_);
    translate(expected.admissible, nodes_);
    translate(expected.victims, pods_);
    translate(expected.clears, pods_);
    if (expected.outcome == Outcome::nominated) expected.node = nodes_[expected.node];
    return {optimized::decide(snapshot_, pod, {}, workers, choices), expected};
  }

 private:
  std::string change_pod(std::size_t kind, std::size_t at, Choices& choices) {
    Pod pod = cluster_.pods[at];
    if (kind <= 1) {  // a pod goes, or goes and comes again at the end of the list
      snapshot_.remove_pod(pods_[at]);
      cluster_.pods.erase(cluster_.pods.begin() + static_cast<std::ptrdiff_t>(at));
      pods_.erase(pods_.begin() + static_cast<std::ptrdiff_t>(at));
      if (kind == 0) return "pod removed";
      pod.priority -= 1;
      cluster_.pods.push_back(pod);
      pods_.push_back(snapshot_.add_pod(pod));
      return "pod added";
    }
    if (kind == 2) {  // bound where it was nominated, or nominated where it was bound
      std::swap(pod.node_name, pod.nominated_node_name);
    } else if (kind == 3) {
      pod.phase = choices.pick(2, "phase") == 0 ? "Succeeded" : "Running";
    } else {
      pod.terminating = !pod.terminating;
      pod.labels["app"] = choices.pick(2, "app") == 0 ? "x" : "y";
    }
    snapshot_.change_pod(pods_[at], pod);
    cluster_.pods[at] = pod;
    return "pod changed";
  }

  std::string change_node(std::size_t kind, std::size_t at, Choices& choices) {
    Node node = cluster_.nodes[at];
    node.allocatable["cpu"] += static_cast<Quantity>(choices.pick(3, "cpu")) * 500 - 500;
    if (choices.pick(4, "taint") == 0) node.taints.push_back({"k", "v", "NoSchedule"});
    if (kind == 7) {
      node.unschedulable = !node.unschedulable;
      snapshot_.change_node(nodes_[at], node);
      cluster_.nodes[at] = node;
      return "node changed";
    }
    snapshot_.remove_node(nodes_[at]);
    cluster_.nodes.erase(cluster_.nodes.begin() + static_cast<std::ptrdiff_t>(at));
    nodes_.erase(nodes_.begin() + static_cast<std::ptrdiff_t>(at));
    if (kind == 5) return "node removed";
    cluster_.nodes.push_back(node);
    nodes_.push_back(snapshot_.add_node(node));
    return "node removed and added";
  }

  std::string change_storage(Choices& choices) {
    Storage& storage = cluster_.storage;
    for (auto& [name, csi_node] : storage.csi_nodes) {
      for (auto& [driver, limit] : csi_node.limits) limit = static_cast<Quantity>(choices.pick(3, "limit"));
    }
    if (!storage.volumes.empty() && choices.pick(3, "volume") == 0)
      storage.volumes.erase(storage.volumes.begin());
    snapshot_.set_storage(storage);
    return storage.empty() ? "nothing" : "storage changed";
  }

  std::string change_pdb(std::size_t kind, std::size_t at, Choices& choices) {
    PodDisruptionBudget pdb = cluster_.pdbs[at];
    if (kind == 8) {
      pdb.disruptions_allowed = static_cast<Quantity>(choices.pick(3, "allowed"));
      if (choices.pick(2, "selector") == 0) pdb.selector = LabelSelector{{{"app", "x"}}, {}};
      snapshot_.change_pdb(pdbs_[at], pdb);
      cluster_.pdbs[at] = pdb;
      return "PDB changed";
    }
    snapshot_.remove_pdb(pdbs_[at]);
    cluster_.pdbs.erase(cluster_.pdbs.begin() + static_cast<std::ptrdiff_t>(at));
    pdbs_.erase(pdbs_.begin() + static_cast<std::ptrdiff_t>(at));
    pdb.disrupted_pods.clear();
    cluster_.pdbs.push_back(pdb);
    pdbs_.push_back(snapshot_.add_pdb(pdb));
    return "PDB removed and added";
  }

  Cluster cluster_;
  const Release& release_;
  optimized::Snapshot snapshot_;
  std::vector<std::size_t> nodes_;
  std::vector<std::size_t> pods_;
  std::vector<std::uint32_t> pdbs_;
};

}  // namespace

TEST(Snapshot, ChangedStepByStepAnswersAsOneBuiltAnew) {
  constexpr int k_questions = 40;
  constexpr int k_changes = 25;
  optimized::Workers workers(1);
  std::map<std::string, std::size_t> nominated_after;
  for (const std::string& epoch : k_epochs) {
    const Release asked = release(epoch);
    for (int i = 0; i < k_questions; ++i) {
      SeededChoices choices(static_cast<std::uint64_t>(i));
      const Question question = fuzz::scenario(choices, small_scenarios(asked, 5, 5));
      Followed followed(question.cluster, asked);
      for (int step = 0; step < k_changes; ++step) {
        const std::string change = followed.change(choices);
        const auto [changed, rebuilt] = followed.ask(question.pod, workers);
        ASSERT_EQ(changed, rebuilt) << epoch << " " << i << " " << step << ": " << change << ": '"
                                    << changed.reason << "' and '" << rebuilt.reason << "'";
        if (changed.outcome == Outcome::nominated) ++nominated_after[change];
      }
    }
  }
  for (const char* change :
       {"pod removed", "pod added", "pod changed", "node removed", "node changed", "node removed and added",
        "PDB changed", "PDB removed and added", "storage changed"})
    EXPECT_GT(nominated_after[change], 20u) << change;
}

}  // namespace touchstone::tests
