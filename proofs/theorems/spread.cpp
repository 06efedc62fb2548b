#include <map>

#include "proofs/theorems/said.hpp"
#include "proofs/theorems/searched.hpp"

/// Spreading over topology domains as the clauses state it for each release.
namespace touchstone::proofs::TOUCHSTONE_BUILD {

namespace {

constexpr std::string_view k_positive = "maxSkew and minDomains are positive";

/// What PRE-SPREAD-1 to PRE-SPREAD-7 say about the first node. Requires: the pods of `stays` come first in
/// the cluster and are on that node or nominated to it.
class SpreadAsSaid {
 public:
  SpreadAsSaid(const Question& question, const Release& release, std::vector<Stay> stays)
      : cluster_(question.cluster), pod_(question.pod), release_(release), stays_(std::move(stays)) {
    for (const TopologySpreadConstraint& constraint : pod_.topology_spread) {
      if (constraint.when_unsatisfiable == "DoNotSchedule") constraints_.push_back(&constraint);
    }
    for (const TopologySpreadConstraint* constraint : constraints_) {
      const bool has_key = cluster_.nodes[0].labels.contains(constraint->topology_key);
      const bool has_domain = !domains(*constraint).empty();
      const bool is_looked_at = has_domain || is_from(release_, 27) || (!has_key && asks_for_key());
      if (!is_looked_at) continue;
      if (!has_key) lacks_key = either(lacks_key, fits);
      fits = both(fits, has_key ? is_even(*constraint) : Truth(false));
    }
  }

  Truth fits = true;        ///< no constraint rejects the node
  Truth lacks_key = false;  ///< the first constraint that rejects the node needs a label that it lacks

 private:
  using Constraint = TopologySpreadConstraint;

  /// PRE-SPREAD-7: whether the label is required even if there is no domain.
  bool asks_for_key() const {
    return is_from(release_, 19) ? is_from(release_, 19, 4) : is_from(release_, 18, 11);
  }

  Labels added(const Constraint& constraint) const {
    Labels labels;
    for (const std::string& key : constraint.match_label_keys) {
      if (is_from(release_, 27) && pod_.labels.contains(key)) labels[key] = pod_.labels.at(key);
    }
    return labels;
  }

  bool selects(const Constraint& constraint, const Pod& pod) const {
    return pod.ns == pod_.ns && constraint.label_selector &&
           has_labels(pod.labels, constraint.label_selector->match_labels) &&
           has_labels(pod.labels, added(constraint));
  }

  bool spreads_over(const Constraint& constraint, const Node& node) const {
    const bool has_keys = std::all_of(constraints_.begin(), constraints_.end(), [&](const auto* each) {
      return node.labels.contains(each->topology_key);
    });
    const bool knows_policies = is_from(release_, 26);
    const bool any_affinity = knows_policies && constraint.node_affinity_policy == "Ignore";
    const bool only_tolerated = knows_policies && constraint.node_taints_policy == "Honor";
    return has_keys && (any_affinity || has_labels(node.labels, pod_.node_selector)) &&
           (!only_tolerated || node.taints.empty());
  }

  std::set<std::string> domains(const Constraint& constraint) const {
    std::set<std::string> values;
    for (const Node& node : cluster_.nodes) {
      if (spreads_over(constraint, node)) values.insert(node.labels.at(constraint.topology_key));
    }
    return values;
  }

  std::vector<const Constraint*> of_one_key(const Constraint& constraint) const {
    if (is_from(release_, 33)) return {&constraint};
    std::vector<const Constraint*> same;
    for (const Constraint* each : constraints_) {
      if (each->topology_key == constraint.topology_key) same.push_back(each);
    }
    return same;
  }

  /// PRE-SPREAD-4: the first count of one node, for one constraint.
  std::int64_t at_first(const Constraint& constraint, const Node& node) const {
    const bool is_empty = constraint.label_selector && constraint.label_selector->match_labels.empty();
    if (is_from(release_, 27) && is_empty && added(constraint).empty()) return 0;
    return std::count_if(cluster_.pods.begin(), cluster_.pods.end(), [&](const Pod& pod) {
      return pod.node_name == node.name && selects(constraint, pod) && !pod.terminating;
    });
  }

  /// PRE-SPREAD-5: the count of one node. From v1.19 to v1.23 it includes nodes that are left out, if their
  /// domain exists.
  std::int64_t of_node(const Constraint& constraint, const Node& node) const {
    std::int64_t sum = 0;
    std::int64_t last = 0;
    const bool any_node = is_from(release_, 19) && !is_from(release_, 24);
    for (const Constraint* each : of_one_key(constraint)) {
      if (!any_node && !spreads_over(*each, node)) continue;
      last = at_first(*each, node);
      sum += last;
    }
    return is_from(release_, 24) ? last : sum;
  }

