#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "reference/scores/go_numbers.hpp"
#include "reference/scores/scored_requests.hpp"
#include "reference/scores/scores.hpp"

/// BalancedAllocation: how close the shares of a node's resources are that pods request. Shares are floats,
/// as in the releases. Each step has a statement of its own, so that no compiler joins a product with a sum.
namespace touchstone::reference {

namespace {

/// The share of a resource that is requested. A resource that the node does not have has the share 1.
double share(Quantity requested, Quantity allocatable) {
  return allocatable == 0 ? 1 : go_float(requested) / go_float(allocatable);
}

/// SCORE-BALANCED-2: the standard deviation of shares; 0 if there is at most one.
double deviation(const std::vector<double>& shares) {
  if (shares.size() < 2) return 0;
  if (shares.size() == 2) return std::abs((shares[0] - shares[1]) / 2);
  const double count = static_cast<double>(shares.size());
  double total = 0;
  for (const double one : shares) total += one;
  const double mean = total / count;
  double squares = 0;
  for (const double one : shares) {
    const double square = (one - mean) * (one - mean);
    squares += square;
  }
  return std::sqrt(squares / count);
}

/// SCORE-BALANCED-1: 1 less the distance between the shares of cpu and of memory. A share of 1 or more gives
/// no points.
Quantity balance_by_distance(const std::vector<ScoredLoad>& loads, const Release& release) {
  std::vector<double> shares;
  for (const ScoredLoad& load : loads) {
    shares.push_back(share(load.with, load.allocatable));
    if (shares.back() >= 1) return 0;
  }
  const double distance = 2 * deviation(shares);
  return go_integer((1 - distance) * go_float(release.highest_score));
}

/// SCORE-BALANCED-2: 1 less the standard deviation of the shares, of which none counts as more than 1.
/// `requested`: which requests of a load count.
Quantity balance_by_deviation(const std::vector<ScoredLoad>& loads, Quantity ScoredLoad::* requested,
                              const Release& release) {
  std::vector<double> shares;
  for (const ScoredLoad& load : loads) {
    shares.push_back(std::min(share(load.*requested, load.allocatable), 1.0));
  }
  return go_integer((1 - deviation(shares)) * go_float(release.highest_score));
}

Quantity balance(const std::vector<ScoredLoad>& loads, const Release& release) {
  if (release.balance == Balance::distance) return balance_by_distance(loads, release);
  const Quantity with = balance_by_deviation(loads, &ScoredLoad::with, release);
  if (release.balance == Balance::deviation) return with;
  // SCORE-BALANCED-5: half of the points stay if the preemptor changes nothing
  const Quantity without = balance_by_deviation(loads, &ScoredLoad::without, release);
  const Quantity half = release.highest_score / 2;
  return half + go_difference(go_sum(half, with), without) / 2;
}

/// The clause of each way to compute the balance, in the order of enum Balance.
constexpr std::array<std::string_view, 3> k_balance_clauses = {"SCORE-BALANCED-1", "SCORE-BALANCED-2",
                                                               "SCORE-BALANCED-5"};

/// SCORE-BALANCED-4: whether the preemptor requests none of the resources.
bool requests_none_of(const std::vector<ScoredResource>& resources, const ResourceList& own) {
  return std::none_of(resources.begin(), resources.end(),
                      [&own](const ScoredResource& resource) { return amount_of(own, resource.name) > 0; });
}

}  // namespace

Scores balanced_allocation(const Cycle& cycle, const Nodes& nodes) {
  const Release& release = cycle.release;
  // SCORE-BALANCED-3
  const bool real = release.balance_by_real_requests;
  const ResourceList own = real ? real_requests_of_preemptor(cycle.pod, release)
                                : requests_with_defaults_of_preemptor(cycle.pod, release);
  const MissingRequests missing = real ? MissingRequests::are_zero : MissingRequests::count_by_default;
  // SCORE-BALANCED-4
  if (release.balance_may_be_skipped && requests_none_of(release.balanced_resources, own)) {
    if (release.balance_prescore_off) return std::vector<Quantity>(nodes.size(), 0);
    return std::nullopt;
  }

  std::vector<Quantity> scores;
  for (const NodeIndex node : nodes) {
    const std::vector<ScoredLoad> loads =
        scored_loads(cycle, cycle.nodes[node], release.balanced_resources, own, missing);
    for (const ScoredLoad& load : loads)
      cycle.trace.add({Stage::score_part,
                       k_balance_clauses[static_cast<std::size_t>(release.balance)],
                       true,
                       load.resource,
                       node,
                       {},
                       {{Measure::requested, load.with},
                        {Measure::used, load.without},
                        {Measure::allocatable, load.allocatable}}});
    scores.push_back(balance(loads, release));
  }
  return scores;
}

}  // namespace touchstone::reference
