#include <map>

#include "proofs/theorems/volumes.hpp"

/// The order in which filters answer, and the used ports of a node.
namespace touchstone::proofs::TOUCHSTONE_BUILD {

namespace {

/// The rejection of a node by a filter, as the clauses of that filter state it.
struct Rejection {
  std::string plugin;
  std::vector<std::string> reasons;
  bool beyond_help = false;
};

/// A node that any of seven filters may reject, and that may be short of two resources.
struct Filtered {
  explicit Filtered(Proof& proof, Release of) : release(std::move(of)) {
    add_node(question, "n0", {{"zone", "a"}});
    Node& empty = add_node(question, "n1", {{"zone", "b"}});
    Node& node = question.cluster.nodes[0];
    Pod& pod = add_pod(question, "p0", "n0");
    pod.labels["app"] = "x";
    Pod& preemptor = question.pod;
    preemptor.ns = "default";
    preemptor.name = preemptor.uid = "preemptor";
    node.allocatable = {{"pods", Quantity(110)}};
    empty.allocatable = node.allocatable;
    const auto rejects = [&](const char* filter) { return chosen(proof, std::string(filter) + " rejects"); };
    if (rejects("NodeUnschedulable")) {
      node.unschedulable = true;
      by["NodeUnschedulable"] = {"NodeUnschedulable", {"node(s) were unschedulable"}, true};
    }
    if (rejects("TaintToleration")) {
      node.taints = {{"k", "v", "NoSchedule"}};
      by["TaintToleration"] = {"TaintToleration", {taint_text()}, true};
    }
    if (rejects("NodeAffinity")) {
      preemptor.node_selector = {{"disk", "ssd"}};
      empty.labels["disk"] = "ssd";
      by["NodeAffinity"] = {"NodeAffinity", {selector_text()}, true};
    }
    preemptor.containers.emplace_back();
    if (rejects("NodePorts")) {
      pod.containers.emplace_back().ports = {{"", "", Quantity(80)}};
      preemptor.containers[0].ports = {{"", "", Quantity(80)}};
      by["NodePorts"] = {"NodePorts", {"node(s) didn't have free ports for the requested pod ports"}, false};
    }
    if (rejects("VolumeRestrictions")) {
      add_volume_of_pod(pod, "gcePersistentDisk", "disk");
      add_volume_of_pod(preemptor, "gcePersistentDisk", "disk");
      by["VolumeRestrictions"] = {"VolumeRestrictions", {"node(s) had no available disk"}, false};
    }
    if (rejects("InterPodAffinity")) {
      PodAffinityTerm term;
      term.label_selector = LabelSelector{{{"app", "x"}}, {}};
      term.topology_key = "zone";
      preemptor.pod_anti_affinity = {term};
      by["InterPodAffinity"] = {"InterPodAffinity", affinity_texts(), false};
    }
    if (is_from(release, 18) && rejects("PodTopologySpread")) {
      TopologySpreadConstraint constraint;
      constraint.topology_key = "rack";
      constraint.when_unsatisfiable = "DoNotSchedule";
      constraint.max_skew = Quantity(1);
      constraint.label_selector = LabelSelector{};
      preemptor.topology_spread = {constraint};
      by["PodTopologySpread"] = {"PodTopologySpread",
                                 {std::string("node(s) didn't match pod topology spread constraints") +
                                  (is_from(release, 19) ? " (missing required label)" : "")},
                                 is_from(release, 19)};
    }
    for (const char* name : {"cpu", "memory"}) {
      const Quantity wanted = proof.number<Quantity>(std::string(name) + " of the preemptor");
      const Quantity all = proof.number<Quantity>(std::string(name) + " of the node");
      proof.assume("the preemptor asks for all resources", wanted > Quantity(0));
      preemptor.containers[0].requests[name] = wanted;
      node.allocatable[name] = all;
      if (wanted > all) {
        Rejection& fit = by["NodeResourcesFit"];
        fit.plugin = "NodeResourcesFit";
        fit.reasons.push_back(std::string("Insufficient ") + name);
        fit.beyond_help = is_from(release, 34);  // PRE-FIT-4
      }
    }
    if (!is_from(release, 10)) take_bare_names();
  }

