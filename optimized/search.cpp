#include "optimized/search.hpp"

#include <algorithm>
#include <limits>

namespace touchstone::optimized {

namespace {

constexpr NodeIndex k_no_node = std::numeric_limits<NodeIndex>::max();

/// The best candidates that one worker has found.
struct Best {
  Key key;
  std::vector<NodeIndex> nodes;
  std::vector<NodeIndex> without_victims;
  std::vector<NodeIndex> erring;

  void take(const Key& other, NodeIndex node) {
    if (!nodes.empty() && key < other) return;
    if (nodes.empty() || other < key) nodes.clear();
    key = other;
    nodes.push_back(node);
  }
  void take(const Best& other) {
    for (const NodeIndex node : other.nodes) take(other.key, node);
    without_victims.insert(without_victims.end(), other.without_victims.begin(), other.without_victims.end());
    erring.insert(erring.end(), other.erring.begin(), other.erring.end());
  }
};

class Search {
 public:
  Search(const Query& query, Workers& workers) : gives_up_(!query.is_extreme), workers_(workers) {
    for (std::size_t i = 0; i < workers.count(); ++i) dry_runs_.emplace_back(query);
  }

  /// Dry-runs nodes on all workers.
  void run(const std::vector<NodeIndex>& nodes) {
    // Below it, waking a thread costs more than it saves: some 10 us against 0.3 us a node.
    constexpr std::size_t k_nodes_least = 128;
    std::vector<Best> found(workers_.count());
    const std::size_t parts = nodes.size() < k_nodes_least ? 1 : workers_.count();
    const auto part = [&](std::size_t number) {
      if (number >= parts) return;
      const Span span = part_of(nodes.size(), number, parts);
      for (std::size_t i = span.begin; i < span.end; ++i) look_at(nodes[i], dry_runs_[number], found[number]);
    };
    if (parts == 1) {
      part(0);
    } else {
      workers_.run(part);
    }
    for (const Best& each : found) best.take(each);
    count += nodes.size();
  }

  Best best;
  std::size_t count = 0;

 private:
  void look_at(NodeIndex node, DryRun& dry_run, Best& found) const {
    const bool may_give_up = gives_up_ && !found.nodes.empty();
    const DryRunResult result = dry_run.run(node, may_give_up ? &found.key : nullptr);
    if (result == DryRunResult::candidate) found.take(dry_run.key(), node);
    if (result == DryRunResult::nobody_has_to_go) found.without_victims.push_back(node);
    if (result == DryRunResult::errs) found.erring.push_back(node);
  }

