#pragma once

#include <bit>
#include <cstdint>
#include <map>
#include <vector>

#include "optimized/scores/scorer.hpp"

namespace touchstone::optimized {

/// One bit for each place in an order of nodes.
class PlaceSet {
 public:
  static constexpr std::size_t k_bits = 64;  ///< of a word

  explicit PlaceSet(std::size_t places = 0) : words_((places + k_bits - 1) / k_bits, 0) {}

  bool contains(std::size_t place) const { return (words_[place / k_bits] >> place % k_bits & 1) != 0; }
  void set(std::size_t place, bool is_in) {
    const std::uint64_t bit = std::uint64_t{1} << place % k_bits;
    words_[place / k_bits] = is_in ? words_[place / k_bits] | bit : words_[place / k_bits] & ~bit;
  }
  /// Sets the places of a word that are in `bits` to what `value` says.
  void replace(std::size_t word, std::uint64_t bits, std::uint64_t value) {
    words_[word] = (words_[word] & ~bits) | (value & bits);
  }
  std::size_t words() const { return words_.size(); }
  std::uint64_t word(std::size_t number) const { return words_[number]; }
  std::size_t bytes() const { return words_.capacity() * sizeof(std::uint64_t); }

  /// Calls act(place) for each place of a word that is in the set. Most words are full, and then a compiler
  /// can make one vector operation of several calls.
  template <typename F>
  static void for_each(std::size_t number, std::uint64_t word, const F& act) {
    if (word == ~std::uint64_t{0}) {
      for (std::size_t i = 0; i < k_bits; ++i) act(number * k_bits + i);
      return;
    }
    for (; word != 0; word &= word - 1)
      act(number * k_bits + static_cast<std::size_t>(std::countr_zero(word)));
  }

 private:
  std::vector<std::uint64_t> words_;
};

/// The places of a set, numbered in the order in which a search meets them that begins at one place and goes
/// on from the last place to the first.
class Ranks {
 public:
  /// Requires: `start` is a place of the order. Complexity: linear in the words.
  Ranks(const PlaceSet& places, std::size_t start);

  std::size_t count() const { return before_.back(); }
  /// The rank of a place. Requires: it is in the set.
  std::size_t rank(std::size_t place) const {
    const std::size_t from_first = number(place);
    return from_first >= skipped_ ? from_first - skipped_ : from_first + count() - skipped_;
  }
  /// The place of a rank. Requires: rank < count(). Complexity: logarithmic.
  std::size_t place(std::size_t rank) const;

 private:
  /// The number of places of the set before a place.
  std::size_t number(std::size_t place) const {
    const std::uint64_t below = (std::uint64_t{1} << place % PlaceSet::k_bits) - 1;
    const std::size_t word = place / PlaceSet::k_bits;
    return before_[word] + static_cast<std::size_t>(std::popcount(places_.word(word) & below));
  }

  const PlaceSet& places_;
  std::vector<std::size_t> before_;  ///< by word: the number of places in earlier words; then of all
  std::size_t skipped_ = 0;          ///< the number of places before the start
};

/// The distribution of the raw scores of one scorer. It gives the exact extremes after each change.
class RawScores {
 public:
  void add(Quantity raw) { ++count_of_[raw]; }
  /// Requires: the score was added.
  void remove(Quantity raw) {
    const auto found = count_of_.find(raw);
    if (--found->second == 0) count_of_.erase(found);
  }
  /// `total` is not set: no scorer that is kept needs it.
  Extremes extremes() const {
    if (count_of_.empty()) return {};
    return {true, count_of_.begin()->first, count_of_.rbegin()->first, 0};
  }
  std::size_t bytes() const { return count_of_.size() * 48; }

 private:
  std::map<Quantity, std::size_t> count_of_;
};

/// The totals of the feasible places, and the highest of them. A total that changes costs one word of places.
class Ranking {
 public:
  explicit Ranking(std::size_t places) : totals_(places), highest_((places + 63) / 64) {}

  Quantity total(std::size_t place) const { return totals_[place]; }
  void set(std::size_t place, Quantity total) { totals_[place] = total; }
  /// Finds the highest total of a word again. Call it after set() or a change of the word's feasible places.
  void refresh(std::size_t word, const PlaceSet& feasible);

  /// The highest total. Requires: a place is feasible, and each changed word was refreshed. Complexity:
  /// linear in the words.
  Quantity highest(const PlaceSet& feasible) const;
  /// Calls act(place) for each feasible place with this total, ascending.
  template <typename F>
  void for_each_with(Quantity total, const PlaceSet& feasible, const F& act) const {
    for (std::size_t word = 0; word < feasible.words(); ++word) {
      if (feasible.word(word) == 0 || highest_[word] < total) continue;
      PlaceSet::for_each(word, feasible.word(word), [&](std::size_t place) {
        if (totals_[place] == total) act(place);
      });
    }
  }
  /// The first of these places, at most `most`.
  std::vector<std::size_t> places_with(Quantity total, const PlaceSet& feasible, std::size_t most) const;
  /// Whether a feasible place from `first` to `last` has this total. Requires: no total is higher, and first
  /// <= last. Complexity: linear in the words between them.
  bool has_between(std::size_t first, std::size_t last, Quantity total, const PlaceSet& feasible) const;
  std::size_t bytes() const { return (totals_.capacity() + highest_.capacity()) * sizeof(Quantity); }

 private:
  std::vector<Quantity> totals_;   ///< by place; valid where it is feasible
  std::vector<Quantity> highest_;  ///< by word: of its feasible places; valid where there is one
};

}  // namespace touchstone::optimized