  /// PRE-FILTER-1: the filters in their order. Filters that report together are one group.
  std::vector<std::vector<std::string>> groups() const {
    if (!is_from(release, 10))
      return {{"NodeUnschedulable", "NodeResourcesFit", "NodePorts", "NodeAffinity", "VolumeRestrictions",
               "TaintToleration", "InterPodAffinity"}};
    if (!is_from(release, 17))
      return {{"NodeUnschedulable"},
              {"NodeResourcesFit", "NodePorts", "NodeAffinity"},
              {"VolumeRestrictions"},
              {"TaintToleration"},
              {"InterPodAffinity"}};
    if (!is_from(release, 20)) {
      std::vector<std::vector<std::string>> order = {{"NodeUnschedulable"},  {"NodeResourcesFit"},
                                                     {"NodePorts"},          {"NodeAffinity"},
                                                     {"VolumeRestrictions"}, {"TaintToleration"}};
      const bool spread_first = is_from(release, 19);
      order.push_back({spread_first ? "PodTopologySpread" : "InterPodAffinity"});
      order.push_back({spread_first ? "InterPodAffinity" : "PodTopologySpread"});
      return order;
    }
    return {{"NodeUnschedulable"}, {"TaintToleration"},    {"NodeAffinity"},      {"NodePorts"},
            {"NodeResourcesFit"},  {"VolumeRestrictions"}, {"PodTopologySpread"}, {"InterPodAffinity"}};
  }

  Release release;
  Question question;
  std::map<std::string, Rejection> by;  ///< rejections by name of the filter

 private:
  std::string taint_text() const {
    if (is_from(release, 34)) return "node(s) had untolerated taint(s)";
    if (is_from(release, 24)) return "node(s) had untolerated taint {k: v}";
    if (is_from(release, 18)) return "node(s) had taint {k: v}, that the pod didn't tolerate";
    return "node(s) had taints that the pod didn't tolerate";
  }

  std::string selector_text() const {
    if (is_from(release, 21)) return "node(s) didn't match Pod's node affinity/selector";
    return is_from(release, 20) ? "node(s) didn't match Pod's node affinity"
                                : "node(s) didn't match node selector";
  }

  std::vector<std::string> affinity_texts() const {
    const std::string rule = "node(s) didn't match pod anti-affinity rules";
    if (is_from(release, 22)) return {rule};
    return {std::string("node(s) didn't match pod affinity/anti-affinity") +
                (is_from(release, 21) ? " rules" : ""),
            rule};
  }

