#include "optimized/search/search.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "optimized/search/node_search.hpp"
#include "spec/vocabulary/errors.hpp"

namespace touchstone::optimized {

namespace {

/// The best candidates that one worker has found.
struct Best {
  Rank rank;
  std::vector<NodeIndex> nodes;
  std::vector<NodeIndex> without_victims;
  std::vector<NodeIndex> erring;

  void take(const Rank& other, NodeIndex node) {
    const auto order = nodes.empty() ? std::strong_ordering::less : other <=> rank;
    if (order > 0) return;
    if (order < 0) {
      nodes.clear();
      rank = other;
    }
    nodes.push_back(node);
  }
  void take(const Best& other) {
    if (!other.nodes.empty()) {
      take(other.rank, other.nodes.front());
      // The nodes of one worker tie. So if its first node was taken, the others are taken too.
      if (rank == other.rank) nodes.insert(nodes.end(), other.nodes.begin() + 1, other.nodes.end());
    }
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
    // With fewer nodes, waking a thread costs more than it saves: about 10 us a thread, and 0.3 us a node.
    constexpr std::size_t k_nodes_least = 128;
    std::vector<Best> found(workers_.count());
    const std::size_t parts = nodes.size() < k_nodes_least ? 1 : workers_.count();
    const auto part = [&](std::size_t number) {
      const Span span = part_of(nodes.size(), number, parts);
      const Rank* to_beat = best.nodes.empty() ? nullptr : &best.rank;
      for (std::size_t i = span.begin; i < span.end; ++i)
        look_at(nodes[i], to_beat, dry_runs_[number], found[number]);
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
  /// Dry-runs one node. `to_beat` is the best rank of the rounds before, or null.
  void look_at(NodeIndex node, const Rank* to_beat, DryRun& dry_run, Best& found) const {
    if (!found.nodes.empty()) to_beat = &found.rank;
    const DryRunResult result = dry_run.run(node, gives_up_ ? to_beat : nullptr);
    if (result == DryRunResult::candidate) found.take(dry_run.rank(), node);
    if (result == DryRunResult::no_victims) found.without_victims.push_back(node);
    if (result == DryRunResult::errs) found.erring.push_back(node);
  }

  bool gives_up_;  ///< whether a dry run may stop early; its lemma fails for extreme numbers
  Workers& workers_;
  std::vector<DryRun> dry_runs_;
};

/// Whether a node cannot win any more. Lemma (lower bounds decide): no rank of a node is below its bound. So
/// a node whose bound is above the rank of a candidate loses to that candidate.
bool loses(const Bound& bound, const Best& best) { return !best.nodes.empty() && best.rank < bound; }

/// The errors of the nodes that have one, because their dry run returned an error or because they need no
/// victim. Empty: there is none. Clauses: PRE-OUTCOME-5.
std::string errors_of(const Query& query, const std::vector<NodeIndex>& without_victims,
                      const std::vector<NodeIndex>& erring) {
  std::map<NodeIndex, std::string> by_node;
  for (const NodeIndex node : erring) by_node[node] = error_of_dry_run(query, node);
  for (const NodeIndex node : without_victims) {
    const Symbol name = query.tables.nodes.facts[node].name;
    by_node[node] = "expected at least one victim pod on node \"" + query.tables.symbols.text(name) + "\"";
  }
  std::vector<std::string> errors;
  for (const auto& [node, error] : by_node) errors.push_back(error);
  return listed_errors(errors);
}

/// Writes the result. A node that needs no victim is an error or a candidate, as the release has it; only
/// with extenders it can be a candidate. Clauses: PRE-VICTIM-8.
void conclude(const Query& query, Best best, SearchResult& result) {
  const bool errs = query.release.no_victims_left == NoVictimsLeft::error;
  result.has_candidate = !best.nodes.empty() || (!errs && !best.without_victims.empty());
  if (!result.has_candidate) result.error = errors_of(query, best.without_victims, best.erring);
  result.best = std::move(best.nodes);
  sort_if_needed(result.best);
}

/// The potential nodes without the hopeless ones.
std::vector<NodeIndex> hopeful_nodes(const FirstPass& first_pass, const std::vector<NodeIndex>& potential) {
  std::vector<NodeIndex> hopeful;
  hopeful.reserve(potential.size());
  for (const NodeIndex node : potential) {
    if (first_pass.bounds[node] != k_hopeless) hopeful.push_back(node);
  }
  return hopeful;
}

/// Takes the `count` nodes with the lowest bounds out of `left`, and all with k_no_bound. Takes all nodes if
/// all bounds are equal. A part of `left` is returned in ascending order, so that columns are read in their
/// order.
std::vector<NodeIndex> take_lowest(std::vector<NodeIndex>& left, std::size_t count,
                                   const std::vector<Bound>& bounds) {
  const bool all_tie = std::all_of(left.begin(), left.end(),
                                   [&](NodeIndex node) { return bounds[node] == bounds[left.front()]; });
  if (all_tie || count >= left.size()) return std::exchange(left, {});
  const auto middle = left.begin() + static_cast<std::ptrdiff_t>(count);
  std::nth_element(left.begin(), middle, left.end(), [&bounds](NodeIndex a, NodeIndex b) {
    return bounds[a] != bounds[b] ? bounds[a] < bounds[b] : a < b;
  });
  const auto end =
      std::partition(middle, left.end(), [&bounds](NodeIndex node) { return bounds[node] == k_no_bound; });
  std::vector<NodeIndex> lowest(left.begin(), end);
  left.erase(left.begin(), end);
  std::sort(lowest.begin(), lowest.end());
  return lowest;
}

/// Dry-runs every node that can win, those with the lowest bounds first. The rounds do not depend on the
/// number of workers.
void search_all(const Query& query, const FirstPass& first_pass, const std::vector<NodeIndex>& potential,
                const bool prunes, Workers& workers, SearchResult& result) {
  // Few enough to cost nothing compared with the first pass, and enough that one of them is near the best
  // rank.
  constexpr std::size_t k_first_round = 64;
  // If bounds exclude few nodes, a few rounds take all nodes.
  constexpr std::size_t k_growth = 16;
  const std::vector<Bound>& bounds = first_pass.bounds;
  Search search(query, workers);
  std::vector<NodeIndex> left = hopeful_nodes(first_pass, potential);
  for (std::size_t count = k_first_round; !left.empty(); count *= k_growth) {
    search.run(take_lowest(left, prunes ? count : left.size(), bounds));
    if (prunes) std::erase_if(left, [&](NodeIndex node) { return loses(bounds[node], search.best); });
  }
  result.dry_runs = search.count;
  conclude(query, std::move(search.best), result);
}

/// The number of candidates at which the search ends. Clauses: PRE-SEARCH-2, CYC-PROFILE-3.
std::size_t quota_of(const Options& options, std::size_t potential, const ProfileRules& profile) {
  if (options.quota) return static_cast<std::size_t>(*options.quota);
  const std::size_t share = potential * static_cast<std::size_t>(profile.candidate_percentage) / 100;
  return std::min(std::max(share, static_cast<std::size_t>(profile.candidates_least)), potential);
}

/// A candidate that the sampling search keeps.
struct Kept {
  NodeIndex node;
  bool has_victims;
  Rank rank;
};

/// Dry-runs one node after another: all of them or, if the release samples, until enough candidates are kept.
/// Clauses: PRE-SEARCH-1, PRE-SEARCH-3 to PRE-SEARCH-5.
void search_in_order(const Query& query, const FirstPass& first_pass, const std::vector<NodeIndex>& potential,
                     const Options& options, SearchResult& result) {
  const bool samples = query.release.candidate_sampling && options.offset;
  const std::size_t quota = samples ? quota_of(options, potential.size(), query.release) : potential.size();
  const std::size_t start = samples ? static_cast<std::size_t>(*options.offset) % potential.size() : 0;
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
    const Rank rank = dry_run.rank();
    std::vector<Kept>& list = rank.pdb_violations == 0 ? unviolating : violating;
    if (list.size() < quota) list.push_back({node, has_victims, rank});
    if (samples && !unviolating.empty() && unviolating.size() + violating.size() >= quota) break;
  }
  Best best;
  for (const std::vector<Kept>* list : {&unviolating, &violating}) {
    for (const Kept& kept : *list) {
      if (!query.extenders.empty()) result.candidates.push_back(kept.node);
      if (kept.has_victims) {
        best.take(kept.rank, kept.node);
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
  if ((query.release.candidate_sampling && options.offset) || !query.extenders.empty()) {
    search_in_order(query, first_pass, potential, options, result);
  } else {
    search_all(query, first_pass, potential, options.prunes, workers, result);
  }
  return result;
}

}  // namespace touchstone::optimized
