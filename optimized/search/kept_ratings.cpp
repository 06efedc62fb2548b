#include "optimized/search/kept_ratings.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "optimized/store/go_numbers.hpp"

namespace touchstone::optimized {

namespace {

/// Whether a scorer has a column of raw scores. The others are constant, or part of the unscaled sum.
bool has_column(const NodeScorer& scorer) { return scorer.scaling() != Scaling::none && !scorer.constant(); }

static_assert(PlaceSet::k_bits == PlaceTable::k_places);
/// Raw scores by bits of a word. Those of other places mean nothing.
using RawOfWord = std::array<Quantity, PlaceSet::k_bits>;

/// Rates some places of a word: all at once, or those for which that does not work one by one.
void rate_places(const NodeScorer& scorer, const RatingQuery& asked, PlacesOfWord rated, RawOfWord& raw) {
  // To rate all places of a word takes about as long as to rate half as many nodes one by one.
  constexpr int k_many = PlaceSet::k_bits / 2;
  std::uint64_t rest = rated.places;
  if (std::popcount(rest) >= k_many) rest &= ~scorer.rate_word(asked.table, rated.word, raw.data());
  if (rest == 0) return;
  std::array<NodeIndex, PlaceSet::k_bits> nodes;
  RawOfWord of_nodes;
  std::size_t count = 0;
  PlaceSet::for_each(rated.word, rest, [&](std::size_t place) { nodes[count++] = asked.order[place]; });
  scorer.rate({nodes.data(), count}, of_nodes.data());
  count = 0;
  PlaceSet::for_each(0, rest, [&](std::size_t bit) { raw[bit] = of_nodes[count++]; });
}

}  // namespace

KeptRatings::KeptRatings(const RatingQuery& asked)
    : inputs_(inputs_of(asked)),
      known_(asked.order.size()),
      feasible_(asked.order.size()),
      out_of_range_(asked.order.size()),
      ranked_out_of_range_(asked.order.size()),
      unscaled_(asked.order.size(), 0) {
  for (std::size_t i = 0; i < asked.scorers.size(); ++i) {
    if (has_column(*asked.scorers[i].scorer))
      columns_.push_back({i, std::vector<Quantity>(asked.order.size(), 0), {}, {}});
  }
}

std::vector<KeptRatings::Inputs> KeptRatings::inputs_of(const RatingQuery& asked) {
  std::vector<Inputs> inputs;
  for (const auto& [weighted, scorer] : asked.scorers)
    inputs.push_back({weighted, scorer->scaling(), scorer->constant(), scorer->inputs()});
  return inputs;
}

bool KeptRatings::suits(const RatingQuery& asked) const { return inputs_ == inputs_of(asked); }

/// Rates some places of a word, given as its bits.
void KeptRatings::rate(const RatingQuery& asked, std::size_t word, std::uint64_t places) {
  const std::uint64_t found = fitting(asked.query, asked.table, asked.order, {word, places});
  known_.replace(word, places, places);
  feasible_.replace(word, places, found);
  out_of_range_.replace(word, places, found == 0 ? 0 : score(asked, {word, found}));
}

/// Writes the raw scores of feasible places. Returns which of them have a negative score that is not scaled.
std::uint64_t KeptRatings::score(const RatingQuery& asked, PlacesOfWord feasible) {
  const std::size_t first = feasible.word * PlaceSet::k_bits;
  const auto write = [&](const RawOfWord& from, std::vector<Quantity>& to) {
    PlaceSet::for_each(feasible.word, feasible.places,
                       [&](std::size_t place) { to[place] = from[place - first]; });
  };
  RawOfWord raw{};
  RawOfWord sums{};
  std::uint64_t negative = 0;
  std::size_t column = 0;
  for (const auto& [weighted, scorer] : asked.scorers) {
    if (scorer->constant()) continue;
    rate_places(*scorer, asked, feasible, raw);
    if (scorer->scaling() != Scaling::none) {
      write(raw, columns_[column++].raw);
      continue;
    }
    if (weighted.weight != 1) {
      for (Quantity& score : raw) score = go::product(score, weighted.weight);
    }
    Quantity joined = 0;  // is negative if a score is
    for (std::size_t i = 0; i < raw.size(); ++i) {
      sums[i] = go::sum(sums[i], raw[i]);
      joined |= raw[i];
    }
    if (joined < 0)
      PlaceSet::for_each(0, feasible.places, [&](std::size_t bit) {
        negative |= static_cast<std::uint64_t>(raw[bit] < 0) << bit;
      });
  }
  write(sums, unscaled_);
  return negative;
}

void KeptRatings::rate_word(const RatingQuery& asked, std::size_t word) {
  const std::size_t places = std::min(PlaceSet::k_bits, asked.order.size() - word * PlaceSet::k_bits);
  const std::uint64_t all = ~std::uint64_t{0} >> (PlaceSet::k_bits - places);
  rate(asked, word, all & ~known_.word(word));
}

void KeptRatings::rate_again(const RatingQuery& asked, std::span<const std::size_t> changed) {
  std::vector<std::size_t> places(changed.begin(), changed.end());
  std::erase_if(places, [this](std::size_t place) { return !known_.contains(place); });
  if (ranking_) count(places, false);
  for (std::size_t i = 0; i < places.size();) {
    const std::size_t word = places[i] / PlaceSet::k_bits;
    std::uint64_t bits = 0;
    for (; i < places.size() && places[i] / PlaceSet::k_bits == word; ++i)
      bits |= std::uint64_t{1} << places[i] % PlaceSet::k_bits;
    rate(asked, word, bits);
  }
  if (ranking_) rank(asked, places);
}

void KeptRatings::rate_all(const RatingQuery& asked, Workers& workers) {
  if (ranking_) return;
  for_each_node(workers, known_.words(), [&](std::size_t word) { rate_word(asked, word); });
  ranking_.emplace(asked.order.size());
  for (ScaledColumn& column : columns_) {
    for (std::size_t word = 0; word < feasible_.words(); ++word)
      PlaceSet::for_each(word, feasible_.word(word),
                         [&column](std::size_t place) { column.of_feasible.add(column.raw[place]); });
  }
  rank_all(asked);
}

/// Adds feasible places to the distributions of raw scores, or removes them.
void KeptRatings::count(std::span<const std::size_t> places, bool is_added) {
  for (ScaledColumn& column : columns_) {
    for (const std::size_t place : places) {
      if (!feasible_.contains(place)) continue;
      is_added ? column.of_feasible.add(column.raw[place]) : column.of_feasible.remove(column.raw[place]);
    }
  }
}

/// Computes the totals of places that were rated again, or all totals if a scale has changed.
void KeptRatings::rank(const RatingQuery& asked, std::span<const std::size_t> changed) {
  count(changed, true);
  std::vector<Extremes> extremes;
  bool is_scale_changed = false;
  for (const ScaledColumn& column : columns_) {
    extremes.push_back(column.extremes);
    is_scale_changed = is_scale_changed || column.extremes != column.of_feasible.extremes();
  }
  if (is_scale_changed) return rank_all(asked);
  const Quantity constant = constant_total(asked).total;
  for (const std::size_t place : changed) {
    const std::size_t word = place / PlaceSet::k_bits;
    const std::uint64_t bit = std::uint64_t{1} << place % PlaceSet::k_bits;
    set_totals(asked, word, bit & feasible_.word(word), constant, extremes);
    ranking_->refresh(word, feasible_);
  }
}

void KeptRatings::rank_all(const RatingQuery& asked) {
  std::vector<Extremes> extremes;
  for (ScaledColumn& column : columns_) {
    column.extremes = column.of_feasible.extremes();
    extremes.push_back(column.extremes);
  }
  const Quantity constant = constant_total(asked).total;
  for (std::size_t word = 0; word < feasible_.words(); ++word) {
    set_totals(asked, word, feasible_.word(word), constant, extremes);
    ranking_->refresh(word, feasible_);
  }
}

/// Sets the totals of some feasible places of a word, given as its bits.
void KeptRatings::set_totals(const RatingQuery& asked, std::size_t word, std::uint64_t places,
                             Quantity constant, std::span<const Extremes> extremes) {
  std::uint64_t negative = out_of_range_.word(word);
  PlaceSet::for_each(word, places,
                     [&](std::size_t place) { ranking_->set(place, go::sum(constant, unscaled_[place])); });
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    PlaceSet::for_each(word, places, [&](std::size_t place) {
      const Quantity score = scaled_score(asked, i, place, extremes[i]);
      ranking_->set(place, go::sum(ranking_->total(place), score));
      negative |= static_cast<std::uint64_t>(score < 0) << place % PlaceSet::k_bits;
    });
  }
  ranked_out_of_range_.replace(word, places, negative);
}

