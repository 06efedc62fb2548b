#include "optimized/search/kept_ratings.hpp"

#include <algorithm>
#include <array>

#include "optimized/search/first_pass.hpp"
#include "optimized/store/go_numbers.hpp"

namespace touchstone::optimized {

namespace {

/// Whether a scorer has a column of raw scores. The others are constant, or part of the unscaled sum.
bool has_column(const NodeScorer& scorer) { return scorer.scaling() != Scaling::none && !scorer.constant(); }

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
  std::array<std::size_t, PlaceSet::k_bits> at;
  std::array<NodeIndex, PlaceSet::k_bits> nodes;
  std::array<Quantity, PlaceSet::k_bits> raw;
  std::size_t count = 0;
  std::uint64_t feasible = 0;
  PlaceSet::for_each(word, places, [&](std::size_t place) {
    unscaled_[place] = 0;
    if (!fits(asked.query, asked.order[place])) return;
    feasible |= std::uint64_t{1} << place % PlaceSet::k_bits;
    at[count] = place;
    nodes[count++] = asked.order[place];
  });
  known_.replace(word, places, places);
  feasible_.replace(word, places, feasible);
  out_of_range_.replace(word, places, 0);
  if (count == 0) return;
  std::size_t column = 0;
  for (const auto& [weighted, scorer] : asked.scorers) {
    if (scorer->constant()) continue;
    scorer->rate({nodes.data(), count}, raw.data());
    const bool is_scaled = scorer->scaling() != Scaling::none;
    for (std::size_t i = 0; i < count && is_scaled; ++i) columns_[column].raw[at[i]] = raw[i];
    column += is_scaled ? 1 : 0;
    for (std::size_t i = 0; i < count && !is_scaled; ++i) {
      const Quantity score = go::product(raw[i], weighted.weight);
      unscaled_[at[i]] = go::sum(unscaled_[at[i]], score);
      if (score < 0) out_of_range_.set(at[i], true);
    }
  }
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
    if (feasible_.contains(place)) set_total(asked, place, constant, extremes);
    ranking_->refresh(place / PlaceSet::k_bits, feasible_);
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
    PlaceSet::for_each(word, feasible_.word(word),
                       [&](std::size_t place) { set_total(asked, place, constant, extremes); });
    ranking_->refresh(word, feasible_);
  }
}

void KeptRatings::set_total(const RatingQuery& asked, std::size_t place, Quantity constant,
                            std::span<const Extremes> extremes) {
  const Total total = total_of(asked, place, extremes);
  ranking_->set(place, go::sum(constant, total.total));
  ranked_out_of_range_.set(place, total.is_out_of_range);
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

/// The total of the scores that differ between nodes. Requires: the place is feasible.
KeptRatings::Total KeptRatings::total_of(const RatingQuery& asked, std::size_t place,
                                         std::span<const Extremes> extremes) const {
  Total total{unscaled_[place], out_of_range_.contains(place)};
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const auto& [weighted, scorer] = asked.scorers[columns_[i].scorer];
    const Quantity single =
        scaled(scorer->scaling(), columns_[i].raw[place], extremes[i], asked.query.release);
    const Quantity score = go::product(single, weighted.weight);
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