  /// PRE-FILTER-2: the reasons of releases up to v1.9.
  void take_bare_names() {
    const std::map<std::string, std::vector<std::string>> names = {
        {"NodeUnschedulable", {"NodeUnschedulable"}},
        {"TaintToleration", {"PodToleratesNodeTaints"}},
        {"NodeAffinity", {"MatchNodeSelector"}},
        {"NodePorts", {"PodFitsHostPorts"}},
        {"VolumeRestrictions", {"NoDiskConflict"}},
        {"InterPodAffinity", {"MatchInterPodAffinity", "PodAntiAffinityRulesNotMatch"}}};
    for (auto& [filter, rejection] : by) {
      if (names.contains(filter)) rejection.reasons = names.at(filter);
    }
  }
};

void one_verdict(Proof& proof) {
  const Filtered node(
      proof, choose_release(proof, {"v1.9", "v1.10", "v1.16", "v1.17", "v1.18", "v1.19", "v1.20", k_newest}));
  const Release& release = node.release;
  Trace trace = Trace::none();
  const scheduler::Cycle cycle(node.question, release, trace);
  Status status = scheduler::run_filters(cycle, cycle.nodes[0]);
  proof.observe(told(status));

  std::vector<std::string> reasons;
  std::string plugin;
  bool is_beyond_help = false;
  for (const std::vector<std::string>& group : node.groups()) {
    for (const std::string& filter : group) {
      const auto rejection = node.by.find(filter);
      if (rejection == node.by.end()) continue;
      plugin = filter;
      is_beyond_help = is_beyond_help || rejection->second.beyond_help;
      const std::vector<std::string>& more = rejection->second.reasons;
      reasons.insert(reasons.end(), more.begin(), more.end());
    }
    if (!reasons.empty()) break;
  }
  const bool only_first = is_from(release, 17) && !is_from(release, 18);
  if (only_first && !reasons.empty()) reasons.resize(1);
  if (!is_from(release, 10)) {  // in no fixed order
    std::sort(reasons.begin(), reasons.end());
    std::sort(status.reasons.begin(), status.reasons.end());
  }
  proof.claim("the reasons are those of the first filter group that rejects", status.reasons == reasons);
  proof.claim("a node passes if no filter group rejects it", status.ok() == reasons.empty());
  if (!status.ok()) {
    proof.claim("the node is unresolvable if and only if one of its filters says so",
                is_beyond_help == (status.code == Code::unschedulable_and_unresolvable));
    if (is_from(release, 18))
      proof.claim("the plugin is the first one that rejects", status.plugin == plugin);
  }
  proof.witness("the node passes", status.ok());
  proof.witness("several reasons, one of them unresolvable", reasons.size() > 2 && is_beyond_help);
  proof.witness("one reason is reported of several", only_first && node.by.size() > 1);
}

/// Two pods with one host port each, which stay, are removed, come back or are nominated, and the preemptor's
/// port.
void ports_are_a_set(Proof& proof) {
  Question question;
  add_node(question, "n0");
  const auto any_port = [&proof](Pod& pod, const std::string& name) {
    const Quantity port = proof.number<Quantity>("port of " + name);
    proof.assume("a host port is positive", port > Quantity(0));
    pod.containers.emplace_back().ports = {{"", "", port}};
    return port;
  };
  const Quantity wanted = any_port(question.pod, "the preemptor");
  std::vector<Stay> stays;
  std::vector<Quantity> ports;
  for (const std::string name : {"p0", "p1"}) {
    Pod& pod = add_any_stay(proof, question, name, stays);
    ports.push_back(any_port(pod, name));
  }
  const Release release = release_of(k_newest);
  Trace trace = Trace::none();
  const scheduler::Cycle cycle(question, release, trace);
  const Status status = scheduler::node_ports(cycle, first_node(cycle, stays));
  proof.observe(told(status));

  // Only the wanted port matters. A pod that comes takes it, and a pod that goes frees it, even if another
  // pod has it.
  Truth is_used = false;
  for (std::size_t i = 0; i < 2; ++i) {
    if (stays[i] != Stay::nominated) is_used = either(is_used, ports[i] == wanted);
  }
  for (std::size_t i = 0; i < 2; ++i) {
    const Truth is_its = ports[i] == wanted;
    if (stays[i] == Stay::taken_away || stays[i] == Stay::put_back) is_used = both(is_used, negation(is_its));
    if (stays[i] == Stay::put_back || stays[i] == Stay::nominated) is_used = either(is_used, is_its);
  }
  proof.claim("a port is in use if and only if the last change of a pod with this port added the pod",
              exactly(!status.ok(), is_used));
  proof.witness("the port is free although a pod holds it",
                both(status.ok(), both(stays[0] == Stay::bound, ports[0] == wanted)));
  proof.witness("the port is in use again",
                both(!status.ok(), stays[0] == Stay::put_back && stays[1] == Stay::taken_away));
}

}  // namespace

Theorems theorems_of_filters() {
  return {
      {.name = "one-verdict-a-node",
       .clauses = {"PRE-FILTER-1", "PRE-FILTER-2", "PRE-FILTER-3"},
       .statement = "The status of a node is that of the first filter group that rejects it, with all its "
                    "reasons, or in v1.17 with the first: any of seven filters, and cpu and memory of any "
                    "amount, both sides of every change, v1.9 to v1.36.",
       .variants = {"last-rejection-is-told", "last-reason-decides", "all-reasons-are-told"},
       .body = one_verdict,
       .tier = Tier::full},
      {.name = "used-ports-are-a-set",
       .clauses = {"PRE-PORTS-2"},
       .statement = "A port is in use if and only if the last change of a pod with this port added the pod, "
                    "whichever pods hold it: v1.37, any ports of 2 pods that stay, are removed, are "
                    "reprieved or are nominated, and of the preemptor.",
       .variants = {"shared-port-stays-taken"},
       .body = ports_are_a_set},
  };
}

}  // namespace touchstone::proofs::TOUCHSTONE_BUILD
