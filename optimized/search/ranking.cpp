#include "optimized/search/ranking.hpp"

#include <algorithm>
#include <limits>

namespace touchstone::optimized {

Ranks::Ranks(const PlaceSet& places, std::size_t start) : places_(places) {
  before_.reserve(places.words() + 1);
  std::size_t count = 0;
  for (std::size_t word = 0; word < places.words(); ++word) {
    before_.push_back(count);
    count += static_cast<std::size_t>(std::popcount(places.word(word)));
  }
  before_.push_back(count);
  skipped_ = number(start);
}

std::size_t Ranks::place(std::size_t rank) const {
  const std::size_t target = (rank + skipped_) % count();
  const auto after = std::upper_bound(before_.begin(), before_.end(), target);
  const auto word = static_cast<std::size_t>(after - before_.begin()) - 1;
  std::uint64_t bits = places_.word(word);
  for (std::size_t i = before_[word]; i < target; ++i) bits &= bits - 1;
  return word * PlaceSet::k_bits + static_cast<std::size_t>(std::countr_zero(bits));
}

void Ranking::refresh(std::size_t word, const PlaceSet& feasible) {
  Quantity highest = std::numeric_limits<Quantity>::min();
  PlaceSet::for_each(word, feasible.word(word),
                     [&](std::size_t place) { highest = std::max(highest, totals_[place]); });
  highest_[word] = highest;
}

std::vector<std::size_t> Ranking::places_with(Quantity total, const PlaceSet& feasible,
                                              std::size_t most) const {
  std::vector<std::size_t> places;
  for (std::size_t word = 0; word < feasible.words() && places.size() < most; ++word) {
    if (feasible.word(word) == 0 || highest_[word] < total) continue;
    PlaceSet::for_each(word, feasible.word(word), [&](std::size_t place) {
      if (totals_[place] == total && places.size() < most) places.push_back(place);
    });
  }
  return places;
}

bool Ranking::has_between(std::size_t first, std::size_t last, Quantity total,
                          const PlaceSet& feasible) const {
  const std::size_t first_word = first / PlaceSet::k_bits;
  const std::size_t last_word = last / PlaceSet::k_bits;
  for (std::size_t word = first_word; word <= last_word; ++word) {
    if (feasible.word(word) == 0 || highest_[word] < total) continue;
    bool is_there = false;
    PlaceSet::for_each(word, feasible.word(word), [&](std::size_t place) {
      is_there = is_there || (place >= first && place <= last && totals_[place] == total);
    });
    if (is_there) return true;
  }
  return false;
}

Quantity Ranking::highest(const PlaceSet& feasible) const {
  Quantity highest = std::numeric_limits<Quantity>::min();
  for (std::size_t word = 0; word < feasible.words(); ++word) {
    if (feasible.word(word) != 0) highest = std::max(highest, highest_[word]);
  }
  return highest;
}

}  // namespace touchstone::optimized
