#include "optimized/store/snapshot.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

#include "optimized/store/disks.hpp"
#include "optimized/store/go_numbers.hpp"
#include "optimized/store/requests.hpp"

namespace touchstone::optimized {

namespace {

bool is_finished(const Pod& pod) { return pod.phase == "Succeeded" || pod.phase == "Failed"; }

/// PRE-ELIGIBLE-4
bool is_being_preempted(const Pod& pod, const Release& release) {
  if (!pod.terminating || release.waits_for == WaitsFor::any_terminating) return pod.terminating;
  const auto target = std::find_if(pod.conditions.begin(), pod.conditions.end(),
                                   [](const Condition& each) { return each.type == "DisruptionTarget"; });
  return target != pod.conditions.end() && target->status == "True" &&
         target->reason == "PreemptionByScheduler";
}

/// Whether a node with this condition rejects pods up to v1.11.
bool rejects(const Condition& condition) {
  static const std::vector<std::string> k_problems = {"OutOfDisk", "NetworkUnavailable", "MemoryPressure",
                                                      "DiskPressure", "PIDPressure"};
  if (condition.type == "Ready") return condition.status != "True";
  return condition.status != "False" &&
         std::find(k_problems.begin(), k_problems.end(), condition.type) != k_problems.end();
}

std::uint32_t number_of(const std::vector<TaintWords>& taints, Tables& tables) {
  const auto [place, is_new] =
      tables.taint_list_numbers.emplace(taints, static_cast<std::uint32_t>(tables.taint_lists.size()));
  if (is_new) tables.taint_lists.push_back(taints);
  return place->second;
}

void add_amounts(std::vector<Amount>& total, const std::vector<Amount>& more, int by) {
  for (const Amount& amount : more) {
    const auto place =
        std::lower_bound(total.begin(), total.end(), amount.resource,
                         [](const Amount& each, Symbol resource) { return each.resource < resource; });
    if (place != total.end() && place->resource == amount.resource) {
      place->amount = go::sum(place->amount, go::product(by, amount.amount));
    } else {
      total.insert(place, {amount.resource, go::product(by, amount.amount)});
    }
  }
}

}  // namespace

Snapshot::Snapshot(const Release& release) { tables_.release = release; }

Snapshot::Snapshot(const Cluster& cluster, const Release& release) : Snapshot(release) {
  for (const PodDisruptionBudget& pdb : cluster.pdbs) add_pdb(pdb);
  for (const Node& node : cluster.nodes) add_node(node);
  for (const Pod& pod : cluster.pods) add_pod(pod);
  for (const auto& [name, labels] : cluster.namespaces) set_namespace(name, labels);
  set_storage(cluster.storage);
  set_selecting(cluster.selecting);
  pack();
}

NodeIndex Snapshot::add_node(const Node& node) {
  NodeTable& nodes = tables_.nodes;
  const NodeIndex number = nodes.size();
  for (std::vector<Quantity>* column :
       {&nodes.cpu, &nodes.memory, &nodes.pods, &nodes.scored_cpu, &nodes.scored_memory})
    column->push_back(0);
  for (std::vector<std::uint32_t>* column : {&nodes.taints, &nodes.soft_taints, &nodes.zones})
    column->push_back(0);
  nodes.flags.push_back(0);
  tables_.images.add_node();
  nodes.facts.emplace_back().name = tables_.symbols.add(node.name);
  tables_.pods.add_node();
  tables_.node_by_name[nodes.facts.back().name] = number;
  tables_.live_nodes += 1;
  tables_.changes.nodes += 1;
  write_node(number, node);

  std::vector<PodOnMissingNode> at_last;
  for (const auto& [pod, homeless] : tables_.homeless) {
    if (homeless.node_name == nodes.facts.back().name) at_last.push_back(homeless);
  }
  for (const PodOnMissingNode& pod : at_last) {
    tables_.homeless.erase(pod.row.pod);
    place(pod);
  }
  return number;
}

void Snapshot::write_node(NodeIndex number, const Node& node) {
  NodeTable& nodes = tables_.nodes;
  NodeFacts& facts = nodes.facts[number];
  const auto allocatable = [&node](const char* name) {
    const auto found = node.allocatable.find(name);
    return found == node.allocatable.end() ? 0 : found->second;
  };
  const Numbering add = [this](const std::string& text) { return tables_.symbols.add(text); };
  nodes.cpu[number] = allocatable("cpu");
  nodes.memory[number] = allocatable("memory");
  nodes.pods[number] = allocatable("pods");
  const auto flags = static_cast<std::uint8_t>(nodes.flags[number] & ~k_unschedulable);
  nodes.flags[number] = node.unschedulable ? static_cast<std::uint8_t>(flags | k_unschedulable) : flags;
  write_labels(number, node.labels);
  facts.allocatable.clear();
  for (const auto& [name, amount] : node.allocatable) {
    if (name != "cpu" && name != "memory" && name != "pods")
      add_amounts(facts.allocatable, {{add(name), amount}}, 1);
  }
  std::vector<TaintWords> taints;
  std::vector<TaintWords> soft_taints;
  for (const Taint& taint : node.taints) {
    const TaintWords words{add(taint.key), add(taint.value), add(taint.effect)};
    if (taint.effect == "NoSchedule" || taint.effect == "NoExecute") taints.push_back(words);
    if (taint.effect == "PreferNoSchedule") soft_taints.push_back(words);
  }
  nodes.taints[number] = number_of(taints, tables_);
  nodes.soft_taints[number] = number_of(soft_taints, tables_);
  tables_.images.set(number, node.images, tables_.symbols);
  tables_.avoided.erase(number);
  if (!node.avoided.empty()) tables_.avoided[number] = node.avoided;
  facts.features = features_of(node.declared_features, tables_.release);
  const auto condition = std::find_if(node.conditions.begin(), node.conditions.end(), rejects);
  facts.condition = condition == node.conditions.end() ? "" : condition->type + "=" + condition->status;
  tables_.changes.add(number);
}

void Snapshot::write_labels(NodeIndex number, const Labels& labels) {
  NodeTable& nodes = tables_.nodes;
  std::vector<Label> words =
      numbered(labels, [this](const std::string& text) { return tables_.symbols.add(text); });
  if (words == nodes.facts[number].labels) return;
  nodes.facts[number].labels = std::move(words);
  const std::uint32_t zone = tables_.zones.number_of(labels, tables_.release);
  if (zone != nodes.zones[number]) tables_.changes.nodes += 1;
  nodes.zones[number] = zone;
}

void Snapshot::change_node(NodeIndex number, const Node& node) {
  assert(tables_.symbols.text(tables_.nodes.facts[number].name) == node.name);
  write_node(number, node);
}

void Snapshot::remove_node(NodeIndex number) {
  NodeFacts& facts = tables_.nodes.facts[number];
  std::vector<std::uint32_t> pods;
  const PodsOfNode bound = tables_.pods.of(number);
  pods.assign(bound.pod, bound.pod + bound.count);
  for (const PodRow& nominated : facts.nominated) pods.push_back(nominated.pod);
  for (const std::uint32_t pod : pods) {
    const PodOnMissingNode left = unplace(pod);
    tables_.homeless[pod] = left;
  }
  tables_.nodes.flags[number] = k_gone;
  tables_.node_by_name.erase(facts.name);
  tables_.images.set(number, {}, tables_.symbols);
  tables_.avoided.erase(number);
  tables_.live_nodes -= 1;
  tables_.changes.nodes += 1;
}

std::optional<NodeIndex> Snapshot::find_node(std::string_view name) const {
  const auto found = tables_.node_by_name.find(tables_.symbols.find(name));
  if (found == tables_.node_by_name.end()) return std::nullopt;
  return found->second;
}

PodRow Snapshot::row_of(std::uint32_t number, const Pod& pod) {
  PodRow row;
  row.pod = number;
  row.start = pod.start_time_ns.value_or(k_unstarted);
  row.priority = pod.priority;
  for (const auto& [name, amount] : requests_of(pod, tables_.release, RequestsOf::node_pod)) {
    if (name == "cpu") row.cpu = amount;
    if (name == "memory") row.memory = amount;
  }
  const PodClasses::Found found = tables_.classes.find_or_add(pod, tables_.release, tables_.symbols);
  PodClass& pod_class = tables_.classes[found.number];
  if (found.is_new)
    pod_class.budgets = tables_.budgets.selecting(pod_class, tables_.release, tables_.symbols);
  row.pod_class = found.number;
  row.budgets = tables_.budgets.list_for(pod_class, pod.name);
  if (pod.terminating) row.flags |= k_terminating;
  if (is_being_preempted(pod, tables_.release)) row.flags |= k_being_preempted;
  if (!pod.start_time_ns) row.flags |= k_has_not_started;
  if (is_extreme_amount(row.cpu) || is_extreme_amount(row.memory) || is_extreme_priority(row.priority))
    row.flags |= k_extreme;
  return row;
}

PodOnMissingNode Snapshot::stated(const Pod& pod, Tables& tables) {
  PodOnMissingNode stated;
  const bool is_bound = !pod.node_name.empty();
  const std::string& node = is_bound ? pod.node_name : pod.nominated_node_name;
  if (node.empty() || is_finished(pod)) return stated;
  stated.node_name = tables.symbols.add(node);
  stated.where = is_bound ? PodPlacement::bound : PodPlacement::nominated;
  return stated;
}

void Snapshot::store_pod(std::uint32_t number, const Pod& pod) {
  PodOnMissingNode stated = Snapshot::stated(pod, tables_);
  std::vector<Volume> volumes;
  std::copy_if(pod.volumes.begin(), pod.volumes.end(), std::back_inserter(volumes), is_counted);
  if (!volumes.empty()) tables_.volumes_of_pods[number] = std::move(volumes);
  if (stated.where == PodPlacement::nowhere) return keep_terms(number, pod);
  stated.row = row_of(number, pod);
  if (tables_.node_by_name.contains(stated.node_name)) {
    place(stated);
  } else {
    tables_.homeless[number] = stated;
  }
}

void Snapshot::keep_terms(std::uint32_t number, const Pod& pod) {
  if (tables_.release.affinity_bookkeeping >= AffinityBookkeeping::sets_of_pods) return;
  const Numbering add = [this](const std::string& text) { return tables_.symbols.add(text); };
  for (const PodAffinityTerm& term : pod.pod_anti_affinity)
    tables_.terms_of_others[number].push_back(term_of(term, add));
}

PodIndex Snapshot::add_pod(const Pod& pod) {
  const auto number = static_cast<std::uint32_t>(tables_.names.count());
  tables_.names.add(pod, tables_.symbols.add(pod.ns));
  tables_.where.push_back(PodPlacement::nowhere);
  tables_.node_of.push_back(0);
  store_pod(number, pod);
  return number;
}

void Snapshot::change_pod(PodIndex number, const Pod& pod) {
  const auto row = static_cast<std::uint32_t>(number);
  assert(tables_.names.name(row) == pod.name);
  if (tables_.where[number] != PodPlacement::nowhere) unplace(row);
  tables_.homeless.erase(row);
  tables_.terms_of_others.erase(row);
  tables_.volumes_of_pods.erase(row);
  store_pod(row, pod);
}

void Snapshot::remove_pod(PodIndex number) {
  const auto row = static_cast<std::uint32_t>(number);
  if (tables_.where[number] != PodPlacement::nowhere) unplace(row);
  tables_.homeless.erase(row);
  tables_.terms_of_others.erase(row);
  tables_.volumes_of_pods.erase(row);
  tables_.names.forget(row);
}

void Snapshot::count(const PodRow& row, NodeIndex node, PodPlacement where, int by) {
  PodClass& pod_class = tables_.classes[row.pod_class];
  if (where == PodPlacement::bound) {
    NodeTable& nodes = tables_.nodes;
    add_amounts(nodes.facts[node].used, pod_class.others, by);
    const CpuAndMemory& beyond = pod_class.beyond_requests;
    const auto add = [node, by](std::vector<Quantity>& column, Quantity requested, Quantity more) {
      column[node] = go::sum(column[node], go::product(by, go::sum(requested, more)));
    };
    add(nodes.scored_cpu, row.cpu, beyond.cpu);
    add(nodes.scored_memory, row.memory, beyond.memory);
  }
  tables_.changes.add(node);
  const auto changed = [by](std::size_t& number) { number = by > 0 ? number + 1 : number - 1; };
  changed(pod_class.pods);
  if ((row.flags & k_extreme) != 0) changed(tables_.extreme_pods);
}

void Snapshot::place(const PodOnMissingNode& pod) {
  const NodeIndex node = tables_.node_by_name.at(pod.node_name);
  const auto order = [this](const PodRow& a, const PodRow& b) { return is_more_important(a, b, tables_); };
  if (pod.where == PodPlacement::bound) {
    tables_.pods.insert(node, pod.row, order);
  } else {
    std::vector<PodRow>& nominated = tables_.nodes.facts[node].nominated;
    const auto at = std::find_if(nominated.begin(), nominated.end(),
                                 [&pod](const PodRow& each) { return each.pod > pod.row.pod; });
    nominated.insert(at, pod.row);
    tables_.nodes.flags[node] |= k_has_nominated;
  }
  tables_.where[pod.row.pod] = pod.where;
  tables_.node_of[pod.row.pod] = static_cast<std::uint32_t>(node);
  count(pod.row, node, pod.where, 1);
}

PodOnMissingNode Snapshot::unplace(std::uint32_t number) {
  const NodeIndex node = tables_.node_of[number];
  NodeFacts& facts = tables_.nodes.facts[node];
  PodOnMissingNode left{{}, facts.name, tables_.where[number]};
  if (left.where == PodPlacement::bound) {
    left.row = tables_.pods.take(node, number);
  } else {
    const auto at = std::find_if(facts.nominated.begin(), facts.nominated.end(),
                                 [number](const PodRow& each) { return each.pod == number; });
    left.row = *at;
    facts.nominated.erase(at);
    if (facts.nominated.empty())
      tables_.nodes.flags[node] = static_cast<std::uint8_t>(tables_.nodes.flags[node] & ~k_has_nominated);
  }
  tables_.where[number] = PodPlacement::nowhere;
  count(left.row, node, left.where, -1);
  return left;
}

void Snapshot::cover_pods_of(NodeIndex node, Symbol ns) {
  const PodsOfNode pods = tables_.pods.of(node);
  for (std::size_t i = 0; i < pods.count; ++i) {
    const PodClass& pod_class = tables_.classes[pods.pod_class[i]];
    if (pod_class.ns != ns) continue;
    const std::uint32_t list = tables_.budgets.list_for(pod_class, tables_.names.name(pods.pod[i]));
    if (list != pods.budgets[i]) tables_.pods.set_budgets(node, i, list);
  }
}

void Snapshot::cover(Symbol ns) {
  for (std::uint32_t i = 0; i < tables_.classes.size(); ++i) {
    PodClass& pod_class = tables_.classes[i];
    if (pod_class.ns == ns)
      pod_class.budgets = tables_.budgets.selecting(pod_class, tables_.release, tables_.symbols);
  }
  for (NodeIndex node = 0; node < tables_.nodes.size(); ++node) cover_pods_of(node, ns);
  for (auto& [pod, homeless] : tables_.homeless) {
    const PodClass& pod_class = tables_.classes[homeless.row.pod_class];
    if (pod_class.ns == ns)
      homeless.row.budgets = tables_.budgets.list_for(pod_class, tables_.names.name(pod));
  }
}

std::uint32_t Snapshot::add_pdb(const PodDisruptionBudget& pdb) {
  const std::uint32_t number = tables_.budgets.add(pdb, tables_.release, tables_.symbols);
  cover(tables_.symbols.add(pdb.ns));
  return number;
}

void Snapshot::change_pdb(std::uint32_t number, const PodDisruptionBudget& pdb) {
  if (tables_.budgets.change(number, pdb, tables_.release, tables_.symbols))
    cover(tables_.symbols.add(pdb.ns));
}

void Snapshot::remove_pdb(std::uint32_t number) {
  const Symbol ns = tables_.budgets[number].ns;
  tables_.budgets.remove(number);
  cover(ns);
}

void Snapshot::set_namespace(std::string_view name, const std::optional<Labels>& labels) {
  const Numbering add = [this](const std::string& text) { return tables_.symbols.add(text); };
  const Symbol word = tables_.symbols.add(name);
  tables_.namespaces.erase(word);
  if (labels) tables_.namespaces[word] = numbered(*labels, add);
}

void Snapshot::set_storage(const Storage& storage) { tables_.storage = storage; }

void Snapshot::set_selecting(const std::vector<SelectingObject>& objects) {
  tables_.selecting.clear();
  for (const SelectingObject& object : objects) tables_.selecting[object.ns].push_back(object);
}

void Snapshot::pack() {
  tables_.pods.pack();
  tables_.names.pack();
  tables_.where.pack();
  tables_.node_of.pack();
}

std::size_t Snapshot::bytes() const {
  std::size_t bytes = tables_.pods.bytes() + tables_.names.bytes() + tables_.classes.bytes();
  bytes +=
      tables_.where.capacity() * sizeof(PodPlacement) + tables_.node_of.capacity() * sizeof(std::uint32_t);
  bytes += tables_.images.bytes() + tables_.changes.bytes();
  bytes += tables_.nodes.size() * (5 * sizeof(Quantity) + sizeof(std::uint8_t) + 3 * sizeof(std::uint32_t));
  for (const NodeFacts& facts : tables_.nodes.facts) {
    bytes += sizeof(NodeFacts) + facts.labels.capacity() * sizeof(Label) +
             (facts.allocatable.capacity() + facts.used.capacity()) * sizeof(Amount) +
             facts.nominated.capacity() * sizeof(PodRow);
  }
  return bytes;
}

}  // namespace touchstone::optimized
