#include "reference/extenders/extenders.hpp"

#include <algorithm>

namespace touchstone::reference {

namespace {

/// EXT-INTEREST-1: whether a container names one of the resources, in its requests or in its limits.
bool names_one_of(const Container& container, const std::vector<ManagedResource>& resources) {
  return std::any_of(resources.begin(), resources.end(), [&container](const ManagedResource& resource) {
    return container.requests.contains(resource.name) || container.limits.contains(resource.name);
  });
}

/// EXT-INTEREST-1
bool is_interested(const Extender& extender, const Cycle& cycle) {
  if (!cycle.release.extender_interest || extender.managed_resources.empty()) return true;
  const auto is_managed = [&extender](const Container& container) {
    return names_one_of(container, extender.managed_resources);
  };
  const Pod& pod = cycle.pod;
  return std::any_of(pod.containers.begin(), pod.containers.end(), is_managed) ||
         std::any_of(pod.init_containers.begin(), pod.init_containers.end(), is_managed);
}

/// Adds the names in a table that no node has.
template <typename Entry>
void add_unknown(const std::optional<AnswerTable<Entry>>& table, const Cycle& cycle,
                 std::set<std::string>& names) {
  if (!table) return;
  for (const auto& [name, entry] : table->nodes) names.insert(name);
  for (const Node& node : cycle.cluster.nodes) names.erase(node.name);
}

}  // namespace

// EXT-BIND-1: no step asks for the bindVerb.
std::vector<std::size_t> extenders_to_ask(const Cycle& cycle) {
  std::vector<std::size_t> order;
  std::vector<std::size_t> last;
  for (std::size_t i = 0; i < cycle.extenders.size(); ++i) {
    if (!is_interested(cycle.extenders[i], cycle)) continue;
    const bool is_last = cycle.release.ignorable_extenders_last && cycle.extenders[i].ignorable;
    (is_last ? last : order).push_back(i);
  }
  order.insert(order.end(), last.begin(), last.end());
  return order;
}

std::vector<std::string> unknown_nodes(const Cycle& cycle) {
  std::set<std::string> names;
  for (const Extender& extender : cycle.extenders) {
    add_unknown(extender.filter, cycle, names);
    add_unknown(extender.preempt, cycle, names);
  }
  return {names.begin(), names.end()};
}

std::string node_name_at(const Cycle& cycle, NodeIndex node) {
  const std::size_t known = cycle.cluster.nodes.size();
  return node < known ? cycle.cluster.nodes[node].name : unknown_nodes(cycle)[node - known];
}

std::string name_of_extender(const Cycle& cycle, std::size_t extender) {
  const std::string& url = cycle.extenders[extender].url_prefix;
  return url.empty() ? "extender " + std::to_string(extender) : url;
}

std::string call_error(const Cycle& cycle, std::size_t extender, const std::string& verb,
                       const std::optional<std::string>& error) {
  if (!error->empty()) return *error;
  std::string url = name_of_extender(cycle, extender);
  while (url.ends_with('/')) url.pop_back();
  return std::string(cycle.release.extender_error_in_capitals ? "Failed " : "failed ") + verb +
         " with extender at URL " + url + "/" + verb + ", code 500";
}

}  // namespace touchstone::reference
