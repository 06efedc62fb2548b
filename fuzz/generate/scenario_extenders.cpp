#include "fuzz/generate/draw.hpp"

/// Extenders and their answers.
namespace touchstone::fuzz {

namespace {

const std::string k_unknown_node = "ghost";
const std::string k_managed = "example.com/managed";

FilterEntry draw_filter_entry(Draw& draw) {
  const ExtenderVerdict verdict =
      draw.one_of({ExtenderVerdict::passes, ExtenderVerdict::passes, ExtenderVerdict::failed,
                   ExtenderVerdict::passes, ExtenderVerdict::unresolvable});
  return {verdict, verdict == ExtenderVerdict::passes || draw.once_in(4) ? "" : "no"};
}

/// The victims that an extender leaves on a node: those that it was asked about, or some pods of the node.
VictimsEntry draw_victims(Draw& draw, const std::string& node, const Cluster& cluster) {
  VictimsEntry entry;
  entry.kept = !draw.once_in(3);
  if (entry.kept) return entry;
  for (const Pod& pod : cluster.pods) {
    if (pod.node_name == node && !draw.once_in(3)) entry.victims.push_back(pod.full_name());
  }
  entry.pdb_violations = static_cast<Quantity>(draw.below(3));
  return entry;
}

/// A table with an entry for most nodes, made by `make`. Few tables are errors.
template <typename Make>
auto draw_table(Draw& draw, const Cluster& cluster, const Make& make) {
  AnswerTable<decltype(make(std::string()))> table;
  if (draw.once_in(16)) {
    table.error = draw.once_in(2) ? "broken" : "";
    return table;
  }
  for (const Node& node : cluster.nodes) {
    if (!draw.once_in(8)) table.nodes.emplace(node.name, make(node.name));
  }
  return table;
}

Extender draw_extender(Draw& draw, const Cluster& cluster) {
  Extender extender;
  extender.node_cache_capable = draw.once_in(2);
  extender.ignorable = draw.once_in(4);
  if (draw.once_in(6)) extender.managed_resources.push_back({k_managed, draw.once_in(3)});
  if (!draw.once_in(3)) {
    extender.filter_verb = "filter";
    extender.filter =
        draw_table(draw, cluster, [&draw](const std::string&) { return draw_filter_entry(draw); });
    if (!extender.filter->error && draw.once_in(24))
      extender.filter->nodes[k_unknown_node] = draw_filter_entry(draw);
  }
  if (draw.once_in(2)) {
    extender.prioritize_verb = "prioritize";
    extender.weight = draw.one_of<Quantity>({1, 2, 5, 100});
    extender.prioritize = draw_table(draw, cluster, [&draw](const std::string&) {
      return draw.one_of<Quantity>({0, 10, 5, 1, 7, 10});
    });
  }
  if (draw.once_in(3)) {
    extender.preempt_verb = "preempt";
    extender.preempt = draw_table(draw, cluster, [&](const std::string& node) {
      return draw_victims(draw, node, cluster);
    });
    if (!extender.preempt->error && draw.once_in(24))
      extender.preempt->nodes[k_unknown_node] = {.kept = true, .victims = {}};
  }
  return extender;
}

}  // namespace

void draw_extenders(Draw& draw, Question& question) {
  bool is_managed = false;
  for (std::size_t left = 1 + draw.below(3); left > 0; --left) {
    Extender& extender = question.extenders.emplace_back(draw_extender(draw, question.cluster));
    if (is_managed) extender.managed_resources.clear();  // EXT-REFUSED-1
    is_managed = is_managed || !extender.managed_resources.empty();
  }
  if (!question.pod.containers.empty() && draw.once_in(3))
    question.pod.containers.front().requests[k_managed] = static_cast<Quantity>(draw.below(3));
  // Extenders filter and score nodes that have room for the pod.
  const bool have_room = !draw.once_in(3);
  for (Node& node : question.cluster.nodes) {
    if (!have_room || draw.once_in(3)) continue;
    for (const auto& [name, amount] : question.pod.containers.empty()
                                          ? ResourceList()
                                          : question.pod.containers.front().requests)
      node.allocatable[name] += 2 * amount;
  }
}

}  // namespace touchstone::fuzz
