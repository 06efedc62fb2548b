#include "optimized/search/extenders.hpp"

#include <algorithm>

namespace touchstone::optimized {

namespace {

/// EXT-INTEREST-1
bool is_interested(const Extender& extender, const Query& query) {
  if (!query.release.extender_interest || extender.managed_resources.empty()) return true;
  const auto names_one = [&extender](const Container& container) {
    return std::any_of(extender.managed_resources.begin(), extender.managed_resources.end(),
                       [&container](const ManagedResource& resource) {
                         return container.requests.contains(resource.name) ||
                                container.limits.contains(resource.name);
                       });
  };
  const Pod& pod = query.pod;
  return std::any_of(pod.containers.begin(), pod.containers.end(), names_one) ||
         std::any_of(pod.init_containers.begin(), pod.init_containers.end(), names_one);
}

/// EXT-UNKNOWN-1, EXT-UNKNOWN-2: whether the table accepts a node that does not exist.
bool accepts_unknown(const AnswerTable<FilterEntry>& table, const Query& query) {
  return std::any_of(table.nodes.begin(), table.nodes.end(), [&query](const auto& entry) {
    const Symbol name = query.tables.symbols.find(entry.first);
    return entry.second.verdict == ExtenderVerdict::passes && !query.tables.node_by_name.contains(name);
  });
}

}  // namespace

std::string left_of_extenders(const std::string& why) {
  return std::string(k_left_to_reference) + "extenders: " + why;
}

std::vector<const Extender*> asked_extenders(const Query& query, const Options& options) {
  std::vector<const Extender*> asked;
  for (const Extender& extender : extenders_of(query, options)) {
    if (is_interested(extender, query)) asked.push_back(&extender);
  }
  if (query.release.ignorable_extenders_last)
    std::stable_partition(asked.begin(), asked.end(),
                          [](const Extender* extender) { return !extender->ignorable; });
  return asked;
}

const std::vector<Extender>& extenders_of(const Query& query, const Options& options) {
  const bool are_own = options.extenders != nullptr && !options.extenders->empty();
  return are_own ? *options.extenders : query.release.extenders;
}

std::string extenders_not_handled(const Query& query, const Options& options) {
  const std::vector<Extender>& extenders = extenders_of(query, options);
  if (extenders.empty()) return "";
  for (const Extender& extender : extenders) {
    for (const ManagedResource& resource : extender.managed_resources) {
      if (resource.ignored_by_scheduler) return left_of_extenders("they manage a resource alone");
    }
  }
  if (query.nominated_node && query.release.nominated_node_first) return left_of_extenders("the pod is nominated");
  // CYC-SEARCH-3
  if (query.release.one_node_without_scorers && query.release.scorers.empty())
    return left_of_extenders("there are no scorers");
  return "";
}

std::string ask_filters(const Query& query, const Options& options, std::vector<NodeIndex>& nodes) {
  for (const Extender* extender : asked_extenders(query, options)) {
    if (extender->filter_verb.empty()) continue;
    if (!knows(extender->filter, query, nodes)) return left_of_extenders("an answer is not known");
    if (extender->filter->error) {
      if (extender->ignorable && query.release.extenders_may_be_ignored) continue;
      return left_of_extenders("a call fails");
    }
    if (accepts_unknown(*extender->filter, query)) return left_of_extenders("they name a node that does not exist");
    std::erase_if(nodes, [&](NodeIndex node) {
      const auto entry = extender->filter->nodes.find(node_name(query, node));
      return entry == extender->filter->nodes.end() || entry->second.verdict != ExtenderVerdict::passes;
    });
    if (nodes.empty()) return left_of_extenders("they leave no node");
  }
  return "";
}

std::string preemption_not_handled(const Query& query, const Options& options) {
  const std::vector<Extender>& extenders = extenders_of(query, options);
  const bool some_are_asked = std::any_of(extenders.begin(), extenders.end(), [&](const Extender& extender) {
    return query.release.extender_preemption == ExtenderPreemption::filters_again
               ? !extender.filter_verb.empty()
               : !extender.preempt_verb.empty();
  });
  return some_are_asked ? left_of_extenders("preemption asks them") : "";
}

}  // namespace touchstone::optimized