  std::int64_t pods_in(const Constraint& constraint, const std::string& domain) const {
    std::int64_t pods = 0;
    const auto is_there = [&](const Node& node) {
      const auto label = node.labels.find(constraint.topology_key);
      return label != node.labels.end() && label->second == domain;
    };
    for (const Node& node : cluster_.nodes) {
      if (is_there(node)) pods += of_node(constraint, node);
    }
    for (PodIndex i = 0; i < stays_.size(); ++i) {
      for (const Constraint* each : of_one_key(constraint)) {
        if (!is_there(cluster_.nodes[0]) || !selects(*each, cluster_.pods[i])) continue;
        if (stays_[i] == Stay::taken_away) --pods;
        if (stays_[i] == Stay::nominated) ++pods;
      }
    }
    return pods;
  }

  /// Whether the skew is at most maxSkew. Requires: there is a domain, or the release has minDomains.
  Truth is_even(const Constraint& constraint) const {
    const std::set<std::string> all = domains(constraint);
    const std::string& own = cluster_.nodes[0].labels.at(constraint.topology_key);
    const std::int64_t pods =
        (all.contains(own) ? pods_in(constraint, own) : 0) + (selects(constraint, pod_) ? 1 : 0);
    std::int64_t least = 0;
    for (const std::string& domain : all) {
      const std::int64_t here = pods_in(constraint, domain);
      least = domain == *all.begin() ? here : std::min(least, here);
    }
    Truth few = false;
    if (is_from(release_, 27)) few = Quantity(all.size()) < constraint.min_domains.value_or(1);
    return either(both(few, Quantity(pods) <= constraint.max_skew),
                  both(negation(few), Quantity(pods - least) <= constraint.max_skew));
  }

