#include "optimized/filters/resource_fit.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "optimized/filters/volumes.hpp"

namespace touchstone::optimized {

namespace {

/// The free amount of a resource that is not checked. More than all pods of a node can request, and far from
/// overflow.
constexpr Quantity k_endless = std::numeric_limits<Quantity>::max() / 4;

/// The requested amount of a resource that is not checked. No free amount is less.
constexpr Quantity k_nothing = std::numeric_limits<Quantity>::min();

}  // namespace

Slack empty_slack(const Query& query, NodeIndex node, const Promised& promised) {
  const NodeTable& nodes = query.tables.nodes;
  return {query.checks_cpu ? nodes.cpu[node] - query.cpu - promised.cpu : k_endless,
          query.checks_memory ? nodes.memory[node] - query.memory - promised.memory : k_endless,
          query.checks_pods ? nodes.pods[node] - 1 - promised.pods : k_endless};
}

Promised promised_of(const std::vector<PodRow>& nominated) {
  Promised promised;
  for (const PodRow& row : nominated) {
    promised.cpu += row.cpu;
    promised.memory += row.memory;
    promised.pods += 1;
  }
  return promised;
}

bool wants_beyond_allocatable(const Query& query, NodeIndex node, const Slack& slack) {
  const NodeTable& nodes = query.tables.nodes;
  return query.release.fit_unresolvable_beyond_allocatable &&
         ((slack.cpu < 0 && query.cpu > nodes.cpu[node]) ||
          (slack.memory < 0 && query.memory > nodes.memory[node]));
}

FullFit::FullFit(const Query& query, NodeIndex node, const PodsOfNode& pods,
                 const std::vector<PodRow>& nominated)
    : query_(query), node_(node), pods_(pods), nominated_(nominated), first_removed_(pods.count) {
  const NodeTable& nodes = query.tables.nodes;
  const Promised promised = promised_of(nominated);
  cpu_ = {query.checks_cpu ? query.cpu : k_nothing, nodes.cpu[node], pods.used_cpu, promised.cpu};
  memory_ = {query.checks_memory ? query.memory : k_nothing, nodes.memory[node], pods.used_memory,
             promised.memory};
  free_places_ = query.checks_pods ? nodes.pods[node] - 1 - static_cast<Quantity>(pods.count) : k_endless;
  for (const Amount& wanted : query.others) {
    ResourceUsage usage{wanted.amount, amount_of(nodes.facts[node].allocatable, wanted.resource),
                        query.used(node, wanted.resource), 0, wanted.resource};
    for (const PodRow& row : nominated)
      usage.promised += amount_of(query.tables.classes[row.pod_class].others, wanted.resource);
    others_.push_back(usage);
  }
  for (std::size_t i = 0; i < pods.count && !query.ports.empty(); ++i) {
    const std::vector<HostPort>& conflicting = query.conflicting_ports[pods.pod_class[i]];
    ports_.insert(ports_.end(), conflicting.begin(), conflicting.end());
  }
  promised_port_ = std::any_of(nominated.begin(), nominated.end(), [&query](const PodRow& row) {
    return !query.ports.empty() && !query.conflicting_ports[row.pod_class].empty();
  });
  if (query.affinity) affinity_ = affinity_with_nominated_ = query.affinity->unchanged();
  if (query.spread) spread_ = spread_with_nominated_ = query.spread->unchanged();
  if (query.volumes) with_volumes_ = query.volumes->pods_on(node);
  for (const PodRow& row : nominated) {
    if (query.affinity)
      query.affinity->apply(row.pod_class, Affinity::Move::is_nominated, affinity_with_nominated_);
    if (query.spread) query.spread->apply(row.pod_class, Spread::Move::is_nominated, spread_with_nominated_);
  }
}

void FullFit::take_all_from(std::size_t level) {
  const std::size_t first = level == pods_.levels ? pods_.count : pods_.level_first[level];
  first_removed_ = first;
  for (std::size_t i = first; i < pods_.count; ++i) {
    remove(i);
    update_affinity(pods_.pod_class[i], Affinity::Move::is_taken_away);
    update_spread(pods_.pod_class[i], Spread::Move::is_taken_away);
  }
}

std::size_t FullFit::put_back_from(std::size_t at, Order order) {
  while (at < order.size() && put_back(order[at])) ++at;
  return at;
}

bool FullFit::put_back(std::size_t pod) {
  const std::uint32_t pod_class = pods_.pod_class[pod];
  add(pod);
  update_affinity(pod_class, Affinity::Move::is_put_back);
  update_spread(pod_class, Spread::Move::is_put_back);
  if (fits()) return true;
  remove(pod);
  update_affinity(pod_class, Affinity::Move::is_taken_again);
  update_spread(pod_class, Spread::Move::is_taken_away);
  return false;
}

void FullFit::update_affinity(std::uint32_t pod_class, Affinity::Move move) {
  if (!query_.affinity) return;
  query_.affinity->apply(pod_class, move, affinity_);
  if (!nominated_.empty()) query_.affinity->apply(pod_class, move, affinity_with_nominated_);
}

void FullFit::update_spread(std::uint32_t pod_class, Spread::Move move) {
  if (!query_.spread) return;
  query_.spread->apply(pod_class, move, spread_);
  if (!nominated_.empty()) query_.spread->apply(pod_class, move, spread_with_nominated_);
}

void FullFit::add(std::size_t pod) {
  if (query_.volumes && query_.tables.volumes_of_pods.contains(pods_.pod[pod]))
    with_volumes_.push_back(pods_.pod[pod]);
  cpu_.used += pods_.cpu[pod];
  memory_.used += pods_.memory[pod];
  free_places_ -= 1;
  use(pods_.pod_class[pod], 1);
  if (query_.ports.empty()) return;
  const std::vector<HostPort>& conflicting = query_.conflicting_ports[pods_.pod_class[pod]];
  ports_.insert(ports_.end(), conflicting.begin(), conflicting.end());
}

void FullFit::remove(std::size_t pod) {
  if (query_.volumes) std::erase(with_volumes_, pods_.pod[pod]);
  cpu_.used -= pods_.cpu[pod];
  memory_.used -= pods_.memory[pod];
  free_places_ += 1;
  use(pods_.pod_class[pod], -1);
  if (query_.ports.empty()) return;
  for (const HostPort& port : query_.conflicting_ports[pods_.pod_class[pod]]) std::erase(ports_, port);
}

void FullFit::use(std::uint32_t pod_class, Quantity by) {
  const std::vector<Amount>& requests = query_.tables.classes[pod_class].others;
  for (ResourceUsage& usage : others_) usage.used += by * amount_of(requests, usage.resource);
}

/// The code of NodeResourcesFit in one pass. Clauses: PRE-FIT-1, PRE-FIT-2, PRE-FIT-4.
Code FullFit::fit_in(Pass pass) const {
  const bool with = pass == Pass::with_nominated;
  const Quantity places = with ? free_places_ - static_cast<Quantity>(nominated_.size()) : free_places_;
  Code code = places < 0 ? Code::unschedulable : Code::success;
  const auto look_at = [&](const ResourceUsage& usage) {
    if (!usage.lacks(with)) return;
    const bool is_beyond =
        query_.release.fit_unresolvable_beyond_allocatable && usage.wanted > usage.allocatable;
    if (is_beyond || code == Code::success)
      code = is_beyond ? Code::unschedulable_and_unresolvable : Code::unschedulable;
  };
  look_at(cpu_);
  look_at(memory_);
  for (const ResourceUsage& usage : others_) look_at(usage);
  return code;
}

std::vector<std::uint32_t> FullFit::with_volumes_in(Pass pass) const {
  std::vector<std::uint32_t> pods = with_volumes_;
  for (const PodRow& row : nominated_) {
    if (pass == Pass::with_nominated && query_.tables.volumes_of_pods.contains(row.pod))
      pods.push_back(row.pod);
  }
  return pods;
}

Rejections FullFit::rejections_in(Pass pass) const {
  Rejections now;
  const bool with = pass == Pass::with_nominated;
  now.add(Filter::node_resources_fit, fit_in(pass));
  if (!ports_.empty() || (with && promised_port_)) now.add(Filter::node_ports, Code::unschedulable);
  if (query_.affinity)
    now.add(Filter::inter_pod_affinity,
            query_.affinity->code_of(node_, with ? affinity_with_nominated_ : affinity_));
  if (query_.spread)
    now.add(Filter::pod_topology_spread,
            query_.spread->code_of(node_, with ? spread_with_nominated_ : spread_));
  if (query_.volumes) now.add(query_.volumes->rejections(node_, with_volumes_in(pass)));
  return now;
}

FullFit::Found FullFit::find(std::uint32_t anyway) const {
  if (!nominated_.empty()) {
    Rejections first = rejections_in(Pass::with_nominated);
    first.unresolvable |= anyway;
    if (!first.none()) return {Pass::with_nominated, first};
  }
  Rejections second = rejections_in(Pass::without);
  second.unresolvable |= anyway;
  return {Pass::without, second};
}

Rejections FullFit::rejections(std::uint32_t anyway) const { return find(anyway).rejections; }

std::vector<std::uint32_t> FullFit::list_without_removed_pods() const {
  std::vector<std::uint32_t> list(pods_.pod, pods_.pod + pods_.count);
  std::vector<std::uint32_t> gone(list.begin() + static_cast<std::ptrdiff_t>(first_removed_), list.end());
  std::sort(list.begin(), list.end());
  std::sort(gone.begin(), gone.end());
  for (const std::uint32_t pod : gone) {
    *std::find(list.begin(), list.end(), pod) = list.back();
    list.pop_back();
  }
  return list;
}

std::string FullFit::error() const {
  const Found found = find(0);
  std::vector<std::uint32_t> pods = with_volumes_in(found.pass);
  const std::vector<std::uint32_t> list = list_without_removed_pods();
  const auto place = [&list](std::uint32_t pod) { return std::find(list.begin(), list.end(), pod); };
  std::stable_sort(pods.begin(), pods.end(),
                   [&place](std::uint32_t a, std::uint32_t b) { return place(a) < place(b); });
  return query_.volumes->error_of(query_.first_of(found.rejections.errors), node_, pods);
}

}  // namespace touchstone::optimized
