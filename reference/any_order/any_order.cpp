#include <algorithm>
#include <map>
#include <numeric>

#include "reference/any_order/interchange_key.hpp"
#include "reference/filters/filters.hpp"
#include "reference/preemption/preempt.hpp"

/// All answers that a release may give if the order of three lists is not known: the cache's order of equally
/// important pods, the lister's order of PDBs, and the order in which a sampling search visits nodes.
///
/// For each node, all orders of equally important pods are followed together. A state holds the pods that
/// were reprieved so far. Two states that differ only in which interchangeable pods they hold are merged. In
/// some groups of equally important pods, the order decides which pod spends the last budget of a PDB. The
/// orders of such a group are tried one by one.
namespace touchstone::reference {

namespace {

/// The potential victims of one node, most important first. Pods of a group are equally important; pods of a
/// kind are also interchangeable.
struct EvictionPool {
  std::vector<PodOnNode> pods;
  std::vector<std::size_t> group;  ///< for each pod, its group; group 0 is the most important
  std::vector<std::size_t> kind;   ///< for each pod, its kind; all pods of a kind are in one group
  std::size_t groups = 0;
  std::size_t kinds = 0;
  std::vector<bool> spends_last;  ///< for each group, whether its order decides which pods violate a PDB
};

/// The result of one order of a node's pods: the number of victims of each kind, and the rank of the
/// candidate.
struct Variant {
  Rank rank;
  std::vector<std::size_t> victims_of_kind;

  bool operator==(const Variant&) const = default;
};

struct NodeVariants {
  NodeIndex node = 0;
  EvictionPool pool;
  std::vector<Variant> variants;
};

/// The limit of the enumeration. Once it is exceeded, `unknown` says why there is no answer.
struct Limit {
  std::size_t most = 0;
  std::string unknown;

  bool exceeded(std::size_t count, const std::string& what) {
    if (count > most) unknown = "more than " + std::to_string(most) + " " + what;
    return !unknown.empty();
  }
};

/// PRE-PDB-4, PRE-PDB-5: whether the order within the group `wanted` decides which pods violate a PDB. It
/// does if the budget that more important groups leave is enough for some but not all pods of the group that
/// the PDB covers. Under PRE-PDB-4, if several PDBs cover one pod, the order of all covered pods may matter.
bool order_decides_violations(const Cycle& cycle, const std::vector<std::vector<bool>>& covering,
                              const std::vector<std::size_t>& group, std::size_t wanted) {
  const PdbBudget rule = cycle.release.pdb_budget;
  if (rule == PdbBudget::ignored || rule == PdbBudget::threshold) return false;
  bool several_pdbs = false;
  bool covered = false;
  for (std::size_t i = 0; i < covering.size(); ++i) {
    const auto pdbs = std::count(covering[i].begin(), covering[i].end(), true);
    several_pdbs = several_pdbs || pdbs > 1;
    covered = covered || (pdbs > 0 && group[i] == wanted);
  }
  if (rule == PdbBudget::consumed_until_violated && several_pdbs) return covered;
  for (std::size_t k = 0; k < cycle.cluster.pdbs.size(); ++k) {
    Quantity left = cycle.cluster.pdbs[k].disruptions_allowed;
    Quantity members = 0;
    for (std::size_t i = 0; i < covering.size(); ++i) {
      if (covering[i][k] && group[i] < wanted) left -= 1;
      if (covering[i][k] && group[i] == wanted) members += 1;
    }
    if (left > 0 && left < members) return true;
  }
  return false;
}

EvictionPool make_pool(const Cycle& cycle, NodeIndex node) {
  EvictionPool pool;
  pool.pods = potential_victims(cycle, node);
  sort_by_importance(pool.pods, cycle.release);

  std::vector<std::vector<bool>> covering;
  std::vector<std::pair<std::size_t, InterchangeKey>> kinds;
  for (std::size_t i = 0; i < pool.pods.size(); ++i) {
    const Pod& pod = *pool.pods[i].object;
    if (i == 0 || !equally_important(*pool.pods[i - 1].object, pod, cycle.release)) ++pool.groups;
    pool.group.push_back(pool.groups - 1);
    covering.push_back(covering_pdbs(cycle, pod));
    const std::pair kind(pool.group[i], interchange_key(cycle, pod));
    const auto known = std::find(kinds.begin(), kinds.end(), kind);
    pool.kind.push_back(static_cast<std::size_t>(known - kinds.begin()));
    if (known == kinds.end()) kinds.push_back(kind);
  }
  pool.kinds = kinds.size();
  for (std::size_t group = 0; group < pool.groups; ++group) {
    pool.spends_last.push_back(order_decides_violations(cycle, covering, pool.group, group));
  }
  return pool;
}

/// Picks one order of the pods. In a group whose order decides violations, the kinds may come in any order.
/// In every other group, the pods keep their order.
std::vector<std::size_t> pick_order(const EvictionPool& pool, Choices& choices) {
  std::vector<std::size_t> order;
  std::vector<bool> taken(pool.pods.size(), false);
  while (order.size() < pool.pods.size()) {
    std::vector<std::size_t> alternatives;  // of the first group left, the first pod of each kind
    std::set<std::size_t> kinds;
    for (std::size_t i = 0; i < pool.pods.size(); ++i) {
      if (taken[i] || pool.group[i] != pool.group[order.size()]) continue;
      if (kinds.insert(pool.kind[i]).second) alternatives.push_back(i);
    }
    const bool free = pool.spends_last[pool.group[order.size()]];
    const std::size_t next = alternatives[free ? choices.pick(alternatives.size(), "PRE-ANYORDER-1") : 0];
    taken[next] = true;
    order.push_back(next);
  }
  return order;
}

/// The progress of one order: the node with the pods reprieved so far, and how many pods of each kind were
/// tried and reprieved.
struct Progress {
  NodeState state;
  std::vector<bool> tried;
  std::vector<std::size_t> tried_of_kind;
  std::vector<std::size_t> back_of_kind;
  std::vector<PodOnNode> violating_victims;
  std::vector<PodOnNode> other_victims;