/// The sum of the scores that are equal on all nodes.
KeptRatings::Total KeptRatings::constant_total(const RatingQuery& asked) const {
  Total total;
  for (const auto& [weighted, scorer] : asked.scorers) {
    const std::optional<Quantity> raw = scorer->constant();
    if (!raw) continue;
    Extremes extremes;
    extremes.add(*raw);
    const Quantity single = scaled(scorer->scaling(), *raw, extremes, asked.query.release);
    const Quantity score = go::product(single, weighted.weight);
    total.total = go::sum(total.total, score);
    total.is_out_of_range = total.is_out_of_range || score < 0;
  }
  return total;
}

/// The weighted score that a place has by a column.
Quantity KeptRatings::scaled_score(const RatingQuery& asked, std::size_t column, std::size_t place,
                                   const Extremes& extremes) const {
  const auto& [weighted, scorer] = asked.scorers[columns_[column].scorer];
  const Quantity single =
      scaled(scorer->scaling(), columns_[column].raw[place], extremes, asked.query.release);
  return go::product(single, weighted.weight);
}

/// The total of the scores that differ between nodes. Requires: the place is feasible.
KeptRatings::Total KeptRatings::total_of(const RatingQuery& asked, std::size_t place,
                                         std::span<const Extremes> extremes) const {
  Total total{unscaled_[place], out_of_range_.contains(place)};
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const Quantity score = scaled_score(asked, i, place, extremes[i]);
    total.total = go::sum(total.total, score);
    total.is_out_of_range = total.is_out_of_range || score < 0;
  }
  return total;
}

