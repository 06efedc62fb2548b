#include <array>

#include "proofs/scene.hpp"
#include "proofs/theorems/theorems.hpp"
#include "spec/vocabulary/node_features.hpp"

/// The filters that look at one node: its properties, and what its pods use.
namespace touchstone::proofs::TOUCHSTONE_BUILD {

namespace {

/// A node, and the pod for which it is filtered.
struct NodeFiltered {
  explicit NodeFiltered(Question asked, std::string_view name = k_newest)
      : question(std::move(asked)), release(release_of(name)), cycle(question, release, trace) {}
  NodeFiltered(const NodeFiltered&) = delete;
  NodeFiltered& operator=(const NodeFiltered&) = delete;

  Status status(Status (*filter)(const scheduler::Cycle&, const scheduler::NodeState&)) const {
    return filter(cycle, cycle.nodes[0]);
  }

  Question question;
  Release release;
  Trace trace = Trace::none();
  scheduler::Cycle cycle;
};

Question node_and_pod() {
  Question question;
  question.cluster.nodes.emplace_back().name = "n1";
  question.pod.ns = "default";
  question.pod.name = "preemptor";
  return question;
}

/// Claims what a filter must answer. `passes` is concrete, because the choices enumerate all cases.
void has_to_pass(Proof& proof, const Status& status, bool passes) {
  proof.observe(status.ok() ? "passes" : "is rejected");
  proof.claim("the node passes if and only if the clause says so", Truth(status.ok() == passes));
  proof.claim("no eviction helps on a rejected node",
              Truth(status.ok() || status.code == Code::unschedulable_and_unresolvable));
  proof.witness("the node passes", Truth(status.ok()));
  proof.witness("the node is rejected", Truth(!status.ok()));
}

constexpr std::array<std::string_view, 4> k_effects = {"NoSchedule", "NoExecute", "PreferNoSchedule", ""};

Toleration any_toleration(Proof& proof) {
  Toleration toleration;
  toleration.key = std::array{"", "k", "other"}[proof.choose<Quantity>("toleration's key", 3)];
  toleration.op = std::array{"", "Equal", "Exists", "Like"}[proof.choose<Quantity>("operator", 4)];
  toleration.value = std::array{"", "v", "w"}[proof.choose<Quantity>("toleration's value", 3)];
  toleration.effect = k_effects[proof.choose<Quantity>("toleration's effect", 4)];
  return toleration;
}

/// PRE-TAINT-2, as the clause states it.
bool is_tolerated(const Toleration& toleration, const Taint& taint) {
  const bool of_effect = toleration.effect.empty() || toleration.effect == taint.effect;
  const bool of_key = toleration.key.empty() || toleration.key == taint.key;
  const bool is_equal =
      (toleration.op == "Equal" || toleration.op.empty()) && toleration.value == taint.value;
  return of_effect && of_key && (toleration.op == "Exists" || is_equal);
}

void taints(Proof& proof) {
  Question question = node_and_pod();
  Taint taint{"k", "v", std::string(k_effects[proof.choose<Quantity>("effect", 3)])};
  if (proof.choose<Quantity>("without a value", 2) == 1) taint.value.clear();
  question.cluster.nodes[0].taints.push_back(taint);
  question.pod.tolerations.push_back(any_toleration(proof));
  const bool is_soft = taint.effect == "PreferNoSchedule";
  const NodeFiltered node(question);
  has_to_pass(proof, node.status(scheduler::taint_toleration),
              is_soft || is_tolerated(question.pod.tolerations[0], taint));
}

void cordon(Proof& proof) {
  Question question = node_and_pod();
  question.cluster.nodes[0].unschedulable = proof.choose<Quantity>("is unschedulable", 2) == 1;
  Toleration toleration = any_toleration(proof);
  if (toleration.key == "k") toleration.key = "node.kubernetes.io/unschedulable";
  question.pod.tolerations.push_back(toleration);
  const bool before = proof.choose<Quantity>("before v1.12", 2) == 1;
  const bool helps = is_tolerated(toleration, {"node.kubernetes.io/unschedulable", "", "NoSchedule"});
  const NodeFiltered node(question, before ? "v1.11" : "v1.12");
  has_to_pass(proof, node.status(scheduler::node_unschedulable),
              !question.cluster.nodes[0].unschedulable || (!before && helps));
}

void names_of_nodes(Proof& proof) {
  Question question = node_and_pod();
  question.pod.node_name = std::array{"", "n1", "n2"}[proof.choose<Quantity>("nodeName", 3)];
  const NodeFiltered node(question);
  has_to_pass(proof, node.status(scheduler::node_name), question.pod.node_name != "n2");
}

void features(Proof& proof) {
  constexpr std::array<std::string_view, 3> k_releases = {"v1.35", "v1.36", "v1.37"};
  const std::size_t which = proof.choose<Quantity>("release", k_releases.size());
  const std::array<bool, 3> known = {which >= 1, which >= 1, which == 2};
  Question question = node_and_pod();
  bool lacks_some = false;
  for (std::size_t i = 0; i < k_node_features.size(); ++i) {
    const std::string name(k_node_features[i]);
    const bool wanted = proof.choose<Quantity>(name + " is asked for", 2) == 1;
    const bool declared = proof.choose<Quantity>(name + " is declared", 2) == 1;
    if (wanted) question.pod.node_features.push_back(name);
    if (declared) question.cluster.nodes[0].declared_features.push_back(name);
    lacks_some = lacks_some || (known[i] && wanted && !declared);
  }
  const NodeFiltered node(question, k_releases[which]);
  has_to_pass(proof, node.status(scheduler::node_declared_features), !lacks_some);
}

/// Values of the label of the node; the empty one stands for no label.
constexpr std::array<std::string_view, 5> k_label_values = {"", "4", "5", "06", "x"};

/// The same values as numbers; -1 if a value is no number. The clause compares numbers, not texts.
constexpr std::array<int, 5> k_label_numbers = {-1, 4, 5, 6, -1};

/// Adds an operator with up to two of the values 5 and 4. Returns whether it holds by PRE-NODEAFFINITY-3.
bool add_expression(Proof& proof, const std::string& name, std::size_t label, NodeSelectorTerm& term) {
  constexpr std::array<std::string_view, 7> k_operators = {"In", "NotIn", "Exists", "DoesNotExist",
                                                           "Gt", "Lt",    "Like"};
  const std::string op(k_operators[proof.choose<Quantity>(name + "'s operator", k_operators.size())]);
  const std::size_t values = proof.choose<Quantity>(name + "'s values", 3);
  term.match_expressions.push_back({"gen", op, {}});
  if (values > 0) term.match_expressions.back().values.push_back("5");
  if (values > 1) term.match_expressions.back().values.push_back("4");
  const bool is_there = label > 0;
  const bool is_listed =
      (values > 0 && k_label_values[label] == "5") || (values > 1 && k_label_values[label] == "4");
  const bool is_number = k_label_numbers[label] >= 0;
  if (op == "In") return values > 0 && is_there && is_listed;
  if (op == "NotIn") return values > 0 && (!is_there || !is_listed);
  if (op == "Exists") return values == 0 && is_there;
  if (op == "DoesNotExist") return values == 0 && !is_there;
  if (op == "Gt") return values == 1 && is_number && k_label_numbers[label] > 5;
  if (op == "Lt") return values == 1 && is_number && k_label_numbers[label] < 5;
  return false;
}

std::size_t label_node(Proof& proof, Question& question) {
  const std::size_t label = proof.choose<Quantity>("label", k_label_values.size());
  if (label > 0) question.cluster.nodes[0].labels["gen"] = k_label_values[label];
  return label;
}

void expressions(Proof& proof) {
  Question question = node_and_pod();
  const std::size_t label = label_node(proof, question);
  NodeSelectorTerm term;
  const bool first = add_expression(proof, "first", label, term);
  const bool second = add_expression(proof, "second", label, term);
  question.pod.node_affinity = {{term}};
  const NodeFiltered node(question);
  has_to_pass(proof, node.status(scheduler::node_affinity), first && second);
}

/// A node selector and two terms. Each of them may be left out or empty.
void terms(Proof& proof) {
  Question question = node_and_pod();
  const std::size_t label = label_node(proof, question);
  const std::size_t selector = proof.choose<Quantity>("selector", 3);
  if (selector > 0) question.pod.node_selector["gen"] = selector == 1 ? "5" : "x";
  const bool is_selected = selector == 0 || k_label_values[label] == (selector == 1 ? "5" : "x");
  const std::size_t count = proof.choose<Quantity>("terms", 4);  // no affinity, an empty list, one, two
  bool some_hold = count == 0;
  if (count > 0) question.pod.node_affinity.emplace();
  for (std::size_t i = 1; i < count; ++i) {
    NodeSelectorTerm& term = question.pod.node_affinity->emplace_back();
    const std::size_t kind = proof.choose<Quantity>("term" + std::to_string(i), 3);
    if (kind > 0) term.match_expressions.push_back({"gen", kind == 1 ? "Exists" : "DoesNotExist", {}});
    some_hold = some_hold || (kind > 0 && (kind == 1) == (label > 0));
  }
  const NodeFiltered node(question);
  has_to_pass(proof, node.status(scheduler::node_affinity), is_selected && some_hold);
}

void fields(Proof& proof) {
  Question question = node_and_pod();
  const std::string op = std::array{"In", "NotIn", "Exists"}[proof.choose<Quantity>("operator", 3)];
  const std::size_t values = proof.choose<Quantity>("values", 3);
  const bool is_named = proof.choose<Quantity>("names the node", 2) == 1;
  Requirement field{"metadata.name", op, {}};
  if (values > 0) field.values.push_back(is_named ? "n1" : "n2");
  if (values > 1) field.values.push_back("n3");
  question.pod.node_affinity = {{{{}, {field}}}};
  const NodeFiltered node(question);
  has_to_pass(proof, node.status(scheduler::node_affinity),
              values == 1 && ((op == "In" && is_named) || (op == "NotIn" && !is_named)));
}

ContainerPort any_port(Proof& proof, const std::string& name) {
  ContainerPort port;
  port.protocol = std::array{"", "TCP", "UDP"}[proof.choose<Quantity>(name + "'s protocol", 3)];
  port.host_ip =
      std::array{"", "0.0.0.0", "10.0.0.1", "10.0.0.2"}[proof.choose<Quantity>(name + "'s address", 4)];
  port.host_port = proof.number<Quantity>(name + ".port");
  return port;
}

/// The preemptor's port and the port of a pod, which a container, a sidecar or an init container may have.
void ports(Proof& proof) {
  Question question = node_and_pod();
  const std::string release = std::array{"v1.8", "v1.33.5", "v1.33.6"}[proof.choose<Quantity>("release", 3)];
  Pod other = question.pod;
  other.name = "a";
  other.node_name = "n1";
  const ContainerPort wanted = any_port(proof, "wanted");
  const ContainerPort used = any_port(proof, "used");
  question.pod.containers.push_back({"c", {}, {wanted}, false});
  const std::size_t holder = proof.choose<Quantity>("who holds it", 3);
  (holder == 0 ? other.containers : other.init_containers).push_back({"h", {}, {used}, holder == 1});
  question.cluster.pods.push_back(other);

  const bool is_held = holder == 0 || (holder == 1 && release == "v1.33.6");
  const auto or_else = [](const std::string& text, const char* usual) { return text.empty() ? usual : text; };
  const std::string address = or_else(wanted.host_ip, "0.0.0.0");
  const std::string other_address = or_else(used.host_ip, "0.0.0.0");
  const bool is_alike =
      release == "v1.8" || (or_else(wanted.protocol, "TCP") == or_else(used.protocol, "TCP") &&
                            (address == other_address || address == "0.0.0.0" || other_address == "0.0.0.0"));
  const Truth conflicts = both(Truth(is_held && is_alike),
                               both(wanted.host_port == used.host_port, wanted.host_port != Quantity(0)));
  const NodeFiltered node(question, release);
  const bool passes = node.status(scheduler::node_ports).ok();
  proof.observe(passes ? "passes" : "is rejected");
  proof.claim("the node passes if and only if no port conflicts", passes ? negation(conflicts) : conflicts);
  proof.witness("the node passes with the same port number",
                both(Truth(passes), wanted.host_port == used.host_port));
  proof.witness("the node is rejected", Truth(!passes));
}

/// The resources that are compared for the preemptor, and the result. `names_other`: it requests an extended
/// resource.
void fit(Proof& proof) {
  struct Says {
    std::string_view release;
    bool unrequested, zero, beyond, rejects_sidecars;
  };
  constexpr std::array<Says, 5> k_fit_says = {{{"v1.25", true, true, false, false},
                                               {"v1.27", true, false, false, false},
                                               {"v1.28.1", false, false, false, true},
                                               {"v1.33", false, false, false, false},
                                               {"v1.34", false, false, true, false}}};
  const Says& says = k_fit_says[proof.choose<Quantity>("release", k_fit_says.size())];
  const bool names_other = proof.choose<Quantity>("names an extended resource", 2) == 1;
  const bool has_sidecar = proof.choose<Quantity>("has a sidecar", 2) == 1;
  Question question = node_and_pod();
  Node& node = question.cluster.nodes[0];
  node.allocatable["pods"] = Quantity(110);
  Pod other = question.pod;
  other.name = "a";
  other.node_name = "n1";
  other.containers.push_back({"c", {}, {}, false});
  question.pod.containers.push_back({"c", {}, {}, false});
  if (has_sidecar) question.pod.init_containers.push_back({"s", {}, {}, true});
  Truth is_any = names_other;
  Truth is_short = false;
  Truth is_beyond = false;
  std::vector<std::string> resources = {"cpu", "memory"};
  if (names_other) resources.emplace_back("example.com/gpu");
  std::map<std::string, Quantity> wanted;
  for (const std::string& name : resources) {
    wanted[name] = proof.number<Quantity>("wanted." + name);
    const Quantity used = proof.number<Quantity>("used." + name);
    proof.assume(k_no_negative_request, both(wanted[name] >= Quantity(0), used >= Quantity(0)));
    node.allocatable[name] = proof.number<Quantity>("allocatable." + name);
    other.containers[0].requests[name] = used;
    question.pod.containers[0].requests[name] = wanted[name];
    is_any = either(is_any, wanted[name] > Quantity(0));
  }
  for (const std::string& name : resources) {
    const bool is_extended = name == "example.com/gpu";
    const bool also_unrequested = is_extended ? says.zero : says.unrequested;
    const Truth is_looked_at = both(is_any, either(Truth(also_unrequested), wanted[name] > Quantity(0)));
    const Quantity left = node.allocatable[name] - other.containers[0].requests[name];
    const Truth lacks = both(is_looked_at, wanted[name] > left);
    is_short = either(is_short, lacks);
    is_beyond = either(is_beyond, both(lacks, wanted[name] > node.allocatable[name]));
  }
  question.cluster.pods.push_back(other);

  const NodeFiltered filtered(question, says.release);
  const Status status = filtered.status(scheduler::node_resources_fit);
  proof.observe(status.ok() ? "passes" : status.code == Code::unschedulable ? "short" : "unresolvable");
  if (has_sidecar && says.rejects_sidecars) {
    proof.claim("a node is unresolvable for a preemptor with a sidecar",
                Truth(status.code == Code::unschedulable_and_unresolvable));
    return;
  }
  proof.claim("the node is rejected if and only if a checked resource is short",
              status.ok() ? negation(is_short) : is_short);
  if (status.ok()) return;
  const bool is_hopeless = status.code == Code::unschedulable_and_unresolvable;
  const Truth may_be_hopeless = both(Truth(says.beyond), is_beyond);
  proof.claim("the node is unresolvable if and only if a request exceeds its allocatable, from v1.34 on",
              is_hopeless ? may_be_hopeless : negation(may_be_hopeless));
  proof.witness("the node is unresolvable", Truth(is_hopeless));
  proof.witness("evictions may help", Truth(!is_hopeless));
}

}  // namespace

Theorems theorems_of_node_filters() {
  return {
      {.name = "unschedulable-nodes-are-passed-by",
       .clauses = {"PRE-UNSCHEDULABLE-1"},
       .statement = "An unschedulable node rejects every pod, except, from v1.12 on, a pod that tolerates "
                    "it: any toleration, v1.11 and v1.12.",
       .variants = {"no-toleration-of-unschedulable"},
       .body = cordon,
       .tier = Tier::full},
      {.name = "node-name-is-a-wish-for-one-node",
       .clauses = {"PRE-NODENAME-1"},
       .statement = "A pod with a nodeName passes only on that node: v1.36.",
       .variants = {"node-name-does-not-matter"},
       .body = names_of_nodes},
      {.name = "features-have-to-be-declared",
       .clauses = {"PRE-FEATURES-1"},
       .statement = "A node accepts a pod that needs features only if the node declares all of them that the "
                    "release knows: three features, v1.35 to v1.37.",
       .variants = {"node-features-are-not-asked-for"},
       .body = features},
      {.name = "taints-and-tolerations",
       .clauses = {"PRE-TAINT-1", "PRE-TAINT-2"},
       .statement = "A taint rejects pods that do not tolerate it, except a PreferNoSchedule taint: a taint "
                    "of any effect, any toleration, v1.36.",
       .variants = {"no-execute-is-ignored", "toleration-needs-a-key"},
       .body = taints,
       .tier = Tier::full},
      {.name = "terms-are-alternatives",
       .clauses = {"PRE-NODEAFFINITY-2", "PRE-NODEAFFINITY-1"},
       .statement = "A node passes if the node selector and at least one term of the node affinity hold. An "
                    "empty term never holds: no affinity, or up to 2 terms, v1.36.",
       .variants = {"node-selector-without-values", "empty-term-matches"},
       .body = terms},
      {.name = "expressions-hold-together",
       .clauses = {"PRE-NODEAFFINITY-3"},
       .statement = "A term holds if all its expressions hold, and a term with an invalid expression does "
                    "not hold: 2 expressions of any operator with up to 2 values, a label that is absent, a "
                    "number or a word, v1.36.",
       .variants = {"gt-is-not-strict", "not-in-needs-the-label"},
       .body = expressions,
       .tier = Tier::full},
      {.name = "fields-name-one-node",
       .clauses = {"PRE-NODEAFFINITY-4"},
       .statement = "A field requirement holds if it has exactly one name: this node's name with In, another "
                    "name with NotIn: up to 2 names, v1.36.",
       .variants = {"not-in-of-a-name-never-holds"},
       .body = fields},
      {.name = "ports-conflict-by-number-protocol-and-address",
       .clauses = {"PRE-PORTS-1", "PRE-PORTS-3"},
       .statement = "A host port conflicts with a held port of equal number and protocol, if the addresses "
                    "are equal or one means all addresses. v1.8 compares only the number. Ports of sidecars "
                    "count from v1.33.6 on, ports of other init containers never: a port each, any number.",
       .variants = {"ports-on-every-address-are-free", "ports-by-number-alone", "ports-of-sidecars-are-free"},
       .body = ports,
       .tier = Tier::full},
      {.name = "what-is-short-rejects",
       .clauses = {"PRE-FIT-3", "PRE-FIT-4", "PRE-FIT-5"},
       .statement = "A node rejects the pod if a resource that the release checks is short. From v1.34 on "
                    "the node is unresolvable if the request exceeds its allocatable. v1.28 rejects "
                    "sidecars: cpu, memory and an extended resource that is requested or not, a bound pod, "
                    "any amounts, both sides of every change, v1.25 to v1.34.",
       .variants = {"unrequested-resources-are-checked", "beyond-allocatable-is-curable",
                    "all-of-a-node-is-beyond-it", "sidecars-of-the-preemptor-are-welcome"},
       .body = fit,
       .tier = Tier::full},
  };
}

}  // namespace touchstone::proofs::TOUCHSTONE_BUILD