  bool gives_up_;  ///< a node that is known to lose: a lemma, which extreme numbers break
  Workers& workers_;
  std::vector<DryRun> dry_runs_;
};

/// Lemma (lower bounds decide): a node whose bound is above the first victim's priority of a candidate
/// without violations loses to it. Either it violates a PDB, and PRE-NODE-1 decides; or it does not, then its
/// victims stand in the order of importance, the first has at least the bound, and PRE-NODE-2 decides.
bool loses(Bound bound, const Best& best) {
  return !best.nodes.empty() && best.key.pdb_violations == 0 && bound > best.key.first_priority;
}

/// PRE-OUTCOME-5: what the first node says that erred, by itself or since nobody has to go; empty: none did.
std::string first_error(const Query& query, const std::vector<NodeIndex>& without_victims,
                        const std::vector<NodeIndex>& erring) {
  const auto lowest = [](const std::vector<NodeIndex>& nodes) {
    return nodes.empty() ? k_no_node : *std::min_element(nodes.begin(), nodes.end());
  };
  const NodeIndex without_victim = lowest(without_victims);
  const NodeIndex erred = lowest(erring);
  if (erred < without_victim) return error_of_dry_run(query, erred);
  if (without_victim == k_no_node) return "";
  const Word name = query.tables.nodes.facts[without_victim].name;
  return "expected at least one victim pod on node \"" + query.tables.words.text(name) + "\"";
}

/// PRE-VICTIM-8: what becomes of nodes where nobody has to go.
void conclude(const Query& query, Best best, SearchResult& result) {
  const std::vector<NodeIndex>& empty = best.without_victims;
  std::sort(best.nodes.begin(), best.nodes.end());
  std::sort(best.without_victims.begin(), best.without_victims.end());
  if (query.release.no_victims_left == NoVictimsLeft::error) {
    result.error = first_error(query, empty, best.erring);
    best.without_victims.clear();
  } else {
    result.error = first_error(query, {}, best.erring);
  }
  result.has_candidate = !best.nodes.empty() || !empty.empty();
  result.best = empty.empty() ? best.nodes : empty;
  result.crashes = !empty.empty() && query.release.no_victims_left == NoVictimsLeft::candidate &&
                   empty.size() + best.nodes.size() > 1;
}

/// Bounds of the potential nodes, the hopeless ones left out.
struct Bounded {
  NodeIndex node;
  Bound bound;
};
std::vector<Bounded> bounds_of(const FirstPass& first_pass, const std::vector<NodeIndex>& potential) {
  std::vector<Bounded> bounded;
  bounded.reserve(potential.size());
  for (const NodeIndex node : potential) {
    if (first_pass.bounds[node] != k_hopeless) bounded.push_back({node, first_pass.bounds[node]});
  }
  return bounded;
}

/// Every node that can win, those with the lowest bounds first. Rounds do not depend on how many workers
/// there are.
void search_all(const Query& query, const FirstPass& first_pass, const std::vector<NodeIndex>& potential,
                bool prunes, Workers& workers, SearchResult& result) {
  // Where the lowest priorities bring no candidate, the last round takes all that are left.
  constexpr int k_rounds_most = 4;
  Search search(query, workers);
  std::vector<Bounded> left = bounds_of(first_pass, potential);
  for (int round = 1; !left.empty(); ++round) {
    Bound lowest = k_hopeless;
    for (const Bounded& each : left) lowest = std::min(lowest, each.bound);
    const bool takes_all = round == k_rounds_most || !prunes;
    std::vector<NodeIndex> nodes;
    for (const Bounded& each : left) {
      if (takes_all || each.bound == lowest) nodes.push_back(each.node);
    }
    search.run(nodes);
    // PRE-VICTIM-8: how many candidates there are decides then, so all are looked for. Such a node has no
    // bound, so it was in the first round.
    prunes = prunes && search.best.without_victims.empty();
    std::erase_if(left, [&](const Bounded& each) {
      return takes_all || each.bound == lowest || (prunes && loses(each.bound, search.best));
    });
  }
  result.dry_runs = search.count;
  conclude(query, std::move(search.best), result);
}

/// PRE-SEARCH-2
std::size_t quota_of(const Options& options, std::size_t potential) {
  constexpr std::size_t k_least = 100;
  if (options.quota) return static_cast<std::size_t>(*options.quota);
  return std::min(std::max(potential / 10, k_least), potential);
}

/// A candidate that the sampling search keeps.
struct Kept {
  NodeIndex node;
  bool has_victims;
  Key key;
};

/// PRE-SEARCH-3 to PRE-SEARCH-5: one node after the other, until enough candidates are kept.
void search_sampled(const Query& query, const FirstPass& first_pass, const std::vector<NodeIndex>& potential,
                    const Options& options, SearchResult& result) {
  const std::size_t quota = quota_of(options, potential.size());
  const std::size_t start = static_cast<std::size_t>(*options.offset) % potential.size();
  const bool errs = query.release.no_victims_left == NoVictimsLeft::error;
  DryRun dry_run(query);
  std::vector<Kept> unviolating;
  std::vector<Kept> violating;
  std::vector<NodeIndex> nobody_goes;
  std::vector<NodeIndex> erring;
  for (std::size_t i = 0; i < potential.size(); ++i) {
    const NodeIndex node = potential[(start + i) % potential.size()];
    if (first_pass.bounds[node] == k_hopeless) continue;
    result.dry_runs += 1;
    const DryRunResult found = dry_run.run(node, nullptr);
    const bool has_victims = found == DryRunResult::candidate;
    if (found == DryRunResult::none) continue;
    if (!has_victims && (errs || found == DryRunResult::errs)) {
      (found == DryRunResult::errs ? erring : nobody_goes).push_back(node);
      continue;
    }
    const Key key = dry_run.key();
    std::vector<Kept>& list = key.pdb_violations == 0 ? unviolating : violating;
    if (list.size() < quota) list.push_back({node, has_victims, key});
    if (!unviolating.empty() && unviolating.size() + violating.size() >= quota) break;
  }
  Best best;
  for (const std::vector<Kept>* list : {&unviolating, &violating}) {
    for (const Kept& kept : *list) {
      if (kept.has_victims) {
        best.take(kept.key, kept.node);
      } else {
        best.without_victims.push_back(kept.node);
      }
    }
  }
  if (errs) best.without_victims = nobody_goes;
  best.erring = erring;
  conclude(query, std::move(best), result);
}

}  // namespace

SearchResult search_nodes(const Query& query, const FirstPass& first_pass,
                          const std::vector<NodeIndex>& potential, const Options& options, Workers& workers) {
  SearchResult result;
  if (!first_pass.state_lost.empty()) {  // PRE-PREFILTER-4
    const bool some_pod_to_remove = std::any_of(potential.begin(), potential.end(), [&](NodeIndex node) {
      const PodsOfNode pods = query.pods_of(node);
      return pods.first_below(query.priority) < pods.count;
    });
    if (some_pod_to_remove) result.error = first_pass.state_lost;
    return result;
  }
  if (query.release.candidate_sampling && options.offset) {
    search_sampled(query, first_pass, potential, options, result);
  } else {
    search_all(query, first_pass, potential, options.prunes && !query.is_extreme, workers, result);
  }
  return result;
}

}  // namespace touchstone::optimized
