#include "optimized/search/kept_search.hpp"

#include <algorithm>

#include "optimized/filters/pins.hpp"
#include "optimized/search/host.hpp"
#include "optimized/search/node_search.hpp"

namespace touchstone::optimized {

namespace {

std::vector<WeightedNodeScorer> scorers_of(const Query& query, Workers& workers) {
  std::vector<WeightedNodeScorer> scorers;
  for (const WeightedScorer& weighted : query.release.scorers) {
    MadeScorer scorer = scorer_for(weighted.scorer, query, {}, workers);  // a local scorer needs no nodes
    if (scorer) scorers.push_back({weighted, std::move(scorer)});
  }
  return scorers;
}

bool takes_heap_root(const Query& query, const Options& options) {
  return query.release.host_choice == HostChoice::heap_root && options.start.has_value();
}

/// Whether a position of a heap, or one below it, has a total. The positions of a level below it are
/// adjacent, and so are their places, up to the end of the order.
bool has_below(std::size_t position, Quantity total, const Ranking& ranking, const PlaceSet& feasible,
               const Ranks& ranks) {
  std::size_t first = position;
  std::size_t last = position;
  for (; first < ranks.count(); first = 2 * first + 1, last = 2 * last + 2) {
    const std::size_t from = ranks.place(first);
    const std::size_t to = ranks.place(std::min(last, ranks.count() - 1));
    if (from <= to && ranking.has_between(from, to, total, feasible)) return true;
    if (from > to && (ranking.has_between(from, feasible.words() * PlaceSet::k_bits - 1, total, feasible) ||
                      ranking.has_between(0, to, total, feasible)))
      return true;
  }
  return false;
}

/// The root of a heap over the feasible places, by the lemma of heap_rank(). If few places have the highest
/// total, their ranks are compared. If many have it, the walk goes down to the first of them.
std::size_t root_of_heap(const Ranking& ranking, const PlaceSet& feasible, const Ranks& ranks) {
  constexpr std::size_t k_few = 256;
  const Quantity highest = ranking.highest(feasible);
  const std::vector<std::size_t> tied = ranking.places_with(highest, feasible, k_few + 1);
  if (tied.size() <= k_few) {
    return *std::min_element(tied.begin(), tied.end(), [&ranks](std::size_t a, std::size_t b) {
      return heap_rank(ranks.rank(a)) < heap_rank(ranks.rank(b));
    });
  }
  std::size_t position = 0;
  while (ranking.total(ranks.place(position)) != highest) {
    const std::size_t left = 2 * position + 1;
    position = has_below(left, highest, ranking, feasible, ranks) ? left : left + 1;
  }
  return ranks.place(position);
}

std::vector<NodeIndex> nodes_at(const std::vector<std::size_t>& places, const std::vector<NodeIndex>& order) {
  std::vector<NodeIndex> nodes;
  nodes.reserve(places.size());
  for (const std::size_t place : places) nodes.push_back(order[place]);
  return nodes;
}

/// The search that finds every feasible node.
KeptSearch search_all(const RatingQuery& asked, KeptRatings& ratings, const Options& options,
                      Workers& workers) {
  KeptSearch found;
  ratings.rate_all(asked, workers);
  const PlaceSet& feasible = ratings.feasible();
  const std::size_t start = static_cast<std::size_t>(options.start.value_or(0)) % asked.order.size();
  const Ranks ranks(feasible, start);
  found.feasible = ranks.count();
  if (options.start)
    found.next_start =
        next_start_of(asked.query, *options.start, {asked.order.size(), asked.order.size(), false});
  if (found.feasible == 0) return found;
  if (options.wants_scores) {
    std::vector<std::size_t> places;
    for (std::size_t word = 0; word < feasible.words(); ++word)
      PlaceSet::for_each(word, feasible.word(word), [&](std::size_t place) { places.push_back(place); });
    std::sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
      return options.start ? ranks.rank(a) < ranks.rank(b) : asked.order[a] < asked.order[b];
    });
    found.nodes = nodes_at(places, asked.order);
    for (const std::size_t place : places) found.totals.push_back(ratings.ranking().total(place));
  }
  found.is_out_of_range = ratings.some_out_of_range(asked);
  found.highest = ratings.ranking().highest(feasible);
  if (takes_heap_root(asked.query, options)) {
    found.best = {asked.order[root_of_heap(ratings.ranking(), feasible, ranks)]};
    return found;
  }
  ratings.ranking().for_each_with(*found.highest, feasible,
                                  [&](std::size_t place) { found.best.push_back(asked.order[place]); });
  sort_if_needed(found.best);
  return found;
}

/// The search that ends when it has found `wanted` feasible nodes.
KeptSearch search_some(const RatingQuery& asked, KeptRatings& ratings, const Options& options,
                       std::size_t wanted) {
  const std::size_t nodes = asked.order.size();
  const std::size_t start = static_cast<std::size_t>(*options.start) % nodes;
  std::vector<std::size_t> places;
  VisitedNodes visited{nodes, 0, false};
  for (std::size_t i = 0; i < nodes; ++i) {
    const std::size_t place = start + i < nodes ? start + i : start + i - nodes;
    if (i == 0 || place % PlaceSet::k_bits == 0) ratings.rate_word(asked, place / PlaceSet::k_bits);
    const bool is_feasible = ratings.feasible().contains(place);
    visited.ended_early = is_feasible && places.size() == wanted;
    if (visited.ended_early) break;
    ++visited.dealt_with;
    if (is_feasible) places.push_back(place);
  }
  KeptSearch found;
  found.feasible = places.size();
  found.next_start = next_start_of(asked.query, *options.start, visited);
  if (places.empty()) return found;
  std::optional<std::vector<Quantity>> totals = ratings.totals_of(asked, places);
  found.is_out_of_range = !totals;
  std::vector<NodeIndex> at = nodes_at(places, asked.order);
  if (!totals) {
    found.best = {at.front()};  // it counts only if the release does not score a single node
    found.nodes = std::move(at);
    return found;
  }
  found.highest = *std::max_element(totals->begin(), totals->end());
  if (takes_heap_root(asked.query, options)) {
    found.best = {heap_root(at, *totals)};
  } else {
    found.best = best_nodes(at, *totals);
  }
  if (!options.wants_scores) return found;
  found.nodes = std::move(at);
  found.totals = std::move(*totals);
  return found;
}

}  // namespace

bool can_use_memo(const Query& query) {
  const Release& release = query.release;
  if (query.has_reach() || query.is_in_cluster() || query.tables.live_nodes == 0) return false;
  if (!query.pod.nominated_node_name.empty()) return false;
  if (!pins_of_affinity(query).all_nodes || !pins_of_node_name(query).all_nodes) return false;
  return !release.scorers.empty() && release.scorers_without_state.empty() &&
         std::all_of(release.scorers.begin(), release.scorers.end(),
                     [&query](const WeightedScorer& scorer) { return is_local(scorer.scorer, query); });
}

KeptSearch search_with_memo(const Query& query, const Options& options, Workers& workers, Memo& memo) {
  const std::vector<NodeIndex>& order = memo.order_of(query.tables);
  const std::vector<WeightedNodeScorer> scorers = scorers_of(query, workers);
  const RatingQuery asked{query, scorers, order, memo.table_of(query.tables)};
  KeptRatings& ratings = memo.ratings_for(query.pod, asked);
  const std::size_t wanted = options.start ? nodes_to_find(order.size(), query.release) : order.size();
  return wanted >= order.size() ? search_all(asked, ratings, options, workers)
                                : search_some(asked, ratings, options, wanted);
}

}  // namespace touchstone::optimized