  auto key() const { return std::tuple(tried_of_kind, back_of_kind, state.used_ports); }
};

/// Tries to reprieve one pod. If the preemptor does not fit then, the pod is a victim.
Progress try_back(const Cycle& cycle, const EvictionPool& pool, Progress progress, std::size_t pod,
                  bool violating) {
  const PodOnNode& candidate = pool.pods[pod];
  progress.tried[pod] = true;
  ++progress.tried_of_kind[pool.kind[pod]];
  progress.state.put_back(candidate, cycle.release);
  if (run_filters_with_nominated_pods(cycle, progress.state).ok()) {
    ++progress.back_of_kind[pool.kind[pod]];
  } else {
    progress.state.remove(candidate, cycle.release);
    (violating ? progress.violating_victims : progress.other_victims).push_back(candidate);
  }
  return progress;
}

/// PRE-VICTIM-6 in every order of the pods in `turn`: one step for each pod, from every state reached so far.
/// Without `any_order`, the pods are tried in the order of `turn` only.
void follow_orders(const Cycle& cycle, const EvictionPool& pool, const std::vector<std::size_t>& turn,
                   bool any_order, bool violating, std::vector<Progress>& reached, Limit& limit) {
  for (std::size_t step = 0; step < turn.size(); ++step) {
    std::vector<Progress> next;
    std::set<decltype(Progress().key())> known;
    for (const Progress& progress : reached) {
      std::set<std::size_t> kinds;
      for (const std::size_t pod : turn) {
        if (progress.tried[pod]) continue;
        if (!any_order && !kinds.empty()) break;
        if (!kinds.insert(pool.kind[pod]).second) continue;
        Progress after = try_back(cycle, pool, progress, pod, violating);
        if (known.insert(after.key()).second) next.push_back(std::move(after));
      }
      if (limit.exceeded(next.size(), "states of one node")) return;
    }
    reached = std::move(next);
  }
}

/// PRE-ANYORDER-1: adds the variants of a node under one order of the groups whose order decides violations.
void add_variants(const Cycle& cycle, const EvictionPool& pool, NodeIndex node,
                  const std::vector<std::size_t>& order, std::vector<Variant>& variants, Limit& limit) {
  std::vector<PodOnNode> pods;
  Progress start;
  start.state = cycle.nodes[node];
  for (const std::size_t i : order) {
    pods.push_back(pool.pods[i]);
    start.state.remove(pool.pods[i], cycle.release);
  }
  start.tried.resize(pods.size());
  start.tried_of_kind.resize(pool.kinds);
  start.back_of_kind.resize(pool.kinds);
  const std::vector<bool> violates = pdb_violations(cycle, pods);
  const auto violators = std::count(violates.begin(), violates.end(), true);
  const bool both_groups = violators > 0 && violators < static_cast<std::ptrdiff_t>(pods.size());

  std::vector<Progress> reached = {start};
  for (const bool violating : {true, false}) {
    for (std::size_t group = 0; group < pool.groups; ++group) {
      std::vector<std::size_t> turn;
      for (std::size_t i = 0; i < order.size(); ++i) {
        if (violates[i] == violating && pool.group[order[i]] == group) turn.push_back(order[i]);
      }
      follow_orders(cycle, pool, turn, !pool.spends_last[group], violating, reached, limit);
    }
  }
  for (const Progress& progress : reached) {
    Candidate candidate{node, {}, static_cast<Quantity>(progress.violating_victims.size())};
    Variant variant;
    variant.victims_of_kind.resize(pool.kinds);
    for (const PodOnNode& victim :
         victims_in_order(progress.violating_victims, progress.other_victims, both_groups, cycle.release)) {
      candidate.victims.push_back(victim.pod);
    }
    for (std::size_t kind = 0; kind < pool.kinds; ++kind) {
      variant.victims_of_kind[kind] = progress.tried_of_kind[kind] - progress.back_of_kind[kind];
    }
    variant.rank = rank_of(cycle.cluster, candidate, cycle.release);
    if (std::find(variants.begin(), variants.end(), variant) == variants.end()) variants.push_back(variant);
  }
}

/// PRE-ANYORDER-1: all variants of a node.
NodeVariants variants_of_node(const Cycle& cycle, NodeIndex node, Limit& limit) {
  NodeVariants result{node, make_pool(cycle, node), {}};
  const auto one_order = [&](Choices& choices) {
    add_variants(cycle, result.pool, node, pick_order(result.pool, choices), result.variants, limit);
  };
  if (!explore(one_order, limit.most)) limit.exceeded(limit.most + 1, "orders of the pods of one node");
  return result;
}

/// PRE-ANYORDER-2, PRE-ANYORDER-3: the nodes that compete. Decides whether a variant of one of them can win.
class Rivals {
 public:
  Rivals(const std::vector<NodeVariants>& nodes, std::optional<Quantity> quota)
      : quota_(quota), count_(nodes.size()) {
    for (const NodeVariants& node : nodes) {
      const auto worst =
          std::max_element(node.variants.begin(), node.variants.end(),
                           [](const Variant& a, const Variant& b) { return beats(a.rank, b.rank); });
      worst_.push_back(worst->rank);
      if (worst->rank.pdb_violations == 0) ++never_violating_;
    }
    std::sort(worst_.begin(), worst_.end(), beats);
  }