  const Cluster& cluster_;
  const Pod& pod_;
  const Release& release_;
  std::vector<Stay> stays_;
  std::vector<const Constraint*> constraints_;
};

TopologySpreadConstraint spread_over(Proof& proof, const std::string& key, const std::string& name) {
  TopologySpreadConstraint constraint;
  constraint.topology_key = key;
  constraint.when_unsatisfiable = "DoNotSchedule";
  constraint.label_selector = LabelSelector{{{name, "x"}}, {}};
  constraint.max_skew = proof.number<Quantity>("maxSkew of " + name);
  proof.assume(k_positive, constraint.max_skew > Quantity(0));
  return constraint;
}

/// Claims that the filter answers as the clauses say. Returns what they say.
SpreadAsSaid hold_against(Proof& proof, const Question& question, const Release& release,
                          const std::vector<Stay>& stays) {
  Trace trace = Trace::none();
  const scheduler::Cycle cycle(question, release, trace);
  const Status status = scheduler::pod_topology_spread(cycle, first_node(cycle, stays));
  proof.observe(told(status));
  const SpreadAsSaid said(question, release, stays);
  proof.claim("a node passes if and only if no constraint rejects it", exactly(status.ok(), said.fits));
  const bool is_beyond_help = status.code == Code::unschedulable_and_unresolvable;
  proof.claim("a node is unresolvable if and only if it lacks the label, from v1.19 on",
              exactly(is_beyond_help, both(is_from(release, 19), said.lacks_key)));
  return said;
}

/// A pod of any kind that stays, is removed, comes back or is nominated, beside a pod that is counted.
void spread_counts(Proof& proof) {
  const Release release = choose_release(proof, {"v1.18", "v1.26", "v1.27", k_newest});
  Question question;
  add_node(question, "n0", {{"zone", "a"}});
  add_node(question, "n1", {{"zone", "b"}});
  question.pod.ns = "default";
  question.pod.labels = {{"app", "x"}, {"v", "1"}};
  TopologySpreadConstraint constraint = spread_over(proof, "zone", "app");
  const std::size_t selector = proof.choose<Quantity>("selector", 3);
  if (selector == 1) constraint.label_selector = LabelSelector{};
  if (selector == 2) constraint.label_selector.reset();
  if (chosen(proof, "by version")) constraint.match_label_keys = {"v", "absent"};
  question.pod.topology_spread = {constraint};
  std::vector<Stay> stays;
  Pod& pod = add_any_stay(proof, question, "p0", stays);
  const std::size_t app = proof.choose<Quantity>("p0 is of the app", 3);
  if (app > 0) pod.labels = {{"app", "x"}, {"v", app == 1 ? "1" : "2"}};
  if (chosen(proof, "p0 is of another namespace")) pod.ns = "other";
  pod.terminating = chosen(proof, "p0 terminates");
  add_pod(question, "counted", "n0").labels = question.pod.labels;
  const SpreadAsSaid said = hold_against(proof, question, release, stays);
  proof.witness("a constraint rejects the node", negation(said.fits));
  proof.witness("every constraint accepts the node", said.fits);
}

/// Nodes with or without labels and taints, and policies that consider them.
void spread_nodes(Proof& proof) {
  const Release release = choose_release(
      proof, {"v1.18.10", "v1.18.11", "v1.19.3", "v1.19.4", "v1.23", "v1.25", "v1.26", k_newest});
  Question question;
  Node& asked = add_node(question, "n0", {{"disk", "ssd"}});
  if (chosen(proof, "n0 is in a zone")) asked.labels["zone"] = "a";
  Node& other = add_node(question, "n1");
  const std::size_t zone = proof.choose<Quantity>("zone of n1", 3);
  if (zone > 0) other.labels["zone"] = zone == 1 ? "a" : "b";
  if (chosen(proof, "n1 is selected")) other.labels["disk"] = "ssd";
  if (chosen(proof, "n1 is tainted")) other.taints = {{"k", "v", "NoSchedule"}};
  add_node(question, "n2", {{"zone", "c"}, {"disk", "hdd"}});
  question.pod.ns = "default";
  question.pod.labels = {{"app", "x"}};
  question.pod.node_selector = {{"disk", "ssd"}};
  TopologySpreadConstraint constraint = spread_over(proof, "zone", "app");
  if (chosen(proof, "nodeAffinityPolicy is Ignore")) constraint.node_affinity_policy = "Ignore";
  if (chosen(proof, "nodeTaintsPolicy is Honor")) constraint.node_taints_policy = "Honor";
  question.pod.topology_spread = {constraint};
  for (const char* node : {"n0", "n1"}) {
    Pod& pod = add_pod(question, std::string("p of ") + node, node);
    pod.labels = {{"app", "x"}};
  }
  const SpreadAsSaid said = hold_against(proof, question, release, {});
  proof.witness("the node has no label", said.lacks_key);
  proof.witness("a constraint rejects the node", both(negation(said.fits), negation(said.lacks_key)));
}

/// Two constraints, with one topology key or two, and pods that each constraint may select.
void spread_keys(Proof& proof) {
  const Release release = choose_release(proof, {"v1.18", "v1.23", "v1.24", "v1.32", "v1.33", k_newest});
  Question question;
  add_node(question, "n0", {{"zone", "a"}, {"rack", "r"}});
  add_node(question, "n1", {{"zone", "b"}, {"rack", "r"}});
  question.pod.ns = "default";
  question.pod.labels = {{"app", "x"}};
  question.pod.topology_spread = {
      spread_over(proof, "zone", "app"),
      spread_over(proof, chosen(proof, "the same key") ? "zone" : "rack", "tier")};
  for (const std::string name : {"p0", "p1", "p2"}) {
    const std::size_t labels = proof.choose<Quantity>(name + " has labels", 3);
    Pod& pod = add_pod(question, name, name == "p2" ? "n1" : "n0");
    if (labels > 0) pod.labels["app"] = "x";
    if (labels > 1) pod.labels["tier"] = "x";
  }
  const Stay stay = chosen(proof, "p0 is taken away") ? Stay::taken_away : Stay::bound;
  const SpreadAsSaid said = hold_against(proof, question, release, {stay});
  proof.witness("a constraint rejects the node", negation(said.fits));
  proof.witness("every constraint accepts the node", said.fits);
}

/// Pods on three nodes, and any minDomains.
void spread_skew(Proof& proof) {
  const Release release = choose_release(proof, {"v1.18", "v1.26", "v1.27", k_newest});
  Question question;
  add_node(question, "n0", {{"zone", "a"}});
  add_node(question, "n1", {{"zone", "b"}});
  add_node(question, "n2", {{"zone", chosen(proof, "n2 is in a third zone") ? "c" : "b"}});
  for (const Node& node : question.cluster.nodes) {
    const std::size_t pods = proof.choose<Quantity>("pods of " + node.name, node.name == "n2" ? 2 : 3);
    for (std::size_t i = 0; i < pods; ++i)
      add_pod(question, node.name + "-" + std::to_string(i), node.name).labels = {{"app", "x"}};
  }
  question.pod.ns = "default";
  if (chosen(proof, "the preemptor is of the app")) question.pod.labels = {{"app", "x"}};
  TopologySpreadConstraint constraint = spread_over(proof, "zone", "app");
  if (chosen(proof, "minDomains is there")) {
    constraint.min_domains = proof.number<Quantity>("minDomains");
    proof.assume(k_positive, *constraint.min_domains > Quantity(0));
  }
  question.pod.topology_spread = {constraint};
  const SpreadAsSaid said = hold_against(proof, question, release, {});
  proof.witness("a constraint rejects the node", negation(said.fits));
  proof.witness("every constraint accepts the node", said.fits);
}

/// A node whose pods may match, and a matching pod on another node in another zone.
Question spread_on_one_node(Proof& proof, std::size_t pods) {
  Question question = one_node(proof, pods);
  question.cluster.nodes[0].labels["zone"] = "a";
  add_node(question, "other", {{"zone", "b"}});
  for (Pod& pod : question.cluster.pods) {
    if (chosen(proof, pod.name + " matches")) pod.labels["app"] = "x";
    pod.terminating = chosen(proof, pod.name + " terminates");
  }
  Pod& elsewhere = add_pod(question, "elsewhere", "other");
  elsewhere.priority = question.pod.priority;
  elsewhere.labels["app"] = "x";
  question.pod.labels["app"] = "x";
  question.pod.topology_spread = {spread_over(proof, "zone", "app")};
  return question;
}

/// By the release's own bookkeeping, no victim could have stayed beside the pods that stay.
void spread_is_minimal(Proof& proof, std::size_t pods) {
  const Searched node(proof, spread_on_one_node(proof, pods), release_of(k_newest));
  for (const PodIndex back : node.victims()) {
    std::vector<bool> here = node.stays;
    here.resize(pods);
    here[back] = true;
    std::vector<Stay> stays;
    for (const bool stays_here : here) stays.push_back(stays_here ? Stay::bound : Stay::taken_away);
    const SpreadAsSaid said(node.question, node.release, stays);
    proof.claim("no victim could have stayed", negation(both(finds_room(node.question, here), said.fits)));
  }
  proof.witness("two victims", node.victims().size() == 2);
  proof.witness("one of two pods is a victim, although both fit by resources",
                both(node.victims().size() == 1 && node.lower.size() == 2,
                     finds_room(node.question, std::vector<bool>(pods, true))));
}

}  // namespace

Theorems theorems_of_spreading() {
  return {
      {.name = "spread-counts-pods-it-selects",
       .clauses = {"PRE-SPREAD-2", "PRE-SPREAD-4", "PRE-SPREAD-6"},
       .statement = "A pod counts if it is selected, of the preemptor's namespace and not terminating. Its "
                    "removal is subtracted if it is selected and of that namespace: 2 zones, a pod of any "
                    "kind that stays, is removed, is reprieved or is nominated, beside one that counts, any "
                    "maxSkew, both sides of every change, v1.18 to v1.36.",
       .variants = {"spread-counts-every-namespace", "terminating-pods-are-spread",
                    "dry-run-does-not-spread-anew"},
       .body = spread_counts,
       .tier = Tier::full},
      {.name = "spread-over-nodes-it-means",
       .clauses = {"PRE-SPREAD-3", "PRE-SPREAD-1", "PRE-SPREAD-4", "PRE-SPREAD-7"},
       .statement = "The preemptor is spread over the nodes that labels, node affinity, taints and policies "
                    "allow. A node without the label is rejected: 3 nodes, any maxSkew, both sides of every "
                    "change, v1.18.10 to v1.36.",
       .variants = {"node-taints-policy-is-ignored", "missing-topology-key-is-curable"},
       .body = spread_nodes,
       .tier = Tier::full},
      {.name = "spread-constraints-of-one-key",
       .clauses = {"PRE-SPREAD-5", "PRE-SPREAD-1"},
       .statement = "Two constraints count together or separately, by release, and the first failed "
                    "constraint gives the status: 2 zones, 3 pods of any labels, one of which may be "
                    "removed, any maxSkew, both sides of every change, v1.18 to v1.36.",
       .variants = {"constraints-of-one-key-count-together"},
       .body = spread_keys,
       .tier = Tier::full},
      {.name = "spread-skew",
       .clauses = {"PRE-SPREAD-7"},
       .statement = "A node is rejected if and only if the pods of its domain would exceed the minimum over "
                    "domains by more than maxSkew. The minimum is 0 if there are fewer than minDomains "
                    "domains: 3 nodes in 2 or 3 zones, up to 5 pods, any maxSkew and minDomains, both sides "
                    "of every change, v1.18 to v1.36.",
       .variants = {"min-domains-is-ignored", "preemptor-always-matches-itself", "full-skew-is-too-much"},
       .body = spread_skew,
       .tier = Tier::full},
      {.name = "spread-victims-are-minimal",
       .clauses = {"PRE-VICTIM-6", "PRE-SPREAD-6", "PRE-SPREAD-7"},
       .statement =
           "By the release's own bookkeeping, no victim could have stayed beside the pods that stay: v1.37, "
           "one node with 2 pods that match and terminate or not, a pod in another zone, any maxSkew, cpu.",
       .variants = {"reprieve-ends-at-the-first-victim"},
       .body = [](Proof& proof) { spread_is_minimal(proof, 2); },
       .tier = Tier::full},
  };
}

}  // namespace touchstone::proofs::TOUCHSTONE_BUILD