std::optional<std::vector<Quantity>> KeptRatings::totals_of(const RatingQuery& asked,
                                                            std::span<const std::size_t> places) const {
  std::vector<Extremes> extremes(columns_.size());
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    for (const std::size_t place : places) extremes[i].add(columns_[i].raw[place]);
  }
  const Total constant = constant_total(asked);
  bool is_out_of_range = constant.is_out_of_range;
  std::vector<Quantity> totals;
  totals.reserve(places.size());
  for (const std::size_t place : places) {
    const Total total = total_of(asked, place, extremes);
    totals.push_back(go::sum(constant.total, total.total));
    is_out_of_range = is_out_of_range || total.is_out_of_range;
  }
  if (is_out_of_range) return std::nullopt;
  return totals;
}

bool KeptRatings::some_out_of_range(const RatingQuery& asked) const {
  if (constant_total(asked).is_out_of_range) return true;
  for (std::size_t word = 0; word < feasible_.words(); ++word) {
    if ((feasible_.word(word) & ranked_out_of_range_.word(word)) != 0) return true;
  }
  return false;
}

std::size_t KeptRatings::bytes() const {
  std::size_t bytes = 4 * known_.bytes();
  bytes += unscaled_.capacity() * sizeof(Quantity);
  for (const ScaledColumn& column : columns_)
    bytes += column.raw.capacity() * sizeof(Quantity) + column.of_feasible.bytes();
  return bytes + (ranking_ ? ranking_->bytes() : 0);
}

}  // namespace touchstone::optimized