  /// Whether a variant with this rank wins under some order of visits.
  bool can_win(const Rank& rank) const {
    // From `first` on, worst_ has the nodes whose worst variant does not beat this variant. The node of this
    // variant is one of them, because its own worst variant is not better.
    const auto first = std::lower_bound(worst_.begin(), worst_.end(), rank, beats);
    const std::size_t harmless = static_cast<std::size_t>(worst_.end() - first) - 1;
    if (harmless == count_ - 1) return !quota_ || *quota_ > 0;
    // A search that has found a candidate without violations stops at the quota, and does not visit the
    // remaining nodes. A search that finds none visits all nodes, but keeps only the first candidates with
    // violations, up to the quota. So a variant with violations wins only if every node can have violations.
    const Quantity needed = quota_.value_or(0) - 1;  // without a quota, no such variant wins
    if (rank.pdb_violations > 0 && never_violating_ > 0) return false;
    return needed >= 0 && static_cast<Quantity>(harmless) >= needed;
  }

 private:
  std::optional<Quantity> quota_;
  std::size_t count_;
  std::size_t never_violating_ = 0;
  std::vector<Rank> worst_;  ///< rank of the worst variant of each node, best first
};

/// All sets of victims that a variant stands for: any `victims_of_kind` pods of each kind.
std::vector<std::vector<PodIndex>> victim_sets(const EvictionPool& pool, const Variant& variant,
                                               Limit& limit) {
  std::vector<std::vector<PodIndex>> sets = {{}};
  for (std::size_t kind = 0; kind < pool.kinds; ++kind) {
    std::vector<PodIndex> members;
    for (std::size_t i = 0; i < pool.pods.size(); ++i) {
      if (pool.kind[i] == kind) members.push_back(pool.pods[i].pod);
    }
    std::vector<bool> goes(members.size(), false);
    std::fill_n(goes.begin(), variant.victims_of_kind[kind], true);
    std::vector<std::vector<PodIndex>> next;
    do {
      for (std::vector<PodIndex> set : sets) {
        for (std::size_t i = 0; i < members.size(); ++i) {
          if (goes[i]) set.push_back(members[i]);
        }
        next.push_back(std::move(set));
      }
      if (limit.exceeded(next.size(), "sets of victims of one node")) return {};
    } while (std::prev_permutation(goes.begin(), goes.end()));
    sets = std::move(next);
  }
  for (std::vector<PodIndex>& set : sets) std::sort(set.begin(), set.end());
  return sets;
}

using Answers = std::set<std::tuple<NodeIndex, std::vector<PodIndex>, Quantity>>;

/// Adds the answers under one order of the PDBs.
void add_answers(const Question& question, const Release& release, Answers& answers, Limit& limit) {
  Trace trace = Trace::none();
  const Cycle cycle(question, release, trace);
  const std::vector<NodeIndex> potential = potential_nodes(cycle, filter_nodes(cycle));
  std::vector<NodeVariants> nodes;
  for (const NodeIndex node : potential) {
    if (!select_victims(cycle, node, {}).status.ok()) continue;
    nodes.push_back(variants_of_node(cycle, node, limit));
    if (!limit.unknown.empty()) return;
  }

  std::optional<Quantity> quota;
  if (release.candidate_sampling) {
    quota = question.quota ? *question.quota
                           : candidate_quota(static_cast<Quantity>(potential.size()), cycle.release);
  }
  const Rivals rivals(nodes, quota);
  for (const NodeVariants& node : nodes) {
    for (const Variant& variant : node.variants) {
      if (!rivals.can_win(variant.rank)) continue;
      for (std::vector<PodIndex>& victims : victim_sets(node.pool, variant, limit)) {
        answers.insert({node.node, std::move(victims), variant.rank.pdb_violations});
      }
      if (limit.exceeded(answers.size(), "answers")) return;
    }
  }
}

/// PRE-PDB-4: the PDBs whose order can matter, because another PDB covers one of their potential victims too.
std::vector<std::size_t> entangled_pdbs(const Question& question, const Release& release) {
  std::vector<std::size_t> entangled;
  if (release.pdb_budget != PdbBudget::consumed_until_violated) return entangled;
  const std::vector<PodDisruptionBudget>& pdbs = question.cluster.pdbs;
  std::vector<bool> is_entangled(pdbs.size(), false);
  for (const Pod& pod : question.cluster.pods) {
    if (pod.node_name.empty() || pod.priority >= question.pod.priority) continue;  // no potential victim
    std::vector<std::size_t> covering;
    for (std::size_t k = 0; k < pdbs.size(); ++k) {
      if (pdb_covers(pdbs[k], pod, release)) covering.push_back(k);
    }
    if (covering.size() < 2) continue;
    for (const std::size_t k : covering) is_entangled[k] = true;
  }
  for (std::size_t k = 0; k < pdbs.size(); ++k) {
    if (is_entangled[k]) entangled.push_back(k);
  }
  return entangled;
}

}  // namespace

AnyOrder any_order(const Question& question, const Release& release, std::size_t most) {
  Limit limit{most, ""};
  AnyOrder result;
  if (!question.extenders.empty() || !release.extenders.empty()) {
    result.unknown = "extenders: they answer about one search";
    return result;
  }
  Answers answers;
  const std::vector<std::size_t> entangled = entangled_pdbs(question, release);
  const auto one_order_of_pdbs = [&](Choices& choices) {
    if (!limit.unknown.empty()) return;
    Question ordered = question;
    std::vector<std::size_t> left = entangled;
    for (const std::size_t position : entangled) {
      const std::size_t pick = choices.pick(left.size(), "PRE-PDB-4");
      ordered.cluster.pdbs[position] = question.cluster.pdbs[left[pick]];
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(pick));
    }
    add_answers(ordered, release, answers, limit);
  };
  std::size_t orders = 1;
  for (std::size_t k = 2; k <= entangled.size() && orders <= most; ++k) orders *= k;
  if (!limit.exceeded(orders, "orders of PDBs")) explore(one_order_of_pdbs, most);
  result.unknown = limit.unknown;
  if (!limit.unknown.empty()) return result;
  for (const auto& [node, victims, violations] : answers)
    result.answers.push_back({node, victims, violations});
  return result;
}

}  // namespace touchstone::reference
